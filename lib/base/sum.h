#ifndef REGILD_BASE_SUM_H
#define REGILD_BASE_SUM_H

#include <math.h>

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

#endif
