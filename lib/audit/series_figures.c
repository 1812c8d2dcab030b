/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/series_figures.h"

#include "audit/conformal.h"
#include "base/order.h"
#include "compare/policy.h"
#include "golden/series_bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many sets of steps, the most usual ones, are tried for what runs have in common. */
enum { SETS_MAX = 64 };

/* A run's sums while its steps go by. */
typedef struct {
	rg_wide_sum relative, size, value;
	size_t nonfinite;
	const double *aligned; /* its values at the common steps; NULL: it lacks one */
} run_sums;

typedef struct {
	rg_figures *out;
	const rg_runs_metric *metric;
	double near_zero;
	const rg_tolerance_options *options;
	const rg_runs_row **rows; /* that are looked at */
	size_t count;
	rg_step_set common;     /* what most have in common */
	const double **aligned; /* by row of the metric, values at these; NULL: it lacks one */
	size_t *next;           /* of each step set, the first step that has not gone by */
	int64_t *steps;         /* all steps */
	size_t step_count;
	run_sums *sums;
	rg_wide_sum magnitude;
	double *column, *sizes;
} figures_state;

RG_ORDER(by_step, int64_t, RG_BY(*x, *y));
RG_ORDER(by_bits, uint64_t, RG_BY(*x, *y));

static void *take(rg_arena *arena, size_t count, size_t size)
{
	return rg_arena_alloc(arena, (count + 1) * size);
}

/* How many of the steps the other set has, too; where `out` is not NULL it gets these, and `at`
 * where they are in the other. */
static size_t meet(const rg_step_set *a, const rg_step_set *b, int64_t *out, size_t *at)
{
	size_t count = 0;
	for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
		if (a->steps[i] != b->steps[k]) {
			*(a->steps[i] < b->steps[k] ? &i : &k) += 1;
			continue;
		}
		if (out)
			out[count] = a->steps[i];
		if (at)
			at[count] = k;
		count++;
		i++;
		k++;
	}
	return count;
}

/* The steps of most rows, less those that others lack, where so many runs more have the others that
 * there are no fewer values: one set after the other, the newest of equals first. */
static void choose_common(figures_state *w, rg_arena *arena, size_t *users)
{
	const rg_step_set *sets = w->metric->sets;
	size_t runs = 0;
	int64_t *steps = NULL;
	for (size_t tried = 0; tried < SETS_MAX; tried++) {
		size_t best = SIZE_MAX;
		for (size_t i = 0; i < w->count; i++) {
			size_t set = w->rows[i]->steps;
			if (users[set] && (best == SIZE_MAX || users[set] >= users[best]))
				best = set;
		}
		if (best == SIZE_MAX)
			return;
		size_t both = steps ? meet(&w->common, &sets[best], NULL, NULL) : 0;
		if (!steps) {
			w->common = sets[best];
			runs = users[best];
			steps = take(arena, w->common.count, sizeof(*steps));
		} else if (both && both * (runs + users[best]) >= w->common.count * runs) {
			meet(&w->common, &sets[best], steps, NULL);
			w->common = (rg_step_set){steps, both, 0};
			runs += users[best];
		}
		users[best] = 0;
	}
}

/* Each row's values at the common steps. */
static void align(figures_state *w, rg_arena *arena)
{
	const rg_runs_metric *metric = w->metric;
	size_t *at = take(arena, w->common.count, sizeof(*at));
	w->aligned = take(arena, metric->row_count, sizeof(const double *));
	for (size_t i = 0; i < metric->row_count; i++) {
		const rg_runs_row *row = &metric->rows[i];
		const rg_step_set *set = &metric->sets[row->steps];
		if (meet(&w->common, set, NULL, at) < w->common.count ||
		    (set->count && !w->common.count))
			continue;
		w->aligned[i] = row->values;
		if (set->count == w->common.count)
			continue;
		double *values = take(arena, w->common.count, sizeof(*values));
		for (size_t s = 0; s < w->common.count; s++)
			values[s] = row->values[at[s]];
		w->aligned[i] = values;
	}
}

