/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_DOWNLOAD_H
#define REGILD_FLOW_DOWNLOAD_H

#include "base/optional.h"
#include "flow/choose_run.h"
#include "flow/context.h"
#include "flow/open_source.h"
#include "source/explain.h"
#include "source/manifest.h"

/* Fetches a run's goldens into a staging folder. */
typedef struct {
	rg_source_options source;
	rg_run_choice choice;        /* where the source names no run; see rg_flow_choose_run */
	rg_optional_integer wait;    /* seconds for a run to finish */
	bool only_failing, all;      /* just one of them */
	rg_optional_integer attempt; /* not given: the latest */
	bool in_progress;
	bool take_ambiguous;
	rg_optional_integer jobs; /* not given: 8 */
	bool whole;
	bool explain;              /* for rg_download_explain */
	const char *folder;        /* NULL: GITDIR/regild/runs/ID */
	const char *if_unfinished; /* what to do about such a run; NULL: what the options offer */
} rg_download_options;

typedef struct {
	rg_manifest manifest; /* as it is in the folder */
	char *folder;
	bool missing; /* something of the scope is, as the manifest's outcomes say */
	double seconds;
} rg_download_result;

void rg_download_result_init(rg_download_result *result);
void rg_download_result_release(rg_download_result *result);

/* RG_E_USAGE for what is wrong with the run's name or the choice of one, before the user is asked
 * for anything. There may be neither. */
RG_CHECKED rg_error *rg_download_check(const rg_download_options *options);

/*
 * `out` must be initialised, and the source name a run. The log hears of each outcome, the flow's
 * progress of the transfer. On an error the folder is as it was.
 */
RG_CHECKED rg_error *rg_download(rg_download_result *out, const rg_flow *flow,
				 const rg_download_options *options);

/* Tells line by line which rule takes or leaves each job, artifact and member; see
 * source/explain.h. Nothing is kept. */
RG_CHECKED rg_error *rg_download_explain(const rg_flow *flow, const rg_download_options *options,
					 rg_explain_line *line, void *context);

/* The staging folder of a run (an id or URL); `run` NULL: of the one run that is downloaded. *out
 * is the caller's to free. */
RG_CHECKED rg_error *rg_flow_find_staged(char **out, const rg_flow *flow, const char *run);

#endif
