/* SPDX-License-Identifier: Apache-2.0 */
#include "source/match_keys.h"

#include "base/memory.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/path.h"
#include "source/run_guess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 1024, RUN_DIGITS = 24 };

static void copy_run(const rg_run *run, const rg_match_options *options, rg_manifest *out)
{
#define COPY(text) out->text = rg_text_copy(&out->arena, run->text);
	RG_RUN_TEXTS(COPY)
#undef COPY
	for (size_t i = 0; i < run->path_count; i++)
		rg_manifest_add_text(out, &out->paths, run->paths[i]);
	out->run_id = run->id;
	out->attempt = run->attempt;
	out->fork = run->fork;
	out->only_failing = options->only_failing;
	if (options->job)
		out->job = rg_arena_text(&out->arena, rg_run_find_job(run, options->job)->name);
}

/* The key of a name's fields. */
static const char *make_key(rg_matcher *m, const rg_name_fields *fields)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	for (unsigned i = 0; i < RG_FIELD_COUNT; i++)
		if (m->rule->tie & 1u << i) {
			if (text.length)
				rg_buf_char(&text, '\n'); /* folds to '-' in both */
			rg_buf_add(&text, fields->fields[i].start, fields->fields[i].length);
		}
	return rg_name_fold(&m->arena, text.data, text.length);
}

/* Fills in what the source knows, else what the name tells; false where that is nothing. */
static bool fields_of_job(const rg_matcher *m, const rg_job *job, rg_name_fields *out)
{
	*out = (rg_name_fields){0};
	if (strlen(job->name) > NAME_MAX_LENGTH)
		return false;
	if (job->test) {
		out->fields[RG_FIELD_TEST] = rg_field_of(job->test);
		out->fields[RG_FIELD_STAGE] = rg_field_of(job->stage);
	} else if (m->rule->job && !rg_name_match(m->rule->job, job->name, NULL, out)) {
		return false;
	}
	rg_fields_name_test(out, job->name);
	return true;
}

static void append_job(rg_matcher *m, size_t index)
{
	const rg_job *job = &m->run->jobs[index];
	rg_manifest_job *entry = &m->out->jobs[index];
	rg_name_fields fields;

	if (job->unread)
		return;
	if (!fields_of_job(m, job, &fields)) {
		if (entry->outcome == RG_OUTCOME_SKIPPED_NOT_A_TEST &&
		    strlen(job->name) <= NAME_MAX_LENGTH &&
		    rg_name_match_but_for_blanks(m->rule->job, job->name))
			entry->why = RG_FITS_BUT_FOR_A_SPACE;
		return;
	}
	/* The first rule that knows a job says what its test is. */
	if (m->rule->job && entry->outcome == RG_OUTCOME_SKIPPED_NOT_A_TEST) {
		rg_arena *arena = &m->out->arena;
		entry->stage = rg_field_copy(arena, &fields.fields[RG_FIELD_STAGE]);
		entry->test = rg_field_copy(arena, &fields.fields[RG_FIELD_TEST]);
		entry->tag = rg_field_copy(arena, &fields.fields[RG_FIELD_TAG]);
		entry->outcome = RG_OUTCOME_SKIPPED_NO_GOLDENS;
		entry->why = "no artifact";
	}
	m->jobs[m->job_count++] = (rg_match_keyed){make_key(m, &fields), index};
}

static void begin_job(rg_matcher *m, size_t index)
{
	const rg_job *job = &m->run->jobs[index];
	rg_manifest_job *entry = &m->out->jobs[index];

	*entry = (rg_manifest_job){.id = job->id,
				   .outcome = RG_OUTCOME_SKIPPED_NOT_A_TEST,
				   .why = rg_rules_jobs(m->options->rules)
						  ? "its name does not fit jobs.name"
						  : "its name does not fit the job of a [source]"};
	entry->name = rg_arena_text(&m->out->arena, job->name);
	entry->conclusion = rg_text_copy(&m->out->arena, job->conclusion);
	if (!job->unread)
		return;
	entry->outcome = RG_OUTCOME_FAILED;
	entry->why = rg_arena_text(&m->out->arena, job->unread);
}

