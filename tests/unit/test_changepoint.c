/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "audit/changepoint.h"
#include "audit/statistics.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static rg_change_nulls *nulls;

static rg_changepoint find(const double *values, size_t count)
{
	rg_changepoint change;

	rg_changepoint_find(&change, nulls, values, count, 9999);
	return change;
}

/* The normal-theory p of short sequences, by another way: Bonferroni over two-sample t tests, whose
 * tail is integrated. */
static double t_tail(double t, double freedom)
{
	double sum = 0, step = 1e-4, x;

	/* With x = t / sqrt(freedom) * tan … the density is cos^(freedom - 1). */
	for (x = atan(t / sqrt(freedom)) + step / 2; x < acos(-1) / 2; x += step)
		sum += pow(cos(x), freedom - 1) * step;
	return 2 * sum * tgamma((freedom + 1) / 2) / (sqrt(acos(-1)) * tgamma(freedom / 2));
}

static double largest_t(const double *values, size_t count)
{
	double largest = 0;
	size_t k, i;

	for (k = 2; k + 2 <= count; k++) {
		double left = 0, right = 0, squares = 0;

		for (i = 0; i < count; i++)
			*(i < k ? &left : &right) += values[i];
		left /= (double)k;
		right /= (double)(count - k);
		for (i = 0; i < count; i++)
			squares += pow(values[i] - (i < k ? left : right), 2);
		squares *= (1 / (double)k + 1 / (double)(count - k)) / (double)(count - 2);
		largest = fmax(largest, fabs(left - right) / sqrt(squares));
	}
	return largest;
}

TEST(short_sequences_are_normal)
{
	static const double step[] = {1, 2, 3, 4, 11, 12.5, 13, 14};
	static const double five[] = {1, 1.1, 1.3, 2, 2.2};
	static const double mixed[] = {3, 1, 2, 2, 9, 3, 4, 1, 5};
	static const double *const all[] = {step, five, mixed};
	static const size_t counts[] = {COUNT(step), COUNT(five), COUNT(mixed)};
	size_t i;

	for (i = 0; i < 3; i++) {
		rg_changepoint change = find(all[i], counts[i]);
		double n = (double)counts[i];
		double p = fmin(1, (n - 3) * t_tail(largest_t(all[i], counts[i]), n - 2));

		assert_int_equal(change.test, RG_CHANGE_NORMAL);
		if (fabs(change.p - p) > 1e-4 * p)
			fail_msg("%zu values: p is %.12g, integrated %.12g", counts[i], change.p,
				 p);
	}
}

/* Seven runs that agree to the bit but for the last two show less than normal noise would say. */
TEST(sides_without_noise)
{
	static const double flips[] = {1, 1, 1, 1, 1, 2, 2};
	double p = find(flips, COUNT(flips)).p;

	if (fabs(p - 4 * 2 / 21.0) > 1e-9)
		fail_msg("p is %g", p);
}

TEST(where_the_break_is)
{
	const double step[] = {1.1, 1.2, 1.05, 1.15, 1.12, 3.1, 3.2, 3.05, 3.15};
	const double late[] = {5, 1, 4, 2, 6, 3, 7, 5.5, 2.5, 4.5, 1.5, 3.5, 90, 91, 92};
	const double alternating[] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
	rg_changepoint change = find(step, COUNT(step));

	assert_int_equal(change.test, RG_CHANGE_NORMAL);
	assert_int_equal(change.at, 5);
	assert_true(change.p < 0.03);
	change = find(late, COUNT(late));
	assert_int_equal(change.at, 12);
	assert_true(change.p < 0.05);
	assert_true(find(alternating, COUNT(alternating)).p > 0.9);
}

/* The run before a break is the one of its side that is nearest to the other. */
TEST(a_clear_gap_is_the_place)
{
	static const double up[] = {1, 1.1, 1.2, 1.05, 1.15, 1.3, 9, 9.1, 9.2};
	static const double down[] = {9, 9.2, 9.1, 8.9, 1, 1.1, 1.2, 1.05, 1.15, 1.3, 1.25};
	static const double wide[] = {1, 5, 4, 2, 3, 6, 8, 9, 10};
	double early[11];
	size_t i;

	assert_int_equal(find(up, 9).at, 6);
	assert_int_equal(find(down, 11).at, 4);
	for (i = 0; i < 11; i++)
		early[i] = down[10 - i];
	assert_int_equal(find(early, 11).at, 7);
	assert_int_equal(find(wide, 9).at, 5); /* no gap: where the ranks have it */
}

