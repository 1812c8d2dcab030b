/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/comments.h"
#include "hub/page.h"
#include "hub/route.h"

#include "hub/render.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool route_is_to(const route *to, const fixture_run *run)
{
	return to->repository[0] ? strcasecmp(to->repository, run->repository) == 0
				 : to->repository_id == run->repository_id;
}

/* The repository's first run: it stands for the repository's own fields. */
static const fixture_run *find_repository(const route *to)
{
	const fixture *data = &to->state->data;

	for (size_t i = 0; i < data->run_count; i++)
		if (route_is_to(to, &data->runs[i]))
			return &data->runs[i];
	return NULL;
}

bool id_parse(const char *text, uint64_t *out)
{
	return rg_uint64_parse(text, strlen(text), out);
}

static const fixture_run *find_run(const route *to, const char *text)
{
	const fixture *data = &to->state->data;
	uint64_t id;

	if (!id_parse(text, &id))
		return NULL;
	for (size_t i = 0; i < data->run_count; i++)
		if (data->runs[i].id == id && route_is_to(to, &data->runs[i]))
			return &data->runs[i];
	return NULL;
}

void answer_not_found(const route *to)
{
	reply_message(to->out, 404, "Not Found");
}

static void answer_zip(const route *to, const char *text)
{
	const fixture_run *run = NULL;
	const fixture_artifact *artifact = NULL;
	uint64_t id;

	if (id_parse(text, &id))
		artifact = fixture_find_artifact(&to->state->data, id, &run);
	if (!artifact || !route_is_to(to, run)) {
		answer_not_found(to);
	} else if (!request_header(to->req, "Authorization")) {
		reply_message(to->out, 401, "Requires authentication");
	} else if (artifact->expired) {
		reply_message(to->out, 410, "Artifact has expired");
	} else {
		store_redirect(to->state, to->req, to->out, BLOB_ARTIFACT, artifact->id);
	}
}

static void answer_artifact(const route *to, const char *text)
{
	const fixture_run *run = NULL;
	const fixture_artifact *artifact = NULL;
	uint64_t id;

	if (id_parse(text, &id))
		artifact = fixture_find_artifact(&to->state->data, id, &run);
	if (artifact && route_is_to(to, run))
		reply_json(to->out, 200, render_artifact(to->state, run, artifact));
	else
		answer_not_found(to);
}

/* /runs/ID and what is below it. */
static void answer_run(const route *to, const fixture_run *run)
{
	char *const *parts = to->parts;
	uint64_t attempt = 0;

	if (to->count == 2) {
		reply_json(to->out, 200, render_run(to->state, run, 0));
	} else if (to->count == 3 && strcmp(parts[2], "jobs") == 0) {
		const char *filter = request_argument(to->req, "filter");

		answer_jobs(to, run, run->attempts, filter && strcmp(filter, "all") == 0);
	} else if (to->count == 3 && strcmp(parts[2], "artifacts") == 0) {
		answer_artifacts(to, run);
	} else if (to->count >= 4 && strcmp(parts[2], "attempts") == 0 &&
		   id_parse(parts[3], &attempt) && attempt >= 1 && attempt <= run->attempts) {
		if (to->count == 4)
			reply_json(to->out, 200, render_run(to->state, run, (unsigned)attempt));
		else if (to->count == 5 && strcmp(parts[4], "jobs") == 0)
			answer_jobs(to, run, (unsigned)attempt, false);
		else
			answer_not_found(to);
	} else {
		answer_not_found(to);
	}
}

static void answer_job(const route *to)
{
	const fixture_run *run = NULL;
	const fixture_job *job = NULL;
	uint64_t id;

	if (id_parse(to->parts[1], &id))
		job = fixture_find_job(&to->state->data, id, &run);
	if (!job || !route_is_to(to, run))
		answer_not_found(to);
	else if (to->count == 2)
		reply_json(to->out, 200, render_job(to->state, run, job));
	else if (strcmp(to->parts[2], "logs") != 0 || job->log == NO_BODY)
		answer_not_found(to);
	else
		store_redirect(to->state, to->req, to->out, BLOB_LOG, job->id);
}

static void answer_pull(const route *to)
{
	const fixture *data = &to->state->data;
	uint64_t number;

	for (size_t i = 0; i < data->run_count && id_parse(to->parts[1], &number); i++) {
		const cJSON *pulls = cJSON_GetObjectItemCaseSensitive(data->runs[i].document,
								      "pulls"),
			    *pull;

		if (!route_is_to(to, &data->runs[i]))
			continue;
		cJSON_ArrayForEach(pull, pulls) if (json_count(pull, "number", 0) == number)
		{
			reply_json(to->out, 200, render_pull(to->state, &data->runs[i], pull));
			return;
		}
	}
	answer_not_found(to);
}

