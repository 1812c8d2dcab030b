/* SPDX-License-Identifier: Apache-2.0 */
/* The lists that come in pages: runs, jobs, artifacts. */

#include "hub/page.h"
#include "hub/render.h"
#include "hub/route.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH_MAX 1000 /* runs that a filtered search gives out */

/* {"total_count": …, KEY: [items of the page]}. */
static void answer_list(const route *to, const char *key, size_t total, size_t reachable,
			cJSON *(*render)(const route *to, const void *item),
			const void *const *items)
{
	page at = page_of(to->req, total, reachable, 30);
	cJSON *json = cJSON_CreateObject(), *list;

	cJSON_AddNumberToObject(json, "total_count", (double)total);
	list = cJSON_AddArrayToObject(json, key);
	for (size_t i = at.first; i < at.end; i++)
		cJSON_AddItemToArray(list, render(to, items[i]));
	page_add_links(to->out, to->req, &at, to->link, true);
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

static cJSON *render_workflow_item(const route *to, const void *item)
{
	return render_workflow(to->state, item);
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

/* Those that the repository's runs are of. */
void answer_workflows(const route *to)
{
	const fixture *data = &to->state->data;
	listing list;

	if (!listing_init(&list, data->run_count)) {
		to->out->failed = true;
		listing_release(&list);
		return;
	}
	for (size_t i = 0; i < data->run_count; i++) {
		bool known = !route_is_to(to, &data->runs[i]);

		for (size_t j = 0; j < list.count && !known; j++)
			known = run_workflow(list.items[j]) == run_workflow(&data->runs[i]);
		if (!known)
			list.items[list.count++] = &data->runs[i];
	}
	answer_list(to, "workflows", list.count, list.count, render_workflow_item, list.items);
	listing_release(&list);
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
