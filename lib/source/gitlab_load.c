/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab_load.h"

#include "base/memory.h"
#include "base/thread.h"
#include "source/gitlab_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIPELINES_MAX = 500, DEPTH_MAX = 20 };

/* Each pipeline is asked for these; the top one also for what it is itself. */
enum { JOBS, BRIDGES, LISTS, TOP = LISTS, ANSWERS };

/* A pipeline. */
typedef struct {
	uint64_t id;
	uint64_t project;        /* as in rg_job */
	rg_gitlab_bridge bridge; /* that it hangs off; of the top one empty */
	const char *via;
	bool finished;
	rg_gitlab_pages answers[ANSWERS];
	rg_error *errors[ANSWERS];
} pipeline;

typedef struct {
	const rg_gitlab_api *api;
	rg_run *run;
	uint64_t home; /* the project of the top pipeline, by its number */
	pipeline *items;
	size_t count, capacity;
	size_t first; /* of the level under way: the pipelines that the level before led to */
	unsigned lists;
	rg_gitlab_bridges bridges;
} load_state;

static void load_state_release(load_state *l)
{
	for (size_t i = 0; i < l->count; i++)
		for (size_t k = 0; k < ANSWERS; k++) {
			rg_gitlab_pages_release(&l->items[i].answers[k]);
			rg_error_free(l->items[i].errors[k]);
		}
	free(l->items);
	free(l->bridges.items);
}

/* "pipeline 7", "pipeline 8 of project 5" */
#define NAME_SIZE 64
static const char *name_of(const pipeline *p, char out[static NAME_SIZE])
{
	int length = snprintf(out, NAME_SIZE, "pipeline %llu", (unsigned long long)p->id);
	if (p->project)
		snprintf(out + length, NAME_SIZE - (size_t)length, " of project %llu",
			 (unsigned long long)p->project);
	return out;
}

/* ---- a level's answers, side by side ---- */

static rg_error *ask_part(void *context, size_t worker, size_t part)
{
	static const char *const rests[ANSWERS] = {"/jobs?include_retried=true&per_page=100",
						   "/bridges?per_page=100", ""};
	static const char *const words[ANSWERS] = {"jobs of ", "bridges of ", ""};
	load_state *l = context;
	pipeline *p = &l->items[l->first + part / l->lists];
	unsigned list = (unsigned)(part % l->lists);
	char name[NAME_SIZE], what[NAME_SIZE + 16];

	(void)worker;
	snprintf(what, sizeof(what), "%s%s", words[list], name_of(p, name));
	char *url = rg_gitlab_url(l->api, p->project, "/pipelines/%llu%s",
				  (unsigned long long)p->id, rests[list]);
	rg_error *err = rg_gitlab_get_pages(&p->answers[list], l->api, url, what);
	if (err && rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	p->errors[list] = err;
	return NULL;
}

/* ---- and one after the other into the run ---- */

static rg_error *read_top(load_state *l, pipeline *p)
{
	char name[NAME_SIZE];

	RG_TRY(RG_TAKE(p->errors[TOP]));
	RG_TRY(rg_error_wrap(rg_gitlab_read_pipeline(l->run, &l->home,
						     p->answers[TOP].items[0].data,
						     p->answers[TOP].items[0].length),
			     "%s", name_of(p, name)));
	if (l->run->id != p->id)
		return rg_error_new(RG_E_PARSE, "%s: the answer is about pipeline %llu", name,
				    (unsigned long long)l->run->id);
	p->finished = rg_run_is_finished(l->run);
	return NULL;
}

static rg_error *read_jobs(load_state *l, const pipeline *p)
{
	const rg_gitlab_jobs_of of = {p->project, p->via, p->finished};
	const rg_gitlab_pages *pages = &p->answers[JOBS];
	size_t first = l->run->job_count;
	char name[NAME_SIZE];

	for (size_t i = 0; i < pages->count; i++)
		RG_TRY(rg_error_wrap(rg_gitlab_read_jobs(l->run, &of, pages->items[i].data,
							 pages->items[i].length),
				     "jobs of %s", name_of(p, name)));
	rg_gitlab_split_retried(l->run, first);
	return NULL;
}

static bool is_known(const load_state *l, uint64_t id)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->items[i].id == id)
			return true;
	return false;
}

