/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SERIES_BYTES_H
#define REGILD_GOLDEN_SERIES_BYTES_H

#include "base/buf.h"
#include "golden/golden.h"

/*
 * A series' values in few bytes, for the history; regild-history(5) has the layout. Most goldens
 * hold decimals of a few places: these are whole numbers at one scale, and neighbours are near each
 * other.
 */

/* Appends them to `out`, whose state the caller checks. */
RG_CHECKED rg_error *rg_series_bytes_pack(rg_buf *out, const rg_metric *series);
/* Fills `out` with just `count` values; RG_E_MISMATCH where the bytes hold anything else. */
RG_CHECKED rg_error *rg_series_bytes_unpack(double *out, size_t count, const void *bytes,
					    size_t size);
/* The same for several series of the same `count` steps, as a noise model has them: the values of a
 * step, which are near each other, are beside each other. */
RG_CHECKED rg_error *rg_rows_pack(rg_buf *out, const double *const *rows, size_t row_count,
				  size_t count);
/* Fills `out` with the rows one after the other. */
RG_CHECKED rg_error *rg_rows_unpack(double *out, size_t row_count, size_t count, const void *bytes,
				    size_t size);
/* Can so many bytes hold so many values? To be asked before there is memory for them. */
bool rg_series_bytes_may_hold(size_t size, uint64_t count);
/* RG_E_MISMATCH, for a series of the history that cannot be read. */
RG_CHECKED RG_NEVER_NULL rg_error *rg_series_damaged(void);

#endif
