/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_TEXT_ALIGN_H
#define REGILD_COMPARE_TEXT_ALIGN_H

#include "base/buf.h"
#include "compare/row.h"

/*
 * Makes two texts with numbers comparable (golden/text.h). If both have the same skeletons in the
 * same order, they stay as they are. Else lines are paired (text_pair.h): a number of a pair is the
 * same step of the same metric on both sides, as the old side has it; other numbers are left out,
 * and the lines without a partner are RG_TEXT_METRIC, on both sides. The new side borrows the old
 * one from then on.
 */
RG_CHECKED rg_error *rg_texts_align(rg_golden *old, rg_golden *fresh);

/* Is it the metric of those lines? */
bool rg_is_text_metric(const rg_metric *metric);

/* The row of both sides' lines: "2 lines went (3..4), 1 line came (3), 1 line moved (9)". */
void rg_text_row_fill(rg_row *row, rg_arena *arena, const rg_metric *old, const rg_metric *fresh);

#endif
