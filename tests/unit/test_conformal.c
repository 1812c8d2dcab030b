/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "audit/conformal.h"
#include "compare/policy.h"
#include "audit/statistics.h"

#include <math.h>
#include <string.h>

enum { RUNS = 12, STEPS = 8 };

/* Runs of a curve that falls, with uniform noise of a thousandth. */
static void make(double values[RUNS][STEPS], uint64_t seed)
{
	rg_random random = {seed};
	size_t r, s;

	for (r = 0; r < RUNS; r++)
		for (s = 0; s < STEPS; s++)
			values[r][s] = (double)(10 - s) *
				       (1 + 1e-9 * (double)rg_random_below(&random, 1000000));
}

static void test_runs_that_change_places(void **state)
{
	double values[RUNS][STEPS], moved[RUNS][STEPS];
	rg_conformal_run before[RUNS], after[RUNS];
	size_t round, r;

	(void)state;
	for (round = 0; round < 50; round++) {
		make(values, round + 1);
		/* 5 has no divisor in common with 12. */
		for (r = 0; r < RUNS; r++)
			memcpy(moved[(5 * r + round) % RUNS], values[r], sizeof(values[r]));
		rg_conformal_rank(before, values[0], RUNS, STEPS, RG_NEAR_ZERO);
		rg_conformal_rank(after, moved[0], RUNS, STEPS, RG_NEAR_ZERO);
		for (r = 0; r < RUNS; r++) {
			const rg_conformal_run *a = &before[r], *b = &after[(5 * r + round) % RUNS];

			assert_int_equal(a->rank, b->rank);
			assert_int_equal(a->mean_rank, b->mean_rank);
			assert_int_equal(a->figure, b->figure);
			assert_int_equal(a->from, b->from);
			assert_true(fabs(a->score - b->score) <= 1e-9 * fabs(a->score));
		}
	}
}

/* The last of runs that are all alike has a rank of at most k in k of 12 cases at most. */
static void test_ranks_are_uniform(void **state)
{
	size_t at_rank[RUNS + 1] = {0}, round, r, reached = 0;
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];

	(void)state;
	for (round = 0; round < 1200; round++) {
		make(values, 1000 + round);
		rg_conformal_rank(out, values[0], RUNS, STEPS, RG_NEAR_ZERO);
		assert_in_range(out[RUNS - 1].rank, 1, RUNS);
		at_rank[out[RUNS - 1].rank]++;
	}
	for (r = 1; r < RUNS; r++) {
		double share = (double)r / RUNS, errors = 3 * sqrt(1200 * share * (1 - share));

		reached += at_rank[r];
		/* Ties count against the run, and are rare: hardly fewer than that, either. */
		assert_true(fabs((double)reached - 1200 * share) <= errors + 60);
		assert_true((double)reached <= 1200 * share + errors);
	}
}

static void test_which_figure(void **state)
{
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];
	size_t s;

	(void)state;
	make(values, 7);
	for (s = 0; s < STEPS; s++)
		values[3][s] *= 1.02;
	rg_conformal_rank(out, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	assert_int_equal(out[3].rank, 1);
	assert_int_equal(out[3].mean_rank, 1);
	assert_int_equal(out[3].figure, RG_CONFORMAL_MEAN);
	assert_int_equal(out[3].from, 0);
	/* (centre - new) / centre, as avg_rel_diff has it. */
	assert_true(fabs(out[3].mean + 0.02) < 0.001);

	make(values, 7);
	for (s = 0; s < STEPS; s++)
		values[3][s] *= s < STEPS / 2 ? 1.02 : 0.98;
	rg_conformal_rank(out, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	assert_int_equal(out[3].rank, 1);
	assert_int_equal(out[3].figure, RG_CONFORMAL_SHAPE);
	assert_int_equal(out[3].from, STEPS / 2);

	make(values, 7);
	values[3][5] *= 1.003;
	rg_conformal_rank(out, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	assert_int_equal(out[3].rank, 1);
	assert_int_equal(out[3].figure, RG_CONFORMAL_STEP);
	assert_int_equal(out[3].from, 5);
}

/* Equal runs share the worse place; where most agree to the bit there is no MAD, and plain ranks
 * tell the other one all the same. */
static void test_ties(void **state)
{
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];
	size_t r, s;

	(void)state;
	for (r = 0; r < RUNS; r++)
		for (s = 0; s < STEPS; s++)
			values[r][s] = (double)(10 - s);
	rg_conformal_rank(out, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	for (r = 0; r < RUNS; r++)
		assert_int_equal(out[r].rank, RUNS);
	values[4][2] = 8.5;
	rg_conformal_rank(out, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	for (r = 0; r < RUNS; r++)
		assert_int_equal(out[r].rank, r == 4 ? 1 : RUNS);
	memcpy(values[9], values[4], sizeof(values[4]));
	rg_conformal_rank(out, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	for (r = 0; r < RUNS; r++)
		assert_int_equal(out[r].rank, r == 4 || r == 9 ? 2 : RUNS);
}

static void test_hardly_anything(void **state)
{
	const double one[] = {1, 2, 3}, zeros[] = {0, 0, 5, 0, 0, 7};
	rg_conformal_run out[3];
	size_t r;

	(void)state;
	rg_conformal_rank(out, one, 0, 3, RG_NEAR_ZERO);
	rg_conformal_rank(out, one, 1, 3, RG_NEAR_ZERO);
	assert_int_equal(out[0].rank, 1);
	assert_int_equal(out[0].mean_rank, 1);
	assert_true(out[0].mean == 0);
	rg_conformal_rank(out, one, 3, 0, RG_NEAR_ZERO);
	for (r = 0; r < 3; r++) {
		assert_int_equal(out[r].rank, 3);
		assert_true(isnan(out[r].mean));
	}
	/* The centre of the first step is zero: only the other one counts. */
	rg_conformal_rank(out, zeros, 3, 2, RG_NEAR_ZERO);
	for (r = 0; r < 3; r++)
		assert_int_equal(out[r].rank, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_that_change_places),
		cmocka_unit_test(test_ranks_are_uniform),
		cmocka_unit_test(test_which_figure),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_hardly_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
