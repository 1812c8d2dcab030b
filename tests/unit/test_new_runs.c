/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "audit/new_runs.h"
#include "audit/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 16 };

#define assert_near(a, b, off) assert_true(fabs((a) - (b)) <= (off))

static double test_p(const double *values, size_t older, size_t newer)
{
	return rg_rank_test(values, older, values + older, newer);
}

/* Mann and Whitney's U of those that a mask chooses, counted pair by pair. */
static double count_pairs(const double *values, size_t count, unsigned chosen)
{
	double u = 0;
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < count; j++)
			if ((chosen >> i & 1) && !(chosen >> j & 1))
				u += values[i] > values[j] ? 1 : values[i] == values[j] ? 0.5 : 0;
	return u;
}

static size_t count_bits(unsigned mask)
{
	size_t bits = 0;

	for (; mask; mask &= mask - 1)
		bits++;
	return bits;
}

/* Every way to part the values. */
static double enumerated_p(const double *values, size_t older, size_t newer)
{
	size_t count = older + newer, ways = 0, as_far = 0;
	double mean = (double)(older * newer) / 2, seen;
	unsigned mask;

	seen = fabs(count_pairs(values, count, ((1u << newer) - 1) << older) - mean);
	for (mask = 0; mask < 1u << count; mask++) {
		if (count_bits(mask) != newer)
			continue;
		ways++;
		as_far += fabs(count_pairs(values, count, mask) - mean) >= seen;
	}
	return (double)as_far / (double)ways;
}

TEST(rank_test_is_that_of_all_ways_to_part)
{
	static const size_t sizes[][2] = {{1, 1}, {1, 3}, {3, 1}, {2, 2},
					  {5, 3}, {9, 2}, {4, 7}, {7, 5}};
	rg_random random = {1};
	double values[VALUES_MAX];
	size_t s, times, i;

	for (s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		for (times = 0; times < 6; times++) {
			/* From few values, so with many ties, to values that hardly tie. */
			uint64_t bound = times < 2 ? 3 : times < 4 ? 8 : 100000;

			for (i = 0; i < sizes[s][0] + sizes[s][1]; i++)
				values[i] = (double)rg_random_below(&random, bound) / 7;
			assert_near(test_p(values, sizes[s][0], sizes[s][1]),
				    enumerated_p(values, sizes[s][0], sizes[s][1]), 1e-12);
		}
	}
}

TEST(rank_test_of_many)
{
	double values[70];
	size_t i;

	for (i = 0; i < 70; i++)
		values[i] = (double)i;
	/* 2 of the ways to choose 20 of 70, of which there are 161884603662657876. */
	assert_near(test_p(values, 50, 20) / (2 / 161884603662657876.0), 1, 1e-9);
	for (i = 0; i < 70; i++)
		values[i] = 5;
	assert_near(test_p(values, 50, 20), 1, 1e-9);
	assert_near(rg_rank_test(values, 0, values, 3), 1, 0);
	assert_near(rg_rank_test(values, 3, values, 0), 1, 0);
}

TEST(least_p_and_missing_runs)
{
	static const double apart[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 22};
	size_t older, newer;

	/* Both ends, of all ways to part so many. */
	for (older = 1; older <= 9; older++)
		for (newer = 1; newer <= 3; newer++) {
			double least = 2;
			for (size_t i = 1; i <= newer; i++)
				least *= (double)i / (double)(older + i);
			assert_near(test_p(apart + 9 - older, older, newer), fmin(least, 1), 1e-12);
		}
	/* One golden alone: 2 / (m + 1). */
	assert_int_equal(rg_rank_test_missing(1, 3, 0.1), 16);
	/* 2 / 10, 2 / 55. */
	assert_int_equal(rg_rank_test_missing(9, 1, 0.1), 1);
	assert_int_equal(rg_rank_test_missing(9, 2, 0.1), 0);
	assert_int_equal(rg_rank_test_missing(19, 1, 0.1), 0);
	/* No number does: the search ends all the same. */
	assert_true(rg_rank_test_missing(1, 1, 1e-300) > 1000);
}

/* A comparison of one file with one metric, as far as it is looked at. */
typedef struct {
	rg_file_outcome file;
	rg_row row;
	rg_comparison comparison;
} one_row;

static void make_row(one_row *out, double old_mean, double new_mean, size_t steps)
{
	*out = (one_row){
		.file = {.file = "a.json"},
		.row = {.metric = "m",
			.old_mean = old_mean,
			.new_mean = new_mean,
			.n_steps = steps},
	};
	out->comparison = (rg_comparison){
		.files = &out->file, .file_count = 1, .rows = &out->row, .row_count = 1};
}

