/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API's answers, up to four with NULs between (the run, its jobs, those of all attempts, its
 * artifacts): whatever they say, they are refused or become a run, a plan and a manifest that can
 * be read again.
 */
#include "require.h"

#include "source/github_json.h"
#include "source/match.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANSWERS = 4, FIELDS = (1 << RG_FIELD_FILE) - 1 };

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

static void check_manifest(const rg_manifest *manifest)
{
	rg_manifest again;
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_manifest_init(&again);
	err = rg_manifest_write(manifest, &text);
	require(!err, "a manifest that cannot be written");
	err = rg_manifest_parse(&again, text.data, text.length);
	require(!err, "a manifest that cannot be read");
	require(again.job_count == manifest->job_count &&
			again.artifact_count == manifest->artifact_count,
		"something is lost in the manifest");
	rg_manifest_release(&again);
	rg_buf_release(&text);
}

static void plan(const rg_run *run, bool only_failing, bool take_ambiguous)
{
	rg_match_options options = {.only_failing = only_failing, .take_ambiguous = take_ambiguous};
	rg_name_pattern *job, *artifact;
	rg_manifest manifest;

	require(!rg_name_pattern_new(&job, "{stage}/{test} - {tag}", FIELDS, "job"),
		"the jobs' pattern");
	require(!rg_name_pattern_new(&artifact, "logs-{test}-{run}-{unique}", FIELDS, "artifact"),
		"the artifacts' pattern");
	options.job = job;
	options.artifact = artifact;
	rg_manifest_init(&manifest);
	require(!rg_match(run, &options, &manifest), "no memory");
	require(manifest.job_count == run->job_count &&
			manifest.artifact_count == run->artifact_count,
		"an outcome is missing");
	manifest.root = "";
	check_manifest(&manifest);
	rg_manifest_release(&manifest);
	rg_name_pattern_free(artifact);
	rg_name_pattern_free(job);
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
		plan(&run, true, false);
		plan(&run, false, true);
	}
	rg_error_free(err);
	rg_run_release(&run);
	return 0;
}
