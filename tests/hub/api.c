#include "hub/render.h"

#include "base/buf.h"
#include "base/digest.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define SEARCH_MAX 1000 /* runs that a filtered search gives out */

/* Where a request leads: the parts of "/repos/O/N/actions/…" behind "actions". */
typedef struct {
	hub *state;
	const request *req;
	reply *out;
	const char *repository_path; /* "repositories/ID/actions/…" in Link has this behind it */
	char repository[256];        /* "" where it came as /repositories/ID */
	uint64_t repository_id;
	char *parts[6];
	size_t count;
	char *copy; /* what `parts` point into */
} route;

/* One page of a list. */
typedef struct {
	size_t number, size, total, first, end; /* first … end - 1 are on it */
} page;

static bool same_repository(const route *to, const fixture_run *run)
{
	return to->repository[0] ? strcasecmp(to->repository, run->repository) == 0
				 : to->repository_id == run->repository_id;
}

/* The repository's first run: it stands for the repository's own fields. */
static const fixture_run *find_repository(const route *to)
{
	const fixture *data = &to->state->data;

	for (size_t i = 0; i < data->run_count; i++)
		if (same_repository(to, &data->runs[i]))
			return &data->runs[i];
	return NULL;
}

static bool parse_id(const char *text, uint64_t *out)
{
	return rg_uint64_parse(text, strlen(text), out);
}

static const fixture_run *find_run(const route *to, const char *text)
{
	const fixture *data = &to->state->data;
	uint64_t id;

	if (!parse_id(text, &id))
		return NULL;
	for (size_t i = 0; i < data->run_count; i++)
		if (data->runs[i].id == id && same_repository(to, &data->runs[i]))
			return &data->runs[i];
	return NULL;
}

static void not_found(const route *to)
{
	reply_message(to->out, 404, "Not Found");
}

static page page_of(const request *req, size_t total, size_t reachable)
{
	const char *size = request_argument(req, "per_page");
	const char *number = request_argument(req, "page");
	uint64_t value;
	page at = {.number = 1, .size = 30, .total = total};

	if (size && parse_id(size, &value) && value > 0)
		at.size = value > 100 ? 100 : (size_t)value;
	if (number && parse_id(number, &value) && value > 0 && value < 1u << 20)
		at.number = (size_t)value;
	at.first = (at.number - 1) * at.size;
	at.end = at.first + at.size;
	if (at.end > reachable)
		at.end = reachable;
	if (at.first > at.end)
		at.first = at.end;
	return at;
}

/* The query again, with another page. */
static void add_page_link(const route *to, rg_buf *link, size_t number, const char *relation)
{
	const char *at = to->req->query;

	if (link->length)
		rg_buf_str(link, ", ");
	rg_buf_printf(link, "<%s/repositories/%llu/actions%s?", to->state->api,
		      (unsigned long long)to->repository_id, to->repository_path);
	while (*at) {
		size_t length = strcspn(at, "&");

		if (strncmp(at, "page=", 5) != 0 && length) {
			rg_buf_add(link, at, length);
			rg_buf_char(link, '&');
		}
		at += length + (at[length] == '&');
	}
	rg_buf_printf(link, "page=%zu>; rel=\"%s\"", number, relation);
}

static void add_links(const route *to, const page *at, size_t reachable)
{
	size_t last = (reachable + at->size - 1) / at->size;
	rg_buf link;

	rg_buf_init(&link, 4000);
	if (at->number > 1 && last > 0)
		add_page_link(to, &link, at->number - 1 < last ? at->number - 1 : last, "prev");
	if (at->number < last) {
		add_page_link(to, &link, at->number + 1, "next");
		add_page_link(to, &link, last, "last");
	}
	if (at->number > 1 && last > 0)
		add_page_link(to, &link, 1, "first");
	if (link.length)
		reply_header(to->out, "Link", "%s", link.data);
	rg_buf_release(&link);
}

