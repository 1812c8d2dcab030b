/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/tolerance.h"

#include "audit/statistics.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"

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

/* Halves that are drawn, to tell how often chance alone does what the order of runs did. */
enum { ORDERS = 1000 };

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

double rg_tolerance_round_up(double value)
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

bool rg_tolerance_is_measured(const rg_tolerance *tolerance)
{
	return tolerance->runs >= RG_TOLERANCE_RUNS_MIN && isfinite(tolerance->relative);
}

bool rg_tolerance_holds(const rg_tolerance *tolerance)
{
	return rg_tolerance_is_measured(tolerance) && tolerance->relative <= 1;
}

void rg_tolerance_bound(rg_tolerance *tolerance, bool drifts, size_t among)
{
	const double level = fmax(0.05 / fmax((double)among, 1), 1 / (double)ORDERS);
	tolerance->failed_later = tolerance->newer && tolerance->chance <= level;
	tolerance->not_bounded = drifts || tolerance->failed_later;
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

/* --- by the rate at which they fail --- */

/* Under it, a golden's value is no yardstick. */
#define GOLDEN_MIN 1e-9
/* A tolerance by theory is at most so many times the largest need that was seen: two modes, or a
 * wild run, are not lognormal, and their spread means nothing. */
#define THEORY_MAX 2.0

enum { RESAMPLES = 200, REACHED_MAX = 50 };

/* Two runs, one of them as the golden, and the rtol that they need. */
typedef struct {
	size_t golden, fresh;
	double need, log;
} pair;

typedef struct {
	const double *values;
	size_t runs, steps;
	double absolute, rate;
	pair *pairs; /* the largest needs first */
	size_t pair_count;
} pairs_state;

RG_ORDER(by_need, pair, RG_FALLING(need));

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

/* Are both runs among the chosen ones, or the golden alone? */
static bool is_among(const pair *p, const bool *chosen, bool later)
{
	return chosen[p->golden] && chosen[p->fresh] != later;
}

/* Each run's mean of what it needs as the fresh one, as a logarithm; the spread is that of all
 * pairs, the number that of the runs. */
static double by_theory(const pairs_state *w, const bool *chosen, size_t runs)
{
	const pair *pairs = w->pairs, *end = pairs + w->pair_count;
	const double n = (double)runs;
	const size_t count = runs * (runs - 1);
	double least = INFINITY;
	rg_sum sum = {0, 0}, squares = {0, 0};
	for (const pair *p = pairs; p < end && p->need > 0; p++)
		least = is_among(p, chosen, false) ? p->log : least;
	if (isinf(least))
		return 0;
	for (const pair *p = pairs; p < end; p++)
		rg_sum_add(&sum, is_among(p, chosen, false) ? fmax(p->log, least) : 0);
	double mean = rg_sum_mean(&sum, count);
	for (const pair *p = pairs; p < end; p++) {
		double off = is_among(p, chosen, false) ? fmax(p->log, least) - mean : 0;
		rg_sum_add(&squares, off * off);
	}
	double spread = sqrt(rg_sum_mean(&squares, count) * n / (n - 1));
	return exp(mean + rg_t_quantile(w->rate, n - 1) * spread * sqrt(1 + 1 / n));
}

/* The smallest need that so large a share of the pairs of `fresh` runs, each with so many others,
 * is not over. */
static double find_need(const pairs_state *w, const bool *chosen, bool later, size_t fresh,
			size_t others)
{
	const double failing = (w->rate * (double)(fresh + 1) - 1) * (double)others;
	size_t left = (size_t)fmax(floor(failing + 1e-9), 0);
	const pair *p = w->pairs;
	while (!is_among(p, chosen, later) || left--)
		p++;
	return p->need;
}

static double fit(const pairs_state *w, const bool *chosen, size_t runs)
{
	const double need = find_need(w, chosen, false, runs, runs - 1);
	return w->rate * (double)(runs + 1) < 1
		       ? fmin(fmax(by_theory(w, chosen, runs), need), THEORY_MAX * need)
		       : need;
}

static size_t count_failing(const pairs_state *w, const bool *chosen, double need)
{
	size_t failing = 0;
	for (const pair *p = w->pairs; p < w->pairs + w->pair_count && p->need > need; p++)
		failing += is_among(p, chosen, true) ? 1 : 0;
	return failing;
}

/* The share of random halves whose fitted tolerance at least `failed` of the other runs fail. */
static double find_chance(const pairs_state *w, bool *chosen, size_t half, size_t failed)
{
	RG_AUTO_FREE size_t *order = rg_calloc(w->runs, sizeof(*order));
	rg_random random = {0x6c617465u};
	size_t reached = 1, tried = 1;
	for (size_t i = 0; i < w->runs; i++)
		order[i] = i;
	for (; tried < ORDERS && reached < REACHED_MAX; tried++) {
		memset(chosen, 0, w->runs * sizeof(*chosen));
		for (size_t i = 0; i < half; i++) {
			size_t at = i + (size_t)rg_random_below(&random, w->runs - i);
			size_t drawn = order[at];
			order[at] = order[i];
			order[i] = drawn;
			chosen[drawn] = true;
		}
		reached += count_failing(w, chosen, fit(w, chosen, half)) >= failed ? 1 : 0;
	}
	return (double)reached / (double)tried;
}

/* Fits to the older half, tests on the newer one, and widens the tolerance to what holds there. */
static void test_later(rg_tolerance *out, const pairs_state *w, bool *chosen)
{
	const size_t older = w->runs / 2, newer = w->runs - older;
	if (older < RG_TOLERANCE_RUNS_MIN)
		return;
	memset(chosen + older, 0, newer * sizeof(*chosen));
	const size_t failed = count_failing(w, chosen, fit(w, chosen, older));
	out->relative = fmax(out->relative, find_need(w, chosen, true, newer, older));
	out->older = older;
	out->newer = newer;
	out->failed = (failed + (failed < older ? older - 1 : older / 2)) / older;
	if ((double)failed > w->rate * (double)(older * newer))
		out->chance = find_chance(w, chosen, older, failed);
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
static void find_interval(rg_tolerance *out, pairs_state *w)
{
	double shares[RESAMPLES], one = 1 / (double)w->runs;
	RG_AUTO_FREE unsigned *weights = rg_calloc(w->runs, sizeof(*weights));
	rg_random random = {0x6661696cu};
	size_t failing = 0;
	while (failing < w->pair_count && w->pairs[failing].need > out->relative)
		failing++;
	w->pair_count = failing;
	for (size_t r = 0; r < RESAMPLES; r++) {
		memset(weights, 0, w->runs * sizeof(*weights));
		for (size_t i = 0; i < w->runs; i++)
			weights[rg_random_below(&random, w->runs)]++;
		shares[r] = failing_share(w, weights);
	}
	qsort(shares, RESAMPLES, sizeof(*shares), rg_compare_doubles);
	out->fail_low = fmax(shares[RESAMPLES / 40] - one, 0);
	double high = shares[RESAMPLES - 1 - RESAMPLES / 40] + one;
	out->fail_high = fmin(fmax(high, rg_deterministic_bound(w->runs)), 1);
}

void rg_tolerance_by_rate(rg_tolerance *out, const double *values, size_t runs, size_t steps,
			  double rate)
{
	size_t skip = runs > RG_TOLERANCE_RUNS_MAX ? runs - RG_TOLERANCE_RUNS_MAX : 0;
	pairs_state w = {
		.values = values + skip * steps, .runs = runs - skip, .steps = steps, .rate = rate};
	out->by_rate = out->by_theory = true;
	out->relative = out->absolute = INFINITY;
	out->fail_high = out->chance = 1;
	out->runs = w.runs;
	if (runs < RG_TOLERANCE_RUNS_MIN)
		return;
	RG_AUTO_FREE double *sorted = rg_calloc(w.runs, sizeof(*sorted));
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
	for (size_t i = 0; i < w.runs; i++)
		for (size_t j = 0; j < w.runs; j++)
			if (i != j)
				pairs[w.pair_count++] = (pair){i, j, pair_need(&w, i, j), 0};
	qsort(pairs, w.pair_count, sizeof(*pairs), by_need);
	for (size_t i = 0; i < w.pair_count; i++)
		pairs[i].log = log(pairs[i].need);
	RG_AUTO_FREE bool *chosen = rg_calloc(w.runs, sizeof(*chosen));
	memset(chosen, 1, w.runs * sizeof(*chosen));
	out->by_theory = rate * (double)(w.runs + 1) < 1;
	out->relative = fit(&w, chosen, w.runs);
	test_later(out, &w, chosen);
	find_interval(out, &w);
}
