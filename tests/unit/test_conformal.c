/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "audit/conformal.h"
#include "compare/policy.h"
#include "audit/statistics.h"

#include <math.h>
#include <string.h>

enum { RUNS = 12, STEPS = 8 };

static double usual;

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

TEST(runs_that_change_places)
{
	double values[RUNS][STEPS], moved[RUNS][STEPS];
	rg_conformal_run before[RUNS], after[RUNS];
	size_t round, r;

	for (round = 0; round < 50; round++) {
		make(values, round + 1);
		/* 5 has no divisor in common with 12. */
		for (r = 0; r < RUNS; r++)
			memcpy(moved[(5 * r + round) % RUNS], values[r], sizeof(values[r]));
		rg_conformal_rank(before, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
		rg_conformal_rank(after, &usual, moved[0], RUNS, STEPS, RG_NEAR_ZERO);
		for (r = 0; r < RUNS; r++) {
			const rg_conformal_run *a = &before[r], *b = &after[(5 * r + round) % RUNS];

			assert_int_equal(a->rank, b->rank);
			assert_int_equal(a->figure, b->figure);
			assert_int_equal(a->from, b->from);
			assert_true(fabs(a->score - b->score) <= 1e-9 * fabs(a->score));
		}
	}
}

/* The last of runs that are all alike has a rank of at most k in k of 12 cases at most. */
TEST(ranks_are_uniform)
{
	size_t at_rank[RUNS + 1] = {0}, round, r, reached = 0;
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];

	for (round = 0; round < 1200; round++) {
		make(values, 1000 + round);
		rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
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

TEST(which_figure)
{
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];
	size_t s;

	make(values, 7);
	for (s = 0; s < STEPS; s++)
		values[3][s] *= 1.02;
	rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	assert_int_equal(out[3].rank, 1);
	assert_int_equal(out[3].figure, RG_CONFORMAL_MEAN);
	assert_int_equal(out[3].from, 0);
	/* (centre - new) / centre, as avg_rel_diff has it. */
	assert_true(fabs(out[3].mean + 0.02) < 0.001);

	make(values, 8);
	for (s = 0; s < STEPS; s++)
		values[3][s] *= 1 + 0.003 * (2 * (double)s / (STEPS - 1) - 1);
	rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	assert_int_equal(out[3].rank, 1);
	assert_int_equal(out[3].figure, RG_CONFORMAL_SLOPE);
	assert_int_equal(out[3].from, 0);

	make(values, 7);
	for (s = 0; s < STEPS; s++)
		values[3][s] *= s < STEPS / 2 ? 1.02 : 0.98;
	rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	assert_int_equal(out[3].rank, 1);
	assert_int_equal(out[3].figure, RG_CONFORMAL_SHAPE);
	assert_int_equal(out[3].from, STEPS / 2);
	assert_false(out[3].before);

	make(values, 7);
	values[3][5] *= 1.003;
	rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	assert_int_equal(out[3].rank, 1);
	assert_int_equal(out[3].figure, RG_CONFORMAL_STEP);
	assert_int_equal(out[3].from, 5);
}

/* Equal runs share the worse place; where most agree to the bit there is no MAD, and the others are
 * told by their size. */
TEST(ties)
{
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];
	size_t r, s;

	for (r = 0; r < RUNS; r++)
		for (s = 0; s < STEPS; s++)
			values[r][s] = (double)(10 - s);
	rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	for (r = 0; r < RUNS; r++)
		assert_int_equal(out[r].rank, RUNS);
	values[4][2] = 8.5;
	rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	for (r = 0; r < RUNS; r++)
		assert_int_equal(out[r].rank, r == 4 ? 1 : RUNS);
	memcpy(values[9], values[4], sizeof(values[4]));
	rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
	for (r = 0; r < RUNS; r++)
		assert_int_equal(out[r].rank, r == 4 || r == 9 ? 2 : RUNS);
}

enum { MOST = 41 };

/* Values of a series at some steps of which one run differs, at some near zero, at some not at all.
 */
static void make_last(double *out, const double *others, rg_random *random)
{
	for (size_t s = 0; s < STEPS; s++) {
		static const double sizes[] = {0, 0, 1e-13, 1e-16, 1e-3, 5, -1e-3, -40};
		const double size = sizes[rg_random_below(random, 8)];
		out[s] = others[s] + size * (double)(1 + rg_random_below(random, 3));
	}
}

static void assert_same_run(const rg_conformal_run *a, const rg_conformal_run *b)
{
	assert_true(a->score == b->score);
	assert_int_equal(a->figure, b->figure);
	assert_true(a->mean == b->mean || (isnan(a->mean) && isnan(b->mean)));
	assert_true(a->size == b->size);
	assert_int_equal(a->from, b->from);
	assert_int_equal(a->before, b->before);
}