static rg_error *append_downstream(load_state *l, const char *via, const rg_gitlab_bridge *bridge)
{
	if (!bridge->pipeline || is_known(l, bridge->pipeline))
		return NULL;
	if (l->count == PIPELINES_MAX)
		return rg_error_new(RG_E_LIMIT, "pipeline %llu: more than %d pipelines hang off it",
				    (unsigned long long)l->run->id, PIPELINES_MAX);
	pipeline *p = RG_PUSH(l->items, l->count, l->capacity);
	*p = (pipeline){.id = bridge->pipeline,
			.project = bridge->project == l->home ? 0 : bridge->project,
			.bridge = *bridge,
			.finished = rg_gitlab_conclusion(bridge->pipeline_status) != NULL};
	if (!p->finished)
		l->run->status = bridge->pipeline_status;
	/* All bridges on the way to it. */
	p->via = via ? rg_arena_textf(&l->run->arena, "%s > %s", via, bridge->name)
		     : rg_arena_text(&l->run->arena, bridge->name);
	return NULL;
}

/* The pipelines that this one leads to; `at` is its place. */
static rg_error *read_bridges(load_state *l, size_t at)
{
	const rg_gitlab_pages pages = l->items[at].answers[BRIDGES];
	char name[NAME_SIZE];

	l->bridges.count = 0;
	for (size_t i = 0; i < pages.count; i++)
		RG_TRY(rg_error_wrap(rg_gitlab_read_bridges(&l->bridges, &l->run->arena,
							    pages.items[i].data,
							    pages.items[i].length),
				     "bridges of %s", name_of(&l->items[at], name)));
	for (size_t i = 0; i < l->bridges.count; i++)
		RG_TRY(append_downstream(l, l->items[at].via, &l->bridges.items[i]));
	return NULL;
}

/* Adds a job that says what is missing. */
static void append_unread(load_state *l, const pipeline *p, const rg_error *why)
{
	rg_run *run = l->run;
	rg_job *job = RG_PUSH(run->jobs, run->job_count, run->job_capacity);
	*job = (rg_job){.id = p->bridge.id,
			.status = "completed",
			.conclusion = rg_gitlab_conclusion(p->bridge.status),
			.started = RG_TIME_NONE,
			.completed = RG_TIME_NONE,
			.upload_started = RG_TIME_NONE,
			.upload_completed = RG_TIME_NONE,
			.attempt = 1,
			.via = p->via,
			.url = p->bridge.pipeline_url,
			.project = p->project};
	job->name = rg_arena_textf(&run->arena, "%s/%s", p->bridge.stage, p->bridge.name);
	job->unread = rg_arena_text(&run->arena, rg_error_message(why));
}

/* Is it about that pipeline alone? A token may see one project and not another. */
static bool is_closed(const load_state *l, const pipeline *p, const rg_error *err)
{
	rg_error_code code = err ? rg_error_get_code(err) : 0;
	return p != &l->items[0] && (code == RG_E_AUTH || code == RG_E_NOTFOUND);
}

static rg_error *read_pipeline(load_state *l, size_t at)
{
	pipeline *p = &l->items[at];
	RG_AUTO_PTR(rg_error)
	err = rg_error_first(RG_TAKE(p->errors[JOBS]), RG_TAKE(p->errors[BRIDGES]));

	if (is_closed(l, p, err)) {
		append_unread(l, p, err);
		return NULL;
	}
	if (err)
		return RG_TAKE(err);
	RG_TRY(read_jobs(l, p));
	return read_bridges(l, at);
}

/* ---- the whole ---- */

