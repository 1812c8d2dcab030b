/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/nan_pattern.h"

#include <math.h>

enum { WINDOW = 1024 };

/* What is known so far. Steps are of any size: distances are in uint64_t, which holds them all. */
typedef struct {
	rg_nan_pattern *pattern;
	size_t finite;
	uint64_t first, last; /* steps of finite values */
	uint64_t period;
	bool broken;  /* no progression */
	bool started; /* a value that is not NaN was there */
} search;

static void look_at_finite(search *s, uint64_t step)
{
	if (!s->finite++)
		s->first = step;
	else if (s->finite == 2)
		s->period = step - s->last;
	else
		s->broken |= step - s->last != s->period;
	s->last = step;
}

static void look_at(search *s, uint64_t step, double value)
{
	s->pattern->nonfinite += isfinite(value) ? 0 : 1;
	s->started |= !isnan(value);
	if (!s->started)
		s->pattern->leading++;
	if (isfinite(value))
		look_at_finite(s, step);
	else
		s->broken |= !isnan(value);
}

rg_error *rg_nan_pattern_find(rg_nan_pattern *out, const rg_metric *series)
{
	search s = {.pattern = out};
	double window[WINDOW];
	size_t from, count, i;
	uint64_t start, end;

	*out = (rg_nan_pattern){0};
	for (from = 0; from < series->count; from += count) {
		count = series->count - from < WINDOW ? series->count - from : WINDOW;
		RG_TRY(rg_metric_read(series, from, count, window));
		for (i = 0; i < count; i++)
			look_at(&s, (uint64_t)rg_metric_step(series, from + i), window[i]);
	}
	if (!s.finite || series->tensor)
		out->leading = 0;
	if (!out->nonfinite || s.finite < 2 || s.broken || series->tensor)
		return NULL;
	start = (uint64_t)rg_metric_step(series, 0);
	end = (uint64_t)rg_metric_step(series, series->count - 1);
	out->periodic = s.first - start < s.period && end - s.last < s.period;
	return NULL;
}

bool rg_nan_pattern_has(const rg_nan_pattern *pattern, size_t place)
{
	return pattern->periodic || place < pattern->leading;
}
