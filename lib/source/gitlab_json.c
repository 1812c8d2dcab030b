/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab_json.h"

#include "base/memory.h"
#include "base/fields.h"
#include "base/order.h"
#include "source/api_json.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char service[] = "GitLab";

const char *rg_gitlab_conclusion(const char *status)
{
	static const char *const known[][2] = {{"success", "success"},
					       {"failed", "failure"},
					       {"canceled", "cancelled"},
					       {"skipped", "skipped"}};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i][0], status))
			return known[i][1];
	return NULL;
}

rg_error *rg_gitlab_read_list(const char *key, const char *text, size_t length, rg_arena *arena,
			      rg_gitlab_item_fn *read, void *context)
{
	const cJSON *list, *item;
	cJSON *answer;
	size_t count;

	RG_TRY(rg_api_parse(&answer, service, text, length));
	/* The list becomes the member `key` of an object, so that messages name places by it. */
	RG_AUTO_PTR(cJSON) root = cJSON_CreateObject();
	if (!root || !cJSON_AddItemToObject(root, key, answer))
		rg_out_of_memory();
	const rg_json_in in = {root, arena};
	RG_TRY(rg_json_get_objects(&in, root, key, &list, &count));
	cJSON_ArrayForEach(item, list)
	{
		RG_TRY(read(context, &in, item));
	}
	return NULL;
}

/* ---- a pipeline ---- */

static const rg_json_field run_fields[] = {
	RG_JSON_FIELD(rg_run, id),
	RG_JSON_FIELD_TEXT_AS("sha", rg_run, head_commit),
	RG_JSON_FIELD_TEXT(rg_run, status),
	RG_JSON_FIELD_AS("ref", rg_run, branch),
	RG_JSON_FIELD_AS("source", rg_run, event),
	RG_JSON_FIELD_AS("name", rg_run, workflow),
	RG_JSON_FIELD(rg_run, created_at),
	RG_JSON_FIELD_AS("web_url", rg_run, url),
	{0},
};

/* A number that may be missing or null: 0 then. */
static rg_error *get_number(const rg_json_in *in, const cJSON *object, const char *key,
			    uint64_t *out)
{
	*out = 0;
	return rg_json_member(object, key)
		       ? rg_json_get_count(in, object, key, RG_JSON_EXACT_MAX, out)
		       : NULL;
}

rg_error *rg_gitlab_read_pipeline(rg_run *run, uint64_t *project, const char *text, size_t length)
{
	RG_AUTO_PTR(cJSON) document = NULL;

	*project = 0;
	RG_TRY(rg_api_parse_object(&document, service, text, length));
	const rg_json_in in = {document, &run->arena};
	RG_TRY(rg_json_get_fields(&in, document, run_fields, run));
	RG_TRY(rg_api_check_id(&in, document, run->id));
	RG_TRY(get_number(&in, document, "project_id", project));
	run->conclusion = rg_gitlab_conclusion(run->status);
	if (run->conclusion)
		run->status = "completed";
	return NULL;
}

/* ---- jobs and what they left ---- */

static const rg_json_field job_fields[] = {
	RG_JSON_FIELD(rg_job, id),
	RG_JSON_FIELD_TEXT(rg_job, name),
	RG_JSON_FIELD_TEXT(rg_job, status),
	RG_JSON_FIELD_AS("web_url", rg_job, url),
	{0},
};
static const rg_json_field artifact_fields[] = {
	RG_JSON_FIELD_AS("finished_at", rg_artifact, created_at),
	RG_JSON_FIELD_AS("artifacts_expire_at", rg_artifact, expires_at),
	RG_JSON_FIELD(rg_artifact, erased_at),
	{0},
};

/* Those that a finished pipeline has never started. */
static bool is_left_out(const char *status)
{
	static const char *const idle[] = {"manual", "created", "scheduled"};
	for (size_t i = 0; i < sizeof(idle) / sizeof(*idle); i++)
		if (!strcmp(idle[i], status))
			return true;
	return false;
}