/* {"total_count": …, KEY: [items of the page]}. */
static void answer_list(const route *to, const char *key, size_t total, size_t reachable,
			cJSON *(*render)(const route *to, const void *item),
			const void *const *items)
{
	page at = page_of(to->req, total, reachable);
	cJSON *json = cJSON_CreateObject(), *list;

	cJSON_AddNumberToObject(json, "total_count", (double)total);
	list = cJSON_AddArrayToObject(json, key);
	for (size_t i = at.first; i < at.end; i++)
		cJSON_AddItemToArray(list, render(to, items[i]));
	add_links(to, &at, reachable);
	reply_json(to->out, 200, json);
}

/* What a list's items belong to: `render` is called with a pair. */
typedef struct {
	const fixture_run *run;
	const void *item;
} pair;

static cJSON *render_run_item(const route *to, const void *item)
{
	return render_run(to->state, item, 0);
}

static cJSON *render_job_item(const route *to, const void *item)
{
	const pair *at = item;

	return render_job(to->state, at->run, at->item);
}

static cJSON *render_artifact_item(const route *to, const void *item)
{
	const pair *at = item;

	return render_artifact(to->state, at->run, at->item);
}

/* Room for `count` items of a list and the pointers to them. */
typedef struct {
	pair *pairs;
	const void **items;
	size_t count;
} listing;

static bool listing_init(listing *list, size_t count)
{
	list->count = 0;
	list->pairs = calloc(count + 1, sizeof(*list->pairs));
	list->items = calloc(count + 1, sizeof(*list->items));
	return list->pairs && list->items;
}

static void listing_add(listing *list, const fixture_run *run, const void *item)
{
	list->pairs[list->count].run = run;
	list->pairs[list->count].item = item;
	list->items[list->count] = &list->pairs[list->count];
	list->count++;
}

static void listing_release(listing *list)
{
	free(list->pairs);
	free(list->items);
}

/* The jobs that attempt `attempt` shows: the executions up to it that none of them replaces. */
static bool job_counts(const fixture_run *run, const fixture_job *job, unsigned attempt)
{
	if (job->attempt > attempt)
		return false;
	for (size_t i = 0; i < run->job_count; i++)
		if (run->jobs[i].replaces == job->id && run->jobs[i].attempt <= attempt)
			return false;
	return true;
}

static void answer_jobs(const route *to, const fixture_run *run, unsigned attempt, bool all)
{
	listing list;

	if (!listing_init(&list, run->job_count)) {
		to->out->failed = true;
	} else {
		for (size_t i = 0; i < run->job_count; i++)
			if (all || job_counts(run, &run->jobs[i], attempt))
				listing_add(&list, run, &run->jobs[i]);
		answer_list(to, "jobs", list.count, list.count, render_job_item, list.items);
	}
	listing_release(&list);
}

static void answer_artifacts(const route *to, const fixture_run *run)
{
	const char *name = request_argument(to->req, "name");
	const char *direction = request_argument(to->req, "direction");
	bool rising = direction && strcmp(direction, "asc") == 0;
	listing list;

	if (!listing_init(&list, run->artifact_count)) {
		to->out->failed = true;
	} else {
		for (size_t i = 0; i < run->artifact_count; i++) {
			const fixture_artifact *artifact =
				&run->artifacts[rising ? run->artifact_count - 1 - i : i];

			if (!name || strcmp(name, artifact->name) == 0)
				listing_add(&list, run, artifact);
		}
		answer_list(to, "artifacts", list.count, list.count, render_artifact_item,
			    list.items);
	}
	listing_release(&list);
}

/* "2026-01-01..2026-02-01", ">=2026-01-01", "<2026-…", "*..2026-…", or one day. */
static bool created_fits(const char *range, int64_t created)
{
	const char *dots = strstr(range, "..");
	char from[64];
	int64_t low = INT64_MIN, high = INT64_MAX, when;

	if (dots) {
		snprintf(from, sizeof(from), "%.*s", (int)(dots - range), range);
		if (strcmp(from, "*") != 0 && !time_parse(from, &low))
			return false;
		if (strcmp(dots + 2, "*") != 0) {
			if (!time_parse(dots + 2, &high))
				return false;
			high += strchr(dots, 'T') ? 0 : 24 * 3600 - 1;
		}
		return created >= low && created <= high;
	}
	if (!time_parse(range + strspn(range, "<>="), &when))
		return false;
	if (strncmp(range, ">=", 2) == 0)
		return created >= when;
	if (strncmp(range, "<=", 2) == 0)
		return created <= when;
	if (*range == '>')
		return created > when;
	if (*range == '<')
		return created < when;
	return strchr(range, 'T') ? created == when : created >= when && created < when + 24 * 3600;
}

