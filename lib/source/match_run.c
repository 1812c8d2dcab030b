/* SPDX-License-Identifier: Apache-2.0 */
#include "base/order.h"
#include "source/match.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* First the parts for artifacts of a job and of a run; then those for what is of no job. */

rg_outcome rg_match_scope(const rg_match_options *options, const rg_job *job)
{
	if (options->job && job->id != options->job)
		return RG_OUTCOME_SKIPPED_OTHER_JOB;
	if (!job->conclusion)
		return RG_OUTCOME_SKIPPED_UNFINISHED;
	if (options->only_failing && !strcmp(job->conclusion, "success"))
		return RG_OUTCOME_SKIPPED_PASSING;
	return RG_OUTCOME_TAKEN;
}

rg_outcome rg_match_scope_of(const rg_matcher *m, const rg_job *job)
{
	return m->run->assumed ? RG_OUTCOME_TAKEN : rg_match_scope(m->options, job);
}

/* Newest first; the later id where the times are equal. */
bool rg_match_is_newer(const rg_matcher *m, const rg_artifact *a, const rg_artifact *b)
{
	if (m->run->assumed && a->created == b->created)
		return strlen(a->name) > strlen(b->name);
	return a->created != b->created ? a->created > b->created : a->id > b->id;
}

const char *rg_match_format_expired(const rg_matcher *m, const rg_artifact *artifact)
{
	const char *erased = artifact->erased_at;
	const char *on = erased ? erased : artifact->expires_at;
	return rg_arena_textf(&m->out->arena, "%son %.*s; re-run the job to make it again",
			      erased ? "it was erased " : "", on ? 10 : 64,
			      on ? on : "a day that is not known");
}

/* An artifact under its name, but for what tells repeated uploads apart. */
typedef struct {
	const char *key;
	uint64_t job_id, attempt;
	size_t index;
} upload;

/* Takes a field of the name out of its copy. */
static void cut(char *key, const char *name, const rg_field_value *field)
{
	size_t place = (size_t)(field->start - name), length = strlen(key);
	if (place + field->length <= length)
		memmove(key + place, key + place + field->length,
			length - place - field->length + 1);
}

/* {attempt} and, where there is one, {unique} do not count. */
static void make_upload(rg_matcher *m, upload *out, const rg_name_fields *fields)
{
	const rg_artifact *artifact = &m->run->artifacts[out->index];
	const rg_field_value *attempt = &fields->fields[RG_FIELD_ATTEMPT];
	const rg_field_value *unique = &fields->fields[RG_FIELD_UNIQUE];
	char *key = rg_arena_copy(&m->arena, artifact->name, rg_match_name_length(artifact->name));
	out->key = key;
	out->job_id = artifact->job_id;
	if (!attempt->start || !rg_uint64_parse(attempt->start, attempt->length, &out->attempt))
		return;
	/* The later of two such fields goes first, so that the earlier one's place stays. */
	if (unique->start && unique->start > attempt->start)
		cut(key, artifact->name, unique);
	cut(key, artifact->name, attempt);
	if (unique->start && unique->start < attempt->start)
		cut(key, artifact->name, unique);
}

/* Each name's together, those of the last attempt first. */
RG_ORDER(compare_uploads, upload,
	 RG_BY_TEXT(key) || RG_RISING(job_id) || RG_FALLING(attempt) || RG_RISING(index));

static bool is_same(const upload *a, const upload *b)
{
	return a->job_id == b->job_id && !strcmp(a->key, b->key);
}

/* The newest of uploads of one name counts. */
static void drop_all_but_newest(rg_matcher *m, const upload *list, size_t count)
{
	const rg_artifact *newest = NULL;
	for (size_t i = 0; i < count && list[i].attempt == list[0].attempt; i++) {
		const rg_artifact *artifact = &m->run->artifacts[list[i].index];
		if (!newest || rg_match_is_newer(m, artifact, newest))
			newest = artifact;
	}
	for (size_t i = 0; i < count; i++) {
		rg_manifest_artifact *entry = &m->out->artifacts[list[i].index];
		if (&m->run->artifacts[list[i].index] == newest)
			continue;
		entry->outcome = RG_OUTCOME_SUPERSEDED;
		entry->why = "a newer artifact of its name counts";
	}
}

void rg_match_drop_earlier(rg_matcher *m)
{
	size_t count = 0, end;
	if (m->rule->is_jobs)
		return;
	RG_AUTO_FREE upload *list = rg_calloc(m->run->artifact_count + 1, sizeof(*list));
	for (size_t i = 0; i < m->run->artifact_count; i++) {
		const char *name = m->run->artifacts[i].name;
		rg_name_fields fields, fixed = {0};

		fixed.fields[RG_FIELD_RUN] = m->runs[i];
		if (!rg_match_is_free(&m->out->artifacts[i]) ||
		    !rg_rule_fits(m->rule, name, &fixed, &fields))
			continue;
		list[count] = (upload){.index = i};
		make_upload(m, &list[count++], &fields);
	}
	if (count)
		qsort(list, count, sizeof(*list), compare_uploads);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && is_same(&list[i], &list[end]); end++)
			;
		drop_all_but_newest(m, &list[i], end - i);
	}
}

/* Is there a job that is wanted? If all are out of the scope, so is what may be of any of them; and
 * where one job alone is, what may be another's. */
rg_outcome rg_match_scope_of_run(const rg_matcher *m)
{
	rg_outcome outcome = RG_OUTCOME_TAKEN;
	if (m->options->job)
		return RG_OUTCOME_SKIPPED_OTHER_JOB;
	for (size_t i = 0; i < m->run->job_count; i++) {
		outcome = rg_match_scope_of(m, &m->run->jobs[i]);
		if (outcome == RG_OUTCOME_TAKEN)
			break;
	}
	return outcome;
}

void rg_match_settle_run(rg_matcher *m)
{
	rg_outcome scope = rg_match_scope_of_run(m);
	for (size_t i = 0; rg_match_may_be_run(m->rule) && i < m->run->artifact_count; i++) {
		const rg_artifact *artifact = &m->run->artifacts[i];
		rg_manifest_artifact *entry = &m->out->artifacts[i];

		if (!(entry->rules & m->bit) || !rg_match_is_free(entry))
			continue;
		entry->outcome = scope;
		entry->why = "it is of no one job";
		if (scope != RG_OUTCOME_TAKEN || !artifact->expired)
			continue;
		entry->outcome = RG_OUTCOME_EXPIRED;
		entry->why = rg_match_format_expired(m, artifact);
	}
}