static rg_error *fill_job(rg_job *job, const rg_gitlab_jobs_of *of, const rg_json_in *in,
			  const cJSON *object)
{
	const char *stage;
	RG_TRY(rg_json_get_fields(in, object, job_fields, job));
	RG_TRY(rg_api_check_id(in, object, job->id));
	/* "STAGE/NAME" */
	RG_TRY(rg_json_get_text(in, object, "stage", &stage));
	job->name = rg_arena_textf(in->arena, "%s/%s", stage, job->name);
	RG_TRY(rg_api_get_time(in, object, "started_at", &job->started));
	RG_TRY(rg_api_get_time(in, object, "finished_at", &job->completed));
	job->upload_started = job->upload_completed = RG_TIME_NONE;
	job->attempt = 1;
	job->via = of->via;
	job->project = of->project;
	job->conclusion = rg_gitlab_conclusion(job->status);
	if (!job->conclusion && of->finished && is_left_out(job->status))
		job->conclusion = "skipped";
	if (job->conclusion)
		job->status = "completed";
	return NULL;
}

/* The archive on the list of all files that a job has left; NULL where it is not on it. */
static rg_error *find_archive(const rg_json_in *in, const cJSON *object, const cJSON **out)
{
	const cJSON *list, *item;
	size_t count;

	*out = NULL;
	if (!rg_json_member(object, "artifacts"))
		return NULL;
	RG_TRY(rg_json_get_objects(in, object, "artifacts", &list, &count));
	cJSON_ArrayForEach(item, list)
	{
		const char *type = cJSON_GetStringValue(rg_json_member(item, "file_type"));
		if (type && !strcmp(type, "archive"))
			*out = item;
	}
	return NULL;
}

static bool is_over(const char *text)
{
	int64_t when;
	return text && rg_time_parse(text, &when) && when <= (int64_t)time(NULL);
}

/* A job's archive; *there is false where it never had one that anybody would miss. */
static rg_error *fill_artifact(rg_artifact *artifact, const rg_job *job, const rg_json_in *in,
			       const cJSON *object, bool *there)
{
	const cJSON *file = rg_json_member(object, "artifacts_file");
	RG_TRY(rg_json_get_fields(in, object, artifact_fields, artifact));
	RG_TRY(rg_api_get_time(in, object, "finished_at", &artifact->created));
	artifact->id = artifact->job_id = job->id;
	artifact->name = job->name;
	artifact->project = job->project;
	if (file)
		RG_TRY(rg_json_get_object(in, object, "artifacts_file", &file));
	else
		RG_TRY(find_archive(in, object, &file));
	if (file)
		RG_TRY(get_number(in, file, "size", &artifact->size));
	artifact->expired = !file;
	*there = file || is_over(artifact->expires_at) || artifact->erased_at;
	return NULL;
}

typedef struct {
	rg_run *run;
	const rg_gitlab_jobs_of *of;
} job_state;

static rg_error *append_job(void *context, const rg_json_in *in, const cJSON *object)
{
	const job_state *reading = context;
	rg_run *run = reading->run;
	bool there;

	rg_job *job = RG_PUSH(run->jobs, run->job_count, run->job_capacity);
	RG_TRY(fill_job(job, reading->of, in, object));
	rg_grow(&run->artifacts, &run->artifact_capacity, run->artifact_count + 1,
		sizeof(*run->artifacts));
	rg_artifact *artifact = &run->artifacts[run->artifact_count];
	*artifact = (rg_artifact){0};
	RG_TRY(fill_artifact(artifact, job, in, object, &there));
	run->artifact_count += there;
	return NULL;
}

rg_error *rg_gitlab_read_jobs(rg_run *run, const rg_gitlab_jobs_of *of, const char *text,
			      size_t length)
{
	job_state reading = {run, of};
	return rg_gitlab_read_list("jobs", text, length, &run->arena, append_job, &reading);
}

