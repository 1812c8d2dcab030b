/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_SEVERAL_RUNS_H
#define REGILD_FLOW_SEVERAL_RUNS_H

#include "flow/comparison.h"
#include "flow/context.h"
#include "flow/download.h"

/*
 * Several runs of one change, of which one's goldens are taken. First rg_several_runs_parse; then
 * rg_download for each of `names`, and rg_several_runs_add with what came of it; then
 * rg_several_runs_choose.
 */
typedef struct {
	const char **names; /* as the user named them */
	size_t name_count;
	int take;                    /* RG_TAKE_MEDIAN_RUN or RG_TAKE_FIRST */
	rg_download_result *fetched; /* those that came, staged, in that order */
	size_t count;
	rg_download_result
		empty;   /* the first that nothing was wanted of, as nothing failed in it */
	rg_texts missed; /* what is wrong with each of the others */
	rg_arena arena;
	/* By rg_several_runs_choose. */
	size_t taken;
	rg_new_runs new_runs; /* nothing where one run came */
	bool missing;         /* something of a run is, as the log has heard */
} rg_several_runs;

void rg_several_runs_init(rg_several_runs *runs);
void rg_several_runs_release(rg_several_runs *runs);

/* Parses "ID,ID,…", where each is what rg_run_name_parse takes, and one of rg_manifest_takes (NULL:
 * the first of these). RG_E_USAGE where they are not several runs. */
RG_CHECKED rg_error *rg_several_runs_parse(rg_several_runs *out, const char *list,
					   const char *take);

/* The next download has ended: takes what is in `result`, and `err`, which is handed back unless
 * the others count without that run, as they do not where it is the one to be taken. */
RG_CHECKED rg_error *rg_several_runs_add(rg_several_runs *runs, const rg_flow *flow,
					 rg_download_result *result, rg_error *err);

/* Tests the runs together, chooses one, of those that nothing is missing of if there are any, and
 * notes in its manifest how. RG_E_NOTFOUND where no run came. Where nothing is wanted of any, that
 * is the one. */
RG_CHECKED rg_error *rg_several_runs_choose(rg_several_runs *runs, const rg_flow *flow,
					    const rg_compare_options *options,
					    const rg_compare_rules *rules);

#endif
