#include "source/github_json.h"

#include "update/manifest.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double id_max = 9007199254740992.0; /* 2^53: beyond it doubles skip numbers */

/* An object of the document and how to speak of it. */
typedef struct {
	const cJSON *object;
	const char *kind; /* "the run", "job", "artifact" */
	bool listed;      /* it stands in a list … */
	size_t index;     /* … at this place, from 0 */
	rg_arena *arena;
} item;

static rg_error *complain(const item *in, const char *key, const char *what)
{
	if (!in->listed)
		return rg_error_new(RG_E_PARSE, "%s: \"%s\" %s", in->kind, key, what);
	return rg_error_new(RG_E_PARSE, "%s %zu of the list: \"%s\" %s", in->kind, in->index + 1,
			    key, what);
}

static const cJSON *get(const item *in, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(in->object, key);

	return cJSON_IsNull(value) ? NULL : value;
}

/* A text; where it may be absent or null, NULL. */
static rg_error *get_text(const item *in, const char *key, bool required, const char **out)
{
	const cJSON *value = get(in, key);
	const char *text = cJSON_GetStringValue(value);

	*out = NULL;
	if (!value && !required)
		return NULL;
	if (!text)
		return complain(in, key, value ? "is no text" : "is missing");
	return rg_arena_text(in->arena, text, out);
}

static rg_error *get_number(const item *in, const char *key, bool required, double maximum,
			    uint64_t *out)
{
	const cJSON *value = get(in, key);

	*out = 0;
	if (!value && !required)
		return NULL;
	if (!value)
		return complain(in, key, "is missing");
	if (!cJSON_IsNumber(value))
		return complain(in, key, "is no number");
	if (!(value->valuedouble >= 0 && value->valuedouble <= maximum) ||
	    floor(value->valuedouble) != value->valuedouble)
		return complain(in, key, "is no whole number in its range");
	*out = (uint64_t)value->valuedouble;
	return NULL;
}

static rg_error *get_id(const item *in, uint64_t *out)
{
	RG_TRY(get_number(in, "id", true, id_max, out));
	return *out ? NULL : complain(in, "id", "is 0");
}

/* A time; absent or null it is RG_TIME_NONE. */
static rg_error *get_time(const item *in, const char *key, int64_t *out)
{
	const cJSON *value = get(in, key);
	const char *text = cJSON_GetStringValue(value);

	*out = RG_TIME_NONE;
	if (!value)
		return NULL;
	if (!text || !rg_time_parse(text, out))
		return complain(in, key, "is no time");
	return NULL;
}

static rg_error *parse(cJSON **out, const char *text, size_t length)
{
	*out = cJSON_ParseWithLength(text, length);
	if (!*out)
		return rg_error_new(RG_E_PARSE,
				    "the answer is not JSON; is this the address of GitHub's API?");
	if (cJSON_IsObject(*out))
		return NULL;
	cJSON_Delete(*out);
	*out = NULL;
	return rg_error_new(RG_E_PARSE, "the answer is JSON, but no object");
}

static rg_error *fill_run(rg_run *run, const item *in)
{
	uint64_t attempt;

	RG_TRY(get_id(in, &run->id));
	RG_TRY(get_text(in, "head_sha", true, &run->head_commit));
	RG_TRY(get_text(in, "status", true, &run->status));
	RG_TRY(get_text(in, "conclusion", false, &run->conclusion));
	RG_TRY(get_text(in, "head_branch", false, &run->branch));
	RG_TRY(get_text(in, "event", false, &run->event));
	RG_TRY(get_text(in, "name", false, &run->workflow));
	RG_TRY(get_text(in, "created_at", false, &run->created_at));
	RG_TRY(get_text(in, "html_url", false, &run->url));
	RG_TRY(get_number(in, "run_attempt", false, RG_ATTEMPT_MAX, &attempt));
	run->latest_attempt = attempt ? (unsigned)attempt : 1;
	return NULL;
}

