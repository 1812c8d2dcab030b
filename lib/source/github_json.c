/* SPDX-License-Identifier: Apache-2.0 */
#include "source/github_json.h"

#include "base/memory.h"
#include "base/fields.h"
#include "source/api_json.h"
#include "source/manifest.h"

#include <string.h>
#include <strings.h>

static const char service[] = "GitHub";

static const rg_json_field run_fields[] = {
	RG_JSON_FIELD(rg_run, id),
	RG_JSON_FIELD_TEXT_AS("head_sha", rg_run, head_commit),
	RG_JSON_FIELD_TEXT(rg_run, status),
	RG_JSON_FIELD(rg_run, conclusion),
	RG_JSON_FIELD_AS("head_branch", rg_run, branch),
	RG_JSON_FIELD(rg_run, event),
	RG_JSON_FIELD_AS("name", rg_run, workflow),
	RG_JSON_FIELD_AS("path", rg_run, workflow_file),
	RG_JSON_FIELD(rg_run, created_at),
	RG_JSON_FIELD_AS("html_url", rg_run, url),
	{0},
};
static const rg_json_field job_fields[] = {
	RG_JSON_FIELD(rg_job, id),
	RG_JSON_FIELD_TEXT(rg_job, name),
	RG_JSON_FIELD_TEXT(rg_job, status),
	RG_JSON_FIELD(rg_job, conclusion),
	{0},
};
static const rg_json_field artifact_fields[] = {
	RG_JSON_FIELD(rg_artifact, id),
	RG_JSON_FIELD_TEXT(rg_artifact, name),
	RG_JSON_FIELD_AS("size_in_bytes", rg_artifact, size),
	RG_JSON_FIELD(rg_artifact, digest),
	RG_JSON_FIELD(rg_artifact, created_at),
	RG_JSON_FIELD(rg_artifact, expires_at),
	{0},
};

static rg_error *get_attempt(const rg_json_in *in, const cJSON *object, unsigned *out)
{
	uint64_t attempt = 0;
	if (rg_json_member(object, "run_attempt"))
		RG_TRY(rg_json_get_count(in, object, "run_attempt", RG_ATTEMPT_MAX, &attempt));
	*out = (unsigned)attempt;
	return NULL;
}

static rg_error *get_full_name(const rg_json_in *in, const cJSON *run, const char *key,
			       const char **out)
{
	const cJSON *repository;
	RG_TRY(rg_json_get_object(in, run, key, &repository));
	return rg_json_get_text(in, repository, "full_name", out);
}

rg_error *rg_github_get_head(const rg_json_in *in, const cJSON *run, const char **name, bool *fork)
{
	static const char key[] = "head_repository";
	const char *own;

	*name = NULL;
	*fork = cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(run, key));
	if (!rg_json_member(run, key))
		return NULL;
	RG_TRY(get_full_name(in, run, key, name));
	/* As the answer has it: the repository may have been renamed since. */
	RG_TRY(get_full_name(in, run, "repository", &own));
	*fork = strcasecmp(*name, own) != 0;
	return NULL;
}

rg_error *rg_github_read_run(rg_run *run, const char *text, size_t length)
{
	RG_AUTO_PTR(cJSON) document = NULL;

	RG_TRY(rg_api_parse_object(&document, service, text, length));
	const rg_json_in in = {document, &run->arena};
	RG_TRY(rg_json_get_fields(&in, document, run_fields, run));
	RG_TRY(rg_api_check_id(&in, document, run->id));
	RG_TRY(rg_github_get_head(&in, document, &run->head_repository, &run->fork));
	RG_TRY(get_attempt(&in, document, &run->latest_attempt));
	if (!run->latest_attempt)
		run->latest_attempt = 1;
	return NULL;
}

