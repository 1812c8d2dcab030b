/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "audit/tolerance.h"
#include "audit/statistics.h"

#include <math.h>

enum { RUNS_MAX = 120, STEPS = 6 };

static void make(double *values, size_t runs, uint64_t seed)
{
	rg_random random = {seed};
	size_t i;

	for (i = 0; i < runs * STEPS; i++)
		values[i] = 3 * (1 + 1e-9 * (double)rg_random_below(&random, 1000000));
}

/* The share of pairs of one of the first `goldens` runs and one from `from` on that need more than
 * a tolerance. */
static double failing(const double *values, size_t goldens, size_t from, size_t runs,
		      const rg_tolerance *t, double relative)
{
	size_t golden, fresh, s, count = 0, all = 0;

	for (golden = 0; golden < goldens; golden++)
		for (fresh = from; fresh < runs; fresh++) {
			bool fails = false;

			for (s = 0; s < STEPS; s++) {
				double a = values[golden * STEPS + s];

				fails |= fabs(values[fresh * STEPS + s] - a) >
					 t->absolute + relative * fabs(a);
			}
			count += fails;
			all += golden != fresh;
		}
	return (double)count / (double)all;
}

/* For all of 24 runs, and for the twelve newer ones. */
static bool holds(const double *values, const rg_tolerance *t, double relative, double rate)
{
	return (24 * failing(values, 24, 0, 24, t, relative) + 1) / 25 <= rate &&
	       (12 * failing(values, 12, 12, 24, t, relative) + 1) / 13 <= fmax(rate, 1.0 / 13);
}

/* (n F + 1) / (n + 1) is at most the rate, and is over it with any smaller tolerance. */
TEST(the_smallest_that_holds)
{
	static const double rates[] = {0.05, 0.1, 0.2};
	double values[24 * STEPS];
	rg_tolerance found = {0};
	size_t i;

	make(values, 24, 5);
	for (i = 0; i < 3; i++) {
		double by = 1e-9;

		rg_tolerance_by_rate(&found, values, 24, STEPS, rates[i]);
		assert_false(found.by_theory);
		assert_int_equal(found.runs, 24);
		assert_true(holds(values, &found, found.relative * (1 + by), rates[i]));
		assert_false(holds(values, &found, found.relative * (1 - by), rates[i]));
		assert_true(found.fail_low >= 0 && found.fail_low < rates[i] &&
			    found.fail_high > rates[i] / 2 && found.fail_high <= 1);
	}
}

/* Rates under 1 / (n + 1) are the theory's: never less than what was seen. */
TEST(too_few_for_the_rate)
{
	double values[19 * STEPS];
	rg_tolerance found = {0}, wider = {0};

	make(values, 19, 6);
	rg_tolerance_by_rate(&found, values, 19, STEPS, 0.05);
	assert_false(found.by_theory);
	rg_tolerance_by_rate(&found, values, 18, STEPS, 0.05);
	assert_true(found.by_theory);
	assert_true(failing(values, 18, 0, 18, &found, found.relative * (1 + 1e-9)) == 0);
	rg_tolerance_by_rate(&wider, values, 18, STEPS, 0.001);
	assert_true(wider.relative > found.relative);
	rg_tolerance_by_rate(&found, values, 4, STEPS, 0.05);
	assert_true(isinf(found.relative) && isinf(found.absolute));
	assert_true(found.fail_low == 0 && found.fail_high == 1);
}

/* Runs that agree to the bit may still differ the next time. */
TEST(runs_that_agree)
{
	double values[24 * STEPS];
	rg_tolerance found = {0};
	size_t i;

	for (i = 0; i < 24 * STEPS; i++)
		values[i] = i % STEPS ? 2 : 0;
	rg_tolerance_by_rate(&found, values, 24, STEPS, 0.05);
	assert_true(found.relative == 0);
	assert_true(found.absolute == 1e-6);
	assert_true(found.fail_low == 0);
	assert_true(fabs(found.fail_high - (1 - pow(0.05, 1.0 / 23))) < 1e-12);
	/* Where most are zero, the range is the absolute tolerance. */
	values[3 * STEPS] = -0.25;
	values[4 * STEPS] = 0.5;
	rg_tolerance_by_rate(&found, values, 24, STEPS, 0.05);
	assert_true(found.absolute == 0.75);
	assert_true(found.relative == 0);
}

TEST(the_newest_count)
{
	static double values[RUNS_MAX * STEPS];
	rg_tolerance all = {0}, newest = {0};
	size_t i;

	make(values, RUNS_MAX, 8);
	for (i = 0; i < 20 * STEPS; i++)
		values[i] *= 7;
	rg_tolerance_by_rate(&all, values, RUNS_MAX, STEPS, 0.05);
	rg_tolerance_by_rate(&newest, values + 20 * STEPS, 100, STEPS, 0.05);
	assert_true(all.relative == newest.relative && all.fail_high == newest.fail_high);
}

/* Two modes that are 1 % apart: what fits them to a lognormal curve would be 0.457. */
TEST(modes_are_no_reason_for_wide_ones)
{
	double values[10 * STEPS];
	rg_tolerance found = {0};

	for (size_t r = 0; r < 10; r++)
		for (size_t s = 0; s < STEPS; s++)
			values[r * STEPS + s] = 100 + (r % 2 ? 1 : 0) + 1e-3 * (double)r;
	rg_tolerance_by_rate(&found, values, 10, STEPS, 0.05);
	assert_true(found.by_theory);
	/* From 100 to 101.009 is 0.01009 of 100, less what is absolute. */
	assert_true(found.relative > 0.01008 && found.relative <= 2 * 0.01009);
}
