/* SPDX-License-Identifier: Apache-2.0 */
#include "source/comments.h"

#include "base/order.h"
#include "base/path.h"
#include "net/url.h"
#include "source/api_json.h"
#include "source/api_pages.h"
#include "source/gitlab_api.h"
#include "source/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BODY_MAX = 4 << 20 };

void rg_comments_init(rg_comments *comments)
{
	*comments = (rg_comments){0};
	rg_arena_init(&comments->arena);
}

void rg_comments_release(rg_comments *comments)
{
	free(comments->items);
	rg_arena_release(&comments->arena);
}

/* ---- addresses ---- */

static bool is_gitlab(const rg_commented *on)
{
	return on->repository->kind == RG_SOURCE_GITLAB;
}

/* The URL of the request, or of what hangs off it. */
static char *url_of(const rg_commented *on, const char *rest)
{
	const char *api = rg_http_api_url(on->http);
	unsigned long long pull = on->pull;
	RG_AUTO_FREE char *path = NULL;

	if (!is_gitlab(on))
		return rg_textf("%s/repos/%s/issues/%llu%s", api, on->repository->path, pull, rest);
	rg_error_free(rg_url_escape(&path, on->repository->path)); /* whose path was checked */
	return rg_textf("%s/projects/%s/merge_requests/%llu%s", api, path ? path : "", pull, rest);
}

/* The URL of one comment; 0: of all. */
static char *comment_url(const rg_commented *on, uint64_t id)
{
	unsigned long long number = id;

	if (!id)
		return url_of(on, is_gitlab(on) ? "/notes" : "/comments");
	if (!is_gitlab(on))
		return rg_textf("%s/repos/%s/issues/comments/%llu", rg_http_api_url(on->http),
				on->repository->path, number);
	RG_AUTO_FREE char *rest = rg_textf("/notes/%llu", number);
	return url_of(on, rest);
}

char *rg_comments_request(const rg_commented *on, const char *method, uint64_t id)
{
	RG_AUTO_FREE char *url = comment_url(on, id);
	return rg_textf("%s %s", is_gitlab(on) && !strcmp(method, "PATCH") ? "PUT" : method, url);
}

/* ---- requests ---- */

static rg_error *refusal(const rg_commented *on, const rg_http_request *request,
			 const rg_http_response *response)
{
	const char *said = response->error_body.length ? response->error_body.data : "";
	const char *meaning = NULL;

	if (response->status == 403 && strstr(said, "locked"))
		meaning = "the conversation is locked: only those who may write to the repository "
			  "can "
			  "comment there";
	else if (response->status == 403 && (request->post || request->method))
		meaning =
			is_gitlab(on)
				? "the token may not write notes: it needs the scope api, and its "
				  "owner the role Reporter"
				: "the token may not write comments: give the job 'permissions: "
				  "pull-requests: write'; in a run of a fork's pull request it "
				  "never "
				  "may: comment from a workflow on workflow_run";
	return meaning ? rg_http_refusal(request, response, meaning)
		       : rg_http_status_error(on->http, request, response);
}

static const char *service_of(const rg_commented *on)
{
	return is_gitlab(on) ? "GitLab" : "GitHub";
}

/* ---- who asks ---- */

rg_error *rg_comments_check(const rg_commented *on)
{
	rg_gitlab_access access;
	char *token;

	if (!is_gitlab(on))
		return NULL;
	rg_gitlab_token_find(&token, &access, on->repository);
	rg_token_free(token);
	if (access == RG_GITLAB_USER)
		return NULL;
	return rg_error_new(RG_E_AUTH,
			    "%s; set GITLAB_TOKEN to a token with the scope api, a project's or a "
			    "group's",
			    access == RG_GITLAB_JOB
				    ? "a job's own token, CI_JOB_TOKEN, cannot write notes"
				    : "there is no token that may be sent to this host");
}

/* GitLab's users by number, GitHub's by login, where GraphQL does not say who wrote what. */
static rg_error *read_self(const rg_commented *on, rg_arena *arena, uint64_t *id,
			   const char **login)
{
	RG_AUTO_FREE char *url = rg_textf("%s/user", rg_http_api_url(on->http));
	const rg_http_request request = {.url = url, .what = "whose token it is"};
	RG_AUTO_PTR(cJSON) root = NULL;

	RG_TRY(rg_api_ask(&root, on->http, service_of(on), &request, NULL));
	const rg_json_in in = {root, arena};
	RG_TRY(rg_json_get_count(&in, root, "id", RG_JSON_EXACT_MAX, id));
	return rg_json_get_text(&in, root, is_gitlab(on) ? "username" : "login", login);
}