/* The span of the steps whose names say that they upload something. */
static rg_error *fill_upload(rg_job *job, const rg_json_in *in, const cJSON *object)
{
	const cJSON *steps, *step;
	size_t count;

	job->upload_started = job->upload_completed = RG_TIME_NONE;
	if (!rg_json_member(object, "steps"))
		return NULL;
	RG_TRY(rg_json_get_objects(in, object, "steps", &steps, &count));
	cJSON_ArrayForEach(step, steps)
	{
		const char *name = cJSON_GetStringValue(rg_json_member(step, "name"));
		int64_t started, completed;

		if (!name)
			return rg_json_wrong(in, step, "name", "is missing or not a text");
		if (!strstr(name, "pload"))
			continue;
		RG_TRY(rg_api_get_time(in, step, "started_at", &started));
		RG_TRY(rg_api_get_time(in, step, "completed_at", &completed));
		if (started == RG_TIME_NONE || completed == RG_TIME_NONE)
			continue;
		if (job->upload_started == RG_TIME_NONE || started < job->upload_started)
			job->upload_started = started;
		if (completed > job->upload_completed)
			job->upload_completed = completed;
	}
	return NULL;
}

static rg_error *fill_job(rg_job *job, const rg_json_in *in, const cJSON *object)
{
	RG_TRY(rg_json_get_fields(in, object, job_fields, job));
	RG_TRY(rg_api_check_id(in, object, job->id));
	RG_TRY(rg_api_get_time(in, object, "started_at", &job->started));
	RG_TRY(rg_api_get_time(in, object, "completed_at", &job->completed));
	RG_TRY(get_attempt(in, object, &job->attempt));
	return fill_upload(job, in, object);
}

static rg_error *append_job(rg_run *run, const rg_json_in *in, const cJSON *object)
{
	return fill_job(RG_PUSH(run->jobs, run->job_count, run->job_capacity), in, object);
}

static rg_error *append_earlier(rg_run *run, const rg_json_in *in, const cJSON *object)
{
	return fill_job(RG_PUSH(run->earlier, run->earlier_count, run->earlier_capacity), in,
			object);
}

static rg_error *append_artifact(rg_run *run, const rg_json_in *in, const cJSON *object)
{
	rg_artifact *artifact =
		RG_PUSH(run->artifacts, run->artifact_count, run->artifact_capacity);
	RG_TRY(rg_json_get_fields(in, object, artifact_fields, artifact));
	RG_TRY(rg_api_check_id(in, object, artifact->id));
	RG_TRY(rg_api_get_time(in, object, "created_at", &artifact->created));
	return rg_json_get_truth(in, object, "expired", &artifact->expired);
}

static rg_error *read_list(rg_run *run, rg_arena *arena, const char *text, size_t length,
			   const char *key,
			   rg_error *(*append)(rg_run *, const rg_json_in *, const cJSON *),
			   uint64_t *total)
{
	const cJSON *list, *object;
	RG_AUTO_PTR(cJSON) document = NULL;
	size_t count;

	RG_TRY(rg_api_parse_object(&document, service, text, length));
	const rg_json_in in = {document, arena};
	RG_TRY(rg_json_get_count(&in, document, "total_count", RG_JSON_EXACT_MAX, total));
	RG_TRY(rg_json_get_objects(&in, document, key, &list, &count));
	cJSON_ArrayForEach(object, list)
	{
		RG_TRY(append(run, &in, object));
	}
	return NULL;
}

rg_error *rg_github_read_jobs(rg_run *run, const char *text, size_t length, uint64_t *total)
{
	return read_list(run, &run->arena, text, length, "jobs", append_job, total);
}

rg_error *rg_github_read_earlier(rg_run *run, const char *text, size_t length, uint64_t *total)
{
	return read_list(run, &run->arena, text, length, "jobs", append_earlier, total);
}

rg_error *rg_github_read_artifacts(rg_run *run, const char *text, size_t length, uint64_t *total)
{
	return read_list(run, &run->artifact_arena, text, length, "artifacts", append_artifact,
			 total);
}
