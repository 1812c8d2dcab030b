/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/series_summary.h"

#include "base/sum.h"

#include <math.h>

enum { BLOCK = 4096 };

static void count_value(rg_series_summary *summary, rg_sum *sum, double value)
{
	summary->last = isfinite(value) ? value : NAN;
	if (!isfinite(value)) {
		summary->not_finite++;
		return;
	}
	/* fmin and fmax pass over the NaN of the beginning. */
	summary->minimum = fmin(summary->minimum, value);
	summary->maximum = fmax(summary->maximum, value);
	rg_sum_add(sum, value);
}

rg_error *rg_series_summarise(rg_series_summary *out, const rg_metric *series)
{
	double values[BLOCK];
	rg_sum sum = {0};

	*out = (rg_series_summary){0, NAN, NAN, NAN, NAN};
	for (size_t first = 0; first < series->count; first += BLOCK) {
		size_t left = series->count - first, count = left < BLOCK ? left : BLOCK;
		RG_TRY(rg_metric_read(series, first, count, values));
		for (size_t i = 0; i < count; i++)
			count_value(out, &sum, values[i]);
	}
	if (series->count > out->not_finite)
		out->mean = rg_sum_total(&sum) / (double)(series->count - out->not_finite);
	return NULL;
}