/* Open ones, by `head`: "OWNER:BRANCH". */
static bool pull_fits(const route *to, const fixture_run *run, const cJSON *pull)
{
	const char *head = request_argument(to->req, "head");
	const char *repository = json_text(pull, "head_repository", run->repository);
	size_t owner = strcspn(repository, "/");

	if (strcmp(json_text(pull, "state", "open"), "open") != 0)
		return false;
	return !head || (!strncasecmp(head, repository, owner) && head[owner] == ':' &&
			 !strcmp(head + owner + 1, json_text(pull, "head_ref", "change")));
}

/* "A...B": where B parted from A, as the fixture says of a run of B. */
static void answer_compare(const route *to)
{
	const fixture *data = &to->state->data;
	const char *dots = strstr(to->below, "..."), *base = NULL;

	for (size_t i = 0; dots && i < data->run_count && !base; i++)
		if (route_is_to(to, &data->runs[i]) &&
		    !strcmp(json_text(
				    cJSON_GetObjectItemCaseSensitive(data->runs[i].document, "run"),
				    "head_sha", ""),
			    dots + 3))
			base = json_text(data->runs[i].document, "merge_base", NULL);
	if (!base) {
		answer_not_found(to);
		return;
	}
	cJSON *json = cJSON_CreateObject();
	json_add_text(cJSON_AddObjectToObject(json, "merge_base_commit"), "sha", "%s", base);
	reply_json(to->out, 200, json);
}

static void answer_pulls(const route *to)
{
	const fixture *data = &to->state->data;
	cJSON *list = cJSON_CreateArray();
	page at;

	for (size_t i = 0; i < data->run_count; i++) {
		const cJSON *pull;
		if (!route_is_to(to, &data->runs[i]))
			continue;
		cJSON_ArrayForEach(pull, cJSON_GetObjectItemCaseSensitive(
						 data->runs[i].document,
						 "pulls")) if (pull_fits(to, &data->runs[i], pull))
			cJSON_AddItemToArray(list, render_pull(to->state, &data->runs[i], pull));
	}
	size_t total = (size_t)cJSON_GetArraySize(list);
	at = page_of(to->req, total, total, 30);
	cJSON *shown = cJSON_CreateArray();
	for (size_t i = at.first; i < at.end; i++)
		cJSON_AddItemToArray(shown,
				     cJSON_Duplicate(cJSON_GetArrayItem(list, (int)i), true));
	cJSON_Delete(list);
	reply_json(to->out, 200, shown);
	page_add_links(to->out, to->req, &at, to->link, true);
}

static const cJSON *find_pull(const route *to, uint64_t number)
{
	const fixture *data = &to->state->data;
	for (size_t i = 0; i < data->run_count; i++) {
		const cJSON *pulls = cJSON_GetObjectItemCaseSensitive(data->runs[i].document,
								      "pulls"),
			    *pull;
		if (!route_is_to(to, &data->runs[i]))
			continue;
		cJSON_ArrayForEach(pull,
				   pulls) if (json_count(pull, "number", 0) == number) return pull;
	}
	return NULL;
}

static bool is_locked(const route *to, uint64_t number, bool *found)
{
	const cJSON *pull = find_pull(to, number);
	*found = pull != NULL;
	return json_flag(pull, "locked", false);
}

static void answer_actions(const route *to)
{
	char *const *parts = to->parts;
	const fixture_run *run;

	if (to->count == 1 && strcmp(parts[0], "runs") == 0)
		answer_runs(to, NULL);
	else if (to->count == 1 && strcmp(parts[0], "workflows") == 0)
		answer_workflows(to);
	else if (to->count == 3 && strcmp(parts[0], "workflows") == 0 &&
		 strcmp(parts[2], "runs") == 0)
		answer_runs(to, parts[1]);
	else if (to->count >= 2 && strcmp(parts[0], "runs") == 0 &&
		 (run = find_run(to, parts[1])) != NULL)
		answer_run(to, run);
	else if (to->count >= 2 && to->count <= 3 && strcmp(parts[0], "jobs") == 0)
		answer_job(to);
	else if (to->count == 2 && strcmp(parts[0], "artifacts") == 0)
		answer_artifact(to, parts[1]);
	else if (to->count == 3 && strcmp(parts[0], "artifacts") == 0 &&
		 strcmp(parts[2], "zip") == 0)
		answer_zip(to, parts[1]);
	else
		answer_not_found(to);
}

static void answer_route(const route *to, const fixture_run *repository)
{
	if (to->actions)
		answer_actions(to);
	else if (to->count == 0)
		reply_json(to->out, 200, render_repository(to->state, repository));
	else if (to->count >= 2 && strcmp(to->parts[0], "compare") == 0)
		answer_compare(to);
	else if (to->count == 1 && strcmp(to->parts[0], "pulls") == 0)
		answer_pulls(to);
	else if (to->count == 2 && strcmp(to->parts[0], "pulls") == 0)
		answer_pull(to);
	else if (to->count == 3 && strcmp(to->parts[0], "issues") == 0)
		answer_comments(to, is_locked);
	else
		answer_not_found(to);
}

