/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "audit/tolerance.h"

#include <math.h>
#include <string.h>

static const rg_tolerance_options usual = {1.5, 0, 0};

static rg_tolerance of(const double *values, size_t count, double multiplier)
{
	const rg_tolerance_options options = {multiplier, 0, 0};
	rg_tolerance tolerance;
	rg_sample sample;

	rg_sample_describe(&sample, values, count);
	rg_tolerance_init(&tolerance, RG_TOLERANCE_BY_STEP);
	rg_tolerance_add(&tolerance, &sample);
	rg_tolerance_finish(&tolerance, &options);
	return tolerance;
}

TEST(relative)
{
	const double values[] = {90, 100, 110}, same[] = {4, 4};
	rg_tolerance tolerance = of(values, 3, 1.5);

	assert_true(tolerance.max_relative == 0.1);
	assert_true(tolerance.relative == 0.15);
	assert_true(tolerance.absolute == 1e-6);
	assert_int_equal(tolerance.included, 1);
	/* Never under 0.001. */
	assert_true(of(same, 2, 1.5).relative == 0.001);
}

TEST(absolute_where_the_mean_is_no_yardstick)
{
	const double values[] = {-3, 3}, tiny[] = {-1e-8, 1e-8};
	const double huge[] = {-1.7e308, 1.7e308};

	assert_true(of(values, 2, 1.5).max_relative == 0);
	assert_true(of(values, 2, 1.5).absolute == 4.5);
	assert_true(of(values, 2, 1.5).relative == 0.001);
	assert_true(of(tiny, 2, 1.5).absolute == 1e-6);
	assert_true(isfinite(of(huge, 2, 1.5).absolute));
}

TEST(figures)
{
	double time[] = {9, 1, 3, 2}, memory[] = {50, 10, 30}, one[] = {7};
	const double original[] = {9, 1, 3, 2};

	assert_true(rg_tolerance_figure(RG_TOLERANCE_BY_MEDIAN, time, 4, 0) == 2.5);
	memcpy(time, original, sizeof(time));
	assert_true(rg_tolerance_figure(RG_TOLERANCE_BY_MEDIAN, time, 4, 1) == 2);
	assert_true(isnan(rg_tolerance_figure(RG_TOLERANCE_BY_MEDIAN, time, 4, 4)));
	assert_true(isnan(rg_tolerance_figure(RG_TOLERANCE_BY_MEDIAN, time, 4, INT64_MAX)));
	assert_true(rg_tolerance_figure(RG_TOLERANCE_BY_MAX, memory, 3, 10) == 30);
	assert_true(rg_tolerance_figure(RG_TOLERANCE_BY_MAX, one, 1, 0) == 7);
	assert_true(isnan(rg_tolerance_figure(RG_TOLERANCE_BY_MAX, one, 0, 0)));
}

TEST(tighter_than_the_spread)
{
	const double values[] = {90, 100, 110}, about_zero[] = {-3, 3};
	rg_tolerance tolerance = of(values, 3, 0.5);

	assert_true(rg_tolerance_is_tighter_than_spread(&tolerance));
	tolerance = of(values, 3, 1);
	assert_false(rg_tolerance_is_tighter_than_spread(&tolerance));
	tolerance = of(about_zero, 2, 0.5);
	assert_true(rg_tolerance_is_tighter_than_spread(&tolerance));
	tolerance = of(about_zero, 2, 1);
	assert_false(rg_tolerance_is_tighter_than_spread(&tolerance));
}

TEST(kinds)
{
	rg_tolerance tolerance;
	rg_sample nothing;

	assert_int_equal(rg_tolerance_kind_of("iteration-time"), RG_TOLERANCE_BY_MEDIAN);
	assert_int_equal(rg_tolerance_kind_of("mem-max-allocated-bytes"), RG_TOLERANCE_BY_MAX);
	assert_int_equal(rg_tolerance_kind_of("lm loss"), RG_TOLERANCE_BY_STEP);
	assert_int_equal(rg_tolerance_kind_of("memory"), RG_TOLERANCE_BY_STEP);
	assert_int_equal(rg_tolerance_kind_of("iteration-time-2"), RG_TOLERANCE_BY_STEP);
	assert_string_equal(rg_tolerance_kind_text(RG_TOLERANCE_BY_MAX), "maximum");
	/* Nothing taken in. */
	rg_sample_describe(&nothing, NULL, 0);
	rg_tolerance_init(&tolerance, RG_TOLERANCE_BY_STEP);
	rg_tolerance_add(&tolerance, &nothing);
	rg_tolerance_finish(&tolerance, &usual);
	assert_int_equal(tolerance.included, 0);
	assert_true(tolerance.relative == 0.001);
}

