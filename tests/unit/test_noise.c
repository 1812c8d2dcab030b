/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "audit/verdict.h"
#include "audit_runs.h"
#include "compare/compare.h"
#include "noise_model.h"

#include <math.h>
#include <stdlib.h>

#define FILE_NAME "a/golden.json"

static double uniform(rg_random *random)
{
	return (double)(rg_random_next(random) >> 11) / 9007199254740992.0;
}

/* About normal: the sum of twelve uniforms less six. */
static double normal(rg_random *random)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += uniform(random);
	return sum;
}

/* An audit's noise model, written and opened. */
static rg_noise_model noise_of(const rg_audit *audit)
{
	rg_noise_model model;

	write_noise(audit);
	assert_success(rg_noise_file_open(&model, noise_path()));
	assert_int_equal(unlink(noise_path()), 0);
	return model;
}

/* The model of these runs, written and read back. */
static rg_noise_model model_of(number_runs *runs)
{
	rg_audit_source source = source_of(runs);
	rg_noise_model model;
	rg_audit audit;

	assert_null(rg_audit_make(&audit, &source, &usual_options));
	model = noise_of(&audit);
	rg_audit_release(&audit);
	return model;
}

static rg_verdict judge(const rg_noise_model *model, double level, const char *file,
			const double *values, size_t count, rg_arena *arena)
{
	const rg_metric metric = {
		.name = "a", .kind = RG_METRIC_SERIES, .count = count, .values = values};
	rg_verdict verdict;

	const rg_noise_judge_context with = {.model = model, .level = level};

	assert_null(rg_noise_judge(&verdict, arena, &with, file, &metric, NULL, RG_NEAR_ZERO));
	return verdict;
}

static const double spread24[24][2] = {
	{10.3, 20}, {10.1, 21}, {10.7, 20.5}, {10.2, 20.2}, {10.5, 20.1}, {10.4, 20.9},
	{10.6, 20}, {10.1, 21}, {10.3, 20.4}, {10.5, 20.3}, {10.2, 20.6}, {10.4, 20.7},
	{10.3, 20}, {10.6, 21}, {10.2, 20.5}, {10.5, 20.2}, {10.3, 20.1}, {10.1, 20.9},
	{10.7, 20}, {10.4, 21}, {10.2, 20.4}, {10.6, 20.3}, {10.5, 20.6}, {10.1, 20.7},
};

TEST(within_and_outside)
{
	const double inside[] = {10.4, 20.5}, low[] = {9, 19}, nan_too[] = {10.4, NAN};
	number_runs runs = make_runs(&spread24[0][0], 24, 1, 2);
	rg_noise_model model;
	rg_verdict verdict;
	rg_arena arena;

	rg_arena_init(&arena);
	runs.list[23].when = "2026-05-01T10:00:00Z";
	model = model_of(&runs);
	verdict = judge(&model, 0.1, FILE_NAME, inside, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_WITHIN);
	assert_int_equal(verdict.runs, 24);
	assert_true(verdict.bound == 0.04);
	assert_string_equal(verdict.text,
			    "inside the range of 24 measured runs (2026-04-02 … 2026-05-01)");
	verdict = judge(&model, 0.1, FILE_NAME, low, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	assert_non_null(strstr(verdict.text, "outside all 24 measured runs"));
	/* The bound is of those outside, not of those inside. */
	assert_non_null(strstr(verdict.text, " times their range away (by chance in at most 1 "
					     "of 25 runs)"));
	verdict = judge(&model, 0.1, FILE_NAME, nan_too, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	assert_non_null(strstr(verdict.text, "not finite at step 1"));
	/* The runs themselves all lie in their range; two that are equal share the worse place. */
	for (size_t i = 0; i < 24; i++)
		assert_int_equal(judge(&model, 0.05, FILE_NAME, spread24[i], 2, &arena).kind,
				 RG_VERDICT_WITHIN);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* A step that is finite in no run says nothing of a new one, whatever it has there. */
TEST(a_step_that_is_never_finite)
{
	const double inside[] = {10.4, 20.5, NAN}, number[] = {10.4, 20.5, 7};
	const double infinite[] = {10.4, 20.5, INFINITY}, low[] = {9, 19, NAN};
	double values[24][3] = {{0}};
	number_runs runs = make_runs(&values[0][0], 24, 1, 3);
	rg_noise_model model;
	rg_arena arena;
	size_t i;

	for (i = 0; i < 24; i++) {
		memcpy(values[i], spread24[i], sizeof(spread24[i]));
		values[i][2] = NAN;
	}
	rg_arena_init(&arena);
	model = model_of(&runs);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, inside, 3, &arena).kind, RG_VERDICT_WITHIN);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, number, 3, &arena).kind, RG_VERDICT_WITHIN);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, infinite, 3, &arena).kind,
			 RG_VERDICT_WITHIN);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, low, 3, &arena).kind, RG_VERDICT_OUTSIDE);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* Nor do runs that are never finite at all: no model has them. */
