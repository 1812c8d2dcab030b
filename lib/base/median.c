/* SPDX-License-Identifier: Apache-2.0 */
#include "base/median.h"

#include <math.h>

/* Hoare's quickselect: afterwards values[k] is the one that sorting would put there, with none
 * larger before it and none smaller after it. The middle of three as pivot, so that sorted input is
 * not a worst case. */
static double select_kth(double *values, size_t count, size_t k)
{
	size_t low = 0, high = count - 1;
	while (low < high) {
		double a = values[low], b = values[low + (high - low) / 2], c = values[high];
		double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
		size_t i = low, j = high;

		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			double swapped = values[i];
			values[i++] = values[j];
			values[j--] = swapped;
		}
		/* values[low … j] <= pivot <= values[j + 1 … high], and j < high: of the three
		 * looked at, one beside the pivot is no smaller, so `i` stopped before high. */
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[k];
}

double rg_median(double *values, size_t count)
{
	if (!count)
		return NAN;
	double upper = select_kth(values, count, count / 2);
	if (count % 2)
		return upper;
	double lower = values[0];
	for (size_t i = 1; i < count / 2; i++)
		lower = fmax(lower, values[i]);
	/* Large values are halved first, so that the sum does not overflow; small ones would lose a
	 * bit by that. */
	return isfinite(lower + upper) ? (lower + upper) / 2 : lower / 2 + upper / 2;
}

double rg_quantile(double *values, size_t count, double share)
{
	if (!count)
		return NAN;
	/* The product is a hair less, so that 0.95 * 20 is 19 whichever way it was rounded. */
	size_t k = (size_t)ceil(share * (double)count - 1e-9);
	k = k ? k - 1 : 0;
	return select_kth(values, count, k < count ? k : count - 1);
}
