/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_SUM_H
#define REGILD_BASE_SUM_H

#include <math.h>
#include <stddef.h>

/* Neumaier's compensated sum: start all zero, add, then ask for the total. Inline, since every
 * value of every golden goes through it. */
typedef struct {
	double sum, correction;
} rg_sum;

static inline void rg_sum_add(rg_sum *s, double value)
{
	double total = s->sum + value;

	if (fabs(s->sum) >= fabs(value))
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

	return isnan(total) ? s->sum : total;
}

/* The mean of `count` values, none of them NaN; at least one. Infinities of both signs make +inf:
 * what is as far off as can be must not pass for nothing. */
static inline double rg_sum_mean(const rg_sum *s, size_t count)
{
	double total = rg_sum_total(s);

	return isnan(total) ? INFINITY : total / (double)count;
}

#endif
