/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/tolerance.h"

#include "audit/statistics.h"
#include "base/memory.h"
#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under it, deviations relative to a mean say nothing. */
#define MEAN_MIN     1e-9
#define RELATIVE_MIN 0.001
#define ABSOLUTE_MIN 1e-6

rg_tolerance_kind rg_tolerance_kind_of(const char *metric)
{
	if (!strcmp(metric, "iteration-time"))
		return RG_TOLERANCE_BY_MEDIAN;
	if (!strncmp(metric, "mem-", 4))
		return RG_TOLERANCE_BY_MAX;
	return RG_TOLERANCE_BY_STEP;
}

const char *rg_tolerance_kind_text(rg_tolerance_kind kind)
{
	static const char *const texts[] = {"step", "median", "maximum"};
	return texts[kind];
}

void rg_tolerance_init(rg_tolerance *tolerance, rg_tolerance_kind kind)
{
	*tolerance = (rg_tolerance){.kind = kind};
}

void rg_tolerance_add(rg_tolerance *tolerance, const rg_sample *sample)
{
	double out;
	if (!sample->count)
		return;
	tolerance->included += tolerance->kind == RG_TOLERANCE_BY_STEP ? 1 : sample->count;
	tolerance->runs = sample->count > tolerance->runs ? sample->count : tolerance->runs;
	if (fabs(sample->mean) > MEAN_MIN) {
		const double mean = sample->mean,
			     high = rg_ratio(sample->max - mean, sample->max, mean, mean);
		const double low = rg_ratio(sample->min - mean, sample->min, mean, mean);
		out = fmax(fabs(high), fabs(low));
		tolerance->max_relative = fmax(tolerance->max_relative, out);
	} else {
		out = fmax(fabs(sample->max), fabs(sample->min));
		tolerance->max_absolute = fmax(tolerance->max_absolute, out);
	}
}

void rg_tolerance_finish(rg_tolerance *tolerance, const rg_tolerance_options *options)
{
	double relative = fmax(tolerance->max_relative * options->multiplier, RELATIVE_MIN);
	double absolute = fmax(tolerance->max_absolute * options->multiplier, ABSOLUTE_MIN);
	/* An infinite tolerance would let everything pass. */
	tolerance->relative = rg_round_places(fmin(relative, DBL_MAX), 4);
	tolerance->absolute = fmin(absolute, DBL_MAX);
}

/* Upwards, to three digits. */
static double round_up(double value)
{
	char text[32];
	if (!(value > 0) || !isfinite(value))
		return value;
	snprintf(text, sizeof(text), "%.2e", value);
	if (strtod(text, NULL) < value)
		snprintf(text, sizeof(text), "%.2e",
			 strtod(text, NULL) + pow(10, floor(log10(value)) - 2));
	return strtod(text, NULL);
}

void rg_tolerance_by_rate(rg_tolerance *tolerance, const double *values, size_t runs, size_t steps,
			  double rate)
{
	rg_fail_tolerance found;
	rg_fail_tolerance_find(&found, values, runs, steps, rate);
	tolerance->by_rate = true;
	tolerance->by_theory = found.normal;
	tolerance->fail_low = found.low;
	tolerance->fail_high = found.high;
	tolerance->relative = round_up(found.relative);
	tolerance->absolute = round_up(found.absolute);
	tolerance->runs = found.runs;
}

bool rg_tolerance_is_measured(const rg_tolerance *tolerance)
{
	return tolerance->runs >= RG_TOLERANCE_RUNS_MIN && isfinite(tolerance->relative);
}

bool rg_tolerance_holds(const rg_tolerance *tolerance)
{
	return rg_tolerance_is_measured(tolerance) && tolerance->relative <= 1;
}

bool rg_tolerance_is_tighter_than_spread(const rg_tolerance *tolerance)
{
	return !tolerance->by_rate && (tolerance->relative < tolerance->max_relative ||
				       tolerance->absolute < tolerance->max_absolute);
}