/* All steps of the rows in order, each once. */
static void order_steps(figures_state *w, rg_arena *arena, const size_t *users)
{
	const rg_step_set *set = w->metric->sets, *end = set + w->metric->set_count;
	size_t all = 0, count = 0;
	for (const rg_step_set *s = set; s < end; s++)
		all += users[s - set] ? s->count : 0;
	w->steps = take(arena, all, sizeof(*w->steps));
	for (const rg_step_set *s = set; s < end; s++)
		for (size_t i = 0; users[s - set] && i < s->count; i++)
			w->steps[count++] = s->steps[i];
	qsort(w->steps, all, sizeof(*w->steps), by_step);
	for (size_t i = 0; i < all; i++)
		if (!w->step_count || w->steps[w->step_count - 1] != w->steps[i])
			w->steps[w->step_count++] = w->steps[i];
}

/* The rows, and the steps that most of them have. */
static void choose_rows(figures_state *w, rg_arena *arena, const bool *use)
{
	const rg_runs_metric *metric = w->metric;
	size_t *users = take(arena, metric->set_count, sizeof(*users));
	w->rows = take(arena, metric->row_count, sizeof(*w->rows));
	for (size_t i = 0; i < metric->row_count; i++) {
		if (use && !use[i])
			continue;
		w->rows[w->count++] = &metric->rows[i];
		users[metric->rows[i].steps]++;
	}
	order_steps(w, arena, users);
	choose_common(w, arena, users);
	align(w, arena);
}

static void prepare(figures_state *w, rg_arena *arena, rg_arena *results, rg_arena *by_step,
		    rg_arena *by_value)
{
	const rg_runs_metric *metric = w->metric;
	rg_figures *out = w->out;
	w->sums = take(arena, w->count, sizeof(*w->sums));
	w->next = take(arena, metric->set_count, sizeof(*w->next));
	w->column = take(arena, w->count, sizeof(*w->column));
	w->sizes = take(arena, w->count, sizeof(*w->sizes));
	out->centre_count = w->common.count;
	out->centre_steps = take(by_value, out->centre_count, sizeof(*out->centre_steps));
	out->centre = take(by_value, out->centre_count, sizeof(*out->centre));
	out->steps = take(by_step, w->step_count, sizeof(*out->steps));
	out->deviations = take(results, metric->row_count, sizeof(*out->deviations));
	out->sizes = take(results, metric->row_count, sizeof(*out->sizes));
	out->means = take(results, metric->row_count, sizeof(*out->means));
	out->rows_common = take(results, metric->row_count, sizeof(*out->rows_common));
	out->rows_nonfinite = take(results, metric->row_count, sizeof(*out->rows_nonfinite));
	if (out->tolerance.kind != RG_TOLERANCE_BY_STEP)
		out->figures = take(results, metric->row_count, sizeof(*out->figures));
	if (out->centre_count)
		memcpy(out->centre_steps, w->common.steps,
		       out->centre_count * sizeof(*out->centre_steps));
	for (size_t i = 0; i < metric->row_count; i++)
		out->deviations[i] = out->sizes[i] = out->means[i] = NAN;
	for (size_t i = 0; out->figures && i < metric->row_count; i++)
		out->figures[i] = NAN;
	for (size_t i = 0; i < w->count; i++)
		w->sums[i].aligned = w->aligned[w->rows[i] - metric->rows];
}

/* Describes the runs at the step, which then goes by. */
static void add_step(figures_state *w, size_t at)
{
	rg_step_figures *step = &w->out->steps[at];
	size_t finite = 0;
	step->step = w->steps[at];
	for (size_t i = 0; i < w->count; i++) {
		const rg_step_set *set = &w->metric->sets[w->rows[i]->steps];
		size_t next = w->next[w->rows[i]->steps];
		if (next < set->count && set->steps[next] == step->step &&
		    isfinite(w->rows[i]->values[next]))
			w->column[finite++] = w->rows[i]->values[next];
	}
	for (size_t i = 0; i < w->metric->set_count; i++) {
		const rg_step_set *set = &w->metric->sets[i];
		w->next[i] += w->next[i] < set->count && set->steps[w->next[i]] == step->step;
	}
	rg_sample_describe(&step->sample, w->column, finite);
	w->out->finite_steps += finite ? 1 : 0;
	if (w->out->tolerance.kind == RG_TOLERANCE_BY_STEP &&
	    (w->metric->derived || step->step >= w->options->start_step))
		rg_tolerance_add(&w->out->tolerance, &step->sample);
}

