/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_MATCH_KEYS_H
#define REGILD_SOURCE_MATCH_KEYS_H

#include "source/manifest.h"
#include "source/rule.h"
#include "source/source.h"

/*
 * match_keys.c fills this (by which key jobs and artifacts meet), and match.c decides on it (which
 * of them belong together).
 */

/* See match.h. */
typedef struct {
	const rg_rules *rules;
	uint64_t job; /* that alone; 0: all */
	bool only_failing;
	bool take_ambiguous;
	bool earlier_attempt; /* the jobs are not those of the latest attempt */
} rg_match_options;

/* A job or an artifact under the key that they share: the folded fields that tie them. */
typedef struct {
	const char *key;
	size_t index; /* in the run's list and the manifest's */
} rg_match_keyed;

/* One run's matching. The lists hold jobs, executions that they replaced, and artifacts. */
typedef struct {
	const rg_run *run;
	const rg_match_options *options;
	const rg_rule *rule; /* the one that it is about now */
	uint64_t bit;        /* its place in a set */
	rg_manifest *out;
	rg_arena arena;       /* for keys */
	rg_field_value *runs; /* of artifacts: {run} in the names, where the run has no number */
	rg_match_keyed *jobs, *earlier, *artifacts;
	size_t job_count, earlier_count, artifact_count;
} rg_matcher;

/* Fills the manifest's entries with what is known without a rule. */
void rg_match_begin(rg_matcher *matcher);
/* Reads the names of jobs by matcher->rule, and {run} in those of artifacts; fills the lists of
 * jobs, which have room for all, sorted by key and by index. */
void rg_match_fill_jobs(rg_matcher *matcher);
/* The same for artifacts that belong to nobody yet. */
void rg_match_fill_artifacts(rg_matcher *matcher);
/* Does an artifact that fits the rule belong to nobody yet? */
bool rg_match_is_free(const rg_manifest_artifact *entry);
/* Is it the run's where no job is found? */
bool rg_match_may_be_run(const rg_rule *rule);

/* match_run.c: of what a [source] names, uploads of one name that are not the newest. */
void rg_match_drop_earlier(rg_matcher *matcher);
/* Gives the run what fits the rule, and nothing ties to a job. */
void rg_match_settle_run(rg_matcher *matcher);
/* As rg_match_scope; jobs that are only assumed are all wanted. */
rg_outcome rg_match_scope_of(const rg_matcher *matcher, const rg_job *job);
/* The same for what may be of any job. */
rg_outcome rg_match_scope_of_run(const rg_matcher *matcher);
bool rg_match_is_newer(const rg_matcher *matcher, const rg_artifact *a, const rg_artifact *b);
/* "on 2026-03-01; …": in the manifest's arena. */
const char *rg_match_format_expired(const rg_matcher *matcher, const rg_artifact *artifact);

/* The length of an artifact's name without what marks a repeated upload. */
size_t rg_match_name_length(const char *name);

#endif
