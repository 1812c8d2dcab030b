/* SPDX-License-Identifier: Apache-2.0 */
#include "source/match_keys.h"

#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 1024 };

rg_error *rg_match_copy(rg_manifest *out, const char **slot, const char *text)
{
	*slot = text ? rg_arena_copy(&out->arena, text, strlen(text)) : NULL;
	return text && !*slot ? rg_error_nomem() : NULL;
}

static rg_error *copy_field(rg_manifest *out, const char **slot, const rg_field_value *field)
{
	*slot = field->start ? rg_arena_copy(&out->arena, field->start, field->length) : NULL;
	return field->start && !*slot ? rg_error_nomem() : NULL;
}

static rg_error *copy_run(const rg_run *run, const rg_match_options *options, rg_manifest *out)
{
	RG_TRY(rg_match_copy(out, &out->source, run->source));
	RG_TRY(rg_match_copy(out, &out->repository, run->repository));
	RG_TRY(rg_match_copy(out, &out->host, run->host));
	RG_TRY(rg_match_copy(out, &out->head_repository, run->head_repository));
	RG_TRY(rg_match_copy(out, &out->head_commit, run->head_commit));
	RG_TRY(rg_match_copy(out, &out->branch, run->branch));
	RG_TRY(rg_match_copy(out, &out->event, run->event));
	RG_TRY(rg_match_copy(out, &out->workflow, run->workflow));
	RG_TRY(rg_match_copy(out, &out->status, run->status));
	RG_TRY(rg_match_copy(out, &out->conclusion, run->conclusion));
	RG_TRY(rg_match_copy(out, &out->created_at, run->created_at));
	RG_TRY(rg_match_copy(out, &out->url, run->url));
	out->run_id = run->id;
	out->attempt = run->attempt;
	out->fork = run->fork;
	out->only_failing = options->only_failing;
	return NULL;
}

/* The key of a name's fields; NULL where memory ran out. */
static rg_error *make_key(rg_matcher *m, const rg_name_fields *fields, const char **out)
{
	const rg_field_value *test = &fields->fields[RG_FIELD_TEST];
	const rg_field_value *stage = &fields->fields[RG_FIELD_STAGE];
	rg_error *err;
	rg_buf text;

	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	if (rg_name_pattern_has(m->options->artifact, RG_FIELD_STAGE)) {
		rg_buf_add(&text, stage->start, stage->length);
		rg_buf_char(&text, '\n'); /* folds to '-' in both */
	}
	rg_buf_add(&text, test->start, test->length);
	err = rg_buf_check(&text, "a name");
	if (!err && !(*out = rg_name_fold(&m->arena, text.data, text.length)))
		err = rg_error_nomem();
	rg_buf_release(&text);
	return err;
}

static rg_error *add_job(rg_matcher *m, size_t index)
{
	const rg_job *job = &m->run->jobs[index];
	rg_manifest_job *entry = &m->out->jobs[index];
	rg_name_fields fields;

	*entry = (rg_manifest_job){.id = job->id, .outcome = RG_OUTCOME_SKIPPED_NOT_A_TEST};
	RG_TRY(rg_match_copy(m->out, &entry->name, job->name));
	RG_TRY(rg_match_copy(m->out, &entry->conclusion, job->conclusion));
	if (job->unread) {
		entry->outcome = RG_OUTCOME_FAILED;
		return rg_match_copy(m->out, &entry->why, job->unread);
	}
	if (strlen(job->name) > NAME_MAX_LENGTH ||
	    !rg_name_match(m->options->job, job->name, NULL, &fields)) {
		entry->why = "its name does not fit jobs.name";
		return NULL;
	}
	RG_TRY(copy_field(m->out, &entry->stage, &fields.fields[RG_FIELD_STAGE]));
	RG_TRY(copy_field(m->out, &entry->test, &fields.fields[RG_FIELD_TEST]));
	RG_TRY(copy_field(m->out, &entry->tag, &fields.fields[RG_FIELD_TAG]));
	RG_TRY(make_key(m, &fields, &m->jobs[m->job_count].key));
	m->jobs[m->job_count++].index = index;
	entry->outcome = RG_OUTCOME_SKIPPED_NO_GOLDENS;
	entry->why = "no artifact";
	return NULL;
}

static rg_error *add_earlier(rg_matcher *m, size_t index)
{
	const char *name = m->run->earlier[index].name;
	rg_name_fields fields;

	if (strlen(name) > NAME_MAX_LENGTH || !rg_name_match(m->options->job, name, NULL, &fields))
		return NULL;
	RG_TRY(make_key(m, &fields, &m->earlier[m->earlier_count].key));
	m->earlier[m->earlier_count++].index = index;
	return NULL;
}

/* The name without the suffix of a repeated upload; NULL: it has no such suffix. */
static char *without_retry(rg_arena *arena, const char *name)
{
	static const char suffix[] = "-retry";
	size_t length = strlen(name), cut = sizeof(suffix) - 1;

	if (length <= cut || strcmp(name + length - cut, suffix) != 0)
		return NULL;
	return rg_arena_copy(arena, name, length - cut);
}

