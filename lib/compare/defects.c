/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/defects.h"

#include "base/number.h"
#include "golden/records.h"

#include <inttypes.h>
#include <stddef.h>

/* A golden that is being checked. */
typedef struct {
	const rg_defect_options *options;
	bool has_asked; /* for the baseline */
	const rg_golden *baseline;
} check_state;

static rg_error *report(const check_state *c, const rg_defect *finding)
{
	return c->options->found(c->options->context, finding);
}

/* The metric as the baseline has it; NULL where it has no such series. */
static rg_error *find_before(check_state *c, const rg_metric *metric, const rg_metric **out)
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

static rg_error *check_values(check_state *c, const rg_metric *metric,
			      const rg_metric_policy *policy)
{
	rg_nan_pattern pattern;
	rg_nonfinite_query query = {.fresh = metric, .policy = policy};
	rg_defect defect = {.kind = RG_DEFECT_NONFINITE, .metric = metric};
	rg_defect none = {.metric = metric};

	RG_TRY(rg_nan_pattern_find(&pattern, metric));
	if (!pattern.nonfinite)
		return NULL;
	if (!c->options->refuse) {
		query.pattern = &pattern;
		if (pattern.periodic || pattern.leading)
			RG_TRY(find_before(c, metric, &query.old));
	}
	RG_TRY(rg_nonfinite_find(&defect.nonfinite, &query));
	if (rg_nonfinite_steps(&defect.nonfinite))
		RG_TRY(report(c, &defect));
	none.kind = pattern.periodic ? RG_DEFECT_NONE_PERIODIC : RG_DEFECT_NONE_LEADING;
	return defect.nonfinite.usual ? report(c, &none) : NULL;
}

/* A block's steps: the first, and those that are a multiple of the interval from `from`. */
typedef struct {
	int64_t start, end, interval, from;
} grid;

static bool is_on_grid(const grid *g, int64_t step)
{
	return step >= g->start && step <= g->end &&
	       (step == g->start || (step - g->from) % g->interval == 0);
}

static size_t count_on_grid(const grid *g, const rg_metric *metric)
{
	size_t count = 0;
	for (size_t i = 0; i < metric->count; i++)
		count += is_on_grid(g, rg_metric_step(metric, i));
	return count;
}

/* The way of counting that most of its steps follow. What counts is within ± 2^53, so nothing
 * overflows. */
static grid grid_of(const rg_metric *metric)
{
	const int64_t second = metric->count > 1 ? rg_metric_step(metric, 1) : 0;
	const int64_t from[] = {metric->start_step, 0, second < metric->end_step ? second : 0};
	grid best = {metric->start_step, metric->end_step, metric->step_interval, from[0]};
	size_t most = count_on_grid(&best, metric);

	for (size_t i = 1; i < sizeof(from) / sizeof(*from); i++) {
		grid other = best;
		other.from = from[i];
		size_t count = count_on_grid(&other, metric);
		if (count > most) {
			most = count;
			best = other;
		}
	}
	return best;
}

static rg_error *check_steps(const check_state *c, const rg_metric *metric)
{
	rg_defect outside = {.kind = RG_DEFECT_OUTSIDE_STEP, .metric = metric};
	rg_defect odd = {.kind = RG_DEFECT_ODD_STEP, .metric = metric};
	rg_defect bad = {.kind = RG_DEFECT_BAD_STEPS, .metric = metric};

	if (!metric->start_step && !metric->end_step && !metric->step_interval)
		return NULL; /* it says nothing of its steps */
	if (metric->step_interval < 1 || metric->end_step < metric->start_step)
		return report(c, &bad);
	grid g = grid_of(metric);
	for (size_t i = 0; i < metric->count; i++) {
		int64_t step = rg_metric_step(metric, i);
		if (step < g.start || step > g.end)
			rg_step_ranges_add(&outside.steps, i, step, step, 1);
		else if (!is_on_grid(&g, step))
			rg_step_ranges_add(&odd.steps, i, step, step, 1);
	}
	if (outside.steps.steps)
		RG_TRY(report(c, &outside));
	return odd.steps.steps ? report(c, &odd) : NULL;
}

static rg_error *check_metric(check_state *c, const rg_metric *metric)
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
		return c->options->refuse && metric->kind == RG_METRIC_SERIES
			       ? check_values(c, metric, &own)
			       : NULL;
	if (twice.count)
		RG_TRY(report(c, &twice));
	if (metric->kind != RG_METRIC_SERIES)
		return NULL;
	if (none.count)
		RG_TRY(report(c, &none));
	RG_TRY(check_steps(c, metric));
	return check_values(c, metric, &own);
}

