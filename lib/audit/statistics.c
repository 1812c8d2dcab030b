/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/statistics.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_sample_describe(rg_sample *out, const double *values, size_t count)
{
	rg_sum sum = {0, 0};
	*out = (rg_sample){count, NAN, NAN, NAN, NAN};
	if (!count)
		return;
	out->min = out->max = values[0];
	for (size_t i = 0; i < count; i++) {
		out->min = values[i] < out->min ? values[i] : out->min;
		out->max = values[i] > out->max ? values[i] : out->max;
	}
	if (out->min == out->max) {
		out->mean = out->min;
		out->std = 0;
		return;
	}
	/* A power of two changes no digit, and keeps the sum and the squares within the range of
	 * doubles. */
	const double largest = fmax(fabs(out->min), fabs(out->max));
	double scale = largest > 1e150 ? 0x1p-600 : largest < 1e-150 ? 0x1p600 : 1;
	for (size_t i = 0; i < count; i++)
		rg_sum_add(&sum, values[i] * scale);
	double mean = rg_sum_total(&sum) / (double)count;
	out->mean = mean / scale;
	/* The squares about the mean are corrected for the mean's own rounding (Chan, Golub,
	 * LeVeque 1983). */
	rg_sum squares = {0, 0}, rest = {0, 0};
	for (size_t i = 0; i < count; i++) {
		double d = values[i] * scale - mean;
		rg_sum_add(&squares, d * d);
		rg_sum_add(&rest, d);
	}
	double left = rg_sum_total(&rest);
	left = fmax(rg_sum_total(&squares) - left * left / (double)count, 0);
	out->std = sqrt(left / (double)(count - 1)) / scale;
}

double rg_median_deviation(double *values, size_t count)
{
	double median = rg_median(values, count);
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - median);
	return rg_median(values, count);
}

double rg_trimmed_size(double *values, size_t count)
{
	size_t kept = count - (count + 4) / 5;
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i]);
	if (kept)
		rg_select(values, count, kept);
	for (size_t i = 0; i < kept; i++)
		sum += values[i];
	return kept ? sum / (double)kept : 0;
}

double rg_size_but_largest(const double *values, size_t count)
{
	double sum = 0;
	size_t largest = 0;
	for (size_t i = 1; i < count; i++)
		largest = fabs(values[i]) > fabs(values[largest]) ? i : largest;
	for (size_t i = 0; i < count; i++)
		sum += i == largest ? 0 : fabs(values[i]);
	if (isinf(sum) && !isinf(values[largest])) {
		sum = 0;
		for (size_t i = 0; i < count; i++)
			sum += i == largest ? 0 : fabs(values[i]) * RG_SCALE;
		return ldexp(sum / (double)(count - 1), RG_SCALE_UP);
	}
	return count > 1 ? sum / (double)(count - 1) : 0;
}

void rg_standardise(double *values, size_t count, double *scratch, double least, double instead)
{
	memcpy(scratch, values, count * sizeof(*values));
	double median = rg_median(scratch, count);
	for (size_t i = 0; i < count; i++)
		scratch[i] = values[i] - median;
	double spread = rg_trimmed_size(scratch, count);
	for (size_t i = 0; i < count; i++)
		values[i] = (values[i] - median) / (spread < least ? instead : spread);
}

size_t rg_ecdf_count(const double *sorted, size_t count, double value, bool or_equal)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (sorted[middle] < value || (or_equal && sorted[middle] == value))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double rg_deterministic_bound(size_t n)
{
	return n > 1 ? 1 - pow(0.05, 1 / (double)(n - 1)) : 1;
}

double rg_rank_bound(size_t n)
{
	return 1 / ((double)n + 1);
}

size_t rg_runs_needed(double level)
{
	double n = ceil(1 / level - 1 - 1e-9);
	return n < 1 ? 1 : n > 1e9 ? 1000000000 : (size_t)n;
}

uint64_t rg_random_next(rg_random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint64_t rg_random_below(rg_random *random, uint64_t bound)
{
	uint64_t drawn;
	/* The 2^64 % bound smallest numbers are in excess. They are under the bound, which as a
	 * rule spares that division. */
	do
		drawn = rg_random_next(random);
	while (drawn < bound && drawn < (UINT64_MAX - bound + 1) % bound);
	return drawn % bound;
}

/* --- distributions --- */

enum { TERMS_MAX = 10000 };

/* The continued fraction of the incomplete beta function (Abramowitz, Stegun 1964, 26.5.8) by
 * Lentz's method (1976), for x under (a + 1) / (a + b + 2), where it converges fast. */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d, change = 0;
	for (int term = 1; term < TERMS_MAX && fabs(change - 1) > 4 * DBL_EPSILON; term++) {
		double m = term;
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / (1 + even * d);
		c = 1 + even / c;
		value *= c * d;
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		change = c * d;
		value *= change;
	}
	return value;
}

/* A beta distribution. */
typedef struct {
	double a, b;
	double size; /* the logarithm of the beta function */
} beta;

/* Nobody reads the sign that lgamma also leaves. */
static beta make_beta(double a, double b)
{
	return (beta){a, b, lgamma(a) + lgamma(b) - lgamma(a + b)};
}

/* The share that is under x: the regularised incomplete beta function. */
static double beta_share(const beta *of, double x)
{
	const double a = of->a, b = of->b;
	if (!(x > 0))
		return 0;
	if (x >= 1)
		return 1;
	double front = exp(a * log(x) + b * log1p(-x) - of->size);
	return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a
					 : 1 - front * fraction(1 - x, b, a) / b;
}

/* Its inverse, by halves. */
static double beta_quantile(const beta *of, double share)
{
	double low = 0, high = 1;
	while (high - low > 2 * DBL_EPSILON * high && high > DBL_MIN) {
		double middle = low + (high - low) / 2;
		if (beta_share(of, middle) < share)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double rg_t_tail(double t, double freedom)
{
	beta of = make_beta(freedom / 2, 0.5);
	return beta_share(&of, freedom / (freedom + t * t));
}

double rg_t_quantile(double rate, double freedom)
{
	beta of = make_beta(freedom / 2, 0.5);
	double x = beta_quantile(&of, 2 * rate);
	return sqrt(freedom * (1 - x) / x);
}

double rg_f_quantile(double share, double above, double below)
{
	beta of = make_beta(above / 2, below / 2);
	double x = beta_quantile(&of, share);
	return below * x / (above * (1 - x));
}
