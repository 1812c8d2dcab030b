/* SPDX-License-Identifier: Apache-2.0 */
/* GitLab's lists that come in pages: pipelines, jobs, bridges. */
#include "hub/gitlab_render.h"
#include "hub/gitlab_route.h"
#include "hub/page.h"

#include <stdlib.h>
#include <string.h>

#define TOTAL_MAX 10000 /* longer lists are not counted for the client */

/* `number` 0: the header is empty, which libmicrohttpd sends as a blank alone. */
static void add_page_number(reply *out, const char *name, size_t number)
{
	if (number)
		reply_header(out, name, "%zu", number);
	else
		reply_header(out, name, " ");
}

void gitlab_answer_list(const gitlab_route *to, size_t total,
			cJSON *(*render)(const gitlab_route *to, const void *context, size_t i),
			const void *context)
{
	page at = page_of(to->req, total, total, 20);
	size_t last = page_last(&at);
	bool counted = total <= TOTAL_MAX;
	cJSON *json = cJSON_CreateArray();
	char base[1024];

	for (size_t i = at.first; i < at.end; i++)
		cJSON_AddItemToArray(json, render(to, context, i));
	reply_json(to->out, 200, json);
	snprintf(base, sizeof(base), "%s%s", to->state->api, to->req->raw);
	page_add_links(to->out, to->req, &at, base, counted);
	reply_header(to->out, "x-page", "%zu", at.number);
	reply_header(to->out, "x-per-page", "%zu", at.size);
	add_page_number(to->out, "x-next-page", at.number < last ? at.number + 1 : 0);
	add_page_number(to->out, "x-prev-page", at.number - 1);
	if (counted) {
		reply_header(to->out, "x-total", "%zu", total);
		reply_header(to->out, "x-total-pages", "%zu", last);
	}
}

/* ---- jobs and bridges ---- */

typedef struct {
	const fixture_pipeline *pipeline;
	const fixture_step **items;
	size_t count;
} steps;

static bool choose_steps(const gitlab_route *to, steps *out, const fixture_pipeline *pipeline,
			 const fixture_step *all, size_t count)
{
	const char *retried = request_argument(to->req, "include_retried");
	bool with_retried = retried && strcmp(retried, "true") == 0;

	out->pipeline = pipeline;
	out->count = 0;
	out->items = calloc(count + 1, sizeof(*out->items));
	if (!out->items) {
		to->out->failed = true;
		return false;
	}
	for (size_t i = 0; i < count; i++)
		if ((with_retried || !all[i].retried) &&
		    request_argument_admits(to->req, "scope[]", step_status(&all[i])) &&
		    request_argument_admits(to->req, "scope", step_status(&all[i])))
			out->items[out->count++] = &all[i];
	return true;
}

static cJSON *render_job_at(const gitlab_route *to, const void *context, size_t i)
{
	const steps *list = context;

	return gitlab_render_job(to->state, list->pipeline, list->items[i]);
}

static cJSON *render_bridge_at(const gitlab_route *to, const void *context, size_t i)
{
	const steps *list = context;

	return gitlab_render_bridge(to->state, list->pipeline, list->items[i]);
}

void gitlab_answer_jobs(const gitlab_route *to, const fixture_pipeline *pipeline)
{
	steps list;

	if (choose_steps(to, &list, pipeline, pipeline->jobs, pipeline->job_count))
		gitlab_answer_list(to, list.count, render_job_at, &list);
	free(list.items);
}

void gitlab_answer_bridges(const gitlab_route *to, const fixture_pipeline *pipeline)
{
	steps list;

	if (choose_steps(to, &list, pipeline, pipeline->bridges, pipeline->bridge_count))
		gitlab_answer_list(to, list.count, render_bridge_at, &list);
	free(list.items);
}

/* ---- pipelines ---- */

typedef struct {
	const fixture_pipeline **items;
	size_t count;
} pipelines;

static bool text_fits(const request *req, const char *name, const char *text)
{
	const char *wanted = request_argument(req, name);

	return !wanted || strcmp(wanted, text) == 0;
}

/* `after` and `before` name the arguments that bound the time. A fraction of a second is cut off.
 */
static bool time_fits(const request *req, const char *after, const char *before, const char *time)
{
	const char *texts[] = {request_argument(req, after), request_argument(req, before)};
	int64_t when = 0, bound;

	if (!time_parse(time, &when))
		return false;
	for (size_t i = 0; i < 2; i++) {
		char text[64];
		const char *dot = texts[i] ? strchr(texts[i], '.') : NULL;

		if (!texts[i])
			continue;
		if (dot)
			snprintf(text, sizeof(text), "%.*s%s", (int)(dot - texts[i]), texts[i],
				 dot + 1 + strspn(dot + 1, "0123456789"));
		if (!time_parse(dot ? text : texts[i], &bound) ||
		    (i == 0 ? when < bound : when > bound))
			return false;
	}
	return true;
}

