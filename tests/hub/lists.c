/* SPDX-License-Identifier: Apache-2.0 */
/* The lists that come in pages: runs, jobs, artifacts. */

#include "hub/render.h"
#include "hub/route.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH_MAX 1000 /* runs that a filtered search gives out */

/* One page of a list. */
typedef struct {
	size_t number, size, total, first, end; /* first … end - 1 are on it */
} page;

static page page_of(const request *req, size_t total, size_t reachable)
{
	const char *size = request_argument(req, "per_page");
	const char *number = request_argument(req, "page");
	uint64_t value;
	page at = {.number = 1, .size = 30, .total = total};

	if (size && id_parse(size, &value) && value > 0)
		at.size = value > 100 ? 100 : (size_t)value;
	if (number && id_parse(number, &value) && value > 0 && value < 1u << 20)
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

void answer_jobs(const route *to, const fixture_run *run, unsigned attempt, bool all)
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

void answer_artifacts(const route *to, const fixture_run *run)
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

	if (id_parse(workflow, &id))
		return id == run_workflow(run);
	return strcmp(workflow, slash ? slash + 1 : path) == 0;
}

void answer_runs(const route *to, const char *workflow)
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

		if (!route_is_to(to, run) || (workflow && !workflow_fits(workflow, run)))
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
		answer_not_found(to);
done:
	listing_release(&list);
}
