/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_LOSSES_H
#define REGILD_COMPARE_LOSSES_H

#include "base/buf.h"
#include "compare/row.h"

/*
 * What the new side lost of the goldens that were compared: metrics, and steps of metrics. All of
 * it, whatever the policy looks at: figures of what is left say nothing of what is missing.
 */
typedef struct {
	const char *file, *metric; /* borrowed from the comparison, like `text` */
	bool whole;                /* the metric itself is missing */
	size_t steps;              /* steps that are missing; of a text or tokens 0 */
	bool by_record;            /* they are a table's records */
	const char *text;          /* "the whole metric", "49 of 50 steps (2..50)" */
} rg_loss;

typedef struct {
	rg_loss *items; /* in file order */
	size_t count, capacity;
	size_t metrics;   /* of count: whole ones */
	size_t steps;     /* of the others */
	size_t by_record; /* of the others: tables' columns */
	size_t goldens;   /* that lost something */
} rg_losses;

/* `out` starts all zero, and is released even where this fails. */
void rg_losses_find(rg_losses *out, const rg_comparison *comparison);
void rg_losses_release(rg_losses *losses);
/* "2 metrics and 49 steps of 1 more, in 2 goldens"; nothing was lost: "". */
void rg_losses_say(rg_buf *out, const rg_losses *losses);

#endif
