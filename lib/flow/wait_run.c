/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/wait_run.h"

#include "net/clock.h"
#include "source/settings.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 128 };

/* "3 of 12 jobs done, 2 failing" */
static void say_jobs(char out[static TEXT_SIZE], const rg_run *run)
{
	size_t done = 0, failing = 0;
	for (size_t i = 0; i < run->job_count; i++) {
		const char *conclusion = run->jobs[i].conclusion;
		done += conclusion != NULL;
		failing += rg_job_has_failed(&run->jobs[i]);
	}
	if (!run->job_count)
		snprintf(out, TEXT_SIZE, "no job yet");
	else if (failing)
		snprintf(out, TEXT_SIZE, "%zu of %zu jobs done, %zu failing", done, run->job_count,
			 failing);
	else
		snprintf(out, TEXT_SIZE, "%zu of %zu jobs done", done, run->job_count);
}

/* What is logged is what is new. */
static void tell(const rg_flow *flow, const rg_run *run, char told[static TEXT_SIZE])
{
	char jobs[TEXT_SIZE], line[TEXT_SIZE + 32];
	say_jobs(jobs, run);
	snprintf(line, sizeof(line), "run %llu: %s", (unsigned long long)run->id, jobs);
	if (strcmp(jobs, told) != 0)
		rg_log_say(&flow->log, RG_LOG_INFO, "%s", line);
	memcpy(told, jobs, TEXT_SIZE);
	rg_flow_waits_for(flow, line);
}

rg_error *rg_flow_wait_for_run(const rg_flow *flow, rg_source *source, unsigned attempt,
			       double seconds, rg_run *run)
{
	double end = rg_clock_monotonic() + seconds, pause = rg_settings_poll_pause();
	const uint64_t id = run->id;
	char told[TEXT_SIZE] = "";

	while (!rg_run_is_finished(run)) {
		double left = end - rg_clock_monotonic();
		rg_error *err;

		tell(flow, run, told);
		if (left <= 0)
			return rg_error_new(RG_E_CONFLICT,
					    "run %llu: has not finished in time (%s, %s); wait on "
					    "with --wait, or take what there is with --in-progress",
					    (unsigned long long)id, run->status, told);
		err = rg_clock_sleep(left < pause ? left : pause);
		if (err)
			return rg_error_wrap(
				err,
				"run %llu: has not finished (%s); wait on with --wait, "
				"or take what there is with --in-progress",
				(unsigned long long)id, told);
		rg_run_release(run);
		RG_TRY(source->load(source, id, attempt, run));
	}
	if (*told)
		tell(flow, run, told);
	return NULL;
}
