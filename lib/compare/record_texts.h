/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_RECORD_TEXTS_H
#define REGILD_COMPARE_RECORD_TEXTS_H

#include "compare/row.h"

/* Is it the same figure in another unit: "5 ns" and "5 ms"? */
bool rg_texts_are_of_two_units(const char *old, const char *fresh);

/* The text for a difference in values that do not count (rg_metric.shadowed). */
const char *rg_shadowed_text(rg_arena *arena, const rg_metric *old, const rg_metric *fresh);

/*
 * Compares two columns of texts with the same records: fills `identical`, the first record that
 * differs and its two texts, the records on one side only, `changes` (each pair of texts, how often
 * and where) and `other_unit`. Texts are in `arena`.
 */
void rg_record_texts_compare(rg_row *row, rg_arena *arena, const rg_metric *old,
			     const rg_metric *fresh);

#endif