/* Runs whose only step is 100 and so much more: a pair's need is easily counted. */
static rg_tolerance by_rate(const double *values, size_t runs, double rate)
{
	rg_tolerance tolerance;

	rg_tolerance_init(&tolerance, RG_TOLERANCE_BY_STEP);
	rg_tolerance_by_rate(&tolerance, values, runs, 1, rate);
	return tolerance;
}

TEST(by_the_rate_of_failures)
{
	double values[24], alike[9];
	rg_tolerance tolerance;
	size_t i;

	for (i = 0; i < 24; i++)
		values[i] = 100 + (double)(i % 8);
	values[5] = 200;
	/* At 5 % five pairs of 552 are left out: (24 F + 1) / 25. */
	tolerance = by_rate(values, 24, 0.05);
	assert_true(tolerance.by_rate && !tolerance.by_theory);
	assert_true(tolerance.relative > 0.9 && tolerance.relative < 1);
	assert_true(tolerance.absolute == 1e-6);
	assert_true(tolerance.fail_low == 0 && tolerance.fail_high > 0.1);
	/* At 20 % the pairs of that run are: a twelfth of them, also of those of an older and a
	 * newer run, of which 12 newer ones cannot show 15 %. */
	tolerance = by_rate(values, 24, 0.2);
	assert_true(tolerance.relative <= 0.07 && tolerance.relative >= 0.05);
	tolerance = by_rate(values, 24, 0.15);
	assert_true(tolerance.relative > 0.45);
	assert_true(tolerance.older == 12 && tolerance.newer == 12);
	/* 9 runs cannot show 5 %; more than the largest need is taken then. */
	tolerance = by_rate(values + 6, 9, 0.05);
	assert_true(tolerance.by_theory && tolerance.relative >= 0.07);
	/* Runs that agree need nothing, and four say nothing. */
	for (i = 0; i < 9; i++)
		alike[i] = 3;
	assert_true(by_rate(alike, 9, 0.05).relative == 0);
	assert_true(isinf(by_rate(values, 4, 0.05).relative));
}

/* Later runs are off: what the older ones need does not do, and what is proposed does. */
TEST(tested_on_later_runs)
{
	double values[24];
	rg_tolerance tolerance;

	for (size_t i = 0; i < 24; i++)
		values[i] = 100 + (double)(i * 7 % 5) + (i < 20 ? 0 : 10);
	tolerance = by_rate(values, 24, 0.1);
	/* Four of the twelve newer ones, whichever older one is the golden. */
	assert_true(tolerance.newer == 12 && tolerance.failed == 4);
	assert_true(tolerance.relative >= 0.12);
	rg_tolerance_bound(&tolerance, false, 1);
	assert_true(tolerance.failed_later && tolerance.not_bounded);
	/* Some of very many tolerances fail so many by chance. */
	tolerance.chance = 0.04;
	rg_tolerance_bound(&tolerance, false, 2);
	assert_false(tolerance.failed_later || tolerance.not_bounded);
	rg_tolerance_bound(&tolerance, true, 2);
	assert_true(!tolerance.failed_later && tolerance.not_bounded);
	/* Wherever the same runs come, they pass. */
	for (size_t i = 0; i < 24; i++)
		values[i] = 100 + (double)(i * 7 % 5) + (i % 6 ? 0 : 10);
	tolerance = by_rate(values, 24, 0.1);
	assert_true(tolerance.newer == 12 && tolerance.failed <= 1 && tolerance.chance == 1);
	/* Nine runs have no halves. */
	assert_int_equal(by_rate(values, 9, 0.1).newer, 0);
}
