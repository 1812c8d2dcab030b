/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_MATCH_KEYS_H
#define REGILD_SOURCE_MATCH_KEYS_H

#include "source/manifest.h"
#include "source/name_pattern.h"
#include "source/source.h"

/*
 * What match_keys.c fills (by which key jobs and artifacts meet) and match.c decides on (which of
 * them belong together).
 */

/* See match.h. */
typedef struct {
	const rg_name_pattern *job, *artifact;
	bool only_failing;
	bool take_ambiguous;
	bool earlier_attempt; /* the jobs are not those of the latest attempt */
} rg_match_options;

/* A job or an artifact under the key that they share: the folded fields of the artifact pattern. */
typedef struct {
	const char *key;
	size_t index; /* in the run's list and the manifest's */
} rg_match_keyed;

/* One run's matching. The lists hold jobs, executions that they replaced, and artifacts. */
typedef struct {
	const rg_run *run;
	const rg_match_options *options;
	rg_manifest *out;
	rg_arena arena;       /* for keys */
	rg_field_value *runs; /* of artifacts: {run} in the names, where the run has no number */
	rg_match_keyed *jobs, *earlier, *artifacts;
	size_t job_count, earlier_count, artifact_count;
} rg_matcher;

/* Fills the manifest's entries with what their names say, and the lists, which have room for all,
 * sorted by key and by index. What fits no pattern has its final outcome. */
RG_CHECKED rg_error *rg_match_fill(rg_matcher *matcher);

/* The length of an artifact's name without what marks a repeated upload. */
size_t rg_match_name_length(const char *name);

/* A copy that the manifest owns; NULL stays NULL. */
RG_CHECKED rg_error *rg_match_copy(rg_manifest *out, const char **slot, const char *text);

#endif