TEST(what_is_never_finite_is_in_no_model)
{
	const double number[] = {10.4, 20.5};
	double values[24][2];
	rg_noise_model model;
	rg_verdict verdict;
	number_runs runs;
	rg_arena arena;
	size_t i;

	for (i = 0; i < 24; i++)
		values[i][0] = values[i][1] = NAN;
	runs = make_runs(&values[0][0], 24, 1, 2);
	rg_arena_init(&arena);
	model = model_of(&runs);
	assert_int_equal(model.count, 0);
	rg_noise_model_release(&model);
	/* One run's value is not a centre of 24. */
	values[3][0] = 5;
	model = model_of(&runs);
	assert_int_equal(model.count, 0);
	rg_noise_model_release(&model);
	for (i = 0; i < 24; i++)
		values[i][0] = i ? 0 : 1e-20;
	model = model_of(&runs);
	assert_int_equal(model.count, 1);
	verdict = judge(&model, 0.1, FILE_NAME, number, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* Values that overflow in both directions do not cancel each other. */
TEST(overflow_is_outside)
{
	const double far[] = {1e300, -1e300};
	double values[24][2];
	rg_noise_model model;
	number_runs runs;
	rg_arena arena;
	size_t i;

	for (i = 0; i < 24; i++)
		values[i][0] = values[i][1] = 1e-11 * (1 + 1e-3 * (double)(i * 7 % 24));
	runs = make_runs(&values[0][0], 24, 1, 2);
	rg_arena_init(&arena);
	model = model_of(&runs);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, far, 2, &arena).kind, RG_VERDICT_OUTSIDE);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

static rg_golden *golden_of(const char *text)
{
	const rg_input in = {.name = "golden.json", .data = text, .size = strlen(text)};
	rg_golden *golden;

	assert_null(rg_golden_read(&golden, &in, NULL));
	return golden;
}

/* Only the rows of the file that came last are judged, and all of them are counted. */
TEST(rows_are_judged)
{
	static const char old_text[] = "{\"a\": [1, 1], \"other\": [1]}";
	static const char new_text[] = "{\"a\": [99, 99], \"other\": [2]}";
	rg_golden *old = golden_of(old_text), *fresh = golden_of(new_text);
	rg_golden *inside = golden_of("{\"a\": [10.4, 20.5]}");
	number_runs runs = make_runs(&spread24[0][0], 24, 1, 2);
	rg_noise_model model = model_of(&runs);
	rg_noise_judge_context judge_context = {.model = &model, .level = 0.1};
	rg_file_name name = {FILE_NAME, NULL};
	rg_comparison c;

	rg_comparison_init(&c);
	assert_null(rg_compare_goldens(&c, &name, old, fresh, NULL));
	assert_null(rg_compare_goldens(&c, &name, old, fresh, NULL));
	assert_null(rg_noise_judge_rows(&judge_context, &c, old, fresh));
	assert_int_equal(c.row_count, 4);
	assert_int_equal(c.rows[1].verdict.kind, RG_VERDICT_NONE);
	assert_int_equal(c.rows[2].verdict.kind, RG_VERDICT_OUTSIDE);
	assert_int_equal(c.rows[3].verdict.kind, RG_VERDICT_UNMEASURED);
	assert_null(rg_compare_goldens(&c, &name, old, inside, NULL));
	assert_null(rg_noise_judge_rows(&judge_context, &c, old, inside));
	assert_null(rg_compare_goldens(&c, &name, old, inside, NULL));
	judge_context.level = 0.01;
	assert_null(rg_noise_judge_rows(&judge_context, &c, old, inside));
	assert_int_equal(c.rows[4].verdict.kind, RG_VERDICT_WITHIN);
	assert_int_equal(c.rows[5].verdict.kind, RG_VERDICT_WITHIN);
	rg_comparison_release(&c);
	rg_noise_model_release(&model);
	free_runs(&runs);
	rg_golden_free(inside);
	rg_golden_free(fresh);
	rg_golden_free(old);
}

static void expect_within(number_runs *runs, rg_audit_grouping grouping, const char *wanted)
{
	rg_audit_options options = usual_options;
	const double values[] = {10.4, 20.5};
	rg_audit_source source = source_of(runs);
	rg_noise_model model;
	rg_verdict verdict;
	rg_audit audit;
	rg_arena arena;

	options.grouping = grouping;
	assert_null(rg_audit_make(&audit, &source, &options));
	rg_arena_init(&arena);
	model = noise_of(&audit);
	verdict = judge(&model, 0.1, FILE_NAME, values, 2, &arena);
	if (!strstr(verdict.text, wanted))
		fail_msg("'%s' does not say '%s'", verdict.text, wanted);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	rg_audit_release(&audit);
}

/* What the runs have in common is said only where it is known. */
TEST(what_the_runs_have_in_common)
{
	const double one[1][2] = {{10.4, 20.5}};
	number_runs runs = make_runs(&spread24[0][0], 24, 1, 2);
	size_t i;

	expect_within(&runs, RG_BY_ALL, "of 24 measured runs (2026-04-02)");
	expect_within(&runs, RG_BY_BRANCH, "of 24 measured runs (same branch, 2026-04-02)");
	for (i = 0; i < 24; i++) {
		runs.list[i].branch = "";
		runs.list[i].commit = "abc";
	}
	expect_within(&runs, RG_BY_BRANCH, "of 24 measured runs (2026-04-02)");
	expect_within(&runs, RG_BY_COMMIT, "of 24 measured runs (same commit, 2026-04-02)");
	runs.list[0].when = "";
	expect_within(&runs, RG_BY_ALL, "of 24 measured runs (1 … 8)");
	/* A model may come from anywhere: no letter is cut in two. */
	runs.list[0].when = "2026-04-0\xc3\xa9T00:00:00Z";
	expect_within(&runs, RG_BY_ALL, "of 24 measured runs (1 … 8)");
	free_runs(&runs);
	runs = make_runs(&one[0][0], 1, 1, 2);
	expect_within(&runs, RG_BY_ALL, "equal to 1 measured run (2026-04-02)");
	free_runs(&runs);
}

TEST(few_runs_still_say_something)
{
	const double far[] = {99, 99}, near[] = {11.3, 22};
	number_runs runs = make_runs(&spread24[0][0], 5, 1, 2);
	rg_noise_model model = model_of(&runs);
	rg_verdict verdict;
	rg_arena arena;
	size_t within = 0, i;

	rg_arena_init(&arena);
	verdict = judge(&model, RG_VERDICT_LEVEL, FILE_NAME, near, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(verdict.text, "inconclusive: outside all 5 measured runs"));
	assert_non_null(strstr(verdict.text, "(not enough runs: 5 measured, 9 needed)"));
	/* Four of the runs themselves are not the furthest. */
	for (i = 0; i < 5; i++)
		within += judge(&model, RG_VERDICT_LEVEL, FILE_NAME, spread24[i], 2, &arena).kind ==
			  RG_VERDICT_WITHIN;
	assert_true(within >= 3);
	/* So far out that nobody needs more runs. */
	verdict = judge(&model, RG_VERDICT_LEVEL, FILE_NAME, far, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	assert_non_null(strstr(verdict.text, "by chance in at most 1 of 6 runs"));
	rg_noise_model_release(&model);
	free_runs(&runs);
	/* Nine are enough: 1 / 10 is not over 0.1. */
	runs = make_runs(&spread24[0][0], 9, 1, 2);
	model = model_of(&runs);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, near, 2, &arena).kind, RG_VERDICT_OUTSIDE);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* A step of a falling curve with some noise. */
static double noisy(rg_random *random, size_t s)
{
	return (10 - (double)s / 8) * (1 + 1e-3 * normal(random));
}

/* What the mean of the steps hides. */
TEST(the_shape_is_seen)
{
	enum { STEPS = 40 };
	static double values[24][STEPS];
	double halves[STEPS], flat[STEPS], steps[STEPS], same[STEPS];
	rg_random random = {6};
	number_runs runs = make_runs(&values[0][0], 24, 1, STEPS);
	rg_noise_model model;
	rg_verdict verdict;
	rg_arena arena;
	size_t r, s;

	rg_arena_init(&arena);
	for (r = 0; r < 24; r++)
		for (s = 0; s < STEPS; s++)
			values[r][s] = noisy(&random, s);
	for (s = 0; s < STEPS; s++) {
		same[s] = steps[s] = noisy(&random, s);
		halves[s] = noisy(&random, s) * (s < STEPS / 2 ? 1.02 : 0.98);
		flat[s] = 10;
	}
	steps[7] *= 1.008;
	model = model_of(&runs);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, same, STEPS, &arena).kind,
			 RG_VERDICT_WITHIN);
	verdict = judge(&model, 0.1, FILE_NAME, halves, STEPS, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	assert_true(verdict.p == 1 / 25.0);
	if (!strstr(verdict.text, ": shape from step 20 on, "))
		fail_msg("'%s'", verdict.text);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, flat, STEPS, &arena).kind,
			 RG_VERDICT_OUTSIDE);
	verdict = judge(&model, 0.1, FILE_NAME, steps, STEPS, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	if (!strstr(verdict.text, ": step "))
		fail_msg("'%s'", verdict.text);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* Of rows of noise some are outside by chance, as they are of each run that was measured. */
TEST(the_run_as_a_whole)
{
	enum { ROWS = 8, STEPS = 2 };
	static double values[24][ROWS][STEPS];
	double usual[ROWS][STEPS], other[ROWS][STEPS];
	number_runs runs = make_runs(&values[0][0][0], 24, ROWS, STEPS);
	rg_random random = {3};
	rg_noise_model model;
	rg_comparison c = {0};
	rg_row rows[ROWS];
	rg_arena arena;
	size_t r, m, s;

	rg_arena_init(&arena);
	for (r = 0; r < 24; r++)
		for (m = 0; m < ROWS; m++)
			for (s = 0; s < STEPS; s++)
				values[r][m][s] = 10 +
						  1e-3 * (double)rg_random_below(&random, 1000);
	for (m = 0; m < ROWS; m++)
		for (s = 0; s < STEPS; s++) {
			usual[m][s] = 10 + 1e-3 * (double)rg_random_below(&random, 1000);
			other[m][s] = usual[m][s] + (m < 5 ? 0.9 : 0);
		}
	model = model_of(&runs);
	const rg_noise_judge_context with = {.model = &model, .level = 0.1};
	for (int round = 0; round < 2; round++) {
		memset(rows, 0, sizeof(rows));
		for (m = 0; m < ROWS; m++) {
			const rg_metric metric = {.name = number_names[m],
						  .kind = RG_METRIC_SERIES,
						  .count = STEPS,
						  .values = round ? other[m] : usual[m]};

			rows[m].metric = number_names[m];
			assert_null(rg_noise_judge(&rows[m].verdict, &arena, &with, FILE_NAME,
						   &metric, NULL, RG_NEAR_ZERO));
		}
		c.rows = rows;
		c.row_count = ROWS;
		assert_null(rg_noise_judge_run(&c, &with));
		assert_int_equal(c.run.fresh.rows, ROWS);
		assert_int_equal(c.run.fresh.runs, 24);
		assert_int_equal(c.run.golden.rows, 0);
		assert_int_equal(c.run.fresh.answer, round ? RG_ANSWER_CHANGED : RG_ANSWER_NOISE);
		if (round) {
			assert_true(c.run.fresh.p == 1 / 25.0);
			assert_true(rows[0].verdict.stands_out);
			assert_true(rows[0].verdict.run_p == 1 / 25.0);
		}
		/* What is inside never does. */
		assert_false(rows[7].verdict.kind == RG_VERDICT_WITHIN &&
			     rows[7].verdict.stands_out);
	}
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

TEST(unmeasured)
{
	const double values[] = {10.4, 20.5, 1};
	number_runs runs = make_runs(&spread24[0][0], 24, 1, 2);
	rg_noise_model model = model_of(&runs);
	rg_verdict verdict;
	rg_arena arena;

	rg_arena_init(&arena);
	verdict = judge(&model, 0.1, "b/golden.json", values, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_UNMEASURED);
	assert_string_equal(verdict.text, "unmeasured: not in the noise model");
	/* Steps that the runs lack are no matter, nor are those that the new one lacks. */
	verdict = judge(&model, 0.1, FILE_NAME, values, 3, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_WITHIN);
	assert_int_equal(verdict.steps, 2);
	verdict = judge(&model, 0.1, FILE_NAME, values, 1, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_WITHIN);
	assert_non_null(strstr(verdict.text, "24 measured runs (2026-04-02, 1 of 2 steps)"));
	verdict = judge(&model, 0.1, FILE_NAME, values, 0, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_UNMEASURED);
	assert_string_equal(verdict.text, "unmeasured: the noise model has other steps");
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

TEST(files_are_found_by_their_last_parts)
{
	number_runs runs = make_runs(&spread24[0][0], 24, 1, 2);
	rg_noise_model model = model_of(&runs);

	assert_non_null(rg_noise_model_find(&model, FILE_NAME, "a"));
	assert_non_null(rg_noise_model_find(&model, "tests/x/a/golden.json", "a"));
	assert_non_null(rg_noise_model_find(&model, "old.json vs a/golden.json", "a"));
	assert_null(rg_noise_model_find(&model, "tests/x/aa/golden.json", "a"));
	assert_null(rg_noise_model_find(&model, "golden.json", "a"));
	assert_null(rg_noise_model_find(&model, FILE_NAME, "b"));
	rg_noise_model_release(&model);
	/* A bare name is too little to go by inside a repository. */
	runs.paths[0] = "golden.json";
	model = model_of(&runs);
	assert_non_null(rg_noise_model_find(&model, "golden.json", "a"));
	assert_non_null(rg_noise_model_find(&model, "x/old.json vs x/golden.json", "a"));
	assert_null(rg_noise_model_find(&model, "tests/x/golden.json", "a"));
	rg_noise_model_release(&model);
	free_runs(&runs);
}

TEST(runs_that_agree_to_the_bit)
{
	double values[24][2];
	const double same[] = {3, 4}, other[] = {3, 4.0000000000000009};
	rg_noise_model model;
	rg_verdict verdict;
	number_runs runs;
	rg_arena arena;
	size_t i;

	rg_arena_init(&arena);
	for (i = 0; i < 24; i++)
		memcpy(values[i], same, sizeof(same));
	runs = make_runs(&values[0][0], 24, 1, 2);
	model = model_of(&runs);
	assert_int_equal(judge(&model, 0.1, FILE_NAME, same, 2, &arena).kind, RG_VERDICT_WITHIN);
	verdict = judge(&model, 0.1, FILE_NAME, other, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	assert_non_null(strstr(verdict.text, ": different, and the runs are equal"));
	rg_noise_model_release(&model);
	/* How far off it is, zeros cannot tell. */
	memset(values, 0, sizeof(values));
	model = model_of(&runs);
	verdict = judge(&model, 0.1, FILE_NAME, other, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_OUTSIDE);
	assert_non_null(strstr(verdict.text, ": different, and the runs are equal"));
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* Zeros have no deviations; a run with other steps among them is left out anyway. */
TEST(zeros_make_a_model)
{
	double values[20][2] = {{0}};
	const double same[] = {0, 0}, other[] = {0, 1};
	number_runs runs = make_runs(&values[0][0], 20, 1, 2);
	rg_noise_model model;
	rg_verdict verdict;
	rg_arena arena;

	rg_arena_init(&arena);
	runs.short_run = 3;
	model = model_of(&runs);
	assert_int_equal(model.series[0].run_count, 19);
	verdict = judge(&model, 0.1, FILE_NAME, same, 2, &arena);
	assert_int_equal(verdict.kind, RG_VERDICT_WITHIN);
	assert_non_null(strstr(verdict.text, "equal to all 19 measured runs"));
	assert_int_equal(judge(&model, 0.1, FILE_NAME, other, 2, &arena).kind, RG_VERDICT_OUTSIDE);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* A model has the newest fifty runs of a series, and what they did to the bit. */
TEST(the_newest_runs_are_kept)
{
	static double values[60][2];
	double *unpacked;
	number_runs runs = make_runs(&values[0][0], 60, 1, 2);
	rg_noise_content content;
	rg_noise_model model;
	rg_arena arena;
	size_t r;

	rg_arena_init(&arena);

	for (r = 0; r < 60; r++) {
		values[r][0] = 10 + sin((double)r) / 7;
		values[r][1] = 20 + cos((double)r) / 3;
	}
	model = model_of(&runs);
	assert_int_equal(model.series[0].run_count, 50);
	assert_int_equal(model.series[0].runs[0], 10);
	assert_null(rg_noise_read(&content, &unpacked, 0, &arena, &model, &model.series[0]));
	assert_memory_equal(unpacked, values[10], 50 * sizeof(values[10]));
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	free_runs(&runs);
}

/* A run: what moves all its steps together, what moves each, and rarely a wild one. */
static void simulate_run(rg_random *random, double *values, size_t steps, double size)
{
	double together = normal(random) * size;
	size_t i;

	if (uniform(random) < 0.02)
		together *= 5;
	for (i = 0; i < steps; i++)
		values[i] = (10 + (double)i) * (1 + together + normal(random) * size);
}

/*
 * 400 audits of n runs, with TEST_LONG 2,000, and one more run of the same kind each time: how
 * often the verdict calls it outside must lie at or under the level, and how often a break is found
 * at or under 5 %, give or take three standard errors.
 */
static void hold_levels(size_t n, double size, uint64_t seed)
{
	enum { STEPS = 4 };
	const size_t audits = getenv("TEST_LONG") ? 2000 : 400;
	const double bound = 2 * rg_rank_bound(n);
	size_t outside = 0, broken = 0, round, i;
	double values[40 * STEPS], fresh[STEPS];
	number_runs runs = make_runs(values, n, 1, STEPS);
	rg_audit_source source = source_of(&runs);
	rg_random random = {seed};
	rg_arena arena;

	for (round = 0; round < audits; round++) {
		const rg_metric metric = {
			.name = "a", .kind = RG_METRIC_SERIES, .count = STEPS, .values = fresh};
		rg_noise_model model;
		rg_verdict verdict;
		rg_audit audit;

		for (i = 0; i < n; i++)
			simulate_run(&random, values + i * STEPS, STEPS, size);
		simulate_run(&random, fresh, STEPS, size);
		assert_null(rg_audit_make(&audit, &source, &usual_options));
		broken += audit.broken;
		rg_noise_model_of_audit(&model, &audit);
		rg_arena_init(&arena);
		const rg_noise_judge_context with = {.model = &model, .level = bound};
		assert_null(rg_noise_judge(&verdict, &arena, &with, FILE_NAME, &metric, NULL,
					   RG_NEAR_ZERO));
		outside += verdict.kind == RG_VERDICT_OUTSIDE;
		rg_arena_release(&arena);
		rg_noise_model_release(&model);
		rg_audit_release(&audit);
	}
	print_message("%zu runs: outside in %.2f %% (bound %.2f %%), a break in %.2f %%\n", n,
		      100 * (double)outside / (double)audits, 100 * bound,
		      100 * (double)broken / (double)audits);
	assert_true((double)outside / (double)audits <= bound + 3 * sqrt(bound / (double)audits));
	assert_true((double)broken / (double)audits <= 0.05 + 3 * sqrt(0.05 / (double)audits));
	free_runs(&runs);
}

TEST(false_alarms_stay_under_the_bound)
{
	hold_levels(19, 1e-4, 1);
	hold_levels(24, 0.05, 2);
}
