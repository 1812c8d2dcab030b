/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_RECORD_TOLERANCES_H
#define REGILD_COMPARE_RECORD_TOLERANCES_H

#include "compare/row.h"

/* Holds each record that both sides have against its own tolerance, which the old side gives
 * (PyTorch's expected_results.csv), and fills in row->over. The tolerance of the new side counts
 * nowhere: it could let itself through. */
RG_CHECKED rg_error *rg_record_tolerances_fill(rg_row *row, rg_arena *arena, const rg_metric *old,
					       const rg_metric *fresh);

/* "the tolerance of add was 0.015 and is 5": of the first record whose tolerance or standard error
 * is another; NULL where none is. */
const char *rg_record_beside(rg_arena *arena, const rg_metric *old, const rg_metric *fresh);

#endif
