/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HISTORY_PRUNE_H
#define REGILD_FLOW_HISTORY_PRUNE_H

#include "store/history.h"

typedef struct {
	size_t runs;    /* that were removed, or would be */
	size_t kept;    /* that stay */
	size_t undated; /* of these, so many because nobody knows how old they are */
	uint64_t freed; /* bytes; 0 where the store cannot say */
} rg_history_pruned;

/* Removes the runs of a repository (rg_history_run_is_of; NULL: of all) that began more than so
 * many days ago, all of them or none. With `dry_run` only says what that would come to. */
RG_CHECKED rg_error *rg_history_prune(rg_history_pruned *out, rg_history_store *history,
				      const char *repository, unsigned days, bool dry_run);

#endif
