/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/changepoint.h"
#include "audit/statistics.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static rg_changepoint find(const double *values, size_t count)
{
	rg_changepoint change;

	assert_null(rg_changepoint_find(&change, values, count, rg_changepoint_orders(count)));
	return change;
}

/* An oracle of its own: Mann-Whitney's U by counting pairs. */
static double statistic(const double *values, size_t count)
{
	double largest = 0;
	size_t k, i, j;

	for (k = 2; k + 2 <= count; k++) {
		double u = 0;

		for (i = 0; i < k; i++)
			for (j = k; j < count; j++)
				u += (values[i] > values[j]) - (values[i] < values[j]);
		largest = fmax(largest, fabs(u) / sqrt((double)k * (double)(count - k)));
	}
	return largest;
}

/* All orders by Heap's algorithm: how many there are, and how many reach `wanted`. */
static void count_orders(double *values, size_t left, size_t count, double wanted, double *reached,
			 double *orders)
{
	size_t i;

	if (left <= 1) {
		*orders += 1;
		*reached += statistic(values, count) >= wanted * (1 - 1e-12) ? 1 : 0;
		return;
	}
	for (i = 0; i < left; i++) {
		size_t other = left % 2 ? 0 : i;
		double swapped;

		count_orders(values, left - 1, count, wanted, reached, orders);
		swapped = values[other];
		values[other] = values[left - 1];
		values[left - 1] = swapped;
	}
}

static void assert_exact(const double *values, size_t count)
{
	double copy[16], reached = 0, orders = 0;
	rg_changepoint change = find(values, count);

	memcpy(copy, values, count * sizeof(*values));
	count_orders(copy, count, count, statistic(values, count), &reached, &orders);
	if (fabs(change.p - reached / orders) > 1e-9)
		fail_msg("p is %.12g, counted %.12g", change.p, reached / orders);
}

static void test_exact_p_is_the_share_of_all_orders(void **state)
{
	const double step[] = {1, 2, 3, 4, 11, 12, 13, 14};
	const double trend[] = {1, 2, 3, 4, 5, 6, 7};
	const double alternating[] = {1, 2, 1, 2, 1, 2, 1, 2};
	const double ties[] = {1, 1, 1, 2, 2, 2, 2};
	const double mixed[] = {3, 1, 2, 2, 9, 3, 4};
	const double outlier[] = {5, 5, 5, 5, 9, 5, 5};

	(void)state;
	assert_exact(step, COUNT(step));
	assert_exact(trend, COUNT(trend));
	assert_exact(alternating, COUNT(alternating));
	assert_exact(ties, COUNT(ties));
	assert_exact(mixed, COUNT(mixed));
	assert_exact(outlier, COUNT(outlier));
}

static void test_where_the_break_is(void **state)
{
	const double step[] = {1.1, 1.2, 1.05, 1.15, 1.12, 3.1, 3.2, 3.05, 3.15};
	const double late[] = {5, 1, 4, 2, 6, 3, 7, 5.5, 2.5, 4.5, 1.5, 3.5, 90, 91, 92};
	const double alternating[] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
	rg_changepoint change = find(step, COUNT(step));

	(void)state;
	assert_true(change.tested);
	assert_int_equal(change.at, 5);
	assert_true(fabs(change.shift - 2.005) < 0.05);
	assert_true(change.p < 0.03);
	change = find(late, COUNT(late));
	assert_int_equal(change.at, 12);
	assert_true(change.p < 0.05);
	assert_true(find(alternating, COUNT(alternating)).p > 0.9);
}

/* The run before a break is the one of its side that is nearest to the other. */
static void test_a_clear_gap_is_the_place(void **state)
{
	static const double up[] = {1, 1.1, 1.2, 1.05, 1.15, 1.3, 9, 9.1, 9.2};
	static const double down[] = {9, 9.2, 9.1, 8.9, 1, 1.1, 1.2, 1.05, 1.15, 1.3, 1.25};
	static const double wide[] = {1, 5, 4, 2, 3, 6, 8, 9, 10};
	double early[11];
	size_t i;

	(void)state;
	assert_int_equal(find(up, 9).at, 6);
	assert_int_equal(find(down, 11).at, 4);
	for (i = 0; i < 11; i++)
		early[i] = down[10 - i];
	assert_int_equal(find(early, 11).at, 7);
	assert_int_equal(find(wide, 9).at, 5); /* no gap: where the ranks have it */
}

static void test_what_cannot_be_tested(void **state)
{
	const double equal[] = {2, 2, 2, 2, 2, 2}, three[] = {1, 2, 3};

	(void)state;
	assert_false(find(equal, COUNT(equal)).tested);
	assert_true(find(equal, COUNT(equal)).p == 1);
	assert_false(find(three, COUNT(three)).tested);
	assert_false(find(three, 0).tested);
	assert_false(find(three, 1).tested);
}

/* Where both ways can be taken, they agree: 17 values are sampled, so hold them against 16 exact
 * ones of the same shape, and a long step must reach the smallest p that can be had. */
static void test_sampled_p(void **state)
{
	double values[1000];
	rg_random random = {7};
	size_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		values[i] = (double)rg_random_below(&random, 1000000) + (i < 700 ? 0 : 400000);
	assert_true(find(values, 1000).p < 0.001);
	assert_true(find(values, 1000).at > 650 && find(values, 1000).at < 750);
	for (i = 0; i < 40; i++)
		values[i] = (double)(i * 7 % 10) + (i < 30 ? 0 : 50);
	assert_true(find(values, 40).p <= 1e-4);
	assert_int_equal(find(values, 40).at, 30);
	/* The same answer each time. */
	assert_true(find(values, 40).p == find(values, 40).p);
}

/* False alarms among 10,000 sequences without a break, at three levels, with and without ties. */
static void hold_level(size_t count, uint64_t distinct, uint64_t seed)
{
	const double levels[] = {0.1, 0.05, 0.01};
	size_t alarms[3] = {0}, round, i;
	rg_random random = {seed};

	for (round = 0; round < 10000; round++) {
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
		double expected = 10000 * levels[i];

		if ((double)alarms[i] > expected + 3 * sqrt(expected * (1 - levels[i])))
			fail_msg("%zu values of %llu: %zu of 10000 alarms at %g", count,
				 (unsigned long long)distinct, alarms[i], levels[i]);
	}
}

static void test_false_alarms_stay_under_the_level(void **state)
{
	(void)state;
	hold_level(9, 1u << 30, 11);
	hold_level(11, 3, 12);
	hold_level(24, 1u << 30, 13);
	hold_level(30, 2, 14);
}

static void test_false_discovery(void **state)
{
	/* The example of Benjamini and Hochberg (1995), table 1: four are found at 0.05. */
	const double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
			    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
	double q[COUNT(p)];
	size_t i, found = 0;

	(void)state;
	assert_null(rg_false_discovery(q, p, COUNT(p)));
	for (i = 0; i < COUNT(p); i++) {
		found += q[i] <= 0.05;
		assert_true(q[i] >= p[i] && q[i] <= 1);
	}
	assert_int_equal(found, 4);
	assert_true(fabs(q[3] - 0.0095 * 15 / 4) < 1e-15);
	assert_null(rg_false_discovery(q, p, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_p_is_the_share_of_all_orders),
		cmocka_unit_test(test_where_the_break_is),
		cmocka_unit_test(test_a_clear_gap_is_the_place),
		cmocka_unit_test(test_what_cannot_be_tested),
		cmocka_unit_test(test_sampled_p),
		cmocka_unit_test(test_false_alarms_stay_under_the_level),
		cmocka_unit_test(test_false_discovery),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
