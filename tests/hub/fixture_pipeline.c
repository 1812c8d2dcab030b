/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/fixture_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int by_falling_step_id(const void *a, const void *b)
{
	uint64_t x = ((const fixture_step *)a)->id, y = ((const fixture_step *)b)->id;

	return (x < y) - (x > y);
}

static int by_falling_pipeline_id(const void *a, const void *b)
{
	uint64_t x = ((const fixture_pipeline *)a)->id, y = ((const fixture_pipeline *)b)->id;

	return (x < y) - (x > y);
}

static rg_error *read_header(fixture_pipeline *pipeline)
{
	const cJSON *json = pipeline->document;

	pipeline->json = cJSON_GetObjectItemCaseSensitive(json, "pipeline");
	pipeline->project = json_text(json, "project", NULL);
	pipeline->project_id = json_count(json, "project_id", 19378);
	pipeline->is_private = json_flag(json, "private", true);
	pipeline->id = json_count(pipeline->json, "id", 0);
	if (!pipeline->project || !strchr(pipeline->project, '/'))
		return rg_error_new(RG_E_PARSE, "\"project\" must be \"GROUP/PROJECT\"");
	if (!pipeline->id || !json_text(pipeline->json, "created_at", NULL))
		return rg_error_new(RG_E_PARSE, "\"pipeline\" must have an id and created_at");
	return fixture_check_times(pipeline->json, "pipeline");
}

/* Where the description of its contents does not say otherwise they have the job's name. */
static void name_contents(cJSON *artifacts, const char *job)
{
	char *name = NULL;

	if (json_text(artifacts, "contents", NULL))
		return;
	name = rg_strdup(job);
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '-';
	cJSON_AddStringToObject(artifacts, "contents", name);
	free(name);
}

static rg_error *find_archive(fixture *data, const char *folder, fixture_step *step)
{
	cJSON *artifacts = cJSON_GetObjectItemCaseSensitive(step->json, "artifacts");

	step->archive = NO_BODY;
	if (!cJSON_IsObject(artifacts))
		return NULL;
	step->artifacts = artifacts;
	RG_TRY(fixture_check_times(artifacts, "artifacts"));
	if (json_flag(artifacts, "expired", false) || json_text(step->json, "erased_at", NULL))
		return NULL;
	name_contents(artifacts, step->name);
	return fixture_find_body(data, folder, artifacts, &step->archive);
}

static rg_error *read_step(fixture *data, const char *folder, fixture_step *step)
{
	if (!step->name)
		return rg_error_new(RG_E_PARSE, "it has no name");
	RG_TRY(fixture_check_times(step->json, "job"));
	RG_TRY(find_archive(data, folder, step));
	return fixture_find_log(data, folder, step->json, &step->log);
}

static rg_error *add_steps(fixture *data, const char *folder, const cJSON *list, uint64_t first_id,
			   fixture_step **steps, size_t *count, size_t *capacity)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list)
	{
		fixture_step *step;

		rg_grow(steps, capacity, *count + 1, sizeof(**steps));
		step = &(*steps)[*count];
		step->json = item;
		step->name = json_text(item, "name", NULL);
		step->id = json_count(item, "id", first_id + *count);
		step->retried = json_flag(item, "retried", false);
		++*count;
		RG_TRY(rg_error_wrap(read_step(data, folder, step), "job %zu", *count));
	}
	if (*count)
		qsort(*steps, *count, sizeof(**steps), by_falling_step_id);
	return NULL;
}

rg_error *fixture_load_pipeline(fixture *data, const char *folder, cJSON *document)
{
	fixture_pipeline *pipeline;
	rg_grow(&data->pipelines, &data->pipeline_capacity, data->pipeline_count + 1,
		sizeof(*data->pipelines));
	pipeline = &data->pipelines[data->pipeline_count++];
	pipeline->document = document;
	RG_TRY(read_header(pipeline));
	RG_TRY(add_steps(data, folder, cJSON_GetObjectItemCaseSensitive(document, "jobs"),
			 pipeline->id * 1000 + 1, &pipeline->jobs, &pipeline->job_count,
			 &pipeline->job_capacity));
	return add_steps(data, folder, cJSON_GetObjectItemCaseSensitive(document, "bridges"),
			 pipeline->id * 1000 + 500, &pipeline->bridges, &pipeline->bridge_count,
			 &pipeline->bridge_capacity);
}

void fixture_sort_pipelines(fixture *data)
{
	if (data->pipeline_count)
		qsort(data->pipelines, data->pipeline_count, sizeof(*data->pipelines),
		      by_falling_pipeline_id);
}

const fixture_pipeline *fixture_find_pipeline(const fixture *data, uint64_t id)
{
	for (size_t i = 0; i < data->pipeline_count; i++)
		if (data->pipelines[i].id == id)
			return &data->pipelines[i];
	return NULL;
}

const fixture_step *fixture_find_step(const fixture *data, uint64_t id,
				      const fixture_pipeline **pipeline)
{
	for (size_t i = 0; i < data->pipeline_count; i++)
		for (size_t j = 0; j < data->pipelines[i].job_count; j++)
			if (data->pipelines[i].jobs[j].id == id) {
				*pipeline = &data->pipelines[i];
				return &data->pipelines[i].jobs[j];
			}
	return NULL;
}
