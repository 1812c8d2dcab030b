/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_MERGE_H
#define REGILD_STORE_HISTORY_MERGE_H

#include "base/log.h"
#include "store/history.h"

/*
 * Puts the runs of one history into another one. Of a run that both have, one stays, whole: that of
 * the later attempt; of the same attempt the complete one; else the one with more goldens; else the
 * one whose rg_history_digest is the greater text. One of which `into` has lost rows is put again
 * where `from` has as much of it. So histories come to the same in whatever order,
 * and however often, they are merged. What audits found comes with them: of a series what the later
 * audit found.
 */
typedef struct {
	rg_history_store *into, *from;
	const char *repository; /* of these runs of `from` alone (rg_history_run_is_of) */
	uint64_t bytes_max;     /* of a golden's file; a run with a larger one is left out */
	/* Runs of the same attempt, as complete and with as many goldens, count as the same: what
	 * is far away need not be read to find that out. */
	bool by_figures;
	const rg_log *log; /* hears why a run was left out */
} rg_history_merge_options;

/* The outcomes of the runs of `from`. */
typedef struct {
	size_t added, replaced; /* in `into` now; it had none, or another */
	size_t same;
	size_t kept;     /* `into` has the one that stays */
	size_t verdicts; /* series of which `from` has what a later audit found: so has `into` now
			  */
	size_t left_out; /* damaged, too large, or not what a run looks like */
} rg_history_merged;

/* Each run is put whole or not at all; after an error those before it are there. Where a server
 * did not take runs that were sent together, the error or the log names them, and `out` does not
 * count them. */
RG_CHECKED rg_error *rg_history_merge(rg_history_merged *out,
				      const rg_history_merge_options *options);

#endif