double rg_tolerance_figure(rg_tolerance_kind kind, double *values, size_t count, int64_t start_step)
{
	size_t skip = 0;
	if (kind == RG_TOLERANCE_BY_MEDIAN) {
		if (start_step > 0)
			skip = (uint64_t)start_step < count ? (size_t)start_step : count;
		return rg_median(values + skip, count - skip);
	}
	if (!count)
		return NAN;
	skip = count > 1 ? 1 : 0; /* the first step is warm-up */
	double max = values[skip];
	for (size_t i = skip; i < count; i++)
		max = fmax(max, values[i]);
	return max;
}

static void set_entry(rg_policy_entry *entry, const char *key, double value)
{
	char text[RG_DOUBLE_REPR_SIZE];
	entry->key = key;
	rg_double_repr(value, text);
	snprintf(entry->value, sizeof(entry->value), "%s", text);
}

size_t rg_policy_entries(rg_policy_entry out[static RG_POLICY_ENTRIES],
			 const rg_tolerance *tolerance)
{
	size_t count = 0;
	out[count++] = (rg_policy_entry){"kind", "combined"};
	set_entry(&out[count++], "rtol", tolerance->relative);
	set_entry(&out[count++], "atol", tolerance->absolute);
	if (tolerance->kind == RG_TOLERANCE_BY_MEDIAN)
		out[count++] = (rg_policy_entry){"aggregate", "median"};
	if (tolerance->kind == RG_TOLERANCE_BY_MAX)
		out[count++] = (rg_policy_entry){"aggregate", "max"};
	if (tolerance->first_step > 0) {
		out[count].key = "steps";
		snprintf(out[count].value, sizeof(out[count].value), "%" PRId64 "..",
			 tolerance->first_step);
		count++;
	}
	return count;
}

rg_error *rg_policy_pattern(char **out, const char *metric)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (; *metric; metric++) {
		if (strchr("*?[\\", *metric))
			rg_buf_char(&text, '\\');
		rg_buf_char(&text, *metric);
	}
	*out = NULL;
	RG_TRY(rg_buf_check(&text, "metric name"));
	*out = rg_buf_detach(&text);
	return NULL;
}

/* --- by the rate at which they fail --- */

/* Under it, a golden's value is no yardstick. */
#define GOLDEN_MIN 1e-9
/* A tolerance by theory is at most so many times the largest need that was seen: two modes, or a
 * wild run, are not lognormal, and their spread means nothing. */
#define THEORY_MAX 2.0

enum { RESAMPLES = 200 };

/* Two runs, one of them as the golden, and the rtol that they need. */
typedef struct {
	size_t golden, fresh;
	double need;
} pair;

typedef struct {
	const double *values;
	size_t runs, steps;
	double absolute;
	pair *pairs;
	size_t pair_count;
} pairs_state;

static double pair_need(const pairs_state *w, size_t golden, size_t fresh)
{
	const double *a = w->values + golden * w->steps, *b = w->values + fresh * w->steps;
	double need = 0;
	for (size_t s = 0; s < w->steps; s++) {
		double over = fabs(b[s] - a[s]) - w->absolute;
		if (over > 0)
			need = fmax(need, fabs(a[s]) > GOLDEN_MIN
						  ? fabs(rg_ratio(over, b[s], a[s], a[s]))
						  : INFINITY);
	}
	return need;
}

/* Each run's mean of what it needs as the fresh one, as a logarithm; the spread is that of all
 * pairs, the number that of the runs. */
static double by_theory(const pairs_state *w, double rate)
{
	const pair *pairs = w->pairs, *end = pairs + w->pair_count;
	double least = INFINITY, n = (double)w->runs;
	rg_sum sum = {0, 0}, squares = {0, 0};
	for (const pair *p = pairs; p < end; p++)
		least = p->need > 0 ? fmin(least, p->need) : least;
	if (isinf(least))
		return 0;
	for (const pair *p = pairs; p < end; p++)
		rg_sum_add(&sum, log(fmax(p->need, least)));
	double mean = rg_sum_mean(&sum, w->pair_count);
	for (const pair *p = pairs; p < end; p++) {
		double off = log(fmax(p->need, least)) - mean;
		rg_sum_add(&squares, off * off);
	}
	double spread = sqrt(rg_sum_mean(&squares, w->pair_count) * n / (n - 1));
	return exp(mean + rg_t_quantile(rate, n - 1) * spread * sqrt(1 + 1 / n));
}

