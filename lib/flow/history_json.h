/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HISTORY_JSON_H
#define REGILD_FLOW_HISTORY_JSON_H

#include "base/fields.h"
#include "base/json.h"
#include "store/history.h"

/* Goldens of a run that are asked for: of this path, or the end of it after a slash; NULL: all. */
typedef struct {
	const char *file;
	size_t shown; /* so many were there */
} rg_history_choice;

/* The document regild-history: the runs, and where `choice` is not NULL these goldens of theirs,
 * with each step and value. */
RG_CHECKED rg_error *rg_history_json(rg_buf *out, rg_history_store *history,
				     const rg_history_run *runs, size_t count,
				     rg_history_choice *choice);

extern const rg_json_field rg_history_fields[];

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
