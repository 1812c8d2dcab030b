/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "audit/dependence.h"
#include "audit_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The audit of one metric with one step a run. */
static rg_audit audit_values(const double *values, size_t count)
{
	number_runs runs = make_runs(values, count, 1, 1);
	rg_audit_source source = source_of(&runs);
	rg_audit audit;

	assert_null(rg_audit_make(&audit, &source, &usual_options));
	assert_int_equal(audit.file_count, 1);
	assert_int_equal(audit.files[0].series_count, 1);
	free_runs(&runs);
	return audit;
}

static void assert_near(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-15 + 1e-13 * fabs(wanted)))
		fail_msg("%.17g is not %.17g", value, wanted);
}

TEST(one_run)
{
	const double values[] = {5};
	rg_audit audit = audit_values(values, 1);
	const rg_audit_series *series = &audit.files[0].series[0];

	assert_int_equal(series->runs, 1);
	assert_int_equal(series->noise.patterns, 1);
	/* One run agrees with nobody. */
	assert_false(series->noise.deterministic);
	assert_true(series->noise.spread.max == 0);
	assert_true(series->all.steps[0].sample.std == 0);
	assert_int_equal(audit.tested, 0);
	rg_audit_release(&audit);
}

TEST(two_runs)
{
	const double values[] = {4, 6};
	rg_audit audit = audit_values(values, 2);
	const rg_figures *noise = &audit.files[0].series[0].noise;

	assert_int_equal(noise->patterns, 2);
	assert_true(noise->centre[0] == 5);
	assert_near(noise->deviations[0], 0.2);
	assert_near(noise->deviations[1], -0.2);
	assert_near(noise->spread.low, -0.2);
	assert_near(noise->spread.high, 0.2);
	assert_near(noise->spread.min, 0.2);
	assert_near(noise->spread.max, 0.2);
	assert_near(noise->spread.median, 0.2);
	assert_near(noise->spread.mad, 0.2);
	assert_near(noise->spread.std, 0.4 / sqrt(2));
	assert_near(noise->spread.widest, 0.4);
	rg_audit_release(&audit);
}

