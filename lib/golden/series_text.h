/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SERIES_TEXT_H
#define REGILD_GOLDEN_SERIES_TEXT_H

#include "base/buf.h"
#include "golden/golden.h"

/*
 * The steps of a series as text, in the history and in noise models: distances from step to step,
 * "5*3 10" for three times 5 and then 10; nothing where they all are 1.
 */

/* Appends the text to `out`, whose state the caller checks. */
void rg_steps_pack(rg_buf *out, const rg_metric *series);
/* Fills `out` with just `count` steps, of which `first` is the first; RG_E_MISMATCH where the text
 * holds anything else. */
RG_CHECKED rg_error *rg_steps_unpack(int64_t *out, size_t count, int64_t first, const char *text);

#endif
