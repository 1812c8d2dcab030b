/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HISTORY_FILES_H
#define REGILD_FLOW_HISTORY_FILES_H

#include "flow/context.h"
#include "store/history_merge.h"

/* A history as files that other programs read: DAY.jsonl.zst or DAY.csv.zst, with the runs of that
 * day in history_rows.h's rows. */

typedef struct {
	rg_history_store *history;
	const char *folder;     /* made where it is missing */
	const char *repository; /* of these runs alone (rg_history_run_is_of); NULL: of all */
	bool csv;
} rg_history_export_options;

typedef struct {
	size_t files, runs;
	size_t left_out; /* goldens that cannot be read */
} rg_history_exported;

/* The same runs are the same bytes, whatever order they came into the history. Each file is
 * replaced as a whole; others are left alone. */
RG_CHECKED rg_error *rg_history_export(rg_history_exported *out, const rg_flow *flow,
				       const rg_history_export_options *options);

/* Reads such files, or those of folders, and merges what they hold into `into` as rg_history_merge
 * does. A file that is not one is an error, and nothing is merged then. */
RG_CHECKED rg_error *rg_history_import(rg_history_merged *out, const rg_flow *flow,
				       rg_history_store *into, char *const *paths, size_t count);

#endif
