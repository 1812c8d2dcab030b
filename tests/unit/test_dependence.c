/* SPDX-License-Identifier: Apache-2.0 */
/* Trend and autocorrelation of runs; the figures were computed elsewhere: by all orders, in whole
 * numbers, and by the formulas in Python. */
#include "unit/unit.h"

#include "audit/dependence.h"
#include "audit/statistics.h"

#include <math.h>
#include <string.h>

static void hold(double is, double wanted)
{
	if (!(fabs(is - wanted) <= 1e-12 * fmax(1, fabs(wanted))))
		fail_msg("%.17g, not %.17g", is, wanted);
}

static void hold_all(const double *values, size_t count, double trend, double p, double lag1)
{
	rg_dependence found;

	rg_dependence_find(&found, values, count);
	assert_int_equal(found.count, count);
	hold(found.trend, trend);
	if (!(fabs(found.p - p) <= 1e-10 * p))
		fail_msg("p is %.17g, not %.17g", found.p, p);
	hold(found.lag1, lag1);
}

TEST(few_values_by_all_their_orders)
{
	const double rising[] = {1, 2, 3, 4, 5, 6, 7}, about[] = {3, 1, 2, 5, 4, 7, 6.5, 8};
	const double flat[] = {2, 9, 1, 8, 3, 7, 4}, falling[] = {9, 7, 8, 5, 6, 3, 4, 1};

	hold_all(rising, 7, 1, 0.0003968253968253968, 0.5714285714285714);
	hold_all(about, 8, 0.7142857142857143, 0.014136904761904762, 0.48214285714285715);
	hold_all(flat, 7, 0.047619047619047616, 1, -0.8571428571428571);
	hold_all(falling, 8, -0.7857142857142857, 0.005505952380952381, 0.3630952380952381);
}

TEST(ties_and_many_by_the_normal_distribution)
{
	const double tied[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6};
	const double two[] = {0, 1, 0, 1, 0, 1, 0, 1, 1, 1};
	double many[51];
	size_t i;

	hold_all(tied, 12, 0.8939393939393939, 5.102194460315935e-05, 0.7212230215827338);
	hold_all(two, 10, 0.26666666666666666, 0.24095466870157017, -0.5666666666666667);
	for (i = 0; i < 51; i++)
		many[i] = (double)(i * 19 % 50) + (double)i * 0.703125;
	/* The last count for which orders are counted, and the first for which they are not. */
	hold_all(many, 50, 0.4089795918367347, 1.6801135336278633e-05, 0.033925570228091236);
	hold_all(many, 51, 0.3819607843137255, 7.900628092280463e-05, 0.017285067873303167);
}

TEST(nothing_is_said_of_equal_values)
{
	const double equal[] = {3, 3, 3, 3, 3, 3}, huge[] = {1e308, -1e308, 1e308, -1e308};
	const double wild[] = {1, 2, 3, 4, 5, 6, 7, 1e9};
	rg_dependence found;

	rg_dependence_find(&found, equal, 6);
	assert_true(isnan(found.trend) && isnan(found.p) && isnan(found.lag1));
	assert_false(rg_dependence_drifts(&found, 1));
	rg_dependence_find(&found, NULL, 0);
	assert_true(isnan(found.p) && !rg_dependence_drifts(&found, 1));
	rg_dependence_find(&found, huge, 4);
	hold(found.lag1, -0.75);
	rg_dependence_find(&found, wild, 8);
	assert_true(found.lag1 > 0.5);
	memset(&found, 0, sizeof(found));
	assert_false(rg_dependence_drifts(&found, 1));
}

/* Five runs can never show it, six can. */
TEST(drift_is_a_p_of_one_percent)
{
	const double rising[] = {1, 2, 3, 4, 5, 6};
	rg_dependence found;

	rg_dependence_find(&found, rising, 5);
	assert_false(rg_dependence_drifts(&found, 1));
	rg_dependence_find(&found, rising, 6);
	assert_true(rg_dependence_drifts(&found, 1));
	/* Of so many series some do by chance. */
	assert_false(rg_dependence_drifts(&found, 1000000));
}

/* Of thousands of runs the newest are looked at. */
TEST(the_newest_count)
{
	double values[2 * RG_DEPENDENCE_MAX];
	rg_dependence found;
	size_t i;

	for (i = 0; i < 2 * RG_DEPENDENCE_MAX; i++)
		values[i] = i < RG_DEPENDENCE_MAX ? (double)i : 7;
	rg_dependence_find(&found, values, 2 * RG_DEPENDENCE_MAX);
	assert_int_equal(found.count, RG_DEPENDENCE_MAX);
	assert_false(rg_dependence_drifts(&found, 1));
}

/* Noise without a course of its own, -1 … 1. */
static double noise_of(size_t i)
{
	rg_random random = {i};
	return (double)rg_random_below(&random, 2001) / 1000 - 1;
}

TEST(levels_are_told_from_drift)
{
	double values[30], walk = 0;
	size_t i;

	for (i = 0; i < 30; i++)
		values[i] = noise_of(i) + (i < 27 ? 0 : 20);
	assert_true(rg_dependence_is_levels(values, 30));
	for (i = 0; i < 30; i++)
		values[i] = noise_of(i) + 4 * (double)(i / 10);
	assert_true(rg_dependence_is_levels(values, 30));
	for (i = 0; i < 30; i++)
		values[i] = i < 12 ? 1 : 2;
	assert_true(rg_dependence_is_levels(values, 30));
	for (i = 0; i < 30; i++)
		values[i] = noise_of(i) + 0.4 * (double)i;
	assert_false(rg_dependence_is_levels(values, 30));
	for (i = 0; i < 30; i++)
		values[i] = (double)i;
	assert_false(rg_dependence_is_levels(values, 30));
	/* It follows the one before, and goes nowhere. */
	for (i = 0; i < 30; i++)
		values[i] = walk = 0.9 * walk + noise_of(i);
	assert_false(rg_dependence_is_levels(values, 30));
}
