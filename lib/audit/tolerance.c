#include "audit/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Under it a mean is no yardstick. */
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

	/* An infinite one is none. */
	tolerance->relative = rg_round_places(fmin(relative, DBL_MAX), 4);
	tolerance->absolute = fmin(absolute, DBL_MAX);
}

bool rg_tolerance_is_measured(const rg_tolerance *tolerance)
{
	return tolerance->runs >= RG_TOLERANCE_RUNS_MIN;
}

bool rg_tolerance_is_tighter_than_spread(const rg_tolerance *tolerance)
{
	return tolerance->relative < tolerance->max_relative ||
	       tolerance->absolute < tolerance->max_absolute;
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
