/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/series_summary.h"

#include "base/sum.h"

#include <math.h>

enum { BLOCK = 4096 };

rg_error *rg_series_summarise(rg_series_summary *out, const rg_metric *series)
{
	double values[BLOCK];
	rg_sum sum = {0};

	*out = (rg_series_summary){0, NAN, NAN, NAN, NAN};
	for (size_t first = 0; first < series->count; first += BLOCK) {
		size_t left = series->count - first, count = left < BLOCK ? left : BLOCK;
		RG_TRY(rg_metric_read(series, first, count, values));
		for (size_t i = 0; i < count; i++) {
			out->last = isfinite(values[i]) ? values[i] : NAN;
			if (!isfinite(values[i])) {
				out->not_finite++;
				continue;
			}
			/* fmin and fmax pass over the NaN of the beginning. */
			out->minimum = fmin(out->minimum, values[i]);
			out->maximum = fmax(out->maximum, values[i]);
			rg_sum_add(&sum, values[i]);
		}
	}
	if (series->count > out->not_finite)
		out->mean = rg_sum_total(&sum) / (double)(series->count - out->not_finite);
	return NULL;
}
