/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/tolerance.h"

#include "audit/fail_rate.h"
#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under it, deviations relative to a mean say nothing. */
#define MEAN_MIN     1e-9
#define RELATIVE_MIN 0.001
#define ABSOLUTE_MIN 1e-6

rg_tolerance_kind rg_tolerance_kind_of(const char *metric)
{
	if (!strcmp(metric, "iteration-time"))
		return RG_TOLERANCE_BY_MEDIAN;
	if (!strncmp(metric, "mem-", 4))
		return RG_TOLERANCE_BY_MAX;
	return RG_TOLERANCE_BY_STEP;
}

const char *rg_tolerance_kind_text(rg_tolerance_kind kind)
{
	static const char *const texts[] = {"step", "median", "maximum"};
	return texts[kind];
}

void rg_tolerance_init(rg_tolerance *tolerance, rg_tolerance_kind kind)
{
	*tolerance = (rg_tolerance){.kind = kind};
}

void rg_tolerance_add(rg_tolerance *tolerance, const rg_sample *sample)
{
	double out;
	if (!sample->count)
		return;
	tolerance->included += tolerance->kind == RG_TOLERANCE_BY_STEP ? 1 : sample->count;
	tolerance->runs = sample->count > tolerance->runs ? sample->count : tolerance->runs;
	if (fabs(sample->mean) > MEAN_MIN) {
		out = fmax(fabs(sample->max - sample->mean), fabs(sample->min - sample->mean));
		tolerance->max_relative = fmax(tolerance->max_relative, out / fabs(sample->mean));
	} else {
		out = fmax(fabs(sample->max), fabs(sample->min));
		tolerance->max_absolute = fmax(tolerance->max_absolute, out);
	}
}

void rg_tolerance_finish(rg_tolerance *tolerance, const rg_tolerance_options *options)
{
	double relative = fmax(tolerance->max_relative * options->multiplier, RELATIVE_MIN);
	double absolute = fmax(tolerance->max_absolute * options->multiplier, ABSOLUTE_MIN);

	/* An infinite tolerance would let everything pass. */
	tolerance->relative = rg_round_places(fmin(relative, DBL_MAX), 4);
	tolerance->absolute = fmin(absolute, DBL_MAX);
}

/* Upwards, to three digits. */
static double round_up(double value)
{
	char text[32];
	if (!(value > 0) || !isfinite(value))
		return value;
	snprintf(text, sizeof(text), "%.2e", value);
	if (strtod(text, NULL) < value)
		snprintf(text, sizeof(text), "%.2e",
			 strtod(text, NULL) + pow(10, floor(log10(value)) - 2));
	return strtod(text, NULL);
}

void rg_tolerance_by_rate(rg_tolerance *tolerance, const double *values, size_t runs, size_t steps,
			  double rate)
{
	rg_fail_tolerance found;
	rg_fail_tolerance_find(&found, values, runs, steps, rate);
	tolerance->by_rate = true;
	tolerance->by_theory = found.normal;
	tolerance->fail_low = found.low;
	tolerance->fail_high = found.high;
	tolerance->relative = round_up(found.relative);
	tolerance->absolute = round_up(found.absolute);
	tolerance->runs = found.runs;
}

bool rg_tolerance_is_measured(const rg_tolerance *tolerance)
{
	return tolerance->runs >= RG_TOLERANCE_RUNS_MIN && isfinite(tolerance->relative);
}

bool rg_tolerance_is_tighter_than_spread(const rg_tolerance *tolerance)
{
	return !tolerance->by_rate && (tolerance->relative < tolerance->max_relative ||
				       tolerance->absolute < tolerance->max_absolute);
}

double rg_tolerance_figure(rg_tolerance_kind kind, double *values, size_t count, int64_t start_step)
{
	size_t skip = 0, i;
	double max;

	if (kind == RG_TOLERANCE_BY_MEDIAN) {
		if (start_step > 0)
			skip = (uint64_t)start_step < count ? (size_t)start_step : count;
		return rg_median(values + skip, count - skip);
	}
	if (!count)
		return NAN;
	skip = count > 1 ? 1 : 0; /* the first step is warm-up */
	for (max = values[skip], i = skip; i < count; i++)
		max = fmax(max, values[i]);
	return max;
}

static void set_entry(rg_policy_entry *entry, const char *key, double value)
{
	char text[RG_DOUBLE_REPR_SIZE];
	entry->key = key;
	rg_double_repr(value, text);
	snprintf(entry->value, sizeof(entry->value), "%s", text);
}

size_t rg_policy_entries(rg_policy_entry out[static RG_POLICY_ENTRIES],
			 const rg_tolerance *tolerance)
{
	size_t count = 0;
	out[count++] = (rg_policy_entry){"kind", "combined"};
	set_entry(&out[count++], "rtol", tolerance->relative);
	set_entry(&out[count++], "atol", tolerance->absolute);
	if (tolerance->kind == RG_TOLERANCE_BY_MEDIAN)
		out[count++] = (rg_policy_entry){"aggregate", "median"};
	if (tolerance->kind == RG_TOLERANCE_BY_MAX)
		out[count++] = (rg_policy_entry){"aggregate", "max"};
	if (tolerance->first_step > 0) {
		out[count].key = "steps";
		snprintf(out[count].value, sizeof(out[count].value), "%" PRId64 "..",
			 tolerance->first_step);
		count++;
	}
	return count;
}

rg_error *rg_policy_pattern(char **out, const char *metric)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (; *metric; metric++) {
		if (strchr("*?[\\", *metric))
			rg_buf_char(&text, '\\');
		rg_buf_char(&text, *metric);
	}
	rg_error *err = rg_buf_check(&text, "metric name");
	*out = err ? NULL : rg_buf_detach(&text);
	rg_buf_release(&text);
	return err;
}
