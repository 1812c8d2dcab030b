/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/defects.h"

#include <math.h>

enum { WINDOW = 4096 };

/* Where findings go. */
typedef struct {
	rg_defect_fn *found;
	void *context;
} sink;

static rg_error *add(const sink *out, const rg_defect *finding)
{
	return out->found(out->context, finding);
}

bool rg_check_looks_at(const rg_metric *metric, const rg_metric_policy *policy, size_t i)
{
	int64_t step = rg_metric_step(metric, i);

	return policy->kind != RG_POLICY_IGNORE && step >= policy->first_step &&
	       step <= policy->last_step &&
	       (!policy->last_steps || metric->count - i <= policy->last_steps);
}

static rg_error *check_values(const sink *out, const rg_metric *metric,
			      const rg_metric_policy *policy)
{
	double window[WINDOW];
	size_t from, i, count;

	for (from = 0; from < metric->count; from += count) {
		count = metric->count - from < WINDOW ? metric->count - from : WINDOW;
		RG_TRY(rg_metric_read(metric, from, count, window));
		for (i = 0; i < count; i++) {
			rg_defect finding = {.kind = RG_DEFECT_NONFINITE,
					     .metric = metric,
					     .has_step = true,
					     .step = rg_metric_step(metric, from + i),
					     .value = window[i],
					     .count = 1};

			if (!isfinite(window[i]) && rg_check_looks_at(metric, policy, from + i))
				RG_TRY(add(out, &finding));
		}
	}
	return NULL;
}

/* A block's steps after the first: on from it, or the multiples of the interval. */
typedef struct {
	int64_t start, end, interval;
	bool multiples;
} grid;

static bool is_on_grid(const grid *g, int64_t step)
{
	if (step < g->start || step > g->end)
		return false;
	if (step == g->start)
		return true;
	return (g->multiples ? step : step - g->start) % g->interval == 0;
}

/* The step after `step`, both on the grid. Within ± 2^53, so nothing overflows. */
static int64_t next_on_grid(const grid *g, int64_t step)
{
	int64_t rest = step % g->interval;

	if (!g->multiples)
		return step + g->interval;
	return step - (rest < 0 ? rest + g->interval : rest) + g->interval;
}

/* Moves *step, on the grid, to the first at or after `to`; returns how many it passed. At once,
 * because a block may promise any number of steps. */
static size_t skip_on_grid(const grid *g, int64_t *step, int64_t to)
{
	int64_t more;

	if (*step >= to)
		return 0;
	*step = next_on_grid(g, *step);
	if (*step >= to)
		return 1;
	more = (to - *step + g->interval - 1) / g->interval;
	*step += more * g->interval;
	return 1 + (size_t)more;
}

static size_t count_on_grid(const grid *g, const rg_metric *metric)
{
	size_t i, count = 0;

	for (i = 0; i < metric->count; i++)
		count += is_on_grid(g, rg_metric_step(metric, i));
	return count;
}

/* The way of counting that more of its steps follow. */
static grid grid_of(const rg_metric *metric)
{
	grid plain = {metric->start_step, metric->end_step, metric->step_interval, false};
	grid multiples = plain;

	multiples.multiples = true;
	return count_on_grid(&multiples, metric) > count_on_grid(&plain, metric) ? multiples
										 : plain;
}

static void note(rg_defect *finding, int64_t step, size_t count)
{
	if (count && !finding->count) {
		finding->has_step = true;
		finding->step = step;
	}
	finding->count += count;
}

static void note_missing(rg_defect *missing, const grid *g, int64_t *expected, int64_t to)
{
	int64_t first = *expected;

	note(missing, first, skip_on_grid(g, expected, to));
}

/* Merges the grid with the metric's steps, both ascending. A missing end_step is not a finding:
 * some logs mean it as the first step that is missing. */
static void note_steps(const grid *g, const rg_metric *metric, rg_defect *outside, rg_defect *odd,
		       rg_defect *missing)
{
	int64_t expected = g->start;
	size_t i;

	for (i = 0; i < metric->count; i++) {
		int64_t step = rg_metric_step(metric, i);

		if (step < g->start || step > g->end) {
			note(outside, step, 1);
			continue;
		}
		note_missing(missing, g, &expected, step);
		if (expected == step)
			expected = next_on_grid(g, expected);
		else
			note(odd, step, 1);
	}
	note_missing(missing, g, &expected, g->end);
}

static rg_error *check_steps(const sink *out, const rg_metric *metric)
{
	rg_defect outside = {.kind = RG_DEFECT_OUTSIDE_STEP, .metric = metric};
	rg_defect odd = {.kind = RG_DEFECT_ODD_STEP, .metric = metric};
	rg_defect missing = {.kind = RG_DEFECT_MISSING_STEP, .metric = metric};
	rg_defect bad = {.kind = RG_DEFECT_BAD_STEPS, .metric = metric, .count = 1};
	grid g;

	if (!metric->start_step && !metric->end_step && !metric->step_interval)
		return NULL; /* it says nothing of its steps */
	if (metric->step_interval < 1 || metric->end_step < metric->start_step)
		return add(out, &bad);
	g = grid_of(metric);
	note_steps(&g, metric, &outside, &odd, &missing);
	if (outside.count)
		RG_TRY(add(out, &outside));
	if (odd.count)
		RG_TRY(add(out, &odd));
	return missing.count ? add(out, &missing) : NULL;
}

static rg_error *check_metric(const sink *out, const rg_metric *metric, const rg_policy *policy)
{
	rg_defect twice = {.kind = RG_DEFECT_DUPLICATE_KEYS,
			   .metric = metric,
			   .has_step = true,
			   .step = metric->duplicate_step,
			   .count = metric->duplicate_keys};
	rg_defect none = {.kind = RG_DEFECT_NO_VALUE,
			  .metric = metric,
			  .has_step = metric->has_invalid_step,
			  .step = metric->invalid_step,
			  .count = metric->invalid_values};
	rg_metric_policy own;

	rg_policy_resolve(policy, metric->name, &own);
	if (own.kind == RG_POLICY_IGNORE)
		return NULL;
	if (twice.count)
		RG_TRY(add(out, &twice));
	if (metric->kind != RG_METRIC_SERIES)
		return NULL;
	if (none.count)
		RG_TRY(add(out, &none));
	RG_TRY(check_steps(out, metric));
	return check_values(out, metric, &own);
}

rg_error *rg_golden_check(const rg_golden *golden, const rg_policy *policy, rg_defect_fn *found,
			  void *context)
{
	const sink out = {found, context};
	rg_defect twice = {.kind = RG_DEFECT_DUPLICATE_KEYS,
			   .key = golden->duplicate_key,
			   .count = golden->duplicate_keys};
	size_t i;

	if (twice.count)
		RG_TRY(add(&out, &twice));
	for (i = 0; i < golden->count; i++)
		RG_TRY(check_metric(&out, &golden->metrics[i], policy));
	return NULL;
}
