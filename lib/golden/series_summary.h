/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SERIES_SUMMARY_H
#define REGILD_GOLDEN_SERIES_SUMMARY_H

#include "golden/golden.h"

/* The figures that people ask for; NaN where no value is finite, or the last one is not. */
typedef struct {
	size_t not_finite; /* values */
	double mean, minimum, maximum, last;
} rg_series_summary;

RG_CHECKED rg_error *rg_series_summarise(rg_series_summary *out, const rg_metric *series);

#endif
