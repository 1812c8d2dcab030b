/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_RECORD_TEXTS_H
#define REGILD_COMPARE_RECORD_TEXTS_H

#include "compare/row.h"

/*
 * Two columns of texts with the same records: fills `identical`, the first record that differs and
 * its two texts, those on one side only, and `changes`: from what to what, how often and where.
 * Texts are in `arena`.
 */
RG_CHECKED rg_error *rg_record_texts_compare(rg_row *row, rg_arena *arena, const rg_metric *old,
					     const rg_metric *fresh);

#endif
