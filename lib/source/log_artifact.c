/* SPDX-License-Identifier: Apache-2.0 */
#include "source/log_artifact.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool has_log(const rg_job *job)
{
	return !job->conclusion ||
	       (strcmp(job->conclusion, "skipped") != 0 && strcmp(job->conclusion, "manual") != 0);
}

/* A job that no artifact has made a test is one by its log. */
static void settle_job(rg_arena *arena, rg_manifest_job *job, const rg_name_fields *fields,
		       rg_outcome scope)
{
	if (!job->stage)
		job->stage = rg_field_copy(arena, &fields->fields[RG_FIELD_STAGE]);
	if (!job->test)
		job->test = rg_field_copy(arena, &fields->fields[RG_FIELD_TEST]);
	if (!job->tag)
		job->tag = rg_field_copy(arena, &fields->fields[RG_FIELD_TAG]);
	if (job->outcome == RG_OUTCOME_SKIPPED_NOT_A_TEST ||
	    job->outcome == RG_OUTCOME_SKIPPED_NO_GOLDENS) {
		job->outcome = scope;
		job->why = NULL;
	}
}

void rg_log_artifacts_add(rg_run *run, const rg_log_rules *rules, const rg_match_options *options,
			  rg_manifest *out)
{
	const rg_rule *jobs = rg_rules_jobs(options->rules);

	for (size_t k = 0; k < run->job_count; k++) {
		const rg_job *job = &run->jobs[k];
		rg_outcome scope = rg_match_scope(options, job);
		rg_name_fields fields;

		for (size_t i = 0; i < rules->count && has_log(job); i++) {
			if (!rg_log_rule_fits(&rules->items[i], jobs ? jobs->job : NULL, job->name,
					      &fields))
				continue;
			settle_job(&out->arena, &out->jobs[k], &fields, scope);
			const char *name = rg_arena_textf(&run->artifact_arena, "log of %s (%s)",
							  job->name, rules->items[i].name);
			*RG_PUSH(run->artifacts, run->artifact_count, run->artifact_capacity) =
				(rg_artifact){.id = job->id,
					      .name = name,
					      .job_id = job->id,
					      .log = i + 1,
					      .created = RG_TIME_NONE};
			*RG_PUSH(out->artifacts, out->artifact_count, out->artifact_capacity) =
				(rg_manifest_artifact){.id = job->id,
						       .name = rg_arena_text(&out->arena, name),
						       .job_id = job->id,
						       .log = i + 1,
						       .outcome = scope};
		}
	}
}

static rg_error *hand_out(void *source, rg_zip_sink *sink, void *context)
{
	const rg_buf *golden = *(const rg_buf **)source;
	return sink(context, golden->data, golden->length);
}

/* A job that passed is carried over into later attempts under an id of its own. Returns its
 * execution, which has the log; NULL where that is not known. */
static const rg_job *find_execution(const rg_run *run, const rg_job *job)
{
	for (size_t i = 0; i < run->earlier_count; i++) {
		const rg_job *earlier = &run->earlier[i];
		if (job->started != RG_TIME_NONE && earlier->started == job->started &&
		    earlier->completed == job->completed && !strcmp(earlier->name, job->name))
			return earlier;
	}
	return NULL;
}

/* The log as one rule reads it. */
typedef struct rg_log_reading {
	rg_log_format format;
	rg_log_scan *scan;
	rg_error *err; /* why there is no golden; or NULL */
} reading;

/* A rg_zip_sink: the log's bytes, for each rule. What one refuses the others may take. */
static rg_error *scan_all(void *context, const void *bytes, size_t length)
{
	const rg_job_log *log = context;
	for (size_t i = 0; i < log->count; i++) {
		reading *r = &log->readings[i];
		if (!r->err)
			r->err = rg_log_scan_add(r->scan, bytes, length);
	}
	return NULL;
}

static rg_error *read_log(rg_job_log *log, const rg_take_request *request)
{
	rg_source *source = log->options->source;
	const rg_job *job = rg_run_find_job(log->run, log->artifacts->job_id);

	if (!job)
		return rg_error_new(RG_E_NOTFOUND, "its job is not there");
	RG_AUTO_PTR(rg_error) err = source->read_log(source, job, request, scan_all, log);
	const rg_job *execution = NULL;
	if (err && rg_error_get_code(err) == RG_E_GONE)
		execution = find_execution(log->run, job);
	return execution ? source->read_log(source, execution, request, scan_all, log)
			 : RG_TAKE(err);
}

void rg_job_log_release(rg_job_log *log)
{
	for (size_t i = 0; log->readings && i < log->count; i++) {
		rg_log_scan_free(log->readings[i].scan);
		rg_error_free(log->readings[i].err);
	}
	free(log->readings);
	rg_error_free(log->err);
}

rg_error *rg_log_artifact_take(rg_job_log *log, const rg_artifact *artifact,
			       const rg_take_request *request)
{
	const rg_log_rule *rules = log->options->logs->items;
	rg_selected selected = {.path = rules[artifact->log - 1].file, .via = "", .read = hand_out};
	const rg_buf *golden;
	bool found;

	if (!log->readings) {
		log->readings = rg_calloc(log->count, sizeof(*log->readings));
		for (size_t i = 0; i < log->count; i++) {
			reading *r = &log->readings[i];
			r->format = rules[log->artifacts[i].log - 1].format;
			r->format.max = rg_buf_most(request->limits.member_size);
			r->scan = rg_log_scan_new(&r->format);
		}
		log->err = read_log(log, request);
	}
	/* Each of the others says it again. */
	if (log->err)
		return rg_error_new(rg_error_get_code(log->err), "%s", rg_error_message(log->err));
	reading *r = &log->readings[artifact - log->artifacts];
	RG_TRY(RG_TAKE(r->err));
	RG_TRY(rg_log_scan_end(r->scan, &golden, &found));
	selected.size = golden->length;
	selected.source = &golden;
	return found ? request->take(request->context, &selected) : NULL;
}
