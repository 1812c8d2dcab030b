/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/direction.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/sum.h"

#include <math.h>
#include <stdlib.h>

static bool has_negative(const rg_metric *metric, double missing)
{
	for (size_t i = 0; i < metric->count; i++)
		if (metric->values[i] < 0 && metric->values[i] != missing)
			return true;
	return false;
}

rg_measure rg_measure_of(const rg_metric_policy *policy, const rg_metric *old,
			 const rg_metric *fresh)
{
	const rg_metric *const sides[] = {old, fresh};

	for (size_t i = 0; i < 2; i++) {
		const rg_metric *side = sides[i];
		if (!side)
			continue;
		if (policy->duration == RG_DURATION_NO || !side->values || side->tensor ||
		    (policy->duration == RG_DURATION_BY_UNIT && !rg_metric_is_duration(side)) ||
		    has_negative(side, policy->missing))
			return RG_MEASURE_NONE;
	}
	return policy->duration == RG_DURATION_RATE ? RG_MEASURE_RATE : RG_MEASURE_DURATION;
}

/* Fills in the median step of durations, over the same figures as the mean. */
static void find_typical(rg_row *row, double *values, size_t count)
{
	double sum = 0, largest = 0;
	for (size_t i = 0; i < count; i++) {
		sum += values[i] * RG_SCALE;
		if (fabs(values[i]) > fabs(largest))
			largest = values[i];
	}
	row->median_known = true;
	row->median_rel_diff = rg_median(values, count);
	row->one_step = sum != 0 && largest * RG_SCALE / sum > 0.5 + 1e-9;
}

/* One way through the pairs of values that count. */
typedef struct {
	rg_sum shift; /* of their relative differences, each times the scale */
	size_t count, negative, larger, smaller;
	double most_larger, most_smaller;
} direction;

/* Keeps each difference in `values`, unless it is NULL. */
static direction go_through(const rg_row *row, const rg_metric *old, const rg_metric *fresh,
			    const rg_metric_policy *policy, double scale, double *values)
{
	direction d = {.most_larger = row->most_larger, .most_smaller = row->most_smaller};
	for (size_t i = 0, k = 0; i < old->count && d.count < row->n_steps; i++) {
		const int64_t step = rg_metric_step(old, i);
		const double was = old->values[i];
		while (k < fresh->count && rg_metric_step(fresh, k) < step)
			k++;
		if (k == fresh->count || rg_metric_step(fresh, k) != step ||
		    step < policy->first_step || step > policy->last_step || !isfinite(was) ||
		    !isfinite(fresh->values[k]) || fabs(was) < row->near_zero)
			continue;
		const double is = fresh->values[k], off = rg_ratio(was - is, was, is, fabs(was));
		rg_sum_add(&d.shift, off * scale);
		d.negative += was < 0;
		d.larger += off < 0;
		d.smaller += off > 0;
		d.most_larger = off < d.most_larger ? off : d.most_larger;
		d.most_smaller = off > d.most_smaller ? off : d.most_smaller;
		if (values)
			values[d.count] = off;
		d.count++;
	}
	return d;
}

void rg_direction_fill(rg_row *row, const rg_metric *old, const rg_metric *fresh,
		       const rg_metric_policy *policy)
{
	const bool typical = row->measure != RG_MEASURE_NONE && !old->records && row->n_steps >= 3;

	if (!old->values || !fresh->values || old->tensor || (!row->values_differ && !typical))
		return;
	RG_AUTO_FREE double *values = typical ? rg_malloc(row->n_steps * sizeof(*values)) : NULL;
	const direction d = go_through(row, old, fresh, policy, 1, values);
	row->larger += d.larger;
	row->smaller += d.smaller;
	row->most_larger = d.most_larger;
	row->most_smaller = d.most_smaller;
	row->both_signs = d.negative && d.negative < d.count;
	row->shift = d.count ? rg_sum_mean(&d.shift, d.count) : NAN;
	if (isinf(row->shift)) { /* the sum alone may be past the doubles */
		const direction scaled = go_through(row, old, fresh, policy, RG_SCALE, NULL);
		row->shift = ldexp(rg_sum_mean(&scaled.shift, d.count), RG_SCALE_UP);
	}
	if (typical)
		find_typical(row, values, d.count);
}
