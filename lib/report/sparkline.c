/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sparkline.h"

#include <math.h>

enum { LEVELS = 8 };

void rg_sparkline_fit(rg_sparkline_scale *scale, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i]))
			continue;
		scale->low = fmin(scale->low, values[i]);
		scale->high = fmax(scale->high, values[i]);
	}
}

/* The mean of the finite values; NaN where there is none. */
static double mean(const double *values, size_t count)
{
	double sum = 0;
	size_t finite = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i])) {
			finite++;
			sum += (values[i] - sum) / (double)finite; /* running: never overflows */
		}
	return finite ? sum : NAN;
}

static int level_of(double value, const rg_sparkline_scale *scale)
{
	/* Halved, so that the span of the largest doubles is finite too. */
	double span = scale->high / 2 - scale->low / 2;
	double part = span > 0 ? (value / 2 - scale->low / 2) / span : 0.5;

	return part <= 0 ? 0 : part >= 1 ? LEVELS - 1 : (int)(part * LEVELS);
}

void rg_sparkline(rg_buf *out, const double *values, size_t count, const rg_sparkline_scale *scale)
{
	static const char *const blocks[LEVELS] = {"\u2581", "\u2582", "\u2583", "\u2584",
						   "\u2585", "\u2586", "\u2587", "\u2588"};
	static const char ascii[LEVELS + 1] = "_.-~=+*#";
	size_t width = count < scale->width ? count : scale->width;

	for (size_t i = 0; i < width; i++) {
		size_t first = i * count / width, last = (i + 1) * count / width;
		double value = mean(values + first, last - first);

		if (isnan(value))
			rg_buf_char(out, '!');
		else if (scale->utf8)
			rg_buf_str(out, blocks[level_of(value, scale)]);
		else
			rg_buf_char(out, ascii[level_of(value, scale)]);
	}
}