TEST(what_cannot_be_tested)
{
	const double equal[] = {2, 2, 2, 2, 2, 2}, three[] = {1, 2, 3};

	assert_int_equal(find(equal, COUNT(equal)).test, RG_CHANGE_UNTESTED);
	assert_true(find(equal, COUNT(equal)).p == 1);
	assert_int_equal(find(three, COUNT(three)).test, RG_CHANGE_UNTESTED);
	assert_int_equal(find(three, 0).test, RG_CHANGE_UNTESTED);
	assert_int_equal(find(three, 1).test, RG_CHANGE_UNTESTED);
}

/* A long step must reach the smallest p that can be had. */
TEST(sampled_p)
{
	double values[1000];
	rg_random random = {7};
	size_t i;

	for (i = 0; i < 1000; i++)
		values[i] = (double)rg_random_below(&random, 1000000) + (i < 700 ? 0 : 400000);
	assert_true(find(values, 1000).p < 0.001);
	assert_true(find(values, 1000).at > 650 && find(values, 1000).at < 750);
	for (i = 0; i < 40; i++)
		values[i] = (double)(i * 7 % 10) + (i < 30 ? 0 : 50);
	assert_true(find(values, 40).p <= 2e-4);
	assert_int_equal(find(values, 40).at, 30);
	/* The same answer each time. */
	assert_true(find(values, 40).p == find(values, 40).p);
}

/* False alarms among 2,000 sequences without a break, at three levels, with and without ties. */
static void hold_level(size_t count, uint64_t distinct, uint64_t seed)
{
	const double levels[] = {0.1, 0.05, 0.01};
	size_t alarms[3] = {0}, round, i;
	rg_random random = {seed};

	for (round = 0; round < 2000; round++) {
		double values[32];
		rg_changepoint change;

		for (i = 0; i < count; i++)
			values[i] = (double)rg_random_below(&random, distinct);
		change = find(values, count);
		for (i = 0; i < 3; i++)
			alarms[i] += change.p <= levels[i];
	}
	/* At or under the level, give or take three standard deviations of the count itself. */
	for (i = 0; i < 3; i++) {
		double expected = 2000 * levels[i];

		if ((double)alarms[i] > expected + 3 * sqrt(expected * (1 - levels[i])))
			fail_msg("%zu values of %llu: %zu of 2000 alarms at %g", count,
				 (unsigned long long)distinct, alarms[i], levels[i]);
	}
}

TEST(false_alarms_stay_under_the_level)
{
	hold_level(12, 1u << 30, 11);
	hold_level(13, 3, 12);
	hold_level(24, 1u << 30, 13);
	hold_level(30, 2, 14);
}

/* Tarone's own argument: a test that cannot reach rate / K is not one of K. */
TEST(tests_that_cannot_count_do_not)
{
	double few[] = {0, 0, 0, 1, 1, 1, 1}, all[] = {0, 0, 0, 0}, none[] = {1, 1};
	double mixed[] = {0.01, 0.02, 0.02, 0.02};

	assert_int_equal(rg_tests_that_count(few, COUNT(few), 0.05), 3);
	assert_int_equal(rg_tests_that_count(all, COUNT(all), 0.05), 4);
	assert_int_equal(rg_tests_that_count(none, COUNT(none), 0.05), 1);
	/* At 0.05 / 2 all four are able, at 0.05 / 3 one is. */
	assert_int_equal(rg_tests_that_count(mixed, COUNT(mixed), 0.05), 3);
	assert_true(fabs(rg_changepoint_least_p(12) - 4 / 924.0) < 1e-15);
	assert_true(rg_changepoint_least_p(11) == 0);
}

TEST(place_and_shift)
{
	static const double clear[] = {1.1, 1.2,  1.05, 1.15, 1.12, 1.3, 3.1,
				       3.2, 3.05, 3.15, 3.3,  3.12, 3.21};
	static const double none[] = {3, 1, 4, 1.5, 9, 2, 6, 5, 3.5, 8, 9.5, 7};
	static const double older[] = {1, 2, 3}, newer[] = {11, 12.5, 14};
	size_t first, last;
	rg_shift shift;

	rg_changepoint_place(&first, &last, clear, COUNT(clear), 6);
	if (first < 5 || first > 6 || last < 6 || last > 8)
		fail_msg("from %zu to %zu", first, last);
	rg_changepoint_place(&first, &last, none, COUNT(none), 6);
	assert_true(first < 5 && last > 7);
	rg_shift_find(&shift, clear, 6, clear + 6, 7);
	assert_true(shift.size > 1.9 && shift.size < 2.1);
	assert_true(shift.low < shift.size && shift.low > 1.7);
	assert_true(shift.high > shift.size && shift.high < 2.3);
	/* Of nine differences none can be left out: with 95 % it is anything. */
	rg_shift_find(&shift, older, 3, newer, 3);
	assert_true(shift.size == 10.5);
	rg_shift_find(&shift, older, 0, newer, 3);
	assert_true(isnan(shift.size));
}

