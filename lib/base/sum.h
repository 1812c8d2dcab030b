/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_SUM_H
#define REGILD_BASE_SUM_H

#include <math.h>
#include <stddef.h>

/* Neumaier's compensated sum: start all zero, add, then ask for the total. Each addition's rounding
 * is found without a branch (Knuth 1969, 4.2.2). Inline, since every value of every golden goes
 * through it. */
typedef struct {
	double sum, correction;
} rg_sum;

static inline void rg_sum_add(rg_sum *s, double value)
{
	const double total = s->sum + value, kept = total - s->sum;

	s->correction += (s->sum - (total - kept)) + (value - kept);
	s->sum = total;
}

/* Past the range of doubles the correction is NaN, while the sum is the infinity that it should be.
 */
static inline double rg_sum_total(const rg_sum *s)
{
	double total = s->sum + s->correction;

	return isnan(total) ? s->sum : total;
}

/* Terms times this, exactly, are far from the end of the doubles; ldexp(x, RG_SCALE_UP) is the way
 * back. */
#define RG_SCALE 0x1p-64
enum { RG_SCALE_UP = 64 };

/* (a - b) / by, where a and b are finite and `difference` is a - b, perhaps past the range of
 * doubles. */
static inline double rg_ratio(double difference, double a, double b, double by)
{
	return isinf(difference) ? (a * RG_SCALE - b * RG_SCALE) / (by * RG_SCALE)
				 : difference / by;
}

/* The mean of `count` values, none of them NaN; at least one. Infinities of both signs make +inf:
 * what is as far off as can be must not pass for nothing. */
static inline double rg_sum_mean(const rg_sum *s, size_t count)
{
	double total = rg_sum_total(s);

	return isnan(total) ? INFINITY : total / (double)count;
}

/* A sum whose terms' mean is finite where they are. */
typedef struct {
	rg_sum sum, scaled;
} rg_wide_sum;

static inline void rg_wide_sum_add(rg_wide_sum *s, double value)
{
	rg_sum_add(&s->sum, value);
	rg_sum_add(&s->scaled, value * RG_SCALE);
}

/* The mean, as rg_sum_mean has it, also where the sum is past the doubles. */
static inline double rg_wide_sum_mean(const rg_wide_sum *s, size_t count)
{
	const double mean = rg_sum_mean(&s->sum, count);

	return isinf(mean) ? ldexp(rg_sum_mean(&s->scaled, count), RG_SCALE_UP) : mean;
}

#endif
