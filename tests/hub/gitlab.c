/* SPDX-License-Identifier: Apache-2.0 */
/* GitLab's API: who asks, and for what. */
#include "hub/comments.h"
#include "hub/gitlab_render.h"
#include "hub/gitlab_route.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define PROJECTS "/api/v4/projects/"

void gitlab_message(const gitlab_route *to, unsigned status, const char *message)
{
	cJSON *json = cJSON_CreateObject();

	json_add_text(json, "message", "%u %s", status, message);
	reply_json(to->out, status, json);
}

void gitlab_not_found(const gitlab_route *to, const char *what)
{
	char message[64];

	snprintf(message, sizeof(message), "%sNot Found", what);
	gitlab_message(to, 404, message);
}

bool gitlab_in_project(const gitlab_route *to, const fixture_pipeline *pipeline)
{
	return to->project->project_id == pipeline->project_id;
}

static void unescape(char *text)
{
	char *out = text;

	for (; *text; text++) {
		unsigned value;
		char digits[3] = {0};

		if (*text == '%' && text[1] && text[2]) {
			memcpy(digits, text + 1, 2);
			if (strspn(digits, "0123456789abcdefABCDEF") == 2 &&
			    sscanf(digits, "%x", &value) == 1) {
				*out++ = (char)value;
				text += 2;
				continue;
			}
		}
		*out++ = *text;
	}
	*out = '\0';
}

/* By its number or its path. */
static const fixture_pipeline *find_project(const hub *state, const char *name)
{
	uint64_t id = 0;
	bool number = rg_uint64_parse(name, strlen(name), &id);

	for (size_t i = 0; i < state->data.pipeline_count; i++) {
		const fixture_pipeline *at = &state->data.pipelines[i];

		if (number ? at->project_id == id : strcasecmp(at->project, name) == 0)
			return at;
	}
	return NULL;
}

/* Splits the path, which is still escaped: a project's path is one part of it. What is behind
 * "jobs/N/artifacts/" is a path by itself. `copy` is cut up. */
static void split(gitlab_route *to, char *copy)
{
	char *save = NULL, *part = strtok_r(copy, "/", &save);

	if (!part)
		return;
	unescape(part);
	to->project = find_project(to->state, part);
	while (to->count < sizeof(to->parts) / sizeof(*to->parts)) {
		if (to->count == 3 && strcmp(to->parts[0], "jobs") == 0 &&
		    strcmp(to->parts[2], "artifacts") == 0) {
			to->rest = save && *save ? save : NULL;
			if (to->rest)
				unescape(to->rest);
			return;
		}
		part = strtok_r(NULL, "/", &save);
		if (!part)
			return;
		unescape(part);
		to->parts[to->count++] = part;
	}
}

/* False, with an answer, for a token that is wrong. */
static bool recognise(gitlab_route *to)
{
	const char *given = request_header(to->req, "PRIVATE-TOKEN");
	const char *bearer = request_header(to->req, "Authorization");
	const char *job = request_header(to->req, "JOB-TOKEN");

	to->who = NOBODY;
	if (!given && bearer && strncasecmp(bearer, "bearer ", 7) == 0)
		given = bearer + 7;
	if ((given && strcmp(given, to->state->token) != 0) ||
	    (job && strcmp(job, JOB_TOKEN) != 0)) {
		gitlab_message(to, 401, "Unauthorized");
		return false;
	}
	if (given)
		to->who = MEMBER;
	else if (job)
		to->who = JOB;
	return true;
}

/* What GitLab lets a job's token read. */
static bool is_open_to_jobs(const gitlab_route *to)
{
	return to->count == 3 &&
	       ((strcmp(to->parts[0], "pipelines") == 0 && strcmp(to->parts[2], "jobs") == 0) ||
		(strcmp(to->parts[0], "jobs") == 0 && strcmp(to->parts[2], "artifacts") == 0));
}

/* A job and its log are for those alone who say who they are. */
static bool needs_login(const gitlab_route *to)
{
	return to->count >= 2 && strcmp(to->parts[0], "jobs") == 0 &&
	       (to->count == 2 || strcmp(to->parts[2], "trace") == 0);
}

/* False, with an answer, where GitLab would not let it in. */
static bool admit(gitlab_route *to)
{
	if (to->who == JOB && to->count == 3 && strcmp(to->parts[2], "bridges") == 0) {
		gitlab_message(to, to->state->job_token_status,
			       to->state->job_token_status == 403   ? "Forbidden"
			       : to->state->job_token_status == 401 ? "Unauthorized"
								    : "Project Not Found");
		return false;
	}
	if (to->who == JOB && !is_open_to_jobs(to))
		to->who = NOBODY;
	if (to->who == NOBODY && needs_login(to)) {
		gitlab_message(to, 401, "Unauthorized");
		return false;
	}
	/* Strangers are not told that a private project is there. */
	if (!to->project || (to->who == NOBODY && to->project->is_private)) {
		gitlab_not_found(to, "Project ");
		return false;
	}
	return true;
}

static bool id_of(const char *text, uint64_t *out)
{
	return rg_uint64_parse(text, strlen(text), out);
}

