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

/* Of the request, or of what hangs off it. */
static char *url_of(const rg_commented *on, const char *rest)
{
	const char *api = rg_http_api_url(on->http);
	unsigned long long pull = on->pull;
	char *path = NULL, *url;

	if (!is_gitlab(on))
		return rg_textf("%s/repos/%s/issues/%llu%s", api, on->repository->path, pull, rest);
	rg_error_free(rg_url_escape(&path, on->repository->path)); /* whose path was checked */
	url = rg_textf("%s/projects/%s/merge_requests/%llu%s", api, path ? path : "", pull, rest);
	free(path);
	return url;
}

/* Of one comment; 0: of all. */
static char *comment_url(const rg_commented *on, uint64_t id)
{
	unsigned long long number = id;
	char *rest, *url;

	if (!id)
		return url_of(on, is_gitlab(on) ? "/notes" : "/comments");
	if (!is_gitlab(on))
		return rg_textf("%s/repos/%s/issues/comments/%llu", rg_http_api_url(on->http),
				on->repository->path, number);
	rest = rg_textf("/notes/%llu", number);
	url = url_of(on, rest);
	free(rest);
	return url;
}

char *rg_comments_request(const rg_commented *on, const char *method, uint64_t id)
{
	char *url = comment_url(on, id), *text;
	text = rg_textf("%s %s", is_gitlab(on) && !strcmp(method, "PATCH") ? "PUT" : method, url);
	free(url);
	return text;
}

static bool is_enterprise(const rg_commented *on)
{
	return rg_ends_with(rg_http_api_url(on->http), "/api/v3");
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
	char *url = rg_textf("%s/user", rg_http_api_url(on->http));
	const rg_http_request request = {.url = url, .what = "whose token it is"};
	cJSON *root;
	rg_error *err = rg_api_ask(&root, on->http, service_of(on), &request, NULL);
	const rg_json_in in = {root, arena};

	if (!err)
		err = rg_json_get_count(&in, root, "id", RG_JSON_EXACT_MAX, id);
	if (!err)
		err = rg_json_get_text(&in, root, is_gitlab(on) ? "username" : "login", login);
	cJSON_Delete(root);
	free(url);
	return err;
}

rg_error *rg_comments_head(char **out, const rg_commented *on)
{
	const char *api = rg_http_api_url(on->http), *sha = NULL;
	unsigned long long pull = on->pull;
	char *url = is_gitlab(on)
			    ? url_of(on, "")
			    : rg_textf("%s/repos/%s/pulls/%llu", api, on->repository->path, pull);
	char what[48];
	const rg_http_request request = {.url = url, .what = what};
	cJSON *root;
	rg_arena arena;

	snprintf(what, sizeof(what), "request %llu", pull);
	rg_arena_init(&arena);
	rg_error *err = rg_api_ask(&root, on->http, service_of(on), &request, NULL);
	const rg_json_in in = {root, &arena};
	const cJSON *object = root;
	if (!err && !is_gitlab(on))
		err = rg_json_get_object(&in, root, "head", &object);
	if (!err)
		err = rg_json_get_text(&in, object, "sha", &sha);
	*out = err ? NULL : rg_strdup(sha);
	cJSON_Delete(root);
	rg_arena_release(&arena);
	free(url);
	return err;
}

/* ---- finding them ---- */

static void keep(rg_comments *out, rg_comment comment)
{
	rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items));
	out->items[out->count++] = comment;
}

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
	keep(out, comment);
	return NULL;
}

typedef struct {
	rg_comments *out;
	const char *marker;
	uint64_t self;
} finding;

static rg_error *read_page(void *context, const cJSON *page)
{
	const finding *f = context;
	const rg_json_in in = {page, &f->out->arena};
	const cJSON *item;

	cJSON_ArrayForEach(item, page) RG_TRY(read_comment(f->out, &in, item, f->marker, f->self));
	return NULL;
}

static rg_error *read_pages(rg_comments *out, const rg_commented *on, const char *marker,
			    uint64_t self)
{
	finding f = {out, marker, self};
	char *all = comment_url(on, 0), *first = rg_textf("%s?per_page=100", all);

	free(all);
	return rg_api_pages(on->http, service_of(on), first, "the request's comments", read_page,
			    &f);
}

/* ---- GitHub: who wrote what, and what is hidden ---- */

static void write_query(rg_buf *out, const rg_comments *comments)
{
	rg_json_out json;
	rg_json_out_init(&json, out);
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
}

/* Of those that the answer has: NULL for others. */
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
	char *url = rg_textf("%s/graphql", rg_http_api_url(on->http));
	rg_buf query;
	cJSON *root = NULL;

	rg_buf_init(&query, RG_BUF_ANY);
	write_query(&query, comments);
	const rg_http_request request = {.url = url,
					 .what = "who wrote the comments",
					 .post = query.data,
					 .post_size = query.length,
					 .content_type = "application/json"};
	rg_error *err = rg_api_ask(&root, on->http, service_of(on), &request, NULL);
	if (!err)
		err = rg_error_wrap(keep_own(comments, root), "who wrote the comments");
	cJSON_Delete(root);
	rg_buf_release(&query);
	free(url);
	return err;
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
	const char *login;
	uint64_t self = 0;

	if (is_gitlab(on))
		RG_TRY(read_self(on, &out->arena, &self, &login));
	RG_TRY(read_pages(out, on, marker, self));
	if (out->count && !is_gitlab(on))
		RG_TRY(is_enterprise(on) ? ask_login(out, on) : ask_whose(out, on));
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare_ids);
	return NULL;
}

/* ---- writing ---- */

static void write_body(rg_buf *out, const char *body)
{
	rg_json_out json;
	rg_json_out_init(&json, out);
	rg_json_open(&json, '{');
	rg_json_key_text(&json, "body", body);
	rg_json_close(&json, '}');
}

/* `again`: it may be sent twice. */
static rg_error *send_request(const rg_commented *on, rg_http_request *request, bool again,
			      long wanted)
{
	rg_http_response response;
	rg_http_tries tries = {0};
	rg_error *err;
	bool more = true;

	rg_http_response_init(&response);
	do {
		err = again ? rg_http_get(on->http, request, NULL, &response)
			    : rg_http_exchange(on->http, request, &response);
		/* Of a refusal by a limit nothing was done. */
		more = !again && !err && rg_http_is_retried(&response) && response.status < 500;
		if (more)
			err = rg_http_retry(on->http, request, NULL, &response, &tries);
	} while (more && !err);
	if (!err && response.status != wanted && !(wanted == 204 && response.status == 404))
		err = refusal(on, request, &response);
	rg_http_response_release(&response);
	return err;
}

static rg_error *write_comment(const rg_commented *on, uint64_t id, const char *body)
{
	char *url = comment_url(on, id);
	rg_buf text;

	rg_buf_init(&text, BODY_MAX);
	write_body(&text, body);
	rg_error *err = rg_buf_check(&text, "the comment");
	rg_http_request request = {.url = url,
				   .what = "the comment",
				   .post = text.data,
				   .post_size = text.length,
				   .content_type = "application/json",
				   .method = !id             ? NULL
					     : is_gitlab(on) ? "PUT"
							     : "PATCH"};
	if (!err)
		err = send_request(on, &request, id != 0, id ? 200 : 201);
	rg_buf_release(&text);
	free(url);
	return err;
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
	char *url = comment_url(on, id);
	rg_http_request request = {.url = url, .what = "the comment", .method = "DELETE"};
	rg_error *err = send_request(on, &request, true, 204);
	free(url);
	return err;
}