/* The share of pairs of a resample that fail: run i is in it weights[i] times. */
static double failing_share(const pairs_state *w, const unsigned *weights)
{
	double failed = 0, all = (double)w->runs * (double)w->runs;
	for (const pair *p = w->pairs; p < w->pairs + w->pair_count; p++)
		failed += (double)weights[p->golden] * (double)weights[p->fresh];
	for (size_t i = 0; i < w->runs; i++)
		all -= (double)weights[i] * (double)weights[i];
	return all > 0 ? failed / all : 0;
}

/* Leaves only the pairs that fail, which are few. */
static void find_interval(rg_fail_tolerance *out, pairs_state *w)
{
	double shares[RESAMPLES], one = 1 / (double)w->runs;
	RG_AUTO_FREE unsigned *weights = rg_calloc(w->runs, sizeof(*weights));
	rg_random random = {0x6661696cu};
	size_t failing = 0;
	for (size_t i = 0; i < w->pair_count; i++)
		if (w->pairs[i].need > out->relative)
			w->pairs[failing++] = w->pairs[i];
	w->pair_count = failing;
	for (size_t r = 0; r < RESAMPLES; r++) {
		memset(weights, 0, w->runs * sizeof(*weights));
		for (size_t i = 0; i < w->runs; i++)
			weights[rg_random_below(&random, w->runs)]++;
		shares[r] = failing_share(w, weights);
	}
	qsort(shares, RESAMPLES, sizeof(*shares), rg_compare_doubles);
	out->low = fmax(shares[RESAMPLES / 40] - one, 0);
	double high = shares[RESAMPLES - 1 - RESAMPLES / 40] + one;
	out->high = fmin(fmax(high, rg_deterministic_bound(w->runs)), 1);
}

void rg_fail_tolerance_find(rg_fail_tolerance *out, const double *values, size_t runs, size_t steps,
			    double rate)
{
	size_t skip = runs > RG_FAIL_RATE_RUNS_MAX ? runs - RG_FAIL_RATE_RUNS_MAX : 0;
	pairs_state w = {.values = values + skip * steps, .runs = runs - skip, .steps = steps};
	*out = (rg_fail_tolerance){INFINITY, INFINITY, 0, 1, true, runs};
	if (runs < RG_FAIL_RATE_RUNS_MIN)
		return;
	RG_AUTO_FREE double *sorted = rg_calloc(w.runs * w.runs, sizeof(*sorted));
	RG_AUTO_FREE pair *pairs = w.pairs = rg_calloc(w.runs * w.runs, sizeof(*pairs));
	/* The largest difference of runs at steps where most are zero. */
	double most = 0;
	for (size_t s = 0; s < w.steps; s++) {
		double low = INFINITY, high = -INFINITY;
		for (size_t r = 0; r < w.runs; r++) {
			double value = w.values[r * w.steps + s];
			sorted[r] = fabs(value);
			low = fmin(low, value);
			high = fmax(high, value);
		}
		if (rg_median(sorted, w.runs) <= GOLDEN_MIN)
			most = fmax(most, high - low);
	}
	out->absolute = w.absolute = fmax(most, ABSOLUTE_MIN);
	out->runs = w.runs;
	for (size_t i = 0; i < w.runs; i++)
		for (size_t j = 0; j < w.runs; j++)
			if (i != j)
				pairs[w.pair_count++] = (pair){i, j, pair_need(&w, i, j)};
	for (size_t i = 0; i < w.pair_count; i++)
		sorted[i] = pairs[i].need;
	qsort(sorted, w.pair_count, sizeof(*sorted), rg_compare_doubles);
	double largest = sorted[w.pair_count - 1];
	out->normal = rate * (double)(w.runs + 1) < 1;
	if (out->normal) {
		out->relative = fmin(fmax(by_theory(&w, rate), largest), THEORY_MAX * largest);
	} else { /* the smallest need that so large a share of the pairs is not over */
		double allowed = (rate * (double)(w.runs + 1) - 1) / (double)w.runs;
		size_t failing = (size_t)floor(allowed * (double)w.pair_count + 1e-9);
		out->relative = sorted[w.pair_count - 1 - failing];
	}
	find_interval(out, &w);
}
