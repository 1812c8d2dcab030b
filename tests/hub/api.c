/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/route.h"

#include "hub/render.h"

#include "base/buf.h"
#include "base/digest.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

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
	char url[1024];
	uint64_t id;

	if (id_parse(text, &id))
		artifact = fixture_find_artifact(&to->state->data, id, &run);
	if (!artifact || !route_is_to(to, run)) {
		answer_not_found(to);
	} else if (!request_header(to->req, "Authorization")) {
		reply_message(to->out, 401, "Requires authentication");
	} else if (artifact->expired) {
		reply_message(to->out, 410, "Artifact has expired");
	} else if (!store_sign(to->state, artifact,
			       time(NULL) + (to->req->sign_expired ? -1 : to->state->url_lifetime),
			       url, sizeof(url))) {
		to->out->failed = true;
	} else {
		to->out->status = 302;
		reply_header(to->out, "Location", "%s", url);
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

static void answer_route(const route *to)
{
	char *const *parts = to->parts;
	const fixture_run *run;

	if (to->count == 1 && strcmp(parts[0], "runs") == 0)
		answer_runs(to, NULL);
	else if (to->count == 3 && strcmp(parts[0], "workflows") == 0 &&
		 strcmp(parts[2], "runs") == 0)
		answer_runs(to, parts[1]);
	else if (to->count >= 2 && strcmp(parts[0], "runs") == 0 &&
		 (run = find_run(to, parts[1])) != NULL)
		answer_run(to, run);
	else if (to->count == 2 && strcmp(parts[0], "artifacts") == 0)
		answer_artifact(to, parts[1]);
	else if (to->count == 3 && strcmp(parts[0], "artifacts") == 0 &&
		 strcmp(parts[2], "zip") == 0)
		answer_zip(to, parts[1]);
	else
		answer_not_found(to);
}

/* Splits the path; false where it is not a repository's actions. */
static bool route_init(route *to)
{
	const char *path = to->req->path, *actions = strstr(path, "/actions/");
	char *save = NULL;

	if (!actions)
		return false;
	if (strncmp(path, "/repos/", 7) == 0) {
		snprintf(to->repository, sizeof(to->repository), "%.*s", (int)(actions - path - 7),
			 path + 7);
	} else if (strncmp(path, "/repositories/", 14) != 0 ||
		   !rg_uint64_parse(path + 14, (size_t)(actions - path - 14), &to->repository_id)) {
		return false;
	}
	to->repository_path = actions + strlen("/actions");
	to->copy = strdup(to->repository_path);
	if (!to->copy)
		return false;
	for (char *part = strtok_r(to->copy, "/", &save); part; part = strtok_r(NULL, "/", &save)) {
		if (to->count == sizeof(to->parts) / sizeof(*to->parts))
			return false;
		to->parts[to->count++] = part;
	}
	return to->count > 0;
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

/* Counts the request against the limit; false where nothing of that was left. */
static bool take_point(hub *state)
{
	int64_t now = time(NULL);
	bool left;

	pthread_mutex_lock(&state->lock);
	if (now >= state->rate_reset) {
		state->rate_used = 0;
		state->rate_reset = now + state->rate_window;
	}
	left = state->rate_used < state->rate_limit;
	state->rate_used += left;
	pthread_mutex_unlock(&state->lock);
	return left;
}

/* `refund`: the request costs nothing after all. */
static void add_limit_headers(hub *state, reply *out, bool refund)
{
	unsigned long long used, limit = state->rate_limit;
	long long reset;

	pthread_mutex_lock(&state->lock);
	if (refund && state->rate_used)
		state->rate_used--;
	used = state->rate_used;
	reset = state->rate_reset;
	pthread_mutex_unlock(&state->lock);
	reply_header(out, "x-ratelimit-limit", "%llu", limit);
	reply_header(out, "x-ratelimit-remaining", "%llu", limit - used);
	reply_header(out, "x-ratelimit-used", "%llu", used);
	reply_header(out, "x-ratelimit-reset", "%lld", reset);
	reply_header(out, "x-ratelimit-resource", "core");
}

/* An ETag for an answer with a body; 304 where the client has it already. True then. */
static bool revalidate(const request *req, reply *out)
{
	const char *known = request_header(req, "If-None-Match");
	char digest[RG_SHA256_HEX], tag[RG_SHA256_HEX + 8];
	rg_error *err;

	if (out->status != 200)
		return false;
	err = rg_sha256_hex(out->bytes, out->length, digest);
	if (err) {
		rg_error_free(err);
		out->failed = true;
		return false;
	}
	snprintf(tag, sizeof(tag), "W/\"%s\"", digest);
	reply_header(out, "ETag", "%s", tag);
	reply_header(out, "Cache-Control", "private, max-age=60, s-maxage=60");
	if (!known || !strstr(known, tag + 2))
		return false;
	out->status = 304;
	out->length = 0;
	return true;
}

void api_answer(hub *state, const request *req, reply *out)
{
	route to = {.state = state, .req = req, .out = out};
	const fixture_run *repository = route_init(&to) ? find_repository(&to) : NULL;

	if (repository)
		to.repository_id = repository->repository_id;
	if (!take_point(state))
		reply_message(out, 403, "API rate limit exceeded for user ID 583231.");
	else if (admit(&to, repository))
		answer_route(&to);
	add_limit_headers(state, out, revalidate(req, out));
	reply_header(out, "X-GitHub-Media-Type", "github.v3; format=json");
	reply_header(out, "X-GitHub-Api-Version-Selected", "2022-11-28");
	free(to.copy);
}
