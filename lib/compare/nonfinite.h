/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_NONFINITE_H
#define REGILD_COMPARE_NONFINITE_H

#include "compare/step_ranges.h"
#include "golden/golden.h"

/* Where a series is not finite. Starts all zero. */
typedef struct {
	rg_step_ranges nan, inf, minus_inf;
} rg_nonfinite;

/* The value at `place`, which is not finite. In ascending order. */
void rg_nonfinite_add(rg_nonfinite *found, const rg_metric *metric, size_t place, double value);
size_t rg_nonfinite_steps(const rg_nonfinite *found);
/* "nan at 1..95, 105..195, inf at 200 (1,901 of 2,001 steps)": what `found` has of the metric. */
void rg_nonfinite_say(rg_buf *out, const rg_nonfinite *found, const rg_metric *metric);

#endif