size_t rg_match_name_length(const char *name)
{
	static const char retry[] = "-retry";
	size_t length = strlen(name);

	return length > strlen(retry) && rg_ends_with(name, retry) ? length - strlen(retry)
								   : length;
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
static const char *artifact_key(rg_matcher *m, const char *name, const rg_name_fields *fixed)
{
	size_t length = rg_match_name_length(name);
	const char *shorter = name[length] ? rg_arena_copy(&m->arena, name, length) : NULL;
	const char *key = NULL;
	rg_name_fields fields;

	if (rg_rule_fits(m->rule, name, fixed, &fields))
		key = make_key(m, &fields);
	if (!shorter || (key && has_job(m, key)))
		return key;
	return rg_rule_fits(m->rule, shorter, fixed, &fields) ? make_key(m, &fields) : key;
}

/* The key of the job that the source says it is of; NULL where that is no test. */
static const char *key_of_job(rg_matcher *m, rg_manifest_artifact *entry, uint64_t job_id)
{
	const rg_job *job = rg_run_find_job(m->run, job_id);
	rg_name_fields fields = {0};

	entry->why = "its job's name does not fit jobs.name";
	for (size_t i = 0; !job && i < m->run->earlier_count; i++)
		if (m->run->earlier[i].id == job_id) {
			job = &m->run->earlier[i];
			entry->outcome = RG_OUTCOME_SUPERSEDED;
			entry->why = "its job was retried";
		}
	return job && fields_of_job(m, job, &fields) ? make_key(m, &fields) : NULL;
}

/* The key that an artifact's own name has, or the test that is known of it. */
static const char *key_of_name(rg_matcher *m, size_t index)
{
	const rg_artifact *artifact = &m->run->artifacts[index];
	rg_name_fields fields = {0};

	if (artifact->test && m->rule->is_jobs) {
		fields.fields[RG_FIELD_TEST] = rg_field_of(artifact->test);
		return make_key(m, &fields);
	}
	if (strlen(artifact->name) > NAME_MAX_LENGTH)
		return NULL;
	fields.fields[RG_FIELD_RUN] = m->runs[index];
	return artifact_key(m, artifact->name, &fields);
}

static void begin_artifact(rg_matcher *m, size_t index)
{
	const rg_artifact *artifact = &m->run->artifacts[index];
	rg_manifest_artifact *entry = &m->out->artifacts[index];

	*entry = (rg_manifest_artifact){.id = artifact->id,
					.size = artifact->size,
					.outcome = RG_OUTCOME_SKIPPED_NOT_A_TEST,
					.why = rg_rules_jobs(m->options->rules)
						       ? "its name does not fit jobs.artifact"
						       : "no [source] has an artifact of its name"};
	entry->name = rg_arena_text(&m->out->arena, artifact->name);
	entry->digest = rg_text_copy(&m->out->arena, artifact->digest);
	entry->created_at = rg_text_copy(&m->out->arena, artifact->created_at);
	if (artifact->fault) {
		entry->outcome = RG_OUTCOME_FAILED;
		entry->why = rg_arena_text(&m->out->arena, artifact->fault);
		return;
	}
	if (artifact->placed) {
		entry->outcome = RG_OUTCOME_TAKEN;
		entry->why = "it is of no one job";
	}
	if (artifact->empty) {
		entry->outcome = RG_OUTCOME_SKIPPED_NO_GOLDENS;
		entry->why = "nothing in it matches regild.files";
	}
}

bool rg_match_may_be_run(const rg_rule *rule)
{
	return !rule->is_jobs || !rule->tie;
}

bool rg_match_is_free(const rg_manifest_artifact *entry)
{
	return entry->outcome == RG_OUTCOME_SKIPPED_NOT_A_TEST;
}

/* Is there something that ties an artifact to its job? Jobs that are only assumed have no names. */
static bool is_tied(const rg_matcher *m, const rg_artifact *artifact)
{
	if (artifact->job_id)
		return true;
	return m->rule->tie && (m->rule->is_jobs || !m->run->assumed);
}

static void append_artifact(rg_matcher *m, size_t index)
{
	const rg_artifact *artifact = &m->run->artifacts[index];
	rg_manifest_artifact *entry = &m->out->artifacts[index];
	bool free = rg_match_is_free(entry);
	rg_name_fields fields, fixed = {0};

	if (artifact->placed)
		return;
	/* Who says whose it is says it of all that [jobs] is about. */
	fixed.fields[RG_FIELD_RUN] = m->runs[index];
	if ((artifact->job_id || artifact->test) && m->rule->is_jobs)
		entry->rules |= m->bit;
	else if (rg_rule_fits(m->rule, artifact->name, &fixed, &fields))
		entry->rules |= m->bit;
	else if (!m->rule->is_jobs)
		return;
	if (!free || !is_tied(m, artifact))
		return;
	const char *key = artifact->job_id ? key_of_job(m, entry, artifact->job_id)
					   : key_of_name(m, index);
	if (!key)
		return;
	entry->rules |= m->bit; /* with "-retry" after its name, too */
	/* It is nobody's until its job is found. Where the jobs are those that the repository has
	 * goldens of, there is a golden in it that has no place. */
	entry->why = "no job of this run has its test";
	if (m->run->assumed)
		entry->why = rg_arena_textf(
			&m->out->arena,
			"its stage is not known: the tree has neither a golden nor a settings file "
			"of test '%s'; name a folder that has it at regild.root/STAGE/%s/FILE",
			key, key);
	m->artifacts[m->artifact_count++] = (rg_match_keyed){key, index};
}

/* Finds what {run} is in each name. A folder of artifacts does not say which run they are of. */
static void find_runs(rg_matcher *m)
{
	const rg_run *run = m->run;
	m->runs = rg_arena_alloc(&m->arena, (run->artifact_count + 1) * sizeof(*m->runs));
	const char **names = rg_arena_alloc(&m->arena, (run->artifact_count + 1) * sizeof(*names));
	if (run->id) {
		const rg_field_value id =
			rg_field_of(rg_arena_textf(&m->arena, "%llu", (unsigned long long)run->id));
		for (size_t i = 0; i < run->artifact_count; i++)
			m->runs[i] = id;
	}
	for (size_t i = 0; i < run->artifact_count; i++)
		names[i] = strlen(run->artifacts[i].name) <= NAME_MAX_LENGTH
				   ? run->artifacts[i].name
				   : "";
	if (!(run->id || !m->rule->artifact))
		rg_guess_runs(m->runs, names, run->artifact_count, m->rule->artifact);
}

RG_ORDER(compare_keys, rg_match_keyed, RG_BY_TEXT(key) || RG_RISING(index));

void rg_match_begin(rg_matcher *m)
{
	rg_manifest *out = m->out;
	copy_run(m->run, m->options, out);
	rg_grow(&out->jobs, &out->job_capacity, m->run->job_count, sizeof(*out->jobs));
	rg_grow(&out->artifacts, &out->artifact_capacity, m->run->artifact_count,
		sizeof(*out->artifacts));
	for (size_t i = 0; i < m->run->job_count; i++)
		begin_job(m, i);
	out->job_count = m->run->job_count; /* artifacts look for theirs */
	for (size_t i = 0; i < m->run->artifact_count; i++)
		begin_artifact(m, i);
	out->artifact_count = m->run->artifact_count;
}

void rg_match_fill_jobs(rg_matcher *m)
{
	m->job_count = m->earlier_count = 0;
	for (size_t i = 0; i < m->run->job_count; i++)
		append_job(m, i);
	for (size_t i = 0; i < m->run->earlier_count; i++) {
		rg_name_fields fields;
		if (fields_of_job(m, &m->run->earlier[i], &fields))
			m->earlier[m->earlier_count++] = (rg_match_keyed){make_key(m, &fields), i};
	}
	if (m->job_count)
		qsort(m->jobs, m->job_count, sizeof(*m->jobs), compare_keys);
	if (m->earlier_count)
		qsort(m->earlier, m->earlier_count, sizeof(*m->earlier), compare_keys);
	find_runs(m);
}

void rg_match_fill_artifacts(rg_matcher *m)
{
	m->artifact_count = 0;
	for (size_t i = 0; i < m->run->artifact_count; i++)
		append_artifact(m, i);
	if (m->artifact_count)
		qsort(m->artifacts, m->artifact_count, sizeof(*m->artifacts), compare_keys);
}
