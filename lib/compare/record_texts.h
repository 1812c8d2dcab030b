/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_RECORD_TEXTS_H
#define REGILD_COMPARE_RECORD_TEXTS_H

#include "compare/row.h"

/* Is it the same figure in another unit: "5 ns" and "5 ms"? */
bool rg_texts_are_of_two_units(const char *old, const char *fresh);

/* What is said where values that do not count differ (rg_metric.shadowed). */
const char *rg_shadowed_text(rg_arena *arena, const rg_metric *old, const rg_metric *fresh);

/*
 * Two columns of texts with the same records: fills `identical`, the first record that differs and
 * its two texts, those on one side only, and `changes`: from what to what, how often and where,
 * and `other_unit`. Texts are in `arena`.
 */
void rg_record_texts_compare(rg_row *row, rg_arena *arena, const rg_metric *old,
			     const rg_metric *fresh);

#endif