/* "running", "pending" and "finished" of the parameter `scope`. */
static bool scope_fits(const request *req, const fixture_pipeline *pipeline)
{
	const char *scope = request_argument(req, "scope");
	const char *status = pipeline_text(pipeline, "status");
	bool tag = json_flag(pipeline->json, "tag", false);

	if (!scope)
		return true;
	if (strcmp(scope, "finished") == 0)
		return strcmp(status, "success") == 0 || strcmp(status, "failed") == 0 ||
		       strcmp(status, "canceled") == 0;
	if (strcmp(scope, "tags") == 0 || strcmp(scope, "branches") == 0)
		return tag == (*scope == 't');
	return strcmp(scope, status) == 0;
}

/* Child pipelines are listed to those alone who ask for them. */
static bool source_fits(const request *req, const fixture_pipeline *pipeline)
{
	const char *source = pipeline_text(pipeline, "source");

	return request_argument(req, "source") ? text_fits(req, "source", source)
					       : strcmp(source, "parent_pipeline") != 0;
}

static bool pipeline_fits(const request *req, const fixture_pipeline *pipeline)
{
	return text_fits(req, "ref", pipeline_text(pipeline, "ref")) &&
	       text_fits(req, "sha", pipeline_text(pipeline, "sha")) &&
	       text_fits(req, "status", pipeline_text(pipeline, "status")) &&
	       text_fits(req, "name", json_text(pipeline->json, "name", "")) &&
	       text_fits(req, "username", "root") && scope_fits(req, pipeline) &&
	       source_fits(req, pipeline) &&
	       time_fits(req, "updated_after", "updated_before", pipeline_updated(pipeline)) &&
	       time_fits(req, "created_after", "created_before",
			 json_text(pipeline->json, "created_at", ""));
}

/* Below 0: `a` comes first in rising order. */
static int compare_by(const char *key, const fixture_pipeline *a, const fixture_pipeline *b)
{
	int order = 0;

	if (strcmp(key, "updated_at") == 0)
		order = strcmp(pipeline_updated(a), pipeline_updated(b));
	else if (strcmp(key, "id") != 0)
		order = strcmp(pipeline_text(a, key), pipeline_text(b, key));
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* By insertion: the comparison depends on the request, and lists are short. */
static void sort_pipelines(const request *req, pipelines *list)
{
	const char *key = request_argument(req, "order_by");
	const char *sort = request_argument(req, "sort");
	int sign = sort && strcmp(sort, "asc") == 0 ? 1 : -1;

	for (size_t i = 1; i < list->count; i++) {
		const fixture_pipeline *item = list->items[i];
		size_t at = i;

		for (; at > 0 && sign * compare_by(key ? key : "id", item, list->items[at - 1]) < 0;
		     at--)
			list->items[at] = list->items[at - 1];
		list->items[at] = item;
	}
}

static cJSON *render_pipeline_at(const gitlab_route *to, const void *context, size_t i)
{
	const pipelines *list = context;

	return gitlab_render_pipeline(to->state, list->items[i]);
}

/* `number` 0: all of the project that the request asks for; else those of that merge request. */
static void answer_some(const gitlab_route *to, uint64_t number)
{
	const fixture *data = &to->state->data;
	pipelines list = {.items = calloc(data->pipeline_count + 1, sizeof(*list.items))};

	if (!list.items) {
		to->out->failed = true;
		return;
	}
	for (size_t i = 0; i < data->pipeline_count; i++) {
		const fixture_pipeline *pipeline = &data->pipelines[i];
		uint64_t project_id, of = pipeline_merge_request(pipeline, &project_id);

		if (number ? of == number && project_id == to->project->project_id
			   : gitlab_in_project(to, pipeline) && pipeline_fits(to->req, pipeline))
			list.items[list.count++] = pipeline;
	}
	if (!number)
		sort_pipelines(to->req, &list);
	gitlab_answer_list(to, list.count, render_pipeline_at, &list);
	free(list.items);
}

void gitlab_answer_pipelines(const gitlab_route *to)
{
	answer_some(to, 0);
}

void gitlab_answer_merge_pipelines(const gitlab_route *to, uint64_t number)
{
	answer_some(to, number);
}
