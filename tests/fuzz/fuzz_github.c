/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API's answers, up to four with NULs between (the run, its jobs, those of all attempts, its
 * artifacts): whatever they say, they are refused or become a run, a plan and a manifest that can
 * be read again.
 */
#include "plan_run.h"

#include "source/github_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANSWERS = 4 };

static void cut(const char *text, size_t size, const char *starts[static ANSWERS],
		size_t lengths[static ANSWERS])
{
	const char *end = text + size, *stop;
	int i;

	for (i = 0; i < ANSWERS; i++) {
		stop = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;
		if (!stop || i == ANSWERS - 1)
			stop = end;
		starts[i] = text;
		lengths[i] = (size_t)(stop - text);
		text = stop < end ? stop + 1 : end;
	}
}

static rg_error *read_answers(rg_run *run, const char *text, size_t size)
{
	const char *starts[ANSWERS];
	size_t lengths[ANSWERS];
	uint64_t total;

	cut(text, size, starts, lengths);
	RG_TRY(rg_github_read_run(run, starts[0], lengths[0]));
	RG_TRY(rg_github_read_jobs(run, starts[1], lengths[1], &total));
	if (lengths[2])
		RG_TRY(rg_github_read_earlier(run, starts[2], lengths[2], &total));
	if (lengths[3])
		RG_TRY(rg_github_read_artifacts(run, starts[3], lengths[3], &total));
	return rg_run_sort(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_error *err;
	rg_run run;

	rg_run_init(&run);
	run.source = "github";
	run.host = "github.com";
	run.repository = "o/n";
	err = read_answers(&run, (const char *)data, size);
	run.attempt = run.latest_attempt;
	if (!err) {
		plan_run(&run, true, false);
		plan_run(&run, false, true);
	}
	rg_error_free(err);
	rg_run_release(&run);
	return 0;
}
