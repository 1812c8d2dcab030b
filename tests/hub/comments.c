/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/comments.h"

#include "base/file.h"
#include "hub/json.h"
#include "hub/page.h"

#include <stdlib.h>
#include <string.h>

enum { SELF = 583231, STRANGER = 1024 };

/* ---- the list ---- */

rg_error *comments_load(hub *state)
{
	rg_buf text;

	state->comments = cJSON_CreateArray();
	if (!state->comments_file)
		return NULL;
	rg_buf_init(&text, (size_t)64 << 20);
	rg_error *err = rg_file_read(&text, state->comments_file);
	if (!err && text.length) {
		cJSON_Delete(state->comments);
		state->comments = cJSON_Parse(text.data);
	}
	if (!err && !cJSON_IsArray(state->comments))
		err = rg_error_new(RG_E_PARSE, "%s: no list", state->comments_file);
	rg_buf_release(&text);
	return err;
}

void comments_release(hub *state)
{
	cJSON_Delete(state->comments);
}

static void save(hub *state)
{
	char *text = state->comments_file ? cJSON_Print(state->comments) : NULL;
	if (text)
		rg_error_free(rg_file_replace(state->comments_file, text, strlen(text), 0644));
	free(text);
}

static uint64_t next_id(const hub *state)
{
	const cJSON *item;
	uint64_t id = 100;

	cJSON_ArrayForEach(item, state->comments) if (json_count(item, "id", 0) > id)
		id = json_count(item, "id", 0);
	return id + 1;
}

static cJSON *find(const hub *state, uint64_t id)
{
	cJSON *item;
	cJSON_ArrayForEach(item, state->comments) if (json_count(item, "id", 0) == id) return item;
	return NULL;
}

static bool is_own(const hub *state, const cJSON *item)
{
	return !strcmp(json_text(item, "login", ""), state->login);
}

/* The body of a request; NULL: it has none. */
static char *body_of(const request *req)
{
	cJSON *sent = req->body ? cJSON_Parse(req->body) : NULL;
	const char *text = json_text(sent, "body", NULL);
	char *copy = text ? strdup(text) : NULL;
	cJSON_Delete(sent);
	return copy;
}

static cJSON *add(hub *state, uint64_t pull, const char *body)
{
	cJSON *item = cJSON_CreateObject();
	json_add_number(item, "id", next_id(state));
	json_add_number(item, "pull", pull);
	json_add_text(item, "login", "%s", state->login);
	cJSON_AddStringToObject(item, "body", body);
	cJSON_AddItemToArray(state->comments, item);
	save(state);
	return item;
}

static void change(hub *state, cJSON *item, const char *body)
{
	cJSON_ReplaceItemInObject(item, "body", cJSON_CreateString(body));
	save(state);
}

static void drop(hub *state, cJSON *item)
{
	cJSON_Delete(cJSON_DetachItemViaPointer(state->comments, item));
	save(state);
}

/* ---- as GitHub and GitLab show them ---- */

static cJSON *render_github(const hub *state, const cJSON *item)
{
	unsigned long long id = json_count(item, "id", 0);
	cJSON *json = cJSON_CreateObject(), *user = cJSON_CreateObject();

	json_add_number(json, "id", id);
	json_add_text(json, "node_id", "IC_%llu", id);
	json_add_text(json, "html_url", "https://github.com/o/n/pull/%llu#issuecomment-%llu",
		      (unsigned long long)json_count(item, "pull", 0), id);
	cJSON_AddStringToObject(json, "body", json_text(item, "body", ""));
	json_add_text(user, "login", "%s", json_text(item, "login", ""));
	json_add_number(user, "id", is_own(state, item) ? SELF : STRANGER);
	cJSON_AddItemToObject(json, "user", user);
	json_add_text(json, "created_at", "2026-03-01T04:00:00Z");
	json_add_text(json, "updated_at", "2026-03-01T04:00:00Z");
	json_add_text(json, "author_association", "NONE");
	return json;
}

static cJSON *render_gitlab(const hub *state, const cJSON *item)
{
	cJSON *json = cJSON_CreateObject(), *author = cJSON_CreateObject();

	json_add_number(json, "id", json_count(item, "id", 0));
	cJSON_AddStringToObject(json, "body", json_text(item, "body", ""));
	json_add_number(author, "id", is_own(state, item) ? SELF : STRANGER);
	json_add_text(author, "username", "%s", json_text(item, "login", ""));
	cJSON_AddItemToObject(json, "author", author);
	cJSON_AddItemToObject(json, "system", cJSON_CreateBool(false));
	json_add_number(json, "noteable_iid", json_count(item, "pull", 0));
	return json;
}