TEST(all_equal)
{
	const double values[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
	rg_audit audit = audit_values(values, COUNT(values));
	const rg_figures *noise = &audit.files[0].series[0].noise;

	assert_int_equal(noise->patterns, 1);
	assert_true(noise->deterministic);
	assert_true(noise->spread.max == 0 && noise->spread.high == 0);
	assert_int_equal(audit.metrics[0].deterministic, 1);
	assert_int_equal(audit.files[0].failed_today, 0);
	rg_audit_release(&audit);
}

TEST(bits_count_not_values)
{
	const double values[] = {0.0, -0.0, 0.0};
	rg_audit audit = audit_values(values, 3);

	assert_int_equal(audit.files[0].series[0].noise.patterns, 2);
	assert_false(audit.files[0].series[0].noise.deterministic);
	/* No step is a yardstick, so no run has a deviation. */
	assert_int_equal(audit.files[0].series[0].noise.measured, 0);
	assert_true(isnan(audit.files[0].series[0].noise.spread.max));
	rg_audit_release(&audit);
}

TEST(ties)
{
	const double values[] = {1, 1, 2, 2, 4};
	rg_audit audit = audit_values(values, 5);
	const rg_figures *noise = &audit.files[0].series[0].noise;

	assert_int_equal(noise->patterns, 3);
	assert_true(noise->centre[0] == 2);
	/* 0.5, 0.5, 0, 0, -1 */
	assert_near(noise->spread.median, 0.5);
	assert_near(noise->spread.p95, 1);
	assert_near(noise->spread.mad, 0.5);
	assert_near(noise->spread.low, -1);
	rg_audit_release(&audit);
}

TEST(a_run_that_is_not_finite)
{
	const double values[] = {1, 2, NAN, 4, 5, 3};
	rg_audit audit = audit_values(values, 6);
	const rg_figures *noise = &audit.files[0].series[0].noise;

	assert_int_equal(noise->runs, 6);
	assert_int_equal(noise->nonfinite, 1);
	assert_int_equal(noise->measured, 5);
	assert_true(noise->centre[0] == 3);
	assert_true(isnan(noise->deviations[2]));
	assert_int_equal(noise->steps[0].sample.count, 5);
	rg_audit_release(&audit);
}

TEST(only_non_finite_runs)
{
	const double values[] = {NAN, NAN, NAN};
	rg_audit audit = audit_values(values, 3);

	assert_int_equal(audit.files[0].series[0].noise.measured, 0);
	assert_int_equal(audit.files[0].series[0].noise.nonfinite, 0);
	/* Nothing was measured that the next run could differ from. */
	assert_int_equal(audit.files[0].series[0].noise.patterns, 1);
	assert_false(audit.files[0].series[0].noise.deterministic);
	assert_int_equal(audit.metrics[0].deterministic, 0);
	rg_audit_release(&audit);
}

/* How many runs would have failed against the one in the middle, under today's policy. */
static void expect_failures(const double *values, size_t count, size_t wanted)
{
	number_runs runs = make_runs(values, count, 1, 1);
	rg_audit_source source = source_of(&runs);
	rg_audit_options options = usual_options;
	rg_policy *policy;
	rg_audit audit;

	policy = rg_policy_new();
	assert_null(rg_policy_set(policy, "*", "fail", "0.1"));
	options.policy = policy;
	assert_null(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.files[0].series[0].failed_today, wanted);
	rg_audit_release(&audit);
	rg_policy_free(policy);
	free_runs(&runs);
}

TEST(failures_against_the_middle)
{
	const double odd[] = {100, 89, 111, 98, 103}; /* against 100: two */
	const double even[] = {100, 89, 111, 98};     /* against 98: one */
	const double first[] = {98, 100, 89, 111};

	expect_failures(odd, 5, 2);
	expect_failures(even, 4, 1);
	expect_failures(first, 4, 1);
}

TEST(alternating_is_no_break)
{
	const double values[] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
	rg_audit audit = audit_values(values, COUNT(values));

	assert_int_equal(audit.tested, 1);
	assert_int_equal(audit.broken, 0);
	assert_int_equal(audit.files[0].series[0].noise.measured, 12);
	rg_audit_release(&audit);
}

TEST(trend_is_no_break)
{
	const double values[] = {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.1};
	rg_audit audit = audit_values(values, COUNT(values));

	assert_int_equal(audit.broken, 0);
	assert_true(audit.files[0].series[0].drifts);
	rg_audit_release(&audit);
}

TEST(noise_comes_from_the_newest_regime)
{
	const double values[] = {10, 10.1, 10.2, 10.1, 10, 10.2, 20, 20.1, 20.2, 20.1, 20.2, 20};
	rg_audit audit = audit_values(values, COUNT(values));
	const rg_audit_series *series = &audit.files[0].series[0];

	assert_int_equal(series->break_count, 1);
	assert_int_equal(series->breaks[0].at, 6);
	assert_int_equal(series->breaks[0].before, 6);
	assert_int_equal(series->breaks[0].after, 6);
	assert_int_equal(series->regime_from, 6);
	assert_int_equal(series->all.runs, 12);
	assert_int_equal(series->noise.runs, 6);
	assert_true(series->noise.centre[0] == 20.1);
	assert_true(series->noise.spread.max < 0.006);
	assert_true(series->all.spread.max > 0.3);
	/* Recommended tolerances are over all runs; those of the regime are beside them. */
	assert_true(series->all.tolerance.relative > 0.4);
	assert_true(series->noise.tolerance.relative < 0.01);
	rg_audit_release(&audit);
}

/* What is there when goldens are read a second time. */
typedef struct {
	number_runs first, second;
	size_t reads;
	bool gone;
} changing_runs;

static rg_error *read_changing(void *context, size_t run, size_t file, rg_buf *bytes,
			       rg_golden **out)
{
	changing_runs *runs = context;
	bool again = runs->reads++ >= runs->first.runs;

	if (again && runs->gone)
		return NULL;
	return read_numbers(again ? &runs->second : &runs->first, run, file, bytes, out);
}

/* Two metrics with a break, which are read again, and then are these. */
static void expect_changed(const char *const *names, size_t count, bool gone)
{
	const double values[] = {10, 10, 11, 11, 12, 12, 11, 11, 10, 10, 12, 12,
				 20, 20, 21, 21, 22, 22, 21, 21, 22, 22, 20, 20};
	changing_runs runs = {.first = make_runs(values, 12, 2, 1),
			      .second = make_runs(values, 12, count, 1),
			      .gone = gone};
	rg_audit_source source = source_of(&runs.first);
	rg_audit audit;
	rg_error *err;

	runs.second.names = names;
	source.read = read_changing;
	source.context = &runs;
	err = rg_audit_make(&audit, &source, &usual_options);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_CONFLICT);
	assert_string_equal(rg_error_message(err),
			    "a/golden.json: changed during the audit; run it again");
	rg_error_free(err);
	free_runs(&runs.first);
	free_runs(&runs.second);
}