/* The centre of a step that the common set has, and what each run is off by there. */
static void add_common_step(figures_state *w, size_t at)
{
	rg_figures *out = w->out;
	double *widest = &out->spread.widest, low = INFINITY, high = -INFINITY;
	size_t finite = 0, runs = 0;
	for (size_t i = 0; i < w->count; i++) {
		runs += w->sums[i].aligned != NULL;
		if (w->sums[i].aligned && isfinite(w->sums[i].aligned[at]))
			w->column[finite++] = w->sums[i].aligned[at];
	}
	out->centre[at] = NAN;
	if (!finite || 2 * finite < runs)
		return;
	double centre = out->centre[at] = rg_median(w->column, finite);
	if (fabs(centre) >= w->near_zero) {
		out->counted++;
		rg_wide_sum_add(&w->magnitude, fabs(centre));
	}
	for (size_t i = 0; i < w->count; i++) {
		run_sums *sums = &w->sums[i];
		if (!sums->aligned)
			continue;
		double value = sums->aligned[at],
		       off = rg_ratio(centre - value, centre, value, centre);
		sums->nonfinite += isfinite(value) ? 0 : 1;
		if (!isfinite(value) || fabs(centre) < w->near_zero)
			continue;
		rg_wide_sum_add(&sums->relative, off);
		rg_wide_sum_add(&sums->size, fabs(off));
		rg_wide_sum_add(&sums->value, value);
		low = fmin(low, off);
		high = fmax(high, off);
	}
	if (high - low > *widest || (isnan(*widest) && high >= low)) {
		*widest = high - low;
		out->spread.widest_step = out->centre_steps[at];
	}
}

static void finish_runs(figures_state *w)
{
	rg_figures *out = w->out;
	out->runs = w->count;
	out->magnitude = rg_wide_sum_mean(&w->magnitude, out->counted);
	for (size_t i = 0; i < w->count; i++) {
		const run_sums *sums = &w->sums[i];
		size_t row = (size_t)(w->rows[i] - w->metric->rows);

		out->other_steps += sums->aligned ? 0 : 1;
		out->rows_common[row] = sums->aligned != NULL;
		out->rows_nonfinite[row] = sums->nonfinite;
		out->nonfinite += out->rows_nonfinite[row] ? 1 : 0;
		if (!sums->aligned || sums->nonfinite || !out->counted)
			continue;
		out->deviations[row] = rg_wide_sum_mean(&sums->relative, out->counted);
		out->sizes[row] = rg_wide_sum_mean(&sums->size, out->counted);
		out->means[row] = rg_wide_sum_mean(&sums->value, out->counted);
		if (out->figures)
			out->figures[row] = w->rows[i]->figure;
		w->column[out->measured] = out->deviations[row];
		w->sizes[out->measured++] = out->sizes[row];
	}
}

void rg_spread_describe(rg_spread *spread, double *deviations, double *sizes, size_t count)
{
	rg_sample sample;
	rg_sample_describe(&sample, deviations, count);
	spread->low = sample.min;
	spread->high = sample.max;
	spread->std = sample.std;
	spread->mad = rg_median_deviation(deviations, count);
	rg_sample_describe(&sample, sizes, count);
	spread->min = sample.min;
	spread->max = sample.max;
	spread->median = rg_median(sizes, count);
	spread->p95 = rg_quantile(sizes, count, 0.95);
}

static void count_patterns(figures_state *w, rg_arena *arena)
{
	uint64_t *bits = take(arena, w->count, sizeof(*bits));
	if (!w->step_count)
		return;
	for (size_t i = 0; i < w->count; i++)
		bits[i] = w->rows[i]->bits;
	qsort(bits, w->count, sizeof(*bits), by_bits);
	for (size_t i = 0; i < w->count; i++)
		w->out->patterns += !i || bits[i] != bits[i - 1];
	w->out->deterministic = w->count > 1 && w->out->patterns == 1 && w->out->finite_steps;
}