/* Those of one request, oldest first, a page of them. */
static cJSON *page_of_comments(const hub *state, const request *req, uint64_t pull, size_t fallback,
			       cJSON *(*render)(const hub *, const cJSON *), page *at)
{
	cJSON *list = cJSON_CreateArray();
	const cJSON *item;
	size_t count = 0, i = 0;

	cJSON_ArrayForEach(item, state->comments) count += json_count(item, "pull", 0) == pull;
	*at = page_of(req, count, count, fallback);
	cJSON_ArrayForEach(item, state->comments)
	{
		if (json_count(item, "pull", 0) != pull)
			continue;
		if (i >= at->first && i < at->end)
			cJSON_AddItemToArray(list, render(state, item));
		i++;
	}
	return list;
}

/* ---- requests ---- */

bool comments_take(const request *req)
{
	return strstr(req->path, "/comments") || strstr(req->path, "/notes") ||
	       !strcmp(req->path, "/graphql");
}

static bool is_method(const request *req, const char *method)
{
	return !strcmp(req->method, method);
}

static void answer_list(const route *to, uint64_t pull)
{
	page at;
	cJSON *list = page_of_comments(to->state, to->req, pull, 30, render_github, &at);
	reply_json(to->out, 200, list);
	page_add_links(to->out, to->req, &at, to->link, true);
}

/* GitHub lets whoever may read a public repository list; writing takes the scope. */
static bool may_write(const route *to)
{
	bool given = request_header(to->req, "Authorization");
	if (!given)
		reply_message(to->out, 401, "Requires authentication");
	else if (to->state->read_only)
		reply_message(to->out, 403, "Resource not accessible by integration");
	return given && !to->state->read_only;
}

static void answer_new(const route *to, uint64_t pull, bool locked)
{
	char *body = body_of(to->req);
	if (!may_write(to))
		;
	else if (locked)
		reply_message(to->out, 403, "Unable to create comment because issue is locked.");
	else if (!body || !*body || strlen(body) > 65536)
		reply_message(to->out, 422, "Validation Failed");
	else
		reply_json(to->out, 201, render_github(to->state, add(to->state, pull, body)));
	free(body);
}

static void answer_one(const route *to, cJSON *item)
{
	char *body = body_of(to->req);
	bool get = is_method(to->req, "GET");

	if (get || !may_write(to))
		;
	else if (!is_own(to->state, item))
		reply_message(to->out, 403, "Must have admin rights to Repository.");
	else if (is_method(to->req, "DELETE"))
		drop(to->state, item), reply_text(to->out, 204, "text/plain", strdup(""));
	else if (!is_method(to->req, "PATCH") || !body || strlen(body) > 65536)
		reply_message(to->out, 422, "Validation Failed");
	else
		change(to->state, item, body), get = true;
	if (get)
		reply_json(to->out, 200, render_github(to->state, item));
	free(body);
}

void answer_comments(const route *to,
		     bool (*is_locked)(const route *to, uint64_t pull, bool *found))
{
	char *const *parts = to->parts;
	uint64_t id = 0;
	cJSON *item;
	bool found = false;

	pthread_mutex_lock(&to->state->comments_lock);
	if (to->count == 3 && !strcmp(parts[1], "comments") && id_parse(parts[2], &id)) {
		item = find(to->state, id);
		if (item)
			answer_one(to, item);
		else
			answer_not_found(to);
	} else if (to->count == 3 && !strcmp(parts[2], "comments") && id_parse(parts[1], &id)) {
		bool locked = is_locked(to, id, &found);
		if (!found)
			answer_not_found(to);
		else if (is_method(to->req, "POST"))
			answer_new(to, id, locked);
		else
			answer_list(to, id);
	} else {
		answer_not_found(to);
	}
	pthread_mutex_unlock(&to->state->comments_lock);
}