rg_error *rg_gitlab_find_pipeline(const rg_gitlab_api *api, uint64_t job, uint64_t *out)
{
	RG_AUTO_FREE char *url = rg_gitlab_url(api, 0, "/jobs/%llu", (unsigned long long)job);
	RG_AUTO(rg_buf) body = rg_buf_of(RG_GITLAB_PAGE_MAX);
	RG_AUTO_PTR(cJSON) root = NULL;
	const cJSON *of;
	char what[NAME_SIZE];

	snprintf(what, sizeof(what), "job %llu", (unsigned long long)job);
	RG_TRY(rg_gitlab_get(api, &url, what, &body));
	RG_TRY(rg_json_parse(&root, body.data, body.length));
	const rg_json_in in = {root, NULL};
	RG_TRY(rg_error_wrap(rg_json_get_object(&in, root, "pipeline", &of), "%s", what));
	return rg_error_wrap(rg_json_get_count(&in, of, "id", RG_JSON_EXACT_MAX, out), "%s", what);
}

rg_error *rg_gitlab_get_merge_request(rg_gitlab_merge_request *out, rg_arena *arena,
				      const rg_gitlab_api *api, uint64_t number)
{
	RG_AUTO_FREE char *url =
		rg_gitlab_url(api, 0, "/merge_requests/%llu", (unsigned long long)number);
	RG_AUTO(rg_buf) body = rg_buf_of(RG_GITLAB_PAGE_MAX);
	char what[64];

	snprintf(what, sizeof(what), "merge request %llu", (unsigned long long)number);
	RG_TRY(rg_gitlab_get(api, &url, what, &body));
	return rg_error_wrap(rg_gitlab_read_merge_request(out, arena, body.data, body.length), "%s",
			     what);
}

/* A merge request's pipeline runs on its branch, which may be a fork's. Who may not ask does not
 * know, and what is not known is not ours. */
static rg_error *read_merge_request(load_state *l)
{
	static const char prefix[] = "refs/merge-requests/";
	rg_run *run = l->run;
	rg_gitlab_merge_request request;

	run->head_repository = run->repository;
	if (!run->branch || strncmp(run->branch, prefix, strlen(prefix)) != 0)
		return NULL;
	run->head_repository = NULL;
	run->fork = true;
	RG_AUTO_PTR(rg_error) err = NULL;
	err = rg_gitlab_get_merge_request(&request, &run->arena, l->api,
					  strtoull(run->branch + strlen(prefix), NULL, 10));
	if (err)
		return rg_error_get_code(err) == RG_E_AUTH ||
				       rg_error_get_code(err) == RG_E_NOTFOUND
			       ? NULL
			       : RG_TAKE(err);
	run->branch = request.source_branch;
	run->fork = request.fork;
	run->head_repository = request.fork ? NULL : run->repository;
	return NULL;
}

rg_error *rg_gitlab_load(const rg_gitlab_api *api, uint64_t id, rg_run *out)
{
	RG_AUTO(load_state) l = {.api = api, .run = out, .lists = ANSWERS};
	out->source = rg_source_kind_text(RG_SOURCE_GITLAB);
	out->host = rg_arena_text(&out->arena, api->repository.host);
	out->repository = rg_arena_text(&out->arena, api->repository.path);
	out->attempt = out->latest_attempt = 1;
	RG_PUSH(l.items, l.count, l.capacity)->id = id;
	for (int depth = 0; l.first < l.count; depth++) {
		size_t end = l.count, parts = (end - l.first) * l.lists;
		if (depth > DEPTH_MAX)
			return rg_error_new(RG_E_LIMIT,
					    "pipeline %llu: more than %d pipelines below each "
					    "other hang off it",
					    (unsigned long long)id, DEPTH_MAX);
		RG_TRY(rg_workers_run(parts < RG_WORKERS_MAX ? parts : RG_WORKERS_MAX, parts,
				      ask_part, &l));
		if (!l.first)
			RG_TRY(read_top(&l, &l.items[0]));
		for (size_t i = l.first; i < end; i++)
			RG_TRY(read_pipeline(&l, i));
		l.first = end;
		l.lists = LISTS;
	}
	RG_TRY(read_merge_request(&l));
	return rg_error_wrap(rg_run_sort(out), "pipeline %llu", (unsigned long long)id);
}
