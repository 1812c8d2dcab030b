/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/fail_rate.h"

#include "audit/distributions.h"
#include "audit/statistics.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Under it, a golden's value is no yardstick. */
#define GOLDEN_MIN   1e-9
#define ABSOLUTE_MIN 1e-6
/* What is by theory is so many times the largest need that was seen, at most: two modes, or a wild
 * run, are not lognormal, and their spread means nothing. */
#define THEORY_MAX 2.0

enum { RESAMPLES = 200 };

typedef struct {
	const double *values;
	size_t runs, steps;
	double absolute;
	double *needs; /* [golden * runs + fresh]: the rtol that the pair needs */
} work;

/* What runs differ by at steps where most are zero. */
static double absolute_need(const work *w, double *column)
{
	double most = 0;
	for (size_t s = 0; s < w->steps; s++) {
		double low = INFINITY, high = -INFINITY;
		for (size_t r = 0; r < w->runs; r++) {
			double value = w->values[r * w->steps + s];
			column[r] = fabs(value);
			low = fmin(low, value);
			high = fmax(high, value);
		}
		if (rg_median(column, w->runs) <= GOLDEN_MIN)
			most = fmax(most, high - low);
	}
	return fmax(most, ABSOLUTE_MIN);
}

static double pair_need(const work *w, size_t golden, size_t fresh)
{
	const double *a = w->values + golden * w->steps, *b = w->values + fresh * w->steps;
	double need = 0;

	for (size_t s = 0; s < w->steps; s++) {
		double over = fabs(b[s] - a[s]) - w->absolute;
		if (over > 0)
			need = fmax(need, fabs(a[s]) > GOLDEN_MIN ? over / fabs(a[s]) : INFINITY);
	}
	return need;
}

/* The smallest need that so large a share of the pairs is not over; `sorted` has all of them. */
static double by_count(const double *sorted, size_t pairs, size_t runs, double rate)
{
	double allowed = (rate * (double)(runs + 1) - 1) / (double)runs;
	size_t failing = (size_t)floor(allowed * (double)pairs + 1e-9);

	return sorted[pairs - 1 - failing];
}

/* Each run's mean of what it needs as the fresh one, as a logarithm; the spread is that of all
 * pairs, the number that of the runs. */
static double by_theory(const work *w, double rate)
{
	double least = INFINITY;
	rg_sum sum = {0, 0}, squares = {0, 0};
	size_t n = w->runs, pairs = n * (n - 1);

	for (size_t i = 0; i < n * n; i++)
		if (w->needs[i] > 0)
			least = fmin(least, w->needs[i]);
	if (isinf(least))
		return 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j)
				rg_sum_add(&sum, log(fmax(w->needs[i * n + j], least)));
	double mean = rg_sum_mean(&sum, pairs);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j) {
				double off = log(fmax(w->needs[i * n + j], least)) - mean;
				rg_sum_add(&squares, off * off);
			}
	double spread = sqrt(rg_sum_mean(&squares, pairs) * (double)n / (double)(n - 1));
	return exp(mean + rg_t_quantile(rate, (double)(n - 1)) * spread * sqrt(1 + 1 / (double)n));
}

/* Pairs that need more than a tolerance: few. */
typedef struct {
	size_t golden, fresh;
} pair;

static size_t list_failing(pair *out, const work *w, double relative)
{
	size_t count = 0;
	for (size_t i = 0; i < w->runs; i++)
		for (size_t j = 0; j < w->runs; j++)
			if (i != j && w->needs[i * w->runs + j] > relative)
				out[count++] = (pair){i, j};
	return count;
}

/* The share of pairs of a resample that fail: run i is in it weights[i] times. */
static double failing_share(const work *w, const unsigned *weights, const pair *failing,
			    size_t count)
{
	double failed = 0, all = (double)w->runs * (double)w->runs;
	for (size_t i = 0; i < count; i++)
		failed += (double)weights[failing[i].golden] * (double)weights[failing[i].fresh];
	for (size_t i = 0; i < w->runs; i++)
		all -= (double)weights[i] * (double)weights[i];
	return all > 0 ? failed / all : 0;
}

static void resample(rg_fail_tolerance *out, const work *w, const pair *failing, size_t count,
		     unsigned *weights)
{
	double shares[RESAMPLES], one = 1 / (double)w->runs;
	rg_random random = {0x6661696cu};

	for (size_t r = 0; r < RESAMPLES; r++) {
		memset(weights, 0, w->runs * sizeof(*weights));
		for (size_t i = 0; i < w->runs; i++)
			weights[rg_random_below(&random, w->runs)]++;
		shares[r] = failing_share(w, weights, failing, count);
	}
	qsort(shares, RESAMPLES, sizeof(*shares), rg_compare_doubles);
	out->low = fmax(shares[RESAMPLES / 40] - one, 0);
	out->high = fmin(
		fmax(shares[RESAMPLES - 1 - RESAMPLES / 40] + one, rg_deterministic_bound(w->runs)),
		1);
}

static void find_interval(rg_fail_tolerance *out, const work *w)
{
	unsigned *weights = rg_calloc(w->runs, sizeof(*weights));
	pair *failing = rg_calloc(w->runs * w->runs, sizeof(*failing));

	resample(out, w, failing, list_failing(failing, w, out->relative), weights);
	free(failing);
	free(weights);
}

static void find(rg_fail_tolerance *out, work *w, double *sorted, double rate)
{
	size_t pairs = 0;
	w->absolute = absolute_need(w, sorted);
	for (size_t i = 0; i < w->runs; i++)
		for (size_t j = 0; j < w->runs; j++)
			if (i != j)
				sorted[pairs++] = w->needs[i * w->runs + j] = pair_need(w, i, j);
	qsort(sorted, pairs, sizeof(*sorted), rg_compare_doubles);
	out->absolute = w->absolute;
	out->runs = w->runs;
	out->normal = rate * (double)(w->runs + 1) < 1;
	double largest = sorted[pairs - 1];
	out->relative = out->normal ? fmin(fmax(by_theory(w, rate), largest), THEORY_MAX * largest)
				    : by_count(sorted, pairs, w->runs, rate);
	find_interval(out, w);
}

void rg_fail_tolerance_find(rg_fail_tolerance *out, const double *values, size_t runs, size_t steps,
			    double rate)
{
	size_t skip = runs > RG_FAIL_RATE_RUNS_MAX ? runs - RG_FAIL_RATE_RUNS_MAX : 0;
	work w = {.values = values + skip * steps, .runs = runs - skip, .steps = steps};
	double *sorted;

	*out = (rg_fail_tolerance){INFINITY, INFINITY, 0, 1, true, runs};
	if (runs < RG_FAIL_RATE_RUNS_MIN)
		return;
	w.needs = rg_calloc(w.runs * w.runs, sizeof(*w.needs));
	sorted = rg_calloc(w.runs * w.runs, sizeof(*sorted));
	find(out, &w, sorted, rate);
	free(sorted);
	free(w.needs);
}
