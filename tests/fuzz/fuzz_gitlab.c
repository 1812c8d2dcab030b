/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GitLab's answers, up to five with NULs between (a pipeline, two pages of jobs, bridges, a merge
 * request): whatever they say, they are refused or become a run, a plan and a manifest that can be
 * read again.
 */
#include "plan_run.h"

#include "source/gitlab_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes the next answer off the front. */
static const char *take(const char **text, const char *end, size_t *length)
{
	const char *start = *text, *stop;

	stop = start < end ? memchr(start, '\0', (size_t)(end - start)) : NULL;
	*length = (size_t)((stop ? stop : end) - start);
	*text = stop ? stop + 1 : end;
	return start;
}

static void check_bridges(const rg_gitlab_bridges *bridges)
{
	size_t i;

	for (i = 0; i < bridges->count; i++) {
		const rg_gitlab_bridge *bridge = &bridges->items[i];

		require(bridge->id && bridge->name && bridge->stage && bridge->status, "a bridge");
		require(!bridge->pipeline || (bridge->project && bridge->pipeline_status),
			"a pipeline that nobody can ask for");
	}
}

static rg_error *read_answers(rg_run *run, rg_gitlab_bridges *bridges, const char *text,
			      size_t size)
{
	const rg_gitlab_jobs_of own = {0}, other = {7, "a > b", true};
	const char *end = text + size, *one;
	rg_gitlab_merge_request request;
	uint64_t project;
	size_t length, first;

	one = take(&text, end, &length);
	RG_TRY(rg_gitlab_read_pipeline(run, &project, one, length));
	one = take(&text, end, &length);
	RG_TRY(rg_gitlab_read_jobs(run, &own, one, length));
	rg_gitlab_split_retried(run, 0);
	first = run->job_count;
	one = take(&text, end, &length);
	if (length)
		RG_TRY(rg_gitlab_read_jobs(run, &other, one, length));
	rg_gitlab_split_retried(run, first);
	one = take(&text, end, &length);
	if (length)
		RG_TRY(rg_gitlab_read_bridges(bridges, &run->arena, one, length));
	one = take(&text, end, &length);
	if (length)
		RG_TRY(rg_gitlab_read_merge_request(&request, &run->arena, one, length));
	return rg_run_sort(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_gitlab_bridges bridges = {0};
	rg_error *err;
	rg_run run;

	rg_run_init(&run);
	run.source = "gitlab";
	run.host = "gitlab.com";
	run.repository = "g/p";
	run.attempt = run.latest_attempt = 1;
	err = read_answers(&run, &bridges, (const char *)data, size);
	if (!err) {
		check_bridges(&bridges);
		plan_run(&run, true, false);
		plan_run(&run, false, true);
	}
	rg_error_free(err);
	free(bridges.items);
	rg_run_release(&run);
	return 0;
}