TEST(rows_of_several_runs)
{
	static const double means[] = {12, 11, 14, 13};
	const rg_comparison unchanged = {0};
	rg_new_runs runs;
	rg_error *err;
	one_row one;
	size_t i;

	rg_new_runs_init(&runs, 5, 0.4);
	for (i = 0; i < 4; i++) {
		make_row(&one, 10, means[i], i == 3 ? 4 : 5);
		assert_null(rg_new_runs_add(&runs, i, &(rg_new_run){.label = "r", .id = i},
					    &one.comparison));
	}
	err = rg_new_runs_add(&runs, 4, &(rg_new_run){.label = "run 2", .id = 2}, &unchanged);
	assert_non_null(err);
	assert_string_equal(rg_error_message(err), "--new: run 2 is named twice");
	rg_error_free(err);
	assert_null(rg_new_runs_add(&runs, 4, &(rg_new_run){.label = "same"}, &unchanged));
	assert_null(rg_new_runs_judge(&runs, NULL));
	assert_int_equal(runs.row_count, 1);
	assert_int_equal(runs.rows[0].count, 4);
	assert_true(isnan(runs.rows[0].means[3]));
	assert_near(runs.rows[0].means[4], 10, 0);
	/* 1, 2, 4 and 0 over the baseline. */
	assert_near(runs.rows[0].shift.size, 1.5, 1e-12);
	assert_true(isinf(runs.rows[0].shift.low));
	assert_int_equal(runs.rows[0].verdict, RG_NEW_RUNS_ALIKE);
	rg_new_runs_release(&runs);
}

/* A run that is but a part of the goldens, as one whose job failed, says nothing of the others. */
TEST(what_a_part_has_not_is_missing)
{
	static const char *const has[] = {"a.json", "b.json"};
	rg_new_run part = {.label = "r", .is_part = true, .has = has, .has_count = 2};
	const rg_comparison unchanged = {0};
	rg_new_runs runs;
	one_row one;

	rg_new_runs_init(&runs, 4, 0.4);
	make_row(&one, 10, 12, 5);
	assert_null(rg_new_runs_add(&runs, 0, &part, &one.comparison));
	assert_null(rg_new_runs_add(&runs, 1, &part, &unchanged));
	part.has_count = 0;
	assert_null(rg_new_runs_add(&runs, 2, &part, &unchanged));
	part.is_part = false;
	assert_null(rg_new_runs_add(&runs, 3, &part, &unchanged));
	assert_null(rg_new_runs_judge(&runs, NULL));
	assert_int_equal(runs.row_count, 1);
	assert_near(runs.rows[0].means[0], 12, 0);
	assert_near(runs.rows[0].means[1], 10, 0);
	assert_true(isnan(runs.rows[0].means[2]));
	assert_near(runs.rows[0].means[3], 10, 0);
	rg_new_runs_release(&runs);
}

/* Adds a run whose metrics "m" and "o" have these means; NaN: it has no "o". */
static void add_two_metrics(rg_new_runs *runs, size_t place, double m, double o)
{
	rg_file_outcome file = {.file = "a.json"};
	rg_row rows[] = {{.metric = "m", .old_mean = 1, .new_mean = m, .n_steps = 5},
			 {.metric = "o", .old_mean = 1, .new_mean = o, .n_steps = 5}};
	const rg_comparison comparison = {
		.files = &file, .file_count = 1, .rows = rows, .row_count = isnan(o) ? 1 : 2};

	assert_null(rg_new_runs_add(runs, place, &(rg_new_run){.label = "r"}, &comparison));
}

static size_t middle_of(const double means[][2], size_t count, const bool *may, size_t *rows)
{
	rg_new_runs runs;
	size_t i, place;

	rg_new_runs_init(&runs, count, 0.4);
	for (i = 0; i < count; i++)
		add_two_metrics(&runs, i, means[i][0], means[i][1]);
	assert_null(rg_new_runs_judge(&runs, NULL));
	place = rg_new_runs_middle(&runs, may, rows);
	rg_new_runs_release(&runs);
	return place;
}

TEST(the_run_in_the_middle)
{
	static const double plain[][2] = {{1, 1}, {3, 3}, {2, 2}};
	/* Off by 2 + 4, 2 + 0, 0 + 4, 4 + 2 and 4 + 2 halves of a rank. */
	static const double mixed[][2] = {{2, 5}, {4, 3}, {3, 1}, {1, 2}, {5, 4}};
	static const double ties[][2] = {{2, 2}, {1, 1}, {1, 1}, {1, 1}};
	static const double parts[][2] = {{1, 1}, {3, NAN}, {2, 3}};
	static const bool may[] = {true, true, false};
	size_t rows;

	assert_int_equal(middle_of(plain, 3, NULL, &rows), 2);
	assert_int_equal(rows, 2);
	assert_int_equal(middle_of(plain, 3, may, &rows), 0);
	assert_int_equal(middle_of(plain, 2, NULL, &rows), 0);
	assert_int_equal(middle_of(mixed, 5, NULL, &rows), 1);
	assert_int_equal(middle_of(ties, 4, NULL, &rows), 1);
	assert_int_equal(middle_of(parts, 3, NULL, &rows), 2);
	assert_int_equal(rows, 1);
}
