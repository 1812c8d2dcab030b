/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/nonfinite.h"

#include "base/number.h"
#include "compare/series_walk.h"
#include "golden/records.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 1024 };

/* --- patterns --- */

/* The search for a pattern. Steps are of any size: distances are in uint64_t, which holds them all.
 */
typedef struct {
	rg_nan_pattern *pattern;
	size_t finite;
	uint64_t first, last; /* steps of finite values */
	uint64_t period;
	bool broken;  /* no progression */
	bool started; /* a value that is not NaN was there */
} pattern_state;

static void look_at(pattern_state *s, int64_t step, double value)
{
	const uint64_t distance = (uint64_t)step - s->last;

	if (!s->started)
		s->pattern->first = step;
	s->started |= !isnan(value);
	s->pattern->leading += !s->started;
	if (!isfinite(value)) {
		s->pattern->nonfinite++;
		s->broken |= !isnan(value);
		return;
	}
	if (!s->finite++)
		s->first = (uint64_t)step;
	else if (s->finite == 2)
		s->period = distance;
	else
		s->broken |= distance != s->period;
	s->last = (uint64_t)step;
}

rg_error *rg_nan_pattern_find(rg_nan_pattern *out, const rg_metric *series)
{
	pattern_state s = {.pattern = out};
	double window[WINDOW];
	size_t count;

	*out = (rg_nan_pattern){0};
	for (size_t from = 0; from < series->count; from += count) {
		count = series->count - from < WINDOW ? series->count - from : WINDOW;
		RG_TRY(rg_metric_read(series, from, count, window));
		for (size_t i = 0; i < count; i++)
			if (!rg_is_masked(window[i]))
				look_at(&s, rg_metric_step(series, from + i), window[i]);
	}
	if (!s.finite || series->tensor)
		out->leading = 0;
	if (!out->nonfinite || s.finite < 2 || s.broken || series->tensor)
		return NULL;
	uint64_t start = (uint64_t)rg_metric_step(series, 0);
	uint64_t end = (uint64_t)rg_metric_step(series, series->count - 1);
	out->periodic = s.first - start < s.period && end - s.last < s.period;
	return NULL;
}

bool rg_nan_is_usual(const rg_nan_pattern *pattern, const rg_metric_policy *policy, int64_t step,
		     bool is_new, const double *before)
{
	bool leads = pattern->leading && step < pattern->first;
	if (before)
		return isnan(*before) && (leads || pattern->periodic);
	return policy->nan == RG_NAN_PLACEHOLDER && (leads || (is_new && pattern->periodic));
}

bool rg_nonfinite_is_news(double old, double fresh)
{
	return !isfinite(fresh) && old != fresh && !(isnan(old) && isnan(fresh));
}

bool rg_is_placeholder(double value, const rg_records *records, int64_t step)
{
	return isnan(value) && !(records && rg_record_is_of(records, step, RG_RECORD_OLD));
}

bool rg_are_placeholders(const rg_metric *old)
{
	size_t i = 0;
	if (old->kind != RG_METRIC_SERIES || !old->values || old->tensor || old->text_count)
		return false;
	while (i < old->count &&
	       rg_is_placeholder(old->values[i], old->records, rg_metric_step(old, i)))
		i++;
	return old->count && i == old->count;
}

/* --- values --- */

bool rg_golden_has_nonfinite(const rg_golden *golden)
{
	double value;
	for (size_t i = 0; golden && i < golden->count; i++) {
		const rg_metric *m = &golden->metrics[i];
		const bool series = m->kind == RG_METRIC_SERIES && m->values && !m->tensor;
		if (m->kind == RG_METRIC_TEXT && rg_double_parse(m->text, m->count, &value) &&
		    !isfinite(value))
			return true;
		for (size_t k = 0; series && k < m->count; k++)
			if (!isfinite(m->values[k]))
				return true;
		rg_metric_forget(m);
	}
	return false;
}

/* Does the metric's policy demand that the value at the place `i` is finite? "last 10" counts this
 * series' own steps. */
static bool is_looked_at(const rg_metric *metric, const rg_metric_policy *policy, size_t i)
{
	int64_t step = rg_metric_step(metric, i);
	return policy->kind != RG_POLICY_IGNORE && step >= policy->first_step &&
	       step <= policy->last_step &&
	       (!policy->last_steps || metric->count - i <= policy->last_steps);
}

