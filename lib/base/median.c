/* SPDX-License-Identifier: Apache-2.0 */
#include "base/median.h"

#include <math.h>
#include <stdbool.h>

/* Moves the values under the pivot, or with `equal` those at it as well, to the front; returns how
 * many. There is no branch that a processor could guess wrong. */
static inline size_t move_lower(double *values, size_t count, double pivot, bool equal)
{
	size_t lower = 0;
	for (size_t i = 0; i < count; i++) {
		double value = values[i];
		values[i] = values[lower];
		values[lower] = value;
		lower += equal ? value <= pivot : value < pivot;
	}
	return lower;
}

/* Swaps the two if they are not in order. */
static inline void order(double *a, double *b)
{
	const double low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
	*a = low;
	*b = high;
}

double rg_select(double *values, size_t count, size_t k)
{
	for (;;) {
		/* The middle of three, which comes last: sorted values are not a worst case. */
		double *last = values + count - 1, *middle = values + count / 2;
		order(values, middle);
		order(middle, last);
		order(values, middle);
		if (count <= 3)
			return values[k];
		double pivot = *middle;
		*middle = *last;
		*last = pivot;
		size_t lower = move_lower(values, count - 1, pivot, false);
		if (k < lower) {
			count = lower;
			continue;
		}
		/* Many that are equal would be moved one by one. */
		size_t equal = lower ? 0 : move_lower(values, count - 1, pivot, true);
		size_t done = lower ? lower : equal;
		*last = values[done];
		values[done] = pivot;
		if (k <= done)
			return pivot;
		values += done + 1;
		count -= done + 1;
		k -= done + 1;
	}
}

/* Large values are halved first, so that the sum does not overflow; small ones would lose a bit by
 * that. */
static double mean_of(double lower, double upper)
{
	return isfinite(lower + upper) ? (lower + upper) / 2 : lower / 2 + upper / 2;
}

static double largest_of(const double *values, size_t count)
{
	double largest = -INFINITY;
	for (size_t i = 0; i < count; i++)
		largest = values[i] > largest ? values[i] : largest;
	return largest;
}

double rg_median(double *values, size_t count)
{
	if (!count)
		return NAN;
	double upper = rg_select(values, count, count / 2);
	return count % 2 ? upper : mean_of(largest_of(values, count / 2), upper);
}

rg_middle rg_middle_find(double *values, size_t count)
{
	const size_t half = count / 2;
	const double upper = rg_select(values, count, half), before = largest_of(values, half);
	if (count % 2 == 0)
		return (rg_middle){before, mean_of(before, upper), upper};
	double after = INFINITY;
	for (size_t i = half + 1; i < count; i++)
		after = values[i] < after ? values[i] : after;
	return (rg_middle){before, upper, after};
}

double rg_middle_with(const rg_middle *middle, size_t count, double more)
{
	const double low = more > middle->before ? more : middle->before;
	if (count % 2 == 0)
		return low < middle->after ? low : middle->after;
	if (more <= middle->median)
		return mean_of(low, middle->median);
	return mean_of(middle->median, more < middle->after ? more : middle->after);
}

double rg_quantile(double *values, size_t count, double share)
{
	if (!count)
		return NAN;
	/* The product is a hair less, so that 0.95 * 20 is 19 whichever way it was rounded. */
	size_t k = (size_t)ceil(share * (double)count - 1e-9);
	k = k ? k - 1 : 0;
	return rg_select(values, count, k < count ? k : count - 1);
}