/* Of runs that agree to the bit four say all that more of them say: a verdict takes no more. */
TEST(runs_that_agree_are_ranked_by_four_of_them)
{
	rg_random random = {5};

	for (size_t round = 0; round < 400; round++) {
		const size_t n = 5 + rg_random_below(&random, MOST - 5);
		double values[MOST][STEPS], few_usual, seen[2], off[2];
		rg_conformal_run all[MOST], few[5];
		for (size_t s = 0; s < STEPS; s++)
			values[0][s] = s == round % 9 ? 0 : 10 - (double)(s * (round % 3));
		for (size_t r = 1; r < n; r++)
			memcpy(values[r], values[0], sizeof(values[0]));
		make_last(values[n], values[0], &random);
		rg_conformal_rank_last(all, &usual, values[0], n + 1, STEPS, RG_NEAR_ZERO, NULL);
		rg_conformal_rank_last(few, &few_usual, values[n - 4], 5, STEPS, RG_NEAR_ZERO,
				       NULL);
		for (size_t r = 0; r < n; r++)
			assert_same_run(&all[r], &few[0]);
		assert_same_run(&all[n], &few[4]);
		assert_true(usual == few_usual);
		assert_int_equal(all[n].rank, few[4].rank > 1 ? n + 1 : 1);
		assert_true(few[4].rank == 1 || few[4].rank == 5);
		rg_conformal_off(&seen[0], &off[0], values[0], n + 1, STEPS, RG_NEAR_ZERO, NULL);
		rg_conformal_off(&seen[1], &off[1], values[n - 4], 5, STEPS, RG_NEAR_ZERO, NULL);
		assert_true(seen[0] == seen[1] && off[0] == off[1]);
	}
}

TEST(middles_change_no_figure)
{
	rg_random random = {6};

	for (size_t round = 0; round < 400; round++) {
		const size_t n = 1 + rg_random_below(&random, MOST - 1);
		double values[MOST][STEPS], with_usual, seen[2], off[2];
		rg_conformal_run without[MOST], with[MOST];
		rg_middle middles[STEPS];
		for (size_t s = 0; s < STEPS; s++)
			values[0][s] = s == round % 9 ? 0 : 10 - (double)s;
		for (size_t r = 1; r <= n; r++)
			make_last(values[r], values[0], &random);
		for (size_t s = 0; s < STEPS; s++) {
			double column[MOST];
			for (size_t r = 0; r < n; r++)
				column[r] = values[r][s];
			middles[s] = rg_middle_find(column, n);
		}
		rg_conformal_rank_last(without, &usual, values[0], n + 1, STEPS, RG_NEAR_ZERO,
				       NULL);
		rg_conformal_rank_last(with, &with_usual, values[0], n + 1, STEPS, RG_NEAR_ZERO,
				       middles);
		for (size_t r = 0; r <= n; r++) {
			assert_same_run(&without[r], &with[r]);
			assert_int_equal(without[r].rank, with[r].rank);
		}
		assert_true(usual == with_usual);
		rg_conformal_off(&seen[0], &off[0], values[0], n + 1, STEPS, RG_NEAR_ZERO, NULL);
		rg_conformal_off(&seen[1], &off[1], values[0], n + 1, STEPS, RG_NEAR_ZERO, middles);
		assert_true(seen[0] == seen[1] && off[0] == off[1]);
	}
}

TEST(hardly_anything)
{
	const double one[] = {1, 2, 3}, zeros[] = {0, 0, 5, 0, 0, 7, 0, 0, 0, 0};
	rg_conformal_run out[5];
	size_t r;

	rg_conformal_rank(out, &usual, one, 0, 3, RG_NEAR_ZERO);
	rg_conformal_rank(out, &usual, one, 1, 3, RG_NEAR_ZERO);
	assert_int_equal(out[0].rank, 1);
	assert_true(out[0].mean == 0);
	rg_conformal_rank(out, &usual, one, 3, 0, RG_NEAR_ZERO);
	for (r = 0; r < 3; r++) {
		assert_int_equal(out[r].rank, 3);
		assert_true(isnan(out[r].mean));
	}
	/* The centre of both steps is zero: two runs are off, in one of them each. */
	rg_conformal_rank(out, &usual, zeros, 5, 2, RG_NEAR_ZERO);
	for (r = 0; r < 5; r++) {
		assert_true(isnan(out[r].mean));
		assert_int_equal(out[r].rank, r == 2 ? 1 : r == 1 ? 2 : 5);
	}
	/* The root mean square of (0, 5), over the four runs but the one that is off most. */
	assert_true(fabs(usual - 5 * sqrt(0.5) / 4) < 1e-12);
}

