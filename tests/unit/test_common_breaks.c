/* SPDX-License-Identifier: Apache-2.0 */
/* Runs from which on many series are others, through whole audits. */
#include "unit/unit.h"

#include "audit_runs.h"

enum { RUNS = 24, SERIES = 8, BREAK = 12 };

/* Uniform noise between 5 and 5.01, `alike` in all series; the first ones rise by `rise` of its
 * range. */
static void make(double values[RUNS][SERIES], size_t moved, double rise, bool alike, uint64_t seed)
{
	rg_random random = {seed};
	size_t r, i;

	for (r = 0; r < RUNS; r++)
		for (i = 0; i < SERIES; i++) {
			double noise = (double)rg_random_below(&random, 1000000) / 1e6;

			if (alike && i)
				noise = (values[r][0] - 5) / 0.01;
			else if (r >= BREAK && i < moved)
				noise += rise;
			values[r][i] = 5 + 0.01 * noise;
		}
}

static rg_audit audit_of(double values[RUNS][SERIES], size_t *breaks)
{
	number_runs runs = make_runs(values[0], RUNS, SERIES, 1);
	rg_audit_source source;
	rg_audit audit;
	size_t i;

	for (i = 0; i < RUNS; i++)
		runs.list[i].branch = "main";
	source = source_of(&runs);
	assert_success(rg_audit_make(&audit, &source, &usual_options));
	*breaks = 0;
	for (i = 0; i < audit.files[0].series_count; i++)
		*breaks += audit.files[0].series[i].break_count;
	free_runs(&runs);
	return audit;
}

/* Each rises by half of its range: hardly one series shows it, all of them do. */
TEST(what_no_series_shows_alone)
{
	double values[RUNS][SERIES];
	size_t breaks;
	rg_audit audit;

	make(values, SERIES, 0.5, false, 3);
	audit = audit_of(values, &breaks);
	assert_int_equal(audit.common_count, 1);
	assert_in_range(audit.common_breaks[0].run, BREAK - 1, BREAK + 1);
	assert_true(audit.common_breaks[0].p <= 0.05);
	assert_int_equal(audit.common_breaks[0].of, SERIES);
	assert_in_range(audit.common_breaks[0].series, 4, SERIES);
	rg_audit_release(&audit);
}

/* One series over and over is one: all that rise say no more than the first does. */
TEST(series_that_move_together)
{
	size_t round, breaks, found = 0;
	double values[RUNS][SERIES];

	for (round = 0; round < 30; round++) {
		rg_audit audit;

		make(values, 0, 0, true, 100 + round);
		audit = audit_of(values, &breaks);
		found += audit.common_count > 0;
		rg_audit_release(&audit);
	}
	/* 5 % of 30, and three standard deviations. */
	assert_in_range(found, 0, 5);
}

/* The others do not move with one that does, however far. */
TEST(one_that_moves_far)
{
	size_t round, breaks, found = 0, own = 0;
	double values[RUNS][SERIES];

	for (round = 0; round < 30; round++) {
		rg_audit audit;

		make(values, 1, 30, false, 300 + round);
		audit = audit_of(values, &breaks);
		found += audit.common_count;
		own += audit.files[0].series[0].break_count == 1;
		rg_audit_release(&audit);
	}
	assert_in_range(found, 0, 5);
	assert_int_equal(own, 30);
}

/* Runs that rise do not seem to where some are far off, but for their ranks: nothing is bounded. */
TEST(wild_runs_that_rise)
{
	size_t round, breaks, told = 0;
	double values[RUNS][SERIES];

	for (round = 0; round < 10; round++) {
		rg_audit audit;

		make(values, 0, 0, false, 400 + round);
		for (size_t r = 0; r < RUNS; r++)
			for (size_t i = 0; i < SERIES; i++)
				values[r][i] = 5 + 0.001 * (double)r +
					       1e-5 / (values[r][i] - 4.9999);
		audit = audit_of(values, &breaks);
		told += audit.hang_together;
		rg_audit_release(&audit);
	}
	assert_in_range(told, 9, 10);
}

TEST(noise)
{
	size_t round, breaks, found = 0;
	double values[RUNS][SERIES];

	for (round = 0; round < 30; round++) {
		rg_audit audit;

		make(values, 0, 0, false, 200 + round);
		audit = audit_of(values, &breaks);
		found += audit.common_count > 0 || breaks > 0;
		rg_audit_release(&audit);
	}
	assert_in_range(found, 0, 5);
}