static int compare_to_key(const void *key, const void *item)
{
	return strcmp(key, ((const rg_match_keyed *)item)->key);
}

static bool has_job(const rg_matcher *m, const char *key)
{
	return (m->job_count &&
		bsearch(key, m->jobs, m->job_count, sizeof(*m->jobs), compare_to_key)) ||
	       (m->earlier_count &&
		bsearch(key, m->earlier, m->earlier_count, sizeof(*m->earlier), compare_to_key));
}

/*
 * The key of an artifact's name; NULL where it does not fit. "-retry" after it is a repeated
 * upload's, unless there is a test that is called so.
 */
static rg_error *artifact_key(rg_matcher *m, const char *name, const rg_name_fields *fixed,
			      const char **out)
{
	const char *shorter = without_retry(&m->arena, name);
	rg_name_fields fields;

	*out = NULL;
	if (rg_name_match(m->options->artifact, name, fixed, &fields))
		RG_TRY(make_key(m, &fields, out));
	if (!shorter || (*out && has_job(m, *out)))
		return NULL;
	return rg_name_match(m->options->artifact, shorter, fixed, &fields)
		       ? make_key(m, &fields, out)
		       : NULL;
}

static bool is_earlier(const rg_run *run, uint64_t job_id)
{
	size_t i;

	for (i = 0; i < run->earlier_count; i++)
		if (run->earlier[i].id == job_id)
			return true;
	return false;
}

/* The key of the job that the source says it is of; NULL where that is no test. */
static rg_error *key_of_job(rg_matcher *m, rg_manifest_artifact *entry, uint64_t job_id,
			    const char **out)
{
	const rg_manifest_job *job = rg_manifest_find_job(m->out, job_id);
	rg_name_fields fields = {0};

	*out = NULL;
	entry->why = "its job's name does not fit jobs.name";
	if (!job && is_earlier(m->run, job_id)) {
		entry->outcome = RG_OUTCOME_SUPERSEDED;
		entry->why = "its job was retried";
	}
	if (!job || !job->test)
		return NULL;
	fields.fields[RG_FIELD_TEST] = (rg_field_value){job->test, strlen(job->test)};
	if (job->stage)
		fields.fields[RG_FIELD_STAGE] = (rg_field_value){job->stage, strlen(job->stage)};
	return make_key(m, &fields, out);
}

static rg_error *add_artifact(rg_matcher *m, size_t index)
{
	const rg_artifact *artifact = &m->run->artifacts[index];
	rg_manifest_artifact *entry = &m->out->artifacts[index];
	rg_name_fields fixed = {0};
	const char *key = NULL;
	char run[24];

	*entry = (rg_manifest_artifact){.id = artifact->id,
					.size = artifact->size,
					.outcome = RG_OUTCOME_SKIPPED_NOT_A_TEST,
					.why = "its name does not fit jobs.artifact"};
	RG_TRY(rg_match_copy(m->out, &entry->name, artifact->name));
	RG_TRY(rg_match_copy(m->out, &entry->digest, artifact->digest));
	RG_TRY(rg_match_copy(m->out, &entry->created_at, artifact->created_at));
	fixed.fields[RG_FIELD_RUN] = (rg_field_value){
		run, (size_t)snprintf(run, sizeof(run), "%llu", (unsigned long long)m->run->id)};
	if (artifact->job_id)
		RG_TRY(key_of_job(m, entry, artifact->job_id, &key));
	else if (strlen(artifact->name) <= NAME_MAX_LENGTH)
		RG_TRY(artifact_key(m, artifact->name, &fixed, &key));
	if (!key)
		return NULL;
	entry->why = "no job of this run has its test";
	m->artifacts[m->artifact_count].key = key;
	m->artifacts[m->artifact_count++].index = index;
	return NULL;
}

static int compare_keys(const void *a, const void *b)
{
	const rg_match_keyed *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

rg_error *rg_match_fill(rg_matcher *m)
{
	rg_manifest *out = m->out;
	size_t i;

	RG_TRY(copy_run(m->run, m->options, out));
	RG_TRY(rg_grow(&out->jobs, &out->job_capacity, m->run->job_count, sizeof(*out->jobs)));
	RG_TRY(rg_grow(&out->artifacts, &out->artifact_capacity, m->run->artifact_count,
		       sizeof(*out->artifacts)));
	for (i = 0; i < m->run->job_count; i++)
		RG_TRY(add_job(m, i));
	out->job_count = m->run->job_count; /* artifacts look for theirs */
	for (i = 0; i < m->run->earlier_count; i++)
		RG_TRY(add_earlier(m, i));
	if (m->job_count)
		qsort(m->jobs, m->job_count, sizeof(*m->jobs), compare_keys);
	if (m->earlier_count)
		qsort(m->earlier, m->earlier_count, sizeof(*m->earlier), compare_keys);
	for (i = 0; i < m->run->artifact_count; i++)
		RG_TRY(add_artifact(m, i));
	out->artifact_count = m->run->artifact_count;
	if (m->artifact_count)
		qsort(m->artifacts, m->artifact_count, sizeof(*m->artifacts), compare_keys);
	return NULL;
}
