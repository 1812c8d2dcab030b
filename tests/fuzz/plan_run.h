/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_FUZZ_PLAN_RUN_H
#define REGILD_TESTS_FUZZ_PLAN_RUN_H

/* A run that was read becomes a plan, in which everything has an outcome, and a manifest that can
 * be read again. */
#include "require.h"

#include "source/match.h"
#include "unit/one_rule.h"

enum { PLAN_FIELDS = (1 << RG_FIELD_FILE) - 1 };

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

static void plan_run(const rg_run *run, bool only_failing, bool take_ambiguous)
{
	one_rule rules;
	const rg_match_options options = {.rules = &rules.rules,
					  .only_failing = only_failing,
					  .take_ambiguous = take_ambiguous};
	rg_arena patterns = {0};
	rg_name_pattern *job, *artifact;
	rg_manifest manifest;

	require(!rg_name_pattern_new(&job, &patterns, "{stage}/{test} - {tag}", PLAN_FIELDS, "job"),
		"the jobs' pattern");
	require(!rg_name_pattern_new(&artifact, &patterns, "logs-{test}-{run}-{unique}",
				     PLAN_FIELDS, "artifact"),
		"the artifacts' pattern");
	one_rule_init(&rules, job, artifact, NULL);
	rg_manifest_init(&manifest);
	rg_match(run, &options, &manifest);
	require(manifest.job_count == run->job_count &&
			manifest.artifact_count == run->artifact_count,
		"an outcome is missing");
	manifest.root = "";
	check_manifest(&manifest);
	rg_manifest_release(&manifest);
	rg_arena_release(&patterns);
}

#endif