rg_error *rg_github_read_run(rg_run *run, const char *text, size_t length)
{
	rg_error *err;
	cJSON *document;

	RG_TRY(parse(&document, text, length));
	err = fill_run(run, &(item){document, "the run", false, 0, &run->arena});
	cJSON_Delete(document);
	return err;
}

/* The span of the steps whose names say that they upload something. */
static rg_error *fill_upload(rg_job *job, const item *in)
{
	const cJSON *steps = get(in, "steps"), *object;
	item step = {NULL, "a step of job", true, in->index, in->arena};

	job->upload_started = job->upload_completed = RG_TIME_NONE;
	if (steps && !cJSON_IsArray(steps))
		return complain(in, "steps", "is no list");
	cJSON_ArrayForEach(object, steps)
	{
		const char *name;
		int64_t started, completed;

		step.object = object;
		name = cJSON_GetStringValue(get(&step, "name"));
		if (!name)
			return complain(&step, "name", "is missing or no text");
		if (!strstr(name, "pload"))
			continue;
		RG_TRY(get_time(&step, "started_at", &started));
		RG_TRY(get_time(&step, "completed_at", &completed));
		if (started == RG_TIME_NONE || completed == RG_TIME_NONE)
			continue;
		if (job->upload_started == RG_TIME_NONE || started < job->upload_started)
			job->upload_started = started;
		if (completed > job->upload_completed)
			job->upload_completed = completed;
	}
	return NULL;
}

static rg_error *fill_job(rg_job *job, const item *in)
{
	uint64_t attempt;

	RG_TRY(get_id(in, &job->id));
	RG_TRY(get_text(in, "name", true, &job->name));
	RG_TRY(get_text(in, "status", true, &job->status));
	RG_TRY(get_text(in, "conclusion", false, &job->conclusion));
	RG_TRY(get_time(in, "started_at", &job->started));
	RG_TRY(get_time(in, "completed_at", &job->completed));
	RG_TRY(get_number(in, "run_attempt", false, RG_ATTEMPT_MAX, &attempt));
	job->attempt = (unsigned)attempt;
	return fill_upload(job, in);
}

static rg_error *add_job(rg_run *run, const item *in)
{
	RG_TRY(rg_grow(&run->jobs, &run->job_capacity, run->job_count + 1, sizeof(*run->jobs)));
	RG_TRY(fill_job(&run->jobs[run->job_count], in));
	run->job_count++;
	return NULL;
}

static rg_error *add_earlier(rg_run *run, const item *in)
{
	RG_TRY(rg_grow(&run->earlier, &run->earlier_capacity, run->earlier_count + 1,
		       sizeof(*run->earlier)));
	RG_TRY(fill_job(&run->earlier[run->earlier_count], in));
	run->earlier_count++;
	return NULL;
}

static rg_error *add_artifact(rg_run *run, const item *in)
{
	const cJSON *expired = get(in, "expired");
	rg_artifact *artifact;

	RG_TRY(rg_grow(&run->artifacts, &run->artifact_capacity, run->artifact_count + 1,
		       sizeof(*run->artifacts)));
	artifact = &run->artifacts[run->artifact_count];
	RG_TRY(get_id(in, &artifact->id));
	RG_TRY(get_text(in, "name", true, &artifact->name));
	RG_TRY(get_number(in, "size_in_bytes", true, id_max, &artifact->size));
	RG_TRY(get_text(in, "digest", false, &artifact->digest));
	RG_TRY(get_text(in, "created_at", false, &artifact->created_at));
	RG_TRY(get_time(in, "created_at", &artifact->created));
	RG_TRY(get_text(in, "expires_at", false, &artifact->expires_at));
	if (!cJSON_IsBool(expired))
		return complain(in, "expired", expired ? "is no truth value" : "is missing");
	artifact->expired = cJSON_IsTrue(expired);
	run->artifact_count++;
	return NULL;
}