TEST(a_golden_that_changes_meanwhile)
{
	static const char *const other[] = {"a", "c"};

	expect_changed(other, 2, false);
	expect_changed(other, 1, false);
	expect_changed(other, 2, true);
}

TEST(two_breaks)
{
	double values[36];
	rg_audit audit;
	size_t i;

	for (i = 0; i < 36; i++)
		values[i] = (i < 12 ? 10 : i < 24 ? 30 : 20) + (double)(i * 5 % 12) / 100;
	audit = audit_values(values, 36);
	assert_int_equal(audit.broken, 1);
	assert_int_equal(audit.files[0].series[0].regime_from, 24);
	assert_int_equal(audit.files[0].series[0].noise.runs, 12);
	rg_audit_release(&audit);
}

/* One run far out in all metrics is one finding, and not in the noise. */
TEST(a_bad_run)
{
	double values[12][4];
	const rg_audit_options options = usual_options;
	rg_audit_source source;
	number_runs runs;
	rg_audit audit;
	size_t i, j;

	for (i = 0; i < 12; i++)
		for (j = 0; j < 4; j++)
			values[i][j] = 10 + (double)((i * 7 + j) % 12) / 100 + (i == 4 ? 5 : 0);
	runs = make_runs(&values[0][0], 12, 4, 1);
	source = source_of(&runs);
	assert_null(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.odd_count, 1);
	assert_int_equal(audit.odd_runs[0].run, 4);
	assert_int_equal(audit.odd_runs[0].series, 4);
	assert_int_equal(audit.odd_runs[0].of, 4);
	assert_int_equal(audit.odd_runs[0].files, 1);
	for (j = 0; j < 4; j++) {
		assert_int_equal(audit.files[0].series[j].noise.runs, 11);
		assert_true(audit.files[0].series[j].noise.spread.max < 0.02);
		/* The statistics of the steps are over all runs. */
		assert_int_equal(audit.files[0].series[j].all.steps[0].sample.count, 12);
	}
	rg_audit_release(&audit);
	free_runs(&runs);
}

TEST(other_lengths_and_missing_metrics_are_counted)
{
	const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
	rg_audit_source source;
	number_runs runs = make_runs(values, 4, 2, 2);
	rg_audit audit;

	runs.short_run = 1;
	runs.without = 2;
	source = source_of(&runs);
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	assert_int_equal(audit.files[0].series[0].all.other_steps, 1);
	assert_int_equal(audit.files[0].series[0].all.measured, 3);
	assert_true(isnan(audit.files[0].series[0].all.deviations[1]));
	assert_int_equal(audit.files[0].series[0].missing, 0);
	assert_int_equal(audit.files[0].series[1].missing, 1);
	assert_int_equal(audit.files[0].series[1].runs, 3);
	/* By step: whoever has it. */
	assert_int_equal(audit.files[0].series[0].all.steps[0].sample.count, 4);
	assert_int_equal(audit.files[0].series[0].all.steps[1].sample.count, 3);
	rg_audit_release(&audit);
	free_runs(&runs);
}

TEST(an_unreadable_golden_is_named)
{
	const double values[] = {1, 2, 3};
	rg_audit_source source;
	number_runs runs = make_runs(values, 3, 1, 1);
	rg_audit audit;

	runs.broken = 1;
	source = source_of(&runs);
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	assert_int_equal(audit.unreadable_count, 1);
	assert_int_equal(audit.unreadable[0].run, 1);
	assert_string_equal(audit.unreadable[0].path, "a/golden.json");
	assert_string_equal(audit.unreadable[0].why, "byte 0: not JSON");
	assert_int_equal(audit.files[0].runs, 2);
	rg_audit_release(&audit);
	free_runs(&runs);
}

/* The run is the unit: fifty steps that move together are one observation. */
TEST(steps_are_no_observations)
{
	double values[8][50];
	rg_audit_source source;
	number_runs runs;
	rg_audit audit;
	size_t i, j;

	for (i = 0; i < 8; i++)
		for (j = 0; j < 50; j++)
			values[i][j] = (10 + (double)j) * (1 + (double)(i * 3 % 8) / 100);
	runs = make_runs(&values[0][0], 8, 1, 50);
	source = source_of(&runs);
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	assert_int_equal(audit.files[0].series[0].noise.measured, 8);
	assert_int_equal(audit.overall[0].measured, 8);
	assert_near(audit.files[0].series[0].noise.spread.high, 0.035 / 1.035);
	rg_audit_release(&audit);
	free_runs(&runs);
}