rg_error *rg_comments_head(char **out, const rg_commented *on)
{
	const char *api = rg_http_api_url(on->http), *sha = NULL;
	unsigned long long pull = on->pull;
	RG_AUTO_FREE char *url =
		is_gitlab(on) ? url_of(on, "")
			      : rg_textf("%s/repos/%s/pulls/%llu", api, on->repository->path, pull);
	char what[48];
	const rg_http_request request = {.url = url, .what = what};
	RG_AUTO_PTR(cJSON) root = NULL;
	RG_AUTO(rg_arena) arena = {0};

	*out = NULL;
	snprintf(what, sizeof(what), "request %llu", pull);
	RG_TRY(rg_api_ask(&root, on->http, service_of(on), &request, NULL));
	const rg_json_in in = {root, &arena};
	const cJSON *object = root;
	if (!is_gitlab(on))
		RG_TRY(rg_json_get_object(&in, root, "head", &object));
	RG_TRY(rg_json_get_text(&in, object, "sha", &sha));
	*out = rg_strdup(sha);
	return NULL;
}

/* ---- finding them ---- */

/* `self`: GitLab's number of whose token it is; 0 on GitHub, which is asked later. */
static rg_error *read_comment(rg_comments *out, const rg_json_in *in, const cJSON *item,
			      const char *marker, uint64_t self)
{
	rg_comment comment = {0};
	const cJSON *author;
	uint64_t by = 0;

	RG_TRY(rg_json_get_count(in, item, "id", RG_JSON_EXACT_MAX, &comment.id));
	RG_TRY(rg_api_check_id(in, item, comment.id));
	RG_TRY(rg_json_get_optional(in, item, "body", &comment.body));
	if (!comment.body || strncmp(comment.body, marker, strlen(marker)) != 0)
		return NULL;
	if (self) {
		RG_TRY(rg_json_get_object(in, item, "author", &author));
		RG_TRY(rg_json_get_count(in, author, "id", RG_JSON_EXACT_MAX, &by));
		if (by != self)
			return NULL;
	} else {
		RG_TRY(rg_json_get_text(in, item, "node_id", &comment.node));
		RG_TRY(rg_json_get_object(in, item, "user", &author));
		RG_TRY(rg_json_get_text(in, author, "login", &comment.by));
	}
	*RG_PUSH(out->items, out->count, out->capacity) = comment;
	return NULL;
}

typedef struct {
	rg_comments *out;
	const char *marker;
	uint64_t self;
} find_state;

static rg_error *read_page(void *context, const cJSON *page)
{
	const find_state *f = context;
	const rg_json_in in = {page, &f->out->arena};
	const cJSON *item;

	cJSON_ArrayForEach(item, page) RG_TRY(read_comment(f->out, &in, item, f->marker, f->self));
	return NULL;
}

/* ---- GitHub: who wrote what, and what is hidden ---- */

/* Returns NULL for a comment that the answer does not have. */
static const cJSON *node_of(const cJSON *nodes, const char *id)
{
	const cJSON *node;
	cJSON_ArrayForEach(node, nodes)
	{
		const char *name = cJSON_GetStringValue(rg_json_member(node, "id"));
		if (name && !strcmp(name, id))
			return node;
	}
	return NULL;
}

static rg_error *keep_own(rg_comments *comments, const cJSON *root)
{
	const rg_json_in in = {root, &comments->arena};
	const cJSON *data;
	size_t kept = 0;

	RG_TRY(rg_json_get_object(&in, root, "data", &data));
	for (size_t i = 0; i < comments->count; i++) {
		rg_comment *comment = &comments->items[i];
		const cJSON *node = node_of(rg_json_member(data, "nodes"), comment->node);
		bool own = false;
		if (node)
			RG_TRY(rg_json_get_truth(&in, node, "viewerDidAuthor", &own));
		if (own)
			RG_TRY(rg_json_get_truth(&in, node, "isMinimized", &comment->minimized));
		if (own)
			comments->items[kept++] = *comment;
	}
	comments->count = kept;
	return NULL;
}

