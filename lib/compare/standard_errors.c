/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/standard_errors.h"

#include <math.h>

/* 0 where it is not known. */
static double error_at(const rg_metric *metric, size_t i)
{
	double error = metric->errors ? metric->errors[i] : NAN;
	return isfinite(error) ? error : 0;
}

double rg_standard_errors(const rg_metric *old, const rg_metric *fresh)
{
	double largest = NAN;
	size_t i = 0, k = 0;

	if ((!old->errors && !fresh->errors) || !old->values || !fresh->values)
		return NAN;
	while (i < old->count && k < fresh->count) {
		int64_t left = rg_metric_step(old, i), right = rg_metric_step(fresh, k);
		if (left == right) {
			double error = hypot(error_at(old, i), error_at(fresh, k));
			if (error > 0)
				largest = fmax(largest,
					       fabs(old->values[i] - fresh->values[k]) / error);
		}
		i += left <= right;
		k += right <= left;
	}
	return largest;
}