TEST(groups)
{
	const double values[] = {1, 10, 1.1, 10.1, 1, 10, 1.1, 10.1};
	rg_audit_options options = usual_options;
	rg_audit_source source;
	number_runs runs = make_runs(values, 8, 1, 1);
	rg_audit audit;
	size_t i;

	for (i = 0; i < 8; i++)
		runs.list[i].branch = i % 2 ? "main" : "dev";
	options.grouping = RG_BY_BRANCH;
	source = source_of(&runs);
	assert_null(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.group_count, 2);
	assert_string_equal(audit.groups[0].name, "dev");
	assert_int_equal(audit.groups[1].run_count, 4);
	assert_int_equal(audit.groups[1].runs[3], 7);
	assert_int_equal(audit.file_count, 2);
	assert_true(audit.files[1].series[0].noise.centre[0] == 10.05);
	assert_int_equal(audit.metric_count, 2);
	rg_audit_release(&audit);
	options.grouping = RG_BY_COMMIT;
	assert_null(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.group_count, 4);
	rg_audit_release(&audit);
	free_runs(&runs);
}

enum { MANY = 1500, MANY_RUNS = 30, ODD = 700 };

static char many_names[MANY][8];
static double many_values[MANY_RUNS][MANY];

static rg_error *read_many(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	rg_metric *metrics;
	size_t i;

	(void)context;
	(void)file;
	(void)bytes;
	*out = calloc(1, sizeof(**out));
	rg_arena_init(&(*out)->arena);
	metrics = rg_arena_alloc(&(*out)->arena, MANY * sizeof(*metrics));
	for (i = 0; i < MANY; i++)
		metrics[i] = (rg_metric){.name = many_names[i],
					 .kind = RG_METRIC_SERIES,
					 .count = 1,
					 .values = &many_values[run][i]};
	(*out)->format = "json";
	(*out)->metrics = metrics;
	(*out)->count = MANY;
	return NULL;
}

/* One series that breaks among many is found, although each is held to a smaller p. */
TEST(a_lone_break_among_many_series)
{
	rg_audit_run list[MANY_RUNS];
	const char *const files[] = {"a/golden.json"};
	const rg_audit_source source = {.runs = list,
					.run_count = MANY_RUNS,
					.files = files,
					.file_count = 1,
					.read = read_many};
	rg_random random = {17};
	rg_audit audit;
	size_t run, i;

	for (i = 0; i < MANY; i++)
		snprintf(many_names[i], sizeof(many_names[i]), "m%04zu", i);
	for (run = 0; run < MANY_RUNS; run++) {
		list[run] = (rg_audit_run){"1", "", "", ""};
		for (i = 0; i < MANY; i++)
			many_values[run][i] = 100 + (double)rg_random_below(&random, 1000) / 1000 +
					      (i == ODD && run >= 18 ? 5 : 0);
	}
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	assert_int_equal(audit.tested, MANY);
	assert_int_equal(audit.broken, 1);
	assert_int_equal(audit.files[0].series[ODD].break_count, 1);
	assert_int_equal(audit.files[0].series[ODD].breaks[0].at, 18);
	assert_true(audit.files[0].series[ODD].breaks[0].adjusted <= 0.05);
	rg_audit_release(&audit);
}

/*
 * More runs than are followed for what they owe to those before them, with TEST_LONG more than have
 * all their orders drawn; their steps are no multiple of what is summed at once.
 */
TEST(many_runs_of_many_steps)
{
	enum { STEPS = 101 };
	const size_t count = getenv("TEST_LONG") ? 3000 : RG_DEPENDENCE_MAX + 100;
	double *values = calloc(count * STEPS, sizeof(*values));
	rg_audit_source source;
	number_runs runs;
	rg_audit audit;
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < STEPS; j++)
			values[i * STEPS + j] = (double)(j + 1) *
						(1 + (double)(i * 7 % count) / (double)count);
	runs = make_runs(values, count, 1, STEPS);
	source = source_of(&runs);
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	for (j = 0; j < STEPS; j++) {
		const rg_sample *sample = &audit.files[0].series[0].all.steps[j].sample;

		assert_int_equal(sample->count, count);
		assert_near(sample->min, (double)(j + 1));
		assert_near(sample->mean,
			    (double)(j + 1) * (1 + ((double)count - 1) / (double)count / 2));
	}
	rg_audit_release(&audit);
	free_runs(&runs);
	free(values);
}
