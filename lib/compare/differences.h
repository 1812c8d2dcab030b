/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_DIFFERENCES_H
#define REGILD_COMPARE_DIFFERENCES_H

#include "compare/row.h"

/*
 * Lists the differences between two metrics, the largest first, for reports that have room for some
 * of them. All that comes out is in `arena`; nothing borrows the goldens.
 */

/* Elements of a tensor, cells of numbers, cells of texts and keys of records that are kept. */
enum {
	RG_DIFFERING_ELEMENTS = 10,
	RG_DIFFERING_CELLS = 40,
	RG_DIFFERING_TEXTS = 40,
	RG_DIFFERING_RECORDS = 40,
};

/* Reads two tensors of one shape from end to end; *out stays NULL if no value differs.
 * RG_E_CANCELLED, and the errors of the metrics' block functions. */
RG_CHECKED rg_error *rg_differing_elements(const rg_differences **out, rg_arena *arena,
					   const rg_metric *old, const rg_metric *fresh);

/* A column on both sides of two tables that were aligned (align.h). */
typedef struct {
	const rg_metric *old, *fresh;
} rg_column_pair;

/* Compares columns, which all have `records`. *out stays NULL if nothing differs. */
void rg_table_differences_find(const rg_table_differences **out, rg_arena *arena,
			       const rg_column_pair *columns, size_t count,
			       const rg_records *records);

#endif