static bool text_fits(const request *req, const char *key, const char *text)
{
	const char *wanted = request_argument(req, key);

	return !wanted || (text && strcmp(wanted, text) == 0);
}

static bool run_fits(const request *req, const fixture_run *run)
{
	const char *created = request_argument(req, "created");
	const char *status = request_argument(req, "status");
	const char *conclusion = run_conclusion(run);
	int64_t when = 0;

	if (created && (!time_parse(json_text(run->json, "created_at", ""), &when) ||
			!created_fits(created, when)))
		return false;
	if (status && strcmp(status, run_status(run)) != 0 &&
	    (!conclusion || strcmp(status, conclusion) != 0))
		return false;
	return text_fits(req, "branch", run_text(run, "head_branch")) &&
	       text_fits(req, "event", run_text(run, "event")) &&
	       text_fits(req, "head_sha", run_text(run, "head_sha")) &&
	       text_fits(req, "actor", "octocat");
}

/* A workflow's number or its file's name. */
static bool workflow_fits(const char *workflow, const fixture_run *run)
{
	const char *path = run_text(run, "path");
	const char *slash = strrchr(path, '/');
	uint64_t id;

	if (parse_id(workflow, &id))
		return id == run_workflow(run);
	return strcmp(workflow, slash ? slash + 1 : path) == 0;
}

/* `workflow` NULL: the whole repository's. */
static void answer_runs(const route *to, const char *workflow)
{
	static const char *const filters[] = {"actor", "branch",   "check_suite_id", "created",
					      "event", "head_sha", "status"};
	const fixture *data = &to->state->data;
	bool filtered = false, known = !workflow;
	size_t reachable;
	listing list;

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
		filtered |= request_argument(to->req, filters[i]) != NULL;
	if (!listing_init(&list, data->run_count)) {
		to->out->failed = true;
		goto done;
	}
	for (size_t i = 0; i < data->run_count; i++) {
		const fixture_run *run = &data->runs[i];

		if (!same_repository(to, run) || (workflow && !workflow_fits(workflow, run)))
			continue;
		known = true;
		if (run_fits(to->req, run))
			list.items[list.count++] = run;
	}
	reachable = filtered && list.count > SEARCH_MAX ? SEARCH_MAX : list.count;
	if (known)
		answer_list(to, "workflow_runs", list.count, reachable, render_run_item,
			    list.items);
	else
		not_found(to);
done:
	listing_release(&list);
}

static void answer_zip(const route *to, const char *text)
{
	const fixture_run *run = NULL;
	const fixture_artifact *artifact = NULL;
	char url[1024];
	uint64_t id;

	if (parse_id(text, &id))
		artifact = fixture_find_artifact(&to->state->data, id, &run);
	if (!artifact || !same_repository(to, run)) {
		not_found(to);
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

	if (parse_id(text, &id))
		artifact = fixture_find_artifact(&to->state->data, id, &run);
	if (artifact && same_repository(to, run))
		reply_json(to->out, 200, render_artifact(to->state, run, artifact));
	else
		not_found(to);
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
		   parse_id(parts[3], &attempt) && attempt >= 1 && attempt <= run->attempts) {
		if (to->count == 4)
			reply_json(to->out, 200, render_run(to->state, run, (unsigned)attempt));
		else if (to->count == 5 && strcmp(parts[4], "jobs") == 0)
			answer_jobs(to, run, (unsigned)attempt, false);
		else
			not_found(to);
	} else {
		not_found(to);
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
		not_found(to);
}

/* Splits the path; false where it is no repository's actions. */
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
		not_found(to);
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