static rg_error *read_list(rg_run *run, rg_arena *arena, const char *text, size_t length,
			   const char *key, rg_error *(*add)(rg_run *, const item *),
			   uint64_t *total)
{
	const cJSON *list, *object;
	item whole, one = {NULL, NULL, true, 0, arena};
	rg_error *err;
	cJSON *document;

	RG_TRY(parse(&document, text, length));
	whole = (item){document, "the answer", false, 0, arena};
	err = get_number(&whole, "total_count", true, id_max, total);
	list = get(&whole, key);
	if (!err && !cJSON_IsArray(list))
		err = complain(&whole, key, list ? "is no list" : "is missing");
	one.kind = !strcmp(key, "jobs") ? "job" : "artifact";
	if (!err)
		cJSON_ArrayForEach(object, list)
		{
			one.object = object;
			if (!cJSON_IsObject(object))
				err = rg_error_new(RG_E_PARSE, "%s %zu of the list is no object",
						   one.kind, one.index + 1);
			else
				err = add(run, &one);
			if (err)
				break;
			one.index++;
		}
	cJSON_Delete(document);
	return err;
}

rg_error *rg_github_read_jobs(rg_run *run, const char *text, size_t length, uint64_t *total)
{
	return read_list(run, &run->arena, text, length, "jobs", add_job, total);
}

rg_error *rg_github_read_earlier(rg_run *run, const char *text, size_t length, uint64_t *total)
{
	return read_list(run, &run->arena, text, length, "jobs", add_earlier, total);
}

rg_error *rg_github_read_artifacts(rg_run *run, const char *text, size_t length, uint64_t *total)
{
	return read_list(run, &run->artifact_arena, text, length, "artifacts", add_artifact, total);
}

/* Jobs and artifacts both begin with their id. */
static int compare_ids(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Leaves in `earlier` what is not in `jobs`; both are sorted. */
static void drop_current(rg_run *run)
{
	size_t i, j = 0, kept = 0;

	for (i = 0; i < run->earlier_count; i++) {
		while (j < run->job_count && run->jobs[j].id < run->earlier[i].id)
			j++;
		if (j == run->job_count || run->jobs[j].id != run->earlier[i].id)
			run->earlier[kept++] = run->earlier[i];
	}
	run->earlier_count = kept;
}

/* What was added while the pages were read has pushed others onto the next page. */
static void drop_twins(rg_run *run)
{
	size_t i, kept = 0;

	for (i = 0; i < run->job_count; i++)
		if (!kept || run->jobs[kept - 1].id != run->jobs[i].id)
			run->jobs[kept++] = run->jobs[i];
	run->job_count = kept;
	for (i = kept = 0; i < run->artifact_count; i++)
		if (!kept || run->artifacts[kept - 1].id != run->artifacts[i].id)
			run->artifacts[kept++] = run->artifacts[i];
	run->artifact_count = kept;
}

rg_error *rg_github_finish_run(rg_run *run)
{
	size_t i;

	if (run->job_count)
		qsort(run->jobs, run->job_count, sizeof(*run->jobs), compare_ids);
	if (run->earlier_count)
		qsort(run->earlier, run->earlier_count, sizeof(*run->earlier), compare_ids);
	drop_current(run);
	if (run->artifact_count)
		qsort(run->artifacts, run->artifact_count, sizeof(*run->artifacts), compare_ids);
	if (run->status && !rg_run_is_finished(run))
		drop_twins(run);
	for (i = 1; i < run->job_count; i++)
		if (run->jobs[i].id == run->jobs[i - 1].id)
			return rg_error_new(RG_E_PARSE, "the list has job %llu twice",
					    (unsigned long long)run->jobs[i].id);
	for (i = 1; i < run->artifact_count; i++)
		if (run->artifacts[i].id == run->artifacts[i - 1].id)
			return rg_error_new(RG_E_PARSE, "the list has artifact %llu twice",
					    (unsigned long long)run->artifacts[i].id);
	return NULL;
}
