/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SERIES_TEXT_H
#define REGILD_GOLDEN_SERIES_TEXT_H

#include "base/buf.h"
#include "golden/golden.h"

/*
 * Series as text: the values of noise models, the steps of noise models and the history. Values are
 * zlib-compressed lines, each the shortest decimal that reads back as the same double, "nan", "inf"
 * and "-inf" among them. Steps are distances from step to step, "5*3 10" for three times 5 and then
 * 10; nothing where they all are 1.
 */

/* Appends the values' text to `out`, whose state the caller checks. */
RG_CHECKED rg_error *rg_series_pack(rg_buf *out, const rg_metric *series);
/* The same for its steps. */
void rg_steps_pack(rg_buf *out, const rg_metric *series);

/* Fills `out` with just `count` values; RG_E_MISMATCH where the bytes hold anything else. */
RG_CHECKED rg_error *rg_series_unpack(double *out, size_t count, const void *bytes, size_t size);
/* The same for steps, of which `first` is the first. */
RG_CHECKED rg_error *rg_steps_unpack(int64_t *out, size_t count, int64_t first, const char *text);

#endif