/* By the formula in regild-noise(7) with mpmath's quantiles of t. */
TEST(the_smallest_break)
{
	static const struct {
		size_t count;
		double level, size;
	} cases[] = {
		{5, 0.05, 5.17074583775569},
		{8, 0.00035, 7.98277437919691},
		{24, 0.0035, 2.23311946294416},
		{51, 3.5e-5, 1.84251355276276},
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		double found = rg_changepoint_smallest(0.5, cases[i].count, cases[i].level, 99999);

		if (fabs(found - cases[i].size / 2) > 1e-11)
			fail_msg("%zu runs: %.15g, not %.15g", cases[i].count, found,
				 cases[i].size / 2);
	}
	/* Too few; and too few for two sides that do not overlap, whatever their distance. */
	assert_true(isinf(rg_changepoint_smallest(1, 4, 0.05, 9999)));
	assert_true(isfinite(rg_changepoint_smallest(1, 12, 0.006, 9999)));
	assert_true(isinf(rg_changepoint_smallest(1, 12, 0.004, 9999)));
	/* The orders that are drawn do not tell so small a p. */
	assert_true(isfinite(rg_changepoint_smallest(1, 24, 1e-5, 999999)));
	assert_true(isinf(rg_changepoint_smallest(1, 24, 1e-5, 9999)));
	/* Without noise any break shows, where runs are enough for one. */
	assert_true(rg_changepoint_smallest(0, 24, 0.005, 9999) == 0);
	assert_true(rg_changepoint_smallest(0, 11, 0.05, 9999) == 0);
	assert_true(isinf(rg_changepoint_smallest(0, 8, 0.05, 9999)));
}

/* The median and the interval are of all differences, as a list of them has it. */
TEST(a_shift_without_a_list)
{
	static double differences[37 * 52];
	double older[37], newer[52];
	rg_random random = {31};
	rg_shift shift;

	for (size_t round = 0; round < 50; round++) {
		size_t n = 4 + round % 34, m = 5 + round * 7 % 48, count = 0;
		double cut = (double)(n * m) / 2 -
			     1.96 * sqrt((double)(n * m) * (double)(n + m + 1) / 12);
		for (size_t i = 0; i < n; i++)
			older[i] = (double)rg_random_below(&random, round % 2 ? 9 : 1u << 30) - 4;
		for (size_t i = 0; i < m; i++)
			newer[i] = (double)rg_random_below(&random, round % 2 ? 9 : 1u << 30);
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < m; j++)
				differences[count++] = newer[j] - older[i];
		qsort(differences, count, sizeof(*differences), rg_compare_doubles);
		rg_shift_find(&shift, older, n, newer, m);
		if (cut >= 0) {
			assert_true(shift.low == differences[(size_t)cut]);
			assert_true(shift.high == differences[count - 1 - (size_t)cut]);
		}
		assert_true(shift.size == rg_median(differences, count));
	}
}

/* A step of 300 standard deviations, in 2,000 series of 10,000 runs: p is at most what their number
 * asks for. With python: 9997 * erfc(z / sqrt(2)) for the largest z of its ranks. */
TEST(a_step_of_very_many_runs)
{
	static double values[10000];
	rg_random random = {8};

	for (size_t i = 0; i < 10000; i++)
		values[i] = (double)rg_random_below(&random, 1u << 30) + (i < 9000 ? 0 : 3e11);
	rg_changepoint change = find(values, 10000);
	assert_int_equal(change.at, 9000);
	assert_true(change.p < 1e-9);
	for (size_t i = 0; i < 10000; i++)
		values[i] = (double)rg_random_below(&random, 1u << 30);
	assert_true(find(values, 10000).p > 0.05);
}

int main(void)
{
	nulls = rg_change_nulls_new();
	int failed = unit_run();
	rg_change_nulls_free(nulls);
	return failed;
}