rg_error *rg_golden_check(const rg_golden *golden, const rg_defect_options *options)
{
	check_state c = {.options = options};
	const rg_defect twice = {.kind = RG_DEFECT_DUPLICATE_KEYS,
				 .key = golden->duplicate_key,
				 .count = golden->duplicate_keys};
	const rg_defect empty = {.kind = RG_DEFECT_EMPTY, .count = golden->count};
	/* The metrics as they are now: the caller may align the golden with its baseline meanwhile.
	 */
	const rg_metric *metrics = golden->metrics;
	const size_t count = golden->count;

	for (size_t i = 0; i < golden->note_count; i++) {
		const rg_defect note = {.kind = RG_DEFECT_NOTE, .note = &golden->notes[i]};
		if (note.note->kind > RG_NOTE_SETTING)
			RG_TRY(report(&c, &note));
	}
	if ((!golden->count && !golden->note_count) ||
	    (rg_golden_is_opaque(golden) && !golden->bytes.size))
		RG_TRY(report(&c, &empty));
	if (twice.count)
		RG_TRY(report(&c, &twice));
	for (size_t i = 0; i < count; i++)
		RG_TRY(check_metric(&c, &metrics[i]));
	return NULL;
}

/* Appends how a metric's steps break the rule that its block gives. */
static void append_steps(rg_buf *out, const rg_defect *d)
{
	const rg_metric *m = d->metric;

	if (d->kind == RG_DEFECT_BAD_STEPS) {
		rg_buf_printf(out,
			      "start_step %" PRId64 ", end_step %" PRId64 ", step_interval %" PRId64
			      " make no steps",
			      m->start_step, m->end_step, m->step_interval);
		return;
	}
	if (d->kind == RG_DEFECT_OUTSIDE_STEP)
		rg_buf_printf(out, "outside of start_step %" PRId64 " … end_step %" PRId64,
			      m->start_step, m->end_step);
	else
		rg_buf_printf(out, "not a step by start_step %" PRId64 ", step_interval %" PRId64,
			      m->start_step, m->step_interval);
	rg_buf_str(out, " at ");
	rg_step_ranges_say(out, &d->steps);
	rg_steps_say_share(out, d->steps.steps, m);
}

static void append_keys(rg_buf *out, const rg_defect *d)
{
	bool twice = d->kind == RG_DEFECT_DUPLICATE_KEYS, one = d->count == 1;
	char count[RG_COUNT_TEXT], step[RG_STEP_TEXT];

	if (d->has_step && d->metric)
		rg_buf_printf(out, "%s %s", rg_step_word(d->metric->records, true),
			      rg_step_name(d->metric->records, d->step, step));
	else if (d->key)
		rg_buf_printf(out, "key %s", d->key);
	else
		rg_buf_printf(out, "%s key%s", rg_count_text(d->count, count), one ? "" : "s");
	if ((d->has_step || d->key) && !one)
		rg_buf_printf(out, " and %s more", rg_count_text(d->count - 1, count));
	if (twice)
		rg_buf_str(out, one ? " appears twice" : " appear twice");
	else if (d->has_step)
		rg_buf_str(out, one ? " has no number" : " have no numbers");
	else
		rg_buf_str(out, one ? " is not a step" : " are not steps");
}

void rg_defect_say(rg_buf *out, const rg_defect *d)
{
	if (d->metric)
		rg_buf_printf(out, "%s: ", d->metric->name);
	switch (d->kind) {
	case RG_DEFECT_NONFINITE:
		rg_nonfinite_say(out, &d->nonfinite, d->metric);
		break;
	case RG_DEFECT_DUPLICATE_KEYS:
	case RG_DEFECT_NO_VALUE:
		append_keys(out, d);
		break;
	case RG_DEFECT_EMPTY:
		rg_buf_str(out, d->count ? "empty file" : "has no metrics");
		break;
	case RG_DEFECT_NOTE:
		rg_buf_str(out, d->note->text);
		break;
	case RG_DEFECT_NONE_LEADING:
		rg_buf_str(out, "leading NaN");
		break;
	case RG_DEFECT_NONE_PERIODIC:
		rg_buf_str(out, "periodic NaN");
		break;
	default: /* the others are of a metric */
		if (d->metric)
			append_steps(out, d);
		break;
	}
}
