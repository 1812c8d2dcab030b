/* SPDX-License-Identifier: Apache-2.0 */
#include "source/empty_run.h"

#include <string.h>

enum { NAMES_SHOWN = 4, OUTCOMES = RG_OUTCOME_FAILED + 1 };

/* Counts the jobs that were asked for, and the run's artifacts, by what became of them. */
typedef struct {
	const rg_manifest *m;
	size_t jobs[OUTCOMES], artifacts[OUTCOMES];
	size_t job_count;
	size_t passed, bad; /* jobs that ended well; that neither did nor were skipped */
	size_t missing;     /* artifacts and jobs that should have come */
} census;

static census count(const rg_manifest *m)
{
	census counted = {.m = m}, *c = &counted;
	for (size_t i = 0; i < m->job_count; i++) {
		const rg_manifest_job *job = &m->jobs[i];
		const char *end = job->conclusion ? job->conclusion : "";
		bool asked = job->outcome != RG_OUTCOME_SKIPPED_OTHER_JOB;

		c->jobs[job->outcome]++;
		c->job_count += asked;
		c->passed += asked && !strcmp(end, "success");
		c->bad += asked && strcmp(end, "success") != 0 && strcmp(end, "skipped") != 0 &&
			  strcmp(end, "neutral") != 0;
		c->missing += rg_outcome_is_missing(job->outcome) && rg_manifest_is_unread(m, job);
	}
	for (size_t i = 0; i < m->artifact_count; i++) {
		c->artifacts[m->artifacts[i].outcome]++;
		c->missing += rg_outcome_is_missing(m->artifacts[i].outcome);
	}
	return counted;
}

/* " (gpt/a - latest, gpt/b - latest and 3 more)": the jobs, or artifacts, with that outcome. */
static void append_names(rg_buf *out, const rg_manifest *m, bool jobs, rg_outcome outcome)
{
	size_t all = jobs ? m->job_count : m->artifact_count, named = 0;
	for (size_t i = 0; i < all; i++) {
		const char *name = jobs ? m->jobs[i].name : m->artifacts[i].name;
		if ((jobs ? m->jobs[i].outcome : m->artifacts[i].outcome) != outcome)
			continue;
		if (named < NAMES_SHOWN)
			rg_buf_printf(out, "%s%s", named ? ", " : " (", name);
		named++;
	}
	if (named > NAMES_SHOWN)
		rg_buf_printf(out, " and %zu more", named - NAMES_SHOWN);
	rg_buf_str(out, named ? ")" : "");
}

/* Tests that should have left goldens, and did not. */
static const char *format_no_artifacts(rg_buf *out, const census *c)
{
	if (c->m->job) {
		rg_buf_printf(out, "job %s left no artifact", c->m->job);
	} else {
		rg_buf_printf(out, "%zu of %zu jobs %s and left no artifact",
			      c->jobs[RG_OUTCOME_SKIPPED_NO_GOLDENS], c->job_count,
			      c->m->only_failing ? "did not pass" : "should have left goldens");
		append_names(out, c->m, true, RG_OUTCOME_SKIPPED_NO_GOLDENS);
	}
	if (!c->artifacts[RG_OUTCOME_SKIPPED_NOT_A_TEST])
		return "see in their logs why they ended before they uploaded any";
	rg_buf_str(out, "; other artifacts are of no test");
	append_names(out, c->m, false, RG_OUTCOME_SKIPPED_NOT_A_TEST);
	return "see in the jobs' logs what they uploaded, or set jobs.artifact (--explain tells "
	       "what it makes of each name)";
}

static const char *format_no_tests(rg_buf *out, const census *c)
{
	if (c->m->job) {
		rg_buf_printf(out, "job %s is not a test by its name", c->m->job);
	} else {
		rg_buf_printf(out, "of %zu jobs none is a test by its name", c->job_count);
		append_names(out, c->m, true, RG_OUTCOME_SKIPPED_NOT_A_TEST);
	}
	if (c->m->workflow)
		rg_buf_printf(out, "; its workflow is %s", c->m->workflow);
	for (size_t i = 0; i < c->m->job_count; i++)
		if (c->m->jobs[i].why && !strcmp(c->m->jobs[i].why, RG_FITS_BUT_FOR_A_SPACE))
			return "write the space beside the field into jobs.name, since no field "
			       "begins or ends with one";
	return "name a run of the workflow that makes goldens ('regild runs' lists runs), or set "
	       "jobs.name";
}

/* Returns what to do. */
static const char *format_why(rg_buf *out, const census *c)
{
	if (c->artifacts[RG_OUTCOME_SKIPPED_NO_GOLDENS]) {
		rg_buf_str(out, "its artifacts have no golden in them");
		append_names(out, c->m, false, RG_OUTCOME_SKIPPED_NO_GOLDENS);
		return "set regild.files and jobs.members for what is in them (--explain lists it)";
	}
	if (!c->job_count) {
		rg_buf_str(out, "the run has no jobs");
		return "name another run ('regild runs' lists runs)";
	}
	if (c->jobs[RG_OUTCOME_SKIPPED_UNFINISHED]) {
		rg_buf_printf(out, "%zu of %zu jobs have not finished",
			      c->jobs[RG_OUTCOME_SKIPPED_UNFINISHED], c->job_count);
		return "--wait waits for the run";
	}
	if (c->jobs[RG_OUTCOME_SKIPPED_NO_GOLDENS])
		return format_no_artifacts(out, c);
	if (c->jobs[RG_OUTCOME_SKIPPED_PASSING]) {
		rg_buf_printf(out, "all tests passed (%zu), but not all jobs did",
			      c->jobs[RG_OUTCOME_SKIPPED_PASSING]);
		return "see whether the jobs that failed kept tests from running, or say --all";
	}
	return format_no_tests(out, c);
}

void rg_empty_run_explain(rg_manifest *manifest, rg_empty_run *out)
{
	const census c = count(manifest);
	rg_buf text = rg_buf_of(RG_BUF_ANY); /* kept in the arena */

	*out = (rg_empty_run){0};
	if (c.missing)
		return;
	*out = (rg_empty_run){.all_passed = manifest->only_failing && c.passed && !c.bad &&
					    c.jobs[RG_OUTCOME_SKIPPED_PASSING] &&
					    !c.jobs[RG_OUTCOME_SKIPPED_NO_GOLDENS]};
	if (out->all_passed) {
		if (manifest->job)
			rg_buf_printf(&text, "job %s passed", manifest->job);
		else
			rg_buf_printf(&text, "all jobs passed (%zu%s)", c.passed,
				      c.passed < c.job_count ? ", the others were skipped" : "");
		out->next = "nothing to do; --all takes the goldens of jobs that passed, too";
	} else {
		out->next = format_why(&text, &c);
	}
	out->why = rg_buf_keep(&text, &manifest->arena);
}
