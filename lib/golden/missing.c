/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/missing.h"

#include <math.h>

/* Does it have a value at the step that is not missing? *at moves on from step to step. */
static bool has_number(const rg_metric *series, size_t *at, int64_t step, double missing)
{
	while (*at < series->count && rg_metric_step(series, *at) < step)
		++*at;
	return *at < series->count && rg_metric_step(series, *at) == step &&
	       series->values[*at] != missing;
}

const rg_metric *rg_without_missing(rg_arena *arena, const rg_metric *series, double missing,
				    const rg_metric *other, size_t *found)
{
	size_t count = series->count, at = 0, kept = 0;

	if (isnan(missing) || series->kind != RG_METRIC_SERIES || !series->values || series->tensor)
		return series;
	for (size_t i = 0; i < series->count; i++)
		count -= series->values[i] == missing;
	if (count == series->count)
		return series;
	rg_metric *out = rg_arena_alloc(arena, sizeof(*out));
	int64_t *steps = rg_arena_alloc(arena, (count + 1) * sizeof(*steps));
	double *lists[3];
	const double *const from[] = {series->values, series->tolerances, series->errors};
	for (size_t k = 0; k < 3; k++)
		lists[k] = from[k] ? rg_arena_alloc(arena, (count + 1) * sizeof(double)) : NULL;
	for (size_t i = 0; i < series->count; i++) {
		const int64_t step = rg_metric_step(series, i);
		if (series->values[i] == missing) {
			if (other)
				*found += has_number(other, &at, step, missing);
			continue;
		}
		steps[kept] = step;
		for (size_t k = 0; k < 3; k++)
			if (lists[k])
				lists[k][kept] = from[k][i];
		kept++;
	}
	*out = *series;
	out->count = count;
	out->steps = steps;
	out->values = lists[0];
	out->tolerances = lists[1];
	out->errors = lists[2];
	out->quoted = NULL;
	out->quoted_count = 0;
	return out;
}