/* The path behind "/repos/OWNER/NAME" or "/repositories/ID"; NULL where it is neither. */
static const char *skip_repository(route *to)
{
	const char *path = to->req->path, *end;

	if (strncmp(path, "/repos/", 7) == 0) {
		path += 7;
		end = strchr(path, '/');
		if (!end)
			return NULL;
		end += 1 + strcspn(end + 1, "/");
		snprintf(to->repository, sizeof(to->repository), "%.*s", (int)(end - path), path);
		return end;
	}
	if (strncmp(path, "/repositories/", 14) != 0)
		return NULL;
	path += 14;
	end = path + strcspn(path, "/");
	return rg_uint64_parse(path, (size_t)(end - path), &to->repository_id) ? end : NULL;
}

/* Splits the path; false where it is not a repository's. */
static bool route_init(route *to)
{
	const char *below = skip_repository(to);
	char *save = NULL, *part;

	to->below = below ? below : "";
	if (!below)
		return false;
	to->actions = strncmp(below, "/actions/", 9) == 0;
	to->copy = strdup(below + (to->actions ? 9 : 0));
	if (!to->copy)
		return false;
	for (part = strtok_r(to->copy, "/", &save); part; part = strtok_r(NULL, "/", &save)) {
		if (to->count == sizeof(to->parts) / sizeof(*to->parts))
			return false;
		to->parts[to->count++] = part;
	}
	return true;
}

/* False, with an answer, where GitHub would not let it in. */
static bool admit(const route *to, const fixture_run *repository)
{
	const char *given = request_header(to->req, "Authorization");
	const char *agent = request_header(to->req, "User-Agent");

	if (!agent || !*agent) {
		reply_text(to->out, 403, "text/html",
			   strdup("Request forbidden by administrative rules. Please make sure "
				  "your request has a User-Agent header "
				  "(https://docs.github.com/en/rest/overview/"
				  "resources-in-the-rest-api#user-agent-required).\n"));
		return false;
	}
	if (given) {
		const char *token = strncasecmp(given, "bearer ", 7) == 0  ? given + 7
				    : strncasecmp(given, "token ", 6) == 0 ? given + 6
									   : "";
		if (strcmp(token, to->state->token) != 0) {
			reply_message(to->out, 401, "Bad credentials");
			return false;
		}
	}
	/* GitHub does not let strangers know that a private repository is there. */
	if (!repository || (!given && repository->is_private)) {
		answer_not_found(to);
		return false;
	}
	return true;
}

static void add_limit_headers(hub *state, reply *out, bool refund)
{
	unsigned long long limit = state->rate_limit;
	int64_t reset;
	unsigned long long used = limit_used(state, refund, &reset);

	reply_header(out, "x-ratelimit-limit", "%llu", limit);
	reply_header(out, "x-ratelimit-remaining", "%llu", limit - used);
	reply_header(out, "x-ratelimit-used", "%llu", used);
	reply_header(out, "x-ratelimit-reset", "%lld", (long long)reset);
	reply_header(out, "x-ratelimit-resource", "core");
}

void api_answer(hub *state, const request *req, reply *out)
{
	route to = {.state = state, .req = req, .out = out};
	const fixture_run *repository = route_init(&to) ? find_repository(&to) : NULL;
	const char *version = request_header(req, "X-GitHub-Api-Version");

	if (repository)
		to.repository_id = repository->repository_id;
	snprintf(to.link, sizeof(to.link), "%s/repositories/%llu%s",
		 req->origin ? req->origin : state->api, (unsigned long long)to.repository_id,
		 to.below);
	if (!limit_take(state))
		reply_message(out, 403, "API rate limit exceeded for user ID 583231.");
	else if (version && strcmp(version, state->api_version) > 0)
		reply_message(out, 400, "The X-GitHub-Api-Version header names no version here.");
	else if (answer_viewer(state, req, out))
		;
	else if (admit(&to, repository))
		answer_route(&to, repository);
	/* A client's token is for the host that it knows. */
	if (req->origin)
		reply_replace(out, state->api, req->origin);
	add_limit_headers(state, out, reply_revalidate(req, out));
	if (reply_find_header(out, "ETag"))
		reply_header(out, "Cache-Control", "private, max-age=60, s-maxage=60");
	reply_header(out, "X-GitHub-Media-Type", "github.v3; format=json");
	reply_header(out, "X-GitHub-Api-Version-Selected", "%s", version ? version : "2022-11-28");
	free(to.copy);
}