/* nodes(ids:…): of a comment whether it is hidden, and whether it is the viewer's. */
static void answer_graphql(hub *state, const request *req, reply *out)
{
	cJSON *sent = req->body ? cJSON_Parse(req->body) : NULL, *answer = cJSON_CreateObject();
	cJSON *data = cJSON_AddObjectToObject(answer, "data");
	cJSON *nodes = cJSON_AddArrayToObject(data, "nodes");
	const cJSON *variables = cJSON_GetObjectItemCaseSensitive(sent, "variables"), *name;

	pthread_mutex_lock(&state->comments_lock);
	cJSON_ArrayForEach(name, cJSON_GetObjectItemCaseSensitive(variables, "ids"))
	{
		const char *text = cJSON_GetStringValue(name);
		uint64_t id = 0;
		const cJSON *item = text && !strncmp(text, "IC_", 3) && id_parse(text + 3, &id)
					    ? find(state, id)
					    : NULL;
		cJSON *node = item ? cJSON_CreateObject() : cJSON_CreateNull();
		if (item) {
			json_add_text(node, "id", "%s", text);
			cJSON_AddItemToObject(
				node, "isMinimized",
				cJSON_CreateBool(json_flag(item, "minimized", false)));
			cJSON_AddItemToObject(node, "viewerDidAuthor",
					      cJSON_CreateBool(is_own(state, item)));
		}
		cJSON_AddItemToArray(nodes, node);
	}
	pthread_mutex_unlock(&state->comments_lock);
	cJSON_Delete(sent);
	reply_json(out, 200, answer);
}

static cJSON *render_self(const hub *state, const char *login)
{
	cJSON *json = cJSON_CreateObject();
	json_add_number(json, "id", SELF);
	json_add_text(json, login, "%s", state->login);
	return json;
}

bool answer_viewer(hub *state, const request *req, reply *out)
{
	const char *given = request_header(req, "Authorization");
	bool graphql = !strcmp(req->path, "/graphql");

	if (!graphql && strcmp(req->path, "/user") != 0)
		return false;
	if (!given || !strstr(given, state->token))
		reply_message(out, 401, "Bad credentials");
	else if (graphql)
		answer_graphql(state, req, out);
	else
		reply_json(out, 200, render_self(state, "login"));
	return true;
}

/* ---- GitLab ---- */

void gitlab_answer_user(const gitlab_route *to)
{
	if (to->who == MEMBER)
		reply_json(to->out, 200, render_self(to->state, "username"));
	else
		gitlab_message(to, 401, "Unauthorized");
}

static void answer_note(const gitlab_route *to, cJSON *item)
{
	char *body = body_of(to->req);
	if (!is_own(to->state, item) || to->state->read_only)
		gitlab_message(to, 403, "Forbidden");
	else if (is_method(to->req, "DELETE"))
		drop(to->state, item), reply_text(to->out, 204, "text/plain", strdup(""));
	else if (!is_method(to->req, "PUT") || !body)
		gitlab_message(to, 400, "Bad request");
	else
		change(to->state, item, body),
			reply_json(to->out, 200, render_gitlab(to->state, item));
	free(body);
}

static void answer_notes(const gitlab_route *to, uint64_t number)
{
	char *body = body_of(to->req);
	page at;

	if (!is_method(to->req, "POST")) {
		cJSON *list = page_of_comments(to->state, to->req, number, 20, render_gitlab, &at);
		char link[512];
		reply_json(to->out, 200, list);
		snprintf(link, sizeof(link), "%s%s", to->state->api, to->req->raw);
		page_add_links(to->out, to->req, &at, link, true);
	} else if (to->state->read_only) {
		gitlab_message(to, 403, "Forbidden");
	} else if (!body || !*body) {
		gitlab_message(to, 400, "Bad request");
	} else {
		reply_json(to->out, 201, render_gitlab(to->state, add(to->state, number, body)));
	}
	free(body);
}

void gitlab_answer_notes(const gitlab_route *to)
{
	uint64_t number = 0, id = 0;
	cJSON *item = NULL;

	pthread_mutex_lock(&to->state->comments_lock);
	if (!id_parse(to->parts[1], &number) || to->who != MEMBER)
		gitlab_not_found(to, "");
	else if (to->count == 3)
		answer_notes(to, number);
	else if (id_parse(to->parts[3], &id) && (item = find(to->state, id)) != NULL)
		answer_note(to, item);
	else
		gitlab_not_found(to, "");
	pthread_mutex_unlock(&to->state->comments_lock);
}