/* By median and by maximum so many values are left out, whatever their steps: most runs' tell. */
static int64_t first_step(const figures_state *w)
{
	const rg_figures *out = w->out;
	int64_t start = w->options->start_step;
	switch (out->tolerance.kind) {
	case RG_TOLERANCE_BY_MEDIAN:
		return start > 0 && (uint64_t)start < out->centre_count ? out->centre_steps[start]
									: 0;
	case RG_TOLERANCE_BY_MAX:
		return out->centre_count > 1 ? out->centre_steps[1] : 0;
	default:
		return w->metric->derived ? 0 : start;
	}
}

/* Does the run count where a tolerance is found by the rate? */
static bool has_rate(const figures_state *w, size_t i, bool by_step)
{
	return by_step ? w->sums[i].aligned && !w->sums[i].nonfinite : isfinite(w->rows[i]->figure);
}

/* Does a test compare the common step? */
static bool is_compared(const figures_state *w, size_t at)
{
	return isfinite(w->out->centre[at]) &&
	       (w->metric->derived || w->common.steps[at] >= w->options->start_step);
}

/* The values that a test compares, run by run: all steps of those that have the same and are
 * finite, or each run's figure. */
static void tolerance_by_rate(figures_state *w, rg_arena *arena)
{
	bool by_step = w->out->tolerance.kind == RG_TOLERANCE_BY_STEP;
	size_t steps = by_step ? 0 : 1, common = by_step ? w->common.count : 0, runs = 0, n = 0;
	size_t i = w->count;
	/* The newest runs count, up to so many. */
	for (size_t counted = 0; i && counted < RG_TOLERANCE_RUNS_MAX;)
		counted += has_rate(w, --i, by_step) ? 1 : 0;
	for (size_t s = 0; s < common; s++)
		steps += is_compared(w, s) ? 1 : 0;
	double *values = take(arena, (w->count - i) * steps, sizeof(*values));
	size_t *from = take(arena, w->count - i, sizeof(*from));
	for (; i < w->count; i++) {
		if (!has_rate(w, i, by_step))
			continue;
		from[runs] = w->rows[i]->run;
		for (size_t s = 0; s < common; s++)
			if (is_compared(w, s))
				values[n++] = w->sums[i].aligned[s];
		if (!by_step)
			values[n++] = w->rows[i]->figure;
		runs++;
	}
	rg_tolerance *out = &w->out->tolerance;
	rg_tolerance_by_rate(out, values, steps ? runs : 0, steps, w->options->fail_rate);
	out->relative = rg_tolerance_round_up(out->relative);
	out->absolute = rg_tolerance_round_up(out->absolute);
	const size_t places[4] = {0, out->older - 1, out->older, runs - 1};
	for (size_t k = 0; out->newer && k < 4; k++)
		out->tested[k] = from[places[k]];
}

static void finish_tolerance(figures_state *w, rg_arena *arena)
{
	rg_tolerance *tolerance = &w->out->tolerance;
	rg_sample sample;
	size_t n = 0;
	tolerance->first_step = first_step(w);
	if (tolerance->kind != RG_TOLERANCE_BY_STEP) {
		for (size_t i = 0; i < w->count; i++)
			if (isfinite(w->rows[i]->figure))
				w->column[n++] = w->rows[i]->figure;
		rg_sample_describe(&sample, w->column, n);
		rg_tolerance_add(tolerance, &sample);
	}
	rg_tolerance_finish(tolerance, w->options);
	if (w->options->fail_rate > 0 && w->count)
		tolerance_by_rate(w, arena);
}

static bool can_be_packed(const figures_state *w, size_t row)
{
	const double *values = w->aligned[row];
	bool fits = values != NULL;
	for (size_t s = 0; fits && s < w->out->centre_count; s++)
		fits = isfinite(values[s]) || !isfinite(w->out->centre[s]);
	return fits;
}

