/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_EXACT_ROW_H
#define REGILD_COMPARE_EXACT_ROW_H

#include "compare/row.h"

/* Are they two series whose steps belong to each other? Not tensors of different shapes. */
bool rg_are_comparable(const rg_metric *old, const rg_metric *fresh);

/*
 * Fills what an exact row has of its own: identical, first_diff and the excerpts (in `arena`), for
 * metrics that are not comparable: texts, tokens, two kinds or two shapes.
 */
RG_CHECKED rg_error *rg_exact_row_fill(rg_row *row, rg_arena *arena, const rg_metric *old,
				       const rg_metric *fresh);

/* Turns the row of two tensors that differ, but in no step that counts, into an exact one: the
 * excerpts are the first elements that differ, by the row's first_diff. */
void rg_exact_row_of_tensors(rg_row *row, rg_arena *arena, const rg_metric *old,
			     const rg_metric *fresh);

#endif
