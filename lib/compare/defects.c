/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/defects.h"

#include "base/pattern.h"
#include "compare/fresh_values.h"
#include "compare/nan_pattern.h"

#include <math.h>

/* A check under way. */
typedef struct {
	const rg_defect_options *options;
	bool has_asked; /* for the baseline */
	const rg_golden *baseline;
} check;

static rg_error *add(const check *c, const rg_defect *finding)
{
	return c->options->found(c->options->context, finding);
}

bool rg_check_looks_at(const rg_metric *metric, const rg_metric_policy *policy, size_t i)
{
	int64_t step = rg_metric_step(metric, i);

	return policy->kind != RG_POLICY_IGNORE && step >= policy->first_step &&
	       step <= policy->last_step &&
	       (!policy->last_steps || metric->count - i <= policy->last_steps);
}

/* A series' values that are not finite. */
typedef struct {
	const rg_metric *metric;
	const rg_metric_policy *policy;
	rg_nan_pattern pattern;
	bool has_baseline;
	bool is_usual; /* without one: the pattern is none to wonder at */
	size_t passed; /* NaN that are not findings */
	rg_nonfinite found;
} values;

static void look_at_value(void *context, size_t place, double value, const double *before)
{
	values *v = context;

	if (isfinite(value) || !rg_check_looks_at(v->metric, v->policy, place))
		return;
	if (isnan(value) && rg_nan_pattern_has(&v->pattern, place) &&
	    (v->has_baseline ? before && isnan(*before) : v->is_usual))
		v->passed++;
	else
		rg_nonfinite_add(&v->found, v->metric, place, value);
}

/* The metric as the baseline has it; NULL where it has no such series. */
static rg_error *find_before(check *c, const rg_metric *metric, const rg_metric **out)
{
	const rg_defect_options *options = c->options;

	if (!c->has_asked && options->baseline)
		RG_TRY(options->baseline(options->context, &c->baseline));
	c->has_asked = true;
	*out = c->baseline ? rg_golden_find(c->baseline, metric->name) : NULL;
	if (*out && (*out)->kind != RG_METRIC_SERIES)
		*out = NULL;
	return NULL;
}

static rg_error *check_values(check *c, const rg_metric *metric, const rg_metric_policy *policy)
{
	values v = {.metric = metric, .policy = policy};
	rg_fresh_values walk = {.fresh = metric, .value = look_at_value, .context = &v};
	rg_defect defect = {.kind = RG_DEFECT_NONFINITE, .metric = metric};
	rg_defect none = {.metric = metric};

	RG_TRY(rg_nan_pattern_find(&v.pattern, metric));
	if (!v.pattern.nonfinite)
		return NULL;
	if (v.pattern.leading || v.pattern.periodic)
		RG_TRY(find_before(c, metric, &walk.old));
	v.has_baseline = walk.old;
	v.is_usual = rg_glob_match("*time*", metric->name, RG_GLOB_ANY_SLASH | RG_GLOB_IGNORE_CASE);
	RG_TRY(rg_fresh_values_walk(&walk));
	defect.nonfinite = v.found;
	if (rg_nonfinite_steps(&v.found))
		RG_TRY(add(c, &defect));
	none.kind = v.pattern.periodic ? RG_DEFECT_NONE_PERIODIC : RG_DEFECT_NONE_LEADING;
	return v.passed ? add(c, &none) : NULL;
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

/* The one before `step`, on the grid, that is not the first. */
static int64_t last_before(const grid *g, int64_t step)
{
	int64_t before = step - g->interval;

	return before < g->start ? g->start : before;
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

/* The steps from *expected on that come before `to`. */
static void note_missing(rg_step_ranges *missing, const grid *g, int64_t *expected, int64_t to)
{
	int64_t first = *expected;
	size_t count = skip_on_grid(g, expected, to);

	/* Each stretch is one range: a step that is there follows it. */
	if (count)
		rg_step_ranges_add(missing, missing->end + 1, first, last_before(g, *expected),
				   count);
}

/* Merges the grid with the metric's steps, both ascending. A missing end_step is not a finding:
 * some logs mean it as the first step that is missing. */
static void note_steps(const grid *g, const rg_metric *metric, rg_step_ranges *outside,
		       rg_step_ranges *odd, rg_step_ranges *missing)
{
	int64_t expected = g->start;
	size_t i;

	for (i = 0; i < metric->count; i++) {
		int64_t step = rg_metric_step(metric, i);

		if (step < g->start || step > g->end) {
			rg_step_ranges_add(outside, i, step, step, 1);
			continue;
		}
		note_missing(missing, g, &expected, step);
		if (expected == step)
			expected = next_on_grid(g, expected);
		else
			rg_step_ranges_add(odd, i, step, step, 1);
	}
	note_missing(missing, g, &expected, g->end);
}

static rg_error *check_steps(const check *c, const rg_metric *metric)
{
	rg_defect outside = {.kind = RG_DEFECT_OUTSIDE_STEP, .metric = metric};
	rg_defect odd = {.kind = RG_DEFECT_ODD_STEP, .metric = metric};
	rg_defect missing = {.kind = RG_DEFECT_MISSING_STEP, .metric = metric};
	rg_defect bad = {.kind = RG_DEFECT_BAD_STEPS, .metric = metric};
	grid g;

	if (!metric->start_step && !metric->end_step && !metric->step_interval)
		return NULL; /* it says nothing of its steps */
	if (metric->step_interval < 1 || metric->end_step < metric->start_step)
		return add(c, &bad);
	g = grid_of(metric);
	note_steps(&g, metric, &outside.steps, &odd.steps, &missing.steps);
	if (outside.steps.steps)
		RG_TRY(add(c, &outside));
	if (odd.steps.steps)
		RG_TRY(add(c, &odd));
	return missing.steps.steps ? add(c, &missing) : NULL;
}

static rg_error *check_metric(check *c, const rg_metric *metric)
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

	rg_policy_resolve(c->options->policy, c->options->file, metric->name, &own);
	if (own.kind == RG_POLICY_IGNORE)
		return NULL;
	if (twice.count)
		RG_TRY(add(c, &twice));
	if (metric->kind != RG_METRIC_SERIES)
		return NULL;
	if (none.count)
		RG_TRY(add(c, &none));
	RG_TRY(check_steps(c, metric));
	return check_values(c, metric, &own);
}

rg_error *rg_golden_check(const rg_golden *golden, const rg_defect_options *options)
{
	check c = {.options = options};
	rg_defect twice = {.kind = RG_DEFECT_DUPLICATE_KEYS,
			   .key = golden->duplicate_key,
			   .count = golden->duplicate_keys};
	/* As they are: the caller may align the golden with its baseline meanwhile. */
	const rg_metric *metrics = golden->metrics;
	size_t count = golden->count, i;

	if (twice.count)
		RG_TRY(add(&c, &twice));
	for (i = 0; i < count; i++)
		RG_TRY(check_metric(&c, &metrics[i]));
	return NULL;
}
