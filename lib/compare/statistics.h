#ifndef REGILD_COMPARE_STATISTICS_H
#define REGILD_COMPARE_STATISTICS_H

#include "base/sum.h"
#include "compare/policy.h"
#include "compare/row.h"

/* Bit for bit: -0 is not 0, and NaN is what has the same payload. */
bool rg_same_bits(double a, double b);

/* Steps between two doubles in the order of all doubles; +0 and -0 are none apart. Neither is NaN.
 */
uint64_t rg_ulp_distance(double a, double b);

/*
 * All figures of a row that come from two series: n_steps and everything under it, `identical`,
 * `first_diff`, the tensor's figures (in `arena`), level and score. Names and the file's fields
 * stay untouched. n_steps is 0 where no step counts.
 */
RG_CHECKED rg_error *rg_series_statistics(rg_row *row, rg_arena *arena, const rg_metric *old,
					  const rg_metric *new, const rg_metric_policy *policy);

#endif
