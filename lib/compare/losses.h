/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_LOSSES_H
#define REGILD_COMPARE_LOSSES_H

#include "compare/row.h"

/*
 * Lists the losses of the new side in the goldens that were compared: records of tables, metrics,
 * and steps of metrics. The policy does not matter here, as figures of what is left say nothing of
 * what is missing.
 */
typedef struct {
	const char *file, *metric; /* borrowed from the comparison; no metric: records */
	bool whole;                /* the metric itself is missing */
	size_t steps;              /* steps or records that are missing; of tokens 0 */
	const char *text; /* "the whole metric", "49 of 50 steps (2..50)", "3 of 6 records (…)" */
} rg_loss;

typedef struct {
	rg_loss *items; /* in file order */
	size_t count, capacity;
	size_t records;
	size_t metrics; /* whole ones */
	size_t steps;   /* of others */
	size_t goldens; /* that lost something */
	rg_arena arena;
} rg_losses;

/* `out` starts all zero. */
void rg_losses_find(rg_losses *out, const rg_comparison *comparison);
void rg_losses_release(rg_losses *losses);

#endif
