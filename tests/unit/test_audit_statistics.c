/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "audit/statistics.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_close(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b))))
		fail_msg("%.17g is not %.17g", a, b);
}

/* Exact values by rational arithmetic. */
TEST(describe)
{
	const double two[] = {1, 2}, large[] = {3404871168, 3434522112, 3433473024};
	const double equal[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
	const double cancelling[] = {1e16, 1, -1e16, 1};
	rg_sample sample;

	rg_sample_describe(&sample, two, 1);
	assert_int_equal(sample.count, 1);
	assert_true(sample.min == 1 && sample.max == 1 && sample.mean == 1 && sample.std == 0);
	rg_sample_describe(&sample, two, 2);
	assert_true(sample.mean == 1.5);
	assert_close(sample.std, 0.7071067811865476);
	rg_sample_describe(&sample, equal, COUNT(equal));
	assert_true(sample.mean == 0.1 && sample.std == 0);
	rg_sample_describe(&sample, large, 3);
	assert_true(sample.mean == 3424288768);
	assert_close(sample.std, 16824313.915519290);
	rg_sample_describe(&sample, cancelling, 4);
	assert_true(sample.mean == 0.5);
	rg_sample_describe(&sample, two, 0);
	assert_int_equal(sample.count, 0);
	assert_true(isnan(sample.mean) && isnan(sample.min));
}

TEST(values_near_both_ends_of_doubles)
{
	const double large[] = {1.5e308, 1.7e308, 1.6e308}, small[] = {1e-200, 3e-200, 2e-200};
	rg_sample sample;

	rg_sample_describe(&sample, large, 3);
	assert_close(sample.mean, 1.6e308);
	assert_close(sample.std, 1e307);
	rg_sample_describe(&sample, small, 3);
	assert_close(sample.mean, 2e-200);
	assert_close(sample.std, 1e-200);
}

TEST(median_deviation)
{
	double values[] = {1, 1, 2, 2, 4, 6, 9}, same[] = {3, 3, 3};

	assert_true(rg_median_deviation(values, 7) == 1);
	assert_true(rg_median_deviation(same, 3) == 0);
}

TEST(rounding_is_by_the_exact_value)
{
	assert_true(rg_round_places(0.023169, 4) == 0.0232);
	/* The double nearest to 0.00005 is above it, that nearest to 2.675 under it. */
	assert_true(rg_round_places(0.00005, 4) == 0.0001);
	assert_true(rg_round_places(2.675, 2) == 2.67);
	assert_true(rg_round_places(0.5, 0) == 0);
	assert_true(rg_round_places(-1.25, 1) == -1.2);
	assert_true(rg_round_places(1.7976931348623157e308, 4) == 1.7976931348623157e308);
	assert_true(isinf(rg_round_places(INFINITY, 4)));
}

TEST(bounds)
{
	assert_true(rg_deterministic_bound(1) == 1);
	assert_close(rg_deterministic_bound(2), 0.95);
	assert_close(rg_deterministic_bound(24), 1 - pow(0.05, 1.0 / 23));
	assert_true(rg_deterministic_bound(0) == 1);
	assert_close(rg_rank_bound(24), 0.04);
	assert_true(rg_rank_bound(0) == 1);
	assert_int_equal(rg_runs_needed(0.1), 9);
	assert_int_equal(rg_runs_needed(0.04), 24);
	assert_int_equal(rg_runs_needed(0.05), 19);
	assert_int_equal(rg_runs_needed(0.01), 99);
	assert_int_equal(rg_runs_needed(1), 1);
}

/* "At most" must be true as it is written. */
TEST(percent_rounds_up)
{
	char text[RG_PERCENT_SIZE];
	size_t n;

	for (n = 1; n < 3000; n++) {
		double bounds[] = {rg_rank_bound(n), rg_deterministic_bound(n)};
		size_t i;

		for (i = 0; i < 2; i++) {
			double written;

			rg_percent_at_most(text, bounds[i]);
			written = strtod(text, NULL);
			if (written < 100 * bounds[i] * (1 - 1e-12) ||
			    written > 100 * bounds[i] * 1.1)
				fail_msg("%zu runs: %s for %.17g", n, text, 100 * bounds[i]);
		}
	}
	rg_percent_at_most(text, 2 * rg_rank_bound(24));
	assert_string_equal(text, "8");
	rg_percent_at_most(text, 2 * rg_rank_bound(26));
	assert_string_equal(text, "7.5");
	rg_percent_at_most(text, 2 * rg_rank_bound(200));
	assert_string_equal(text, "1");
	rg_percent_at_most(text, 1);
	assert_string_equal(text, "100");
	rg_percent_at_most(text, 0);
	assert_string_equal(text, "0");
}

TEST(random_is_the_same_everywhere)
{
	rg_random random = {0};
	size_t seen[7] = {0}, i;

	/* The first outputs of splitmix64 from 0. */
	assert_true(rg_random_next(&random) == 0xe220a8397b1dcdafu);
	assert_true(rg_random_next(&random) == 0x6e789e6aa1b965f4u);
	for (i = 0; i < 70000; i++)
		seen[rg_random_below(&random, 7)]++;
	for (i = 0; i < 7; i++)
		assert_true(seen[i] > 9500 && seen[i] < 10500);
	assert_true(rg_random_below(&random, 1) == 0);
}