/* By name, the newest first. */
RG_ORDER(compare_names, rg_job, RG_BY_TEXT(name) || RG_FALLING(id));

void rg_gitlab_split_retried(rg_run *run, size_t first)
{
	size_t kept = first;
	if (run->job_count > first)
		qsort(run->jobs + first, run->job_count - first, sizeof(*run->jobs), compare_names);
	for (size_t i = first; i < run->job_count; i++) {
		/* The same one again: a page that shifted while it was read. rg_run_sort sees it.
		 */
		bool same = kept > first && !strcmp(run->jobs[kept - 1].name, run->jobs[i].name) &&
			    run->jobs[kept - 1].id != run->jobs[i].id;

		if (!same) {
			run->jobs[kept++] = run->jobs[i];
			continue;
		}
		*RG_PUSH(run->earlier, run->earlier_count, run->earlier_capacity) = run->jobs[i];
	}
	run->job_count = kept;
}

/* ---- bridges ---- */

static const rg_json_field bridge_fields[] = {
	RG_JSON_FIELD(rg_gitlab_bridge, id),
	RG_JSON_FIELD_TEXT(rg_gitlab_bridge, name),
	RG_JSON_FIELD_TEXT(rg_gitlab_bridge, stage),
	RG_JSON_FIELD_TEXT(rg_gitlab_bridge, status),
	{0},
};
static const rg_json_field downstream_fields[] = {
	RG_JSON_FIELD_AS("id", rg_gitlab_bridge, pipeline),
	RG_JSON_FIELD_AS("project_id", rg_gitlab_bridge, project),
	RG_JSON_FIELD_TEXT_AS("status", rg_gitlab_bridge, pipeline_status),
	RG_JSON_FIELD_AS("web_url", rg_gitlab_bridge, pipeline_url),
	{0},
};

static rg_error *append_bridge(void *context, const rg_json_in *in, const cJSON *object)
{
	static const char key[] = "downstream_pipeline";
	rg_gitlab_bridges *out = context;
	const cJSON *downstream;

	rg_gitlab_bridge *bridge = RG_PUSH(out->items, out->count, out->capacity);
	*bridge = (rg_gitlab_bridge){0};
	RG_TRY(rg_json_get_fields(in, object, bridge_fields, bridge));
	RG_TRY(rg_api_check_id(in, object, bridge->id));
	if (!rg_json_member(object, key))
		return NULL;
	RG_TRY(rg_json_get_object(in, object, key, &downstream));
	RG_TRY(rg_json_get_fields(in, downstream, downstream_fields, bridge));
	return rg_api_check_id(in, downstream, bridge->pipeline && bridge->project);
}

rg_error *rg_gitlab_read_bridges(rg_gitlab_bridges *out, rg_arena *arena, const char *text,
				 size_t length)
{
	return rg_gitlab_read_list("bridges", text, length, arena, append_bridge, out);
}

/* ---- merge requests ---- */

rg_error *rg_gitlab_read_merge_request(rg_gitlab_merge_request *out, rg_arena *arena,
				       const char *text, size_t length)
{
	RG_AUTO_PTR(cJSON) root = NULL;
	uint64_t from;

	*out = (rg_gitlab_merge_request){0};
	RG_TRY(rg_api_parse_object(&root, service, text, length));
	const rg_json_in in = {root, arena};
	const cJSON *pipeline = rg_json_member(root, "head_pipeline");
	RG_TRY(rg_json_get_text(&in, root, "source_branch", &out->source_branch));
	RG_TRY(rg_json_get_text(&in, root, "sha", &out->sha));
	/* The project of a fork that was deleted is null. */
	RG_TRY(get_number(&in, root, "source_project_id", &from));
	RG_TRY(rg_json_get_count(&in, root, "target_project_id", RG_JSON_EXACT_MAX, &out->project));
	out->fork = from != out->project;
	return pipeline ? rg_json_get_text(&in, pipeline, "sha", &out->pipeline_sha) : NULL;
}