typedef struct {
	const rg_nonfinite_query *query;
	rg_nonfinite *out;
	size_t old_place, fresh_place; /* how many of each were looked at */
} nonfinite_state;

static void append_step(rg_step_ranges *ranges, const rg_metric *metric, size_t place)
{
	int64_t step = rg_metric_step(metric, place);
	ranges->records = metric->records;
	rg_step_ranges_add(ranges, place, step, step, 1);
}

static void look_at_value(nonfinite_state *w, size_t place, double value, const double *before)
{
	const rg_nonfinite_query *q = w->query;
	rg_nonfinite *out = w->out;

	if (isfinite(value) || rg_is_masked(value) ||
	    (q->changes && before && !rg_nonfinite_is_news(*before, value)) ||
	    (q->pattern && !is_looked_at(q->fresh, q->policy, place)))
		return;
	if (q->pattern && isnan(value) &&
	    rg_nan_is_usual(q->pattern, q->policy, rg_metric_step(q->fresh, place), !q->old,
			    before))
		out->usual++;
	else
		append_step(isnan(value) ? &out->nan
			    : value > 0  ? &out->inf
					 : &out->minus_inf,
			    q->fresh, place);
}

/* Values that are not in memory are a tensor's: only their number is of interest. */
static void look_at_lost(nonfinite_state *w, const rg_pair_chunk *chunk)
{
	const rg_metric *old = w->query->old;
	if (!chunk->old)
		rg_step_ranges_add(&w->out->gone, w->old_place, rg_chunk_step(chunk, 0),
				   rg_chunk_step(chunk, chunk->count - 1), chunk->count);
	for (size_t i = 0; chunk->old && i < chunk->count; i++)
		if (rg_record_is_alone(old->records, rg_chunk_step(chunk, i)))
			continue;
		else if (rg_is_placeholder(old->values[w->old_place + i], old->records,
					   rg_chunk_step(chunk, i)))
			w->out->placeholders++;
		else
			append_step(&w->out->gone, old, w->old_place + i);
	w->old_place += chunk->count;
}

static rg_error *take_steps(void *context, const rg_pair_chunk *chunk)
{
	nonfinite_state *w = context;
	const unsigned char *old = chunk->side == RG_BOTH_SIDES ? chunk->old : NULL;
	double window[WINDOW], before;
	size_t count;

	if (chunk->side == RG_OLD_ONLY) {
		look_at_lost(w, chunk);
		return NULL;
	}
	for (size_t from = 0; from < chunk->count; from += count) {
		count = chunk->count - from < WINDOW ? chunk->count - from : WINDOW;
		RG_TRY(rg_metric_read(w->query->fresh, w->fresh_place, count, window));
		for (size_t i = 0; i < count; i++) {
			if (old)
				memcpy(&before, old + (from + i) * sizeof(before), sizeof(before));
			look_at_value(w, w->fresh_place++, window[i], old ? &before : NULL);
		}
	}
	if (old)
		w->old_place += chunk->count;
	return NULL;
}

rg_error *rg_nonfinite_find(rg_nonfinite *out, const rg_nonfinite_query *query)
{
	static const rg_metric nothing = {.kind = RG_METRIC_SERIES};
	nonfinite_state w = {.query = query, .out = out};

	return rg_series_walk(query->old ? query->old : &nothing, query->fresh, take_steps, &w);
}

/* --- saying --- */

size_t rg_nonfinite_steps(const rg_nonfinite *found)
{
	return found->nan.steps + found->inf.steps + found->minus_inf.steps;
}

int64_t rg_nonfinite_first(const rg_nonfinite *found)
{
	const rg_step_ranges *const ranges[] = {&found->nan, &found->inf, &found->minus_inf};
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (ranges[i]->steps && ranges[i]->kept[0].first < first)
			first = ranges[i]->kept[0].first;
	return first;
}

static void append_ranges(rg_buf *out, const char *value, const rg_step_ranges *ranges, bool *first)
{
	if (!ranges->steps)
		return;
	rg_buf_printf(out, "%s%s at ", *first ? "" : ", ", value);
	rg_step_ranges_say(out, ranges);
	*first = false;
}

void rg_nonfinite_say(rg_buf *out, const rg_nonfinite *found, const rg_metric *metric)
{
	bool first = true;
	append_ranges(out, "NaN", &found->nan, &first);
	append_ranges(out, "inf", &found->inf, &first);
	append_ranges(out, "-inf", &found->minus_inf, &first);
	rg_steps_say_share(out, rg_nonfinite_steps(found), metric);
}
