/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/dependence.h"

#include "base/sum.h"

#include <math.h>
#include <stdint.h>

/* Values for which the orders are counted, and their pairs. */
enum { EXACT_MAX = 50, PAIRS_MAX = EXACT_MAX * (EXACT_MAX - 1) / 2 };

/* The share of the orders of n values with at most so many pairs in descending order. */
static double share_of_orders(size_t n, size_t most)
{
	double share[PAIRS_MAX + 1] = {1}, before[PAIRS_MAX + 1], sum = 0;
	for (size_t m = 2; m <= n; m++) {
		double window = 0;
		for (size_t k = 0; k <= most; k++)
			before[k] = share[k];
		/* The m-th value descends from 0 … m - 1 of those before it, each as likely. */
		for (size_t k = 0; k <= most; k++) {
			window += before[k] - (k >= m ? before[k - m] : 0);
			share[k] = window / (double)m;
		}
	}
	for (size_t k = 0; k <= most; k++)
		sum += share[k];
	return sum;
}

static void find_trend(rg_dependence *out, const double *values, size_t count)
{
	const double n = (double)count, pairs = n * (n - 1) / 2;
	size_t up = 0, down = 0;
	double tied = 0;

	for (size_t i = 0; i < count; i++) {
		size_t equal = 0;
		for (size_t j = 0; j < count; j++)
			equal += values[j] == values[i];
		for (size_t j = i + 1; j < count; j++) {
			up += values[j] > values[i];
			down += values[j] < values[i];
		}
		tied += (double)(equal - 1) * (2 * (double)equal + 5);
	}
	if (!up && !down)
		return;
	double s = (double)up - (double)down;
	out->trend = s / pairs;
	if (tied == 0 && count <= EXACT_MAX) {
		out->p = fmin(1, 2 * share_of_orders(count, up < down ? up : down));
		return;
	}
	double variance = (n * (n - 1) * (2 * n + 5) - tied) / 18;
	out->p = erfc(fmax(fabs(s) - 1, 0) / sqrt(variance) / sqrt(2));
}

static void find_lag(rg_dependence *out, const double *values, size_t count)
{
	rg_sum sum = {0, 0}, products = {0, 0}, squares = {0, 0};
	double largest = 0;

	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, fabs(values[i]));
	for (size_t i = 0; i < count; i++)
		rg_sum_add(&sum, values[i] / largest);
	double mean = rg_sum_mean(&sum, count);
	for (size_t i = 0; i < count; i++) {
		double d = values[i] / largest - mean;
		rg_sum_add(&squares, d * d);
		if (i)
			rg_sum_add(&products, d * (values[i - 1] / largest - mean));
	}
	double lag = rg_sum_total(&products) / rg_sum_total(&squares);
	if (!isfinite(lag))
		return;
	out->lag1 = lag;
	if (lag > 0)
		out->effective = fmax((double)count * (1 - lag) / (1 + lag), 1);
}

void rg_dependence_find(rg_dependence *out, const double *values, size_t count)
{
	if (count > RG_DEPENDENCE_MAX) {
		values += count - RG_DEPENDENCE_MAX;
		count = RG_DEPENDENCE_MAX;
	}
	*out = (rg_dependence){count, NAN, NAN, NAN, (double)count};
	find_trend(out, values, count);
	if (!isnan(out->trend))
		find_lag(out, values, count);
}

bool rg_dependence_drifts(const rg_dependence *dependence, size_t among)
{
	double level = among ? fmin(RG_DRIFT_LEVEL, RG_DRIFT_RATE / (double)among) : RG_DRIFT_LEVEL;
	return dependence->count && dependence->p <= level;
}