static rg_error *ask_whose(rg_comments *comments, const rg_commented *on)
{
	RG_AUTO_FREE char *url = rg_textf("%s/graphql", rg_http_api_url(on->http));
	RG_AUTO(rg_buf) query = rg_buf_of(RG_BUF_ANY);
	RG_AUTO_PTR(cJSON) root = NULL;
	rg_json_out json;

	rg_json_out_init(&json, &query);
	rg_json_open(&json, '{');
	rg_json_key_text(&json, "query",
			 "query($ids:[ID!]!){nodes(ids:$ids){...on IssueComment{id isMinimized "
			 "viewerDidAuthor}}}");
	rg_json_key_open(&json, "variables", '{');
	rg_json_key_open(&json, "ids", '[');
	for (size_t i = 0; i < comments->count; i++)
		rg_json_text(&json, comments->items[i].node);
	rg_json_close(&json, ']');
	rg_json_close(&json, '}');
	rg_json_close(&json, '}');
	const rg_http_request request = {.url = url,
					 .what = "who wrote the comments",
					 .post = query.data,
					 .post_size = query.length,
					 .content_type = "application/json"};
	RG_TRY(rg_api_ask(&root, on->http, service_of(on), &request, NULL));
	return rg_error_wrap(keep_own(comments, root), "who wrote the comments");
}

RG_ORDER(compare_ids, rg_comment, RG_RISING(id));

/* An Enterprise Server has GraphQL outside of the API's path, where no token is sent to. A job's
 * own token may not ask whose it is. */
static rg_error *ask_login(rg_comments *comments, const rg_commented *on)
{
	const char *login = NULL;
	size_t kept = 0;
	uint64_t id;
	rg_error *err = read_self(on, &comments->arena, &id, &login);

	if (err && rg_error_get_code(err) == RG_E_AUTH) {
		rg_error_free(err);
		err = NULL;
		login = "github-actions[bot]";
	}
	for (size_t i = 0; !err && i < comments->count; i++)
		if (!strcasecmp(comments->items[i].by, login))
			comments->items[kept++] = comments->items[i];
	comments->count = kept;
	return err;
}

rg_error *rg_comments_find(rg_comments *out, const rg_commented *on, const char *marker)
{
	find_state f = {out, marker, 0};
	const char *login;

	if (is_gitlab(on))
		RG_TRY(read_self(on, &out->arena, &f.self, &login));
	RG_AUTO_FREE char *all = comment_url(on, 0);
	RG_TRY(rg_api_pages(on->http, service_of(on), rg_textf("%s?per_page=100", all),
			    "the request's comments", read_page, &f));
	if (out->count && !is_gitlab(on)) {
		bool enterprise = rg_ends_with(rg_http_api_url(on->http), "/api/v3");
		RG_TRY(enterprise ? ask_login(out, on) : ask_whose(out, on));
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare_ids);
	return NULL;
}

/* ---- writing ---- */

/* `again`: it may be sent twice. */
static rg_error *send_request(const rg_commented *on, rg_http_request *request, bool again,
			      long wanted)
{
	RG_AUTO(rg_http_response) response = {0};
	rg_http_tries tries = {0};
	bool more = true;

	rg_http_response_init(&response);
	while (more) {
		RG_TRY(again ? rg_http_get(on->http, request, NULL, &response)
			     : rg_http_exchange(on->http, request, &response));
		/* Nothing was done of what a limit has refused. */
		more = !again && rg_http_is_retried(&response) && response.status < 500;
		if (more)
			RG_TRY(rg_http_retry(on->http, request, NULL, &response, &tries));
	}
	if (response.status == wanted || (wanted == 204 && response.status == 404))
		return NULL;
	return refusal(on, request, &response);
}

static rg_error *write_comment(const rg_commented *on, uint64_t id, const char *body)
{
	RG_AUTO_FREE char *url = comment_url(on, id);
	RG_AUTO(rg_buf) text = rg_buf_of(BODY_MAX);
	rg_json_out json;

	rg_json_out_init(&json, &text);
	rg_json_open(&json, '{');
	rg_json_key_text(&json, "body", body);
	rg_json_close(&json, '}');
	RG_TRY(rg_buf_check(&text, "the comment"));
	rg_http_request request = {.url = url,
				   .what = "the comment",
				   .post = text.data,
				   .post_size = text.length,
				   .content_type = "application/json",
				   .method = !id             ? NULL
					     : is_gitlab(on) ? "PUT"
							     : "PATCH"};
	return send_request(on, &request, id != 0, id ? 200 : 201);
}

rg_error *rg_comments_create(const rg_commented *on, const char *body)
{
	return write_comment(on, 0, body);
}

rg_error *rg_comments_update(const rg_commented *on, uint64_t id, const char *body)
{
	return write_comment(on, id, body);
}

rg_error *rg_comments_delete(const rg_commented *on, uint64_t id)
{
	RG_AUTO_FREE char *url = comment_url(on, id);
	rg_http_request request = {.url = url, .what = "the comment", .method = "DELETE"};
	return send_request(on, &request, true, 204);
}