static void answer_pipeline(const gitlab_route *to, const char *what)
{
	const fixture_pipeline *pipeline = NULL;
	uint64_t id;

	if (id_of(to->parts[1], &id))
		pipeline = fixture_find_pipeline(&to->state->data, id);
	if (!pipeline || !gitlab_in_project(to, pipeline))
		gitlab_not_found(to, "");
	else if (!*what)
		reply_json(to->out, 200, gitlab_render_full_pipeline(to->state, pipeline));
	else if (strcmp(what, "jobs") == 0)
		gitlab_answer_jobs(to, pipeline);
	else if (strcmp(what, "bridges") == 0)
		gitlab_answer_bridges(to, pipeline);
	else
		gitlab_not_found(to, "");
}

static void answer_job(const gitlab_route *to, const char *what)
{
	const fixture_pipeline *pipeline = NULL;
	const fixture_step *job = NULL;
	uint64_t id;

	if (id_of(to->parts[1], &id))
		job = fixture_find_step(&to->state->data, id, &pipeline);
	if (!job || !gitlab_in_project(to, pipeline))
		gitlab_not_found(to, "");
	else if (!*what)
		reply_json(to->out, 200, gitlab_render_job(to->state, pipeline, job));
	else if (strcmp(what, "trace") == 0)
		gitlab_answer_trace(to, job);
	else if (strcmp(what, "artifacts") != 0)
		gitlab_not_found(to, "");
	else if (!to->rest)
		gitlab_answer_archive(to, job);
	else if (strcmp(to->rest, "tree") == 0 && !to->state->no_tree)
		gitlab_answer_tree(to, job);
	else
		gitlab_answer_file(to, job, to->rest);
}

static void answer_merge_request(const gitlab_route *to, const char *what)
{
	const fixture *data = &to->state->data;
	const fixture_pipeline *head = NULL;
	uint64_t number = 0, project_id;

	/* The newest comes first. */
	for (size_t i = 0; id_of(to->parts[1], &number) && i < data->pipeline_count && !head; i++)
		if (pipeline_merge_request(&data->pipelines[i], &project_id) == number && number &&
		    project_id == to->project->project_id)
			head = &data->pipelines[i];
	if (!head)
		gitlab_not_found(to, "");
	else if (!*what)
		reply_json(to->out, 200, gitlab_render_merge_request(to->state, head));
	else if (strcmp(what, "pipelines") == 0)
		gitlab_answer_merge_pipelines(to, number);
	else
		gitlab_not_found(to, "");
}

static void answer_route(const gitlab_route *to)
{
	const char *what = to->count == 3 ? to->parts[2] : "";

	if (to->count == 0)
		reply_json(to->out, 200, gitlab_render_project(to->state, to->project));
	else if (to->count == 1 && strcmp(to->parts[0], "pipelines") == 0)
		gitlab_answer_pipelines(to);
	else if (to->count >= 3 && strcmp(to->parts[0], "merge_requests") == 0 &&
		 strcmp(to->parts[2], "notes") == 0 && to->count <= 4)
		gitlab_answer_notes(to);
	else if (to->count == 1 || to->count > 3)
		gitlab_not_found(to, "");
	else if (strcmp(to->parts[0], "pipelines") == 0)
		answer_pipeline(to, what);
	else if (strcmp(to->parts[0], "jobs") == 0)
		answer_job(to, what);
	else if (strcmp(to->parts[0], "merge_requests") == 0)
		answer_merge_request(to, what);
	else
		gitlab_not_found(to, "");
}

static void add_limit_headers(hub *state, reply *out)
{
	unsigned long long limit = state->rate_limit;
	int64_t reset;
	unsigned long long used = limit_used(state, false, &reset);

	reply_header(out, "RateLimit-Limit", "%llu", limit);
	reply_header(out, "RateLimit-Observed", "%llu", used);
	reply_header(out, "RateLimit-Remaining", "%llu", limit - used);
	reply_header(out, "RateLimit-Reset", "%lld", (long long)reset);
	if (out->status == 429)
		reply_header(out, "Retry-After", "%lld", (long long)(reset - time(NULL)));
}

void gitlab_answer(hub *state, const request *req, reply *out)
{
	gitlab_route to = {.state = state, .req = req, .out = out};
	bool project = strncmp(req->raw, PROJECTS, strlen(PROJECTS)) == 0;
	char *copy = strdup(project ? req->raw + strlen(PROJECTS) : "");
	const char *type;
	split(&to, copy);
	if (!limit_take(state))
		reply_text(out, 429, "text/plain", strdup("Retry later\n"));
	else if (recognise(&to) && !project && strcmp(req->path, "/api/v4/user") == 0)
		gitlab_answer_user(&to);
	else if (!out->status && admit(&to))
		answer_route(&to);
	type = reply_find_header(out, "Content-Type");
	if (type && strncmp(type, "application/json", 16) == 0) {
		/* Without a charset, unlike GitHub: clients compare it as a whole. */
		reply_set_header(out, "Content-Type", "application/json");
		(void)reply_revalidate(req, out);
	}
	add_limit_headers(state, out);
	free(copy);
}
