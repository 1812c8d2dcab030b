/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_MATCH_H
#define REGILD_SOURCE_MATCH_H

#include "source/match_keys.h"

/*
 * Which artifact belongs to which job, and what becomes of each. No network, no files: a run in, a
 * plan out.
 *
 * - A job whose name does not fit the pattern is not a test. An artifact belongs to the job that
 * its source names; where it names none (GitHub), to the jobs whose folded fields (rg_name_fold)
 * its own name has; "-retry" after it changes nothing, unless a test is called so.
 * - Of several artifacts of one job the newest counts, the others are superseded.
 * - Jobs that share a name (twins: a matrix on two machines, one test name in two stages) share the
 *   artifacts' name too: each artifact goes to the one job in whose time it was made, or, where
 * that is not one, in whose upload step; else it is ambiguous.
 * - For an earlier attempt only what was made in its jobs' time counts.
 * - All of it rule by rule (rule.h), [jobs] first. What a [source] names, and nothing ties to one
 * job, is the run's: of several of one name (but for {attempt}) the newest counts. It is in the
 * scope where any job is, unless that is one job alone.
 */

/*
 * Fills `jobs` and `artifacts` of an initialised manifest, by id, and its facts about the run.
 * Artifacts to be fetched have outcome RG_OUTCOME_TAKEN and their job's id; everything else has its
 * final outcome. A job has RG_OUTCOME_TAKEN where an artifact of it is to be fetched. Strings are
 * copied into the manifest.
 */
void rg_match(const rg_run *run, const rg_match_options *options, rg_manifest *out);

/* The outcome of a job's goldens by its state alone: RG_OUTCOME_TAKEN where they are wanted. */
rg_outcome rg_match_scope(const rg_match_options *options, const rg_job *job);

#endif