/* What was zero in all runs and no longer is, however much they differ elsewhere. */
TEST(zeros_that_are_none)
{
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];
	rg_random random = {3};

	for (size_t zeros = 2; zeros <= STEPS; zeros++) {
		double others = 0;
		for (size_t r = 0; r < RUNS; r++)
			for (size_t s = 0; s < STEPS; s++)
				values[r][s] = s < zeros
						       ? r == 5 ? 0.5 : 0
						       : 1 + (double)rg_random_below(&random, 100);
		rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
		assert_int_equal(out[5].rank, 1);
		for (size_t r = 0; r < RUNS; r++)
			others = r == 5 ? others : fmax(others, out[r].score);
		/* The run as a whole is told by how far its rows are out. */
		assert_true(out[5].score > 1.2 * others);
		assert_true(out[5].figure >= RG_CONFORMAL_SHAPE);
		assert_true(zeros + 1 >= STEPS || (out[5].before && out[5].from == zeros));
	}
}

/* Most runs agree to the bit, some have a step that is off by 1e-5: one that is off by 1 % or by
 * all of it is not like them, however few these are. */
TEST(size_tells_among_rare_flips)
{
	static const double sizes[] = {0.01, 1, -1};
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];

	for (size_t flips = 0; flips <= 4; flips++)
		for (size_t i = 0; i < 3; i++) {
			for (size_t r = 0; r < RUNS; r++)
				for (size_t s = 0; s < STEPS; s++)
					values[r][s] = (double)(10 - s);
			for (size_t r = 0; r < flips; r++)
				values[r][2 * r] *= 1 + 1e-5 * (double)(r + 1);
			for (size_t s = 0; s < STEPS; s++)
				values[RUNS - 1][s] *= 1 + sizes[i];
			rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
			assert_int_equal(out[RUNS - 1].rank, 1);
			assert_true(out[RUNS - 1].figure == RG_CONFORMAL_MEAN);
		}
}

/* A run that is further out than all others by ten times their range comes first, although one of
 * them has a step that no other has: what one rule makes of them does not hide it. */
TEST(clearly_out_comes_first)
{
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];

	for (size_t seed = 1; seed < 20; seed++) {
		make(values, seed);
		for (size_t s = 0; s < STEPS; s++)
			values[4][s] *= s == 3 ? 1.5 : 1;
		for (size_t s = 0; s < STEPS; s++)
			values[5][s] *= 3;
		rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
		assert_int_equal(out[5].rank, 1);
		assert_int_equal(out[4].rank, 2);
	}
}

/* The median is 0 at the first half of the steps. */
TEST(zeros_are_seen)
{
	double values[RUNS][STEPS];
	rg_conformal_run out[RUNS];

	for (size_t noisy = 0; noisy < 2; noisy++) {
		make(values, 5);
		for (size_t r = 0; r < RUNS; r++)
			for (size_t s = 0; s < STEPS / 2; s++)
				values[r][s] = noisy && r % 3 == 0 ? (double)r : 0;
		for (size_t s = 0; s < STEPS / 2; s++)
			values[7][s] = 1000;
		rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
		assert_int_equal(out[7].rank, 1);
		assert_true(out[7].figure != RG_CONFORMAL_MEAN);
		/* What is nearer to zero than anybody looks is zero. */
		for (size_t s = 0; s < STEPS / 2; s++)
			values[7][s] = RG_NEAR_ZERO / 2;
		rg_conformal_rank(out, &usual, values[0], RUNS, STEPS, RG_NEAR_ZERO);
		assert_true(out[7].rank > 1);
	}
}

/* Nearly normal: the sum of twelve. */
static double draw(rg_random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)rg_random_below(random, 1 << 30) / (1 << 30);
	return sum;
}

/* In noise that is skewed two steps are found as on its short side, and steps that are off in turn
 * are not hidden by a run that is further off as a whole. */
TEST(tails_hide_little)
{
	enum { MANY = 25, LONG = 50 };
	static double values[MANY][LONG];
	rg_conformal_run out[MANY];
	rg_random random = {5};
	size_t found = 0;

	for (size_t trial = 0; trial < 100; trial++) {
		for (size_t r = 0; r < MANY; r++)
			for (size_t s = 0; s < LONG; s++)
				values[r][s] = 1 + 1e-4 * exp(draw(&random));
		values[3][LONG / 3] += 22e-4;
		values[3][2 * LONG / 3] -= 22e-4;
		rg_conformal_rank(out, &usual, values[0], MANY, LONG, RG_NEAR_ZERO);
		found += out[3].rank <= 2;
	}
	assert_in_range(found, 75, 100);
	found = 0;
	for (size_t trial = 0; trial < 20; trial++) {
		for (size_t r = 0; r < MANY; r++)
			for (size_t s = 0; s < LONG; s++)
				values[r][s] = 1 + 1e-4 * draw(&random) +
					       (r >= 22 ? (double)r * 1.2e-4 : 0);
		for (size_t s = 0; s < LONG; s++)
			values[3][s] += s % 2 ? 50e-4 : -50e-4;
		rg_conformal_rank(out, &usual, values[0], MANY, LONG, RG_NEAR_ZERO);
		found += out[3].rank <= 2;
	}
	assert_in_range(found, 15, 20);
}
