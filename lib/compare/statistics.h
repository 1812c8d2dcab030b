#ifndef REGILD_COMPARE_STATISTICS_H
#define REGILD_COMPARE_STATISTICS_H

#include "compare/policy.h"
#include "compare/row.h"

/* Neumaier's compensated sum: add, then ask for sum + correction. */
typedef struct {
	double sum, correction;
} rg_sum;

static inline void rg_sum_add(rg_sum *s, double value)
{
	double total = s->sum + value;

	if ((s->sum < 0 ? -s->sum : s->sum) >= (value < 0 ? -value : value))
		s->correction += (s->sum - total) + value;
	else
		s->correction += (value - total) + s->sum;
	s->sum = total;
}

/* Past the range of doubles the correction is NaN, while the sum is the infinity that it should be.
 */
static inline double rg_sum_total(const rg_sum *s)
{
	double total = s->sum + s->correction;

	return total == total ? total : s->sum;
}

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