/* The values that most runs have, those of the first of equals; *alike is how many do. */
static const double *most_common(const double *const *rows, size_t count, size_t steps,
				 size_t *counts, size_t *alike)
{
	const double *best = NULL;
	for (size_t r = 0; r < count; r++) {
		size_t k = 0;
		while (k < r && (!counts[k] || memcmp(rows[k], rows[r], steps * sizeof(**rows))))
			k++;
		counts[k]++;
	}
	*alike = 0;
	for (size_t r = 0; r < count; r++)
		if (counts[r] > *alike) {
			*alike = counts[r];
			best = rows[r];
		}
	return best;
}

/* The scores of runs of a golden that does not change, which a comparison may not have read. */
static void score(rg_figures *out, rg_arena *arena, rg_arena *by_value, const double *const *rows,
		  size_t count)
{
	size_t steps = out->centre_count, alike;
	const double *common =
		most_common(rows, count, steps, take(arena, count, sizeof(size_t)), &alike);
	if (alike < 2)
		return;
	for (size_t r = 0; r < count; r++)
		for (size_t s = 0; s < steps; s++)
			if (!isfinite(rows[r][s]))
				return;
	double *scores = take(by_value, count + 1, sizeof(*scores));
	out->scores = scores;
	if (alike == count)
		return;
	double *values = take(arena, (count + 1) * steps, sizeof(*values));
	rg_conformal_run *found = take(arena, count + 1, sizeof(*found));
	for (size_t r = 0; r <= count; r++)
		memcpy(values + r * steps, r < count ? rows[r] : common, steps * sizeof(*values));
	rg_conformal_rank_last(found, &out->usual, values, count + 1, steps, RG_NEAR_ZERO, NULL);
	for (size_t r = 0; r <= count; r++)
		scores[r] = found[r].score;
}

static rg_error *pack(figures_state *w, rg_arena *arena, rg_arena *by_value, const bool *use,
		      size_t from)
{
	const size_t all = w->metric->row_count;
	const double **rows = take(arena, all, sizeof(*rows));
	bool *packed = take(by_value, all, sizeof(*packed));
	size_t count = 0, at = all;
	w->out->rows_packed = packed;
	for (size_t i = all; i > 0; i--) {
		packed[i - 1] = (!use || use[i - 1] || i > from) && count < RG_FIGURES_PACKED_MAX &&
				can_be_packed(w, i - 1);
		count += packed[i - 1] ? 1 : 0;
		if (packed[i - 1])
			rows[--at] = w->aligned[i - 1];
	}
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_FIGURES_PACKED_BYTES);
	RG_TRY(rg_rows_pack(&bytes, rows + at, count, w->out->centre_count));
	RG_TRY(rg_buf_check(&bytes, "values"));
	w->out->packed = rg_arena_copy(by_value, bytes.data, bytes.length);
	w->out->packed_size = bytes.length;
	score(w->out, arena, by_value, rows + at, count);
	return NULL;
}

rg_error *rg_figures_make(rg_figures *out, rg_arena *results, rg_arena *by_step, rg_arena *by_value,
			  const rg_runs_metric *metric, const bool *use, size_t packed_from,
			  double near_zero, const rg_tolerance_options *options)
{
	figures_state w = {
		.out = out, .metric = metric, .near_zero = near_zero, .options = options};
	RG_AUTO(rg_arena) arena = {0};
	*out = (rg_figures){0};

	out->spread.widest = NAN;
	rg_tolerance_init(&out->tolerance, metric->kind);
	choose_rows(&w, &arena, use);
	prepare(&w, &arena, results, by_step ? by_step : &arena, by_value ? by_value : &arena);
	out->step_count = w.step_count;
	for (size_t i = 0; i < w.step_count; i++)
		add_step(&w, i);
	for (size_t i = 0; i < w.common.count; i++)
		add_common_step(&w, i);
	finish_runs(&w);
	rg_dependence_find(&out->dependence, w.column, out->measured);
	rg_spread_describe(&out->spread, w.column, w.sizes, out->measured);
	finish_tolerance(&w, &arena);
	count_patterns(&w, &arena);
	if (!by_step)
		out->steps = NULL;
	if (by_value)
		return pack(&w, &arena, by_value, use, packed_from);
	out->centre_steps = NULL;
	out->centre = NULL;
	return NULL;
}
