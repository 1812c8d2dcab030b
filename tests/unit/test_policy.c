/* SPDX-License-Identifier: Apache-2.0 */
/* The [metric] policy, the scores and levels that it gives rows. */
#include "unit.h"

#include "policy_of.h"

#include "base/buf.h"
#include "compare/compare.h"
#include "compare/score.h"

#include <math.h>
#include <string.h>

TEST(specific_wins)
{
	rg_policy *policy = POLICY("lm loss", "flag", "3", "*loss", "flag", "2", "*", "flag", "1",
				   "*", "noise", "0.5", "?m loss", "fail", "9", "*", "aggregate",
				   "median", "0/*", "direction", "higher");
	rg_metric_policy p;

	rg_policy_resolve(policy, NULL, "lm loss", &p);
	assert_true(p.flag == 3 && p.noise == 0.5 && p.fail == 9);
	assert_int_equal(p.aggregate, RG_AGGREGATE_MEDIAN);
	rg_policy_resolve(policy, NULL, "total loss", &p);
	assert_true(p.flag == 2 && p.noise == 0.5 && isnan(p.fail));
	rg_policy_resolve(policy, NULL, "0/a/b", &p);
	assert_true(p.flag == 1);
	assert_int_equal(p.direction, RG_DIRECTION_HIGHER);
	rg_policy_free(policy);
	/* Of equally specific ones the later. */
	policy = POLICY("l*", "flag", "1", "*s", "flag", "2", "m*", "flag", "3");
	rg_policy_resolve(policy, NULL, "lm loss", &p);
	assert_true(p.flag == 2);
	rg_policy_resolve(NULL, NULL, "lm loss", &p);
	assert_int_equal(p.kind, RG_POLICY_RELATIVE);
	assert_true(isnan(p.noise) && isnan(p.flag) && isnan(p.fail) && isnan(p.floor));
	assert_true(p.first_step == INT64_MIN && p.last_step == INT64_MAX && !p.last_steps);
	rg_policy_free(policy);
	rg_policy_free(NULL);
}

/* 1e-3 relative is not 1e-3 bytes: another kind starts afresh. */
TEST(kind_starts_afresh)
{
	rg_policy *policy = POLICY("*", "flag", "1e-3", "*", "fail", "1e-2", "mem-*", "kind",
				   "absolute", "mem-*", "flag", "1024", "m*", "kind", "relative");
	rg_metric_policy p;

	rg_policy_resolve(policy, NULL, "mem-x", &p);
	assert_int_equal(p.kind, RG_POLICY_ABSOLUTE);
	assert_true(p.flag == 1024 && isnan(p.fail));
	rg_policy_resolve(policy, NULL, "mine", &p);
	assert_true(p.flag == 1e-3 && p.fail == 1e-2);
	rg_policy_free(policy);
	/* Tolerances keep theirs. */
	policy = POLICY("*", "rtol", "1e-3", "*", "atol", "1e-9", "mine", "kind", "combined",
			"mine", "atol", "1e-6");
	rg_policy_resolve(policy, NULL, "mine", &p);
	assert_true(p.kind == RG_POLICY_COMBINED && p.rtol == 1e-3 && p.atol == 1e-6);
	rg_policy_free(policy);
}

/* What somebody has set for all metrics is not outdone by what nobody has set for one. */
TEST(defaults_come_first)
{
	rg_policy *policy = POLICY("*", "kind", "absolute", "*", "flag", "2");
	rg_metric_policy p;

	assert_null(rg_policy_set_default(policy, false, "lm loss", "flag", "1e-3"));
	assert_null(rg_policy_set_default(policy, false, "lm loss", "noise", "1e-4"));
	rg_policy_resolve(policy, NULL, "lm loss", &p);
	assert_true(p.flag == 2 && isnan(p.noise));
	assert_null(rg_policy_set(policy, "lm loss", "noise", "1"));
	assert_null(rg_policy_set(policy, "*", "kind", "relative"));
	rg_policy_resolve(policy, NULL, "lm loss", &p);
	assert_true(p.flag == 2 && p.noise == 1);
	rg_policy_free(policy);
}

static void expect_refusal(const char *key, const char *value, const char *message)
{
	rg_policy *policy;
	rg_error *err;

	policy = rg_policy_new();
	err = rg_policy_set(policy, "lm loss", key, value);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
	assert_string_equal(rg_error_message(err), message);
	rg_error_free(err);
	rg_policy_free(policy);
}

TEST(refusals)
{
	expect_refusal(
		"noize", "1",
		"metric \"lm loss\": 'noize' is not one of its keys: noise, flag, fail, kind, "
		"rtol, atol, floor, near-zero, steps, nan, direction, aggregate, "
		"score, duration, missing");
	expect_refusal("noise", "x", "metric \"lm loss\": noise: 'x' is not a number of 0 or more");
	expect_refusal("atol", "1%",
		       "metric \"lm loss\": atol: '1%' is not a number: only fractions take '%'");
	expect_refusal("flag", "-1", "metric \"lm loss\": flag: '-1' is not a number of 0 or more");
	expect_refusal("fail", "inf",
		       "metric \"lm loss\": fail: 'inf' is not a number of 0 or more");
	expect_refusal("floor", "nan",
		       "metric \"lm loss\": floor: 'nan' is not a number of 0 or more");
	expect_refusal("kind", "big",
		       "metric \"lm loss\": kind: 'big' is not one of relative, absolute, "
		       "combined, ulp, exact, allclose, ignore");
	expect_refusal("direction", "up",
		       "metric \"lm loss\": direction: 'up' is not one of both, lower, higher");
	expect_refusal("aggregate", "min",
		       "metric \"lm loss\": aggregate: 'min' is not one of none, mean, median, "
		       "max");
	expect_refusal("steps", "20..5",
		       "metric \"lm loss\": steps: '20..5' is not a range of steps: 5..20, 5.., "
		       "..20 or 'last 10'");
	expect_refusal("steps", "..",
		       "metric \"lm loss\": steps: '..' is not a range of steps: 5..20, 5.., ..20 "
		       "or 'last 10'");
	expect_refusal("steps", "last 0",
		       "metric \"lm loss\": steps: 'last 0' is not a range of steps: 5..20, 5.., "
		       "..20 or 'last 10'");
	expect_refusal("steps", "lasting 5",
		       "metric \"lm loss\": steps: 'lasting 5' is not a range of steps: 5..20, "
		       "5.., ..20 or 'last 10'");
	expect_refusal("steps", "5",
		       "metric \"lm loss\": steps: '5' is not a range of steps: 5..20, 5.., ..20 "
		       "or 'last 10'");
}

/* As people and programs write them. */
TEST(spellings)
{
	rg_metric_policy found;
	rg_policy *policy;

	policy = rg_policy_new();
	assert_null(rg_policy_set(policy, "m", "KIND", "Absolute"));
	assert_null(rg_policy_set(policy, "m", "Steps", "Last \t10"));
	assert_null(rg_policy_set(policy, "m", "fail", "-0"));
	rg_policy_resolve(policy, NULL, "m", &found);
	assert_int_equal(found.kind, RG_POLICY_ABSOLUTE);
	assert_int_equal(found.last_steps, 10);
	assert_true(found.fail == 0 && !signbit(found.fail));
	rg_policy_free(policy);
}

TEST(idle_tolerances)
{
	rg_policy *policy;

	policy = rg_policy_new();
	assert_null(rg_policy_idle_tolerances(policy));
	assert_null(rg_policy_set(policy, "a", "fail", "1"));
	assert_null(rg_policy_set(policy, "a", "kind", "absolute"));
	assert_null(rg_policy_idle_tolerances(policy));
	assert_null(rg_policy_set(policy, "b*", "atol", "1"));
	assert_string_equal(rg_policy_idle_tolerances(policy), "b*");
	/* A wide section may hold what a narrow one uses. */
	assert_null(rg_policy_set(policy, "bc", "kind", "combined"));
	assert_null(rg_policy_idle_tolerances(policy));
	rg_policy_free(policy);
}

/* Compares one metric "m" under a policy, which is freed. */
static rg_row row_of(const char *old_values, const char *new_values, rg_policy *policy)
{
	rg_input sides[2] = {{.name = "o.json", .data = old_values, .size = strlen(old_values)},
			     {.name = "n.json", .data = new_values, .size = strlen(new_values)}};
	rg_golden *old, *fresh;
	rg_arena arena;
	bool is_row;
	rg_row row;

	assert_null(rg_golden_read(&old, &sides[0], NULL));
	assert_null(rg_golden_read(&fresh, &sides[1], NULL));
	rg_arena_init(&arena);
	assert_null(rg_compare_metric(&row, &is_row, &arena, &old->metrics[0], &fresh->metrics[0],
				      policy, NULL));
	row.metric = NULL;
	rg_arena_release(&arena);
	rg_golden_free(old);
	rg_golden_free(fresh);
	rg_policy_free(policy);
	return row;
}

static void expect_score(rg_row row, double score, rg_level level)
{
	if (!(row.score == score || (isnan(score) && isnan(row.score))))
		fail_msg("score %.17g, expected %.17g", row.score, score);
	assert_int_equal(row.level, level);
}

TEST(relative_levels)
{
	const char *old = "{\"m\": [4, 4]}", *fresh = "{\"m\": [3, 3]}"; /* 0.25 */

	expect_score(row_of(old, fresh, NULL), 0.25, RG_LEVEL_NONE);
	expect_score(row_of(old, fresh, POLICY("m", "noise", "0.25")), 0.25, RG_LEVEL_QUIET);
	expect_score(row_of(old, fresh, POLICY("m", "noise", "0.2")), 0.25, RG_LEVEL_PLAIN);
	expect_score(row_of(old, fresh, POLICY("m", "flag", "0.25")), 0.25, RG_LEVEL_FLAG);
	expect_score(row_of(old, fresh, POLICY("m", "fail", "0.25")), 0.25, RG_LEVEL_PLAIN);
	expect_score(row_of(old, fresh, POLICY("m", "fail", "0.24")), 0.25, RG_LEVEL_FAIL);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "ignore", "m", "fail", "0")), NAN,
		     RG_LEVEL_NONE);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "ignore", "m", "flag", "0")), NAN,
		     RG_LEVEL_NONE);
	/* What overflows in both directions is over any level, whichever direction counts. */
	old = "{\"m\": [1e-12, 1e-12]}";
	fresh = "{\"m\": [1e300, -1e300]}";
	expect_score(row_of(old, fresh, POLICY("m", "fail", "1e308")), INFINITY, RG_LEVEL_FAIL);
	expect_score(row_of(old, fresh, POLICY("m", "fail", "1", "m", "direction", "higher")),
		     INFINITY, RG_LEVEL_FAIL);
	expect_score(row_of(old, fresh, POLICY("m", "fail", "1", "m", "direction", "lower")),
		     INFINITY, RG_LEVEL_FAIL);
	/* NaN counts in no figure, so the level says it. */
	expect_score(row_of("{\"m\": [4, 4]}", "{\"m\": [4, NaN]}", POLICY("m", "noise", "1")), 0,
		     RG_LEVEL_FLAG);
}

TEST(kinds)
{
	const char *old = "{\"m\": [4, -2, 1]}", *fresh = "{\"m\": [3, -2.5, 1]}";

	expect_score(row_of(old, fresh, POLICY("m", "kind", "absolute", "m", "flag", "1")), 1,
		     RG_LEVEL_FLAG);
	expect_score(
		row_of(old, fresh,
		       POLICY("m", "kind", "combined", "m", "rtol", "0.25", "m", "atol", "0.25")),
		0.8, RG_LEVEL_PLAIN); /* 1 / 1.25, 0.5 / 0.75 */
	expect_score(
		row_of(old, fresh,
		       POLICY("m", "kind", "combined", "m", "rtol", "0.125", "m", "atol", "0")),
		2, RG_LEVEL_FAIL);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "combined")), INFINITY, RG_LEVEL_FAIL);
	expect_score(row_of(old, old, POLICY("m", "kind", "combined")), 0, RG_LEVEL_PLAIN);
	expect_score(row_of("{\"m\": [1]}", "{\"m\": [1.0000000000000002]}",
			    POLICY("m", "kind", "ulp", "m", "noise", "1")),
		     1, RG_LEVEL_QUIET);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact")), 1, RG_LEVEL_FAIL);
	expect_score(row_of(old, old, POLICY("m", "kind", "exact")), 0, RG_LEVEL_PLAIN);
	/* Of the steps that are looked at, and but for what the floor calls equal. */
	old = "{\"m\": {\"values\": {\"1\": 1, \"2\": 5, \"3\": \"nan\"}}}";
	fresh = "{\"m\": {\"values\": {\"1\": 2, \"2\": 5, \"3\": \"nan\", \"4\": 1}}}";
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "steps", "2..3")), 0,
		     RG_LEVEL_PLAIN);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "steps", "2..")), 1,
		     RG_LEVEL_FAIL);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "steps", "last 2")), 1,
		     RG_LEVEL_FAIL);
	expect_score(row_of(fresh, old, POLICY("m", "kind", "exact", "m", "steps", "..1")), 1,
		     RG_LEVEL_FAIL);
	/* What differs in front of them or after them does not count. */
	old = "{\"m\": {\"values\": {\"1\": 1, \"2\": 5, \"3\": 7}}}";
	fresh = "{\"m\": {\"values\": {\"1\": 2, \"2\": 5, \"3\": 7}}}";
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "steps", "2..")), 0,
		     RG_LEVEL_PLAIN);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "steps", "last 2")), 0,
		     RG_LEVEL_PLAIN);
	fresh = "{\"m\": {\"values\": {\"1\": 1, \"2\": 5, \"3\": 8}}}";
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "steps", "..2")), 0,
		     RG_LEVEL_PLAIN);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "steps", "..3")), 1,
		     RG_LEVEL_FAIL);
	old = "{\"m\": [0, 5]}";
	fresh = "{\"m\": [1e-9, 5]}";
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "floor", "1e-8")), 0,
		     RG_LEVEL_PLAIN);
	expect_score(row_of(old, fresh, POLICY("m", "kind", "exact", "m", "floor", "1e-10")), 1,
		     RG_LEVEL_FAIL);
	expect_score(row_of("{\"m\": \"a\"}", "{\"m\": \"b\"}", POLICY("m", "kind", "exact")), 1,
		     RG_LEVEL_FAIL);
	expect_score(row_of("{\"m\": \"a\"}", "{\"m\": \"b\"}", POLICY("m", "fail", "0")), NAN,
		     RG_LEVEL_NONE);
}

static void expect_fail_level(rg_policy *policy, double expected)
{
	rg_metric_policy p;

	rg_policy_resolve(policy, NULL, "m", &p);
	const double level = rg_score_fail_level(&p);
	assert_true(level == expected || (isnan(level) && isnan(expected)));
	rg_policy_free(policy);
}

TEST(fail_levels)
{
	expect_fail_level(POLICY("m", "flag", "1"), NAN);
	expect_fail_level(POLICY("m", "fail", "0.5"), 0.5);
	expect_fail_level(POLICY("m", "kind", "absolute", "m", "fail", "3"), 3);
	expect_fail_level(POLICY("m", "kind", "combined"), 1);
	expect_fail_level(POLICY("m", "kind", "exact"), 0);
	expect_fail_level(POLICY("m", "kind", "ignore", "m", "fail", "0"), NAN);
}

TEST(direction)
{
	const char *old = "{\"m\": [4, -4]}", *lower = "{\"m\": [3, -5]}";

	/* avg_rel_diff cancels over signs, and what differs is over 0 anyway; a direction is about
	 * the values themselves. */
	expect_score(row_of(old, lower, NULL), 0.25, RG_LEVEL_NONE);
	expect_score(row_of(old, lower, POLICY("m", "direction", "lower", "m", "flag", "0.25")),
		     0.25, RG_LEVEL_FLAG);
	expect_score(row_of(old, lower, POLICY("m", "direction", "higher", "m", "flag", "0.25")), 0,
		     RG_LEVEL_PLAIN);
	expect_score(row_of(old, lower,
			    POLICY("m", "direction", "higher", "m", "kind", "absolute", "m",
				   "noise", "0")),
		     0, RG_LEVEL_QUIET);
}

TEST(floor)
{
	expect_score(row_of("{\"m\": [1, 100]}", "{\"m\": [2, 50]}", POLICY("m", "floor", "2")),
		     0.25, RG_LEVEL_NONE); /* 0 and 0.5 */
	expect_score(row_of("{\"m\": [2, 100]}", "{\"m\": [1, 50]}", POLICY("m", "floor", "2")),
		     0.25, RG_LEVEL_NONE);
	expect_score(row_of("{\"m\": [1, 100]}", "{\"m\": [2, 99]}",
			    POLICY("m", "floor", "2", "m", "kind", "absolute")),
		     1, RG_LEVEL_NONE);
	/* Zeros that stay are under any floor; without one no step near zero counts. */
	expect_score(row_of("{\"m\": [0, 4]}", "{\"m\": [0, 3]}", POLICY("m", "floor", "0")), 0.125,
		     RG_LEVEL_NONE);
	/* From zero, any relative level is passed. */
	expect_score(row_of("{\"m\": [0, 4]}", "{\"m\": [1, 3]}", POLICY("m", "floor", "0")),
		     INFINITY, RG_LEVEL_NONE);
	expect_score(row_of("{\"m\": [0, 4]}", "{\"m\": [1, 4]}", POLICY("m", "fail", "9")),
		     INFINITY, RG_LEVEL_FAIL);
	expect_score(row_of("{\"m\": [0, 4]}", "{\"m\": [-1, 3]}",
			    POLICY("m", "direction", "higher", "m", "fail", "9")),
		     0, RG_LEVEL_PLAIN);
	expect_score(
		row_of("{\"m\": [0, 4]}", "{\"m\": [0, 3]}", POLICY("m", "direction", "lower")),
		0.25, RG_LEVEL_NONE);
}

TEST(aggregates)
{
	const char *old = "{\"m\": [100, 4, 2, 8]}", *fresh = "{\"m\": [10, 3, 3, 3]}";

	expect_score(row_of(old, fresh, POLICY("m", "aggregate", "median")), 0.5, RG_LEVEL_NONE);
	expect_score(row_of(old, fresh, POLICY("m", "aggregate", "max")), 0.9, RG_LEVEL_NONE);
	expect_score(row_of(old, fresh, POLICY("m", "aggregate", "mean", "m", "kind", "absolute")),
		     23.75, RG_LEVEL_NONE); /* 28.5 - 4.75 */
	expect_score(row_of("{\"m\": [3, 1, 2]}", "{\"m\": [1, 1, 1]}",
			    POLICY("m", "aggregate", "median")),
		     0.5, RG_LEVEL_NONE);
	/* From zero any difference is infinite, but there is none where it stays. */
	old = "{\"m\": [0, 1, 0]}";
	expect_score(row_of(old, "{\"m\": [0, 2, 0]}", POLICY("m", "aggregate", "median")), 0,
		     RG_LEVEL_NONE);
	expect_score(row_of(old, "{\"m\": [3, 1, 3]}", POLICY("m", "aggregate", "median")),
		     INFINITY, RG_LEVEL_NONE);
}

/* Steps under near-zero are not in the mean: the largest difference of one counts as well. */
TEST(small_steps)
{
	const char *old = "{\"m\": [2e-16, 4e-16]}", *fresh = "{\"m\": [4e-16, 4e-16]}";
	rg_row row = row_of(old, fresh, POLICY("m", "fail", "0.5"));

	expect_score(row, 1, RG_LEVEL_FAIL);
	assert_int_equal(row.n_steps, 0);
	assert_true(isnan(row.avg_rel_diff));
	old = "{\"m\": [1e-13, 4]}";
	row = row_of(old, "{\"m\": [4e-13, 3]}", POLICY("m", "fail", "0.5"));
	expect_score(row, fabs((4e-13 - 1e-13) / 1e-13), RG_LEVEL_FAIL);
	assert_true(row.avg_rel_diff == 0.25);
	/* To the other side of the bound is from zero. */
	row = row_of(old, "{\"m\": [0.5, 4]}", NULL);
	assert_int_equal(row.from_zero.count, 1);
	assert_true(row.from_zero.old == 1e-13 && row.from_zero.largest == 0.5);
	assert_true(row.moved == 0);
	/* Under the floor, and in the direction that is good. */
	expect_score(row_of(old, "{\"m\": [4e-13, 3]}", POLICY("m", "floor", "1e-12")), 0.125,
		     RG_LEVEL_NONE);
	expect_score(row_of(old, "{\"m\": [4e-13, 4]}", POLICY("m", "direction", "lower")), 0,
		     RG_LEVEL_NONE);
}

TEST(which_score)
{
	const char *old = "{\"m\": [4, 4]}", *fresh = "{\"m\": [3, 4]}";

	expect_score(row_of(old, fresh, POLICY("m", "score", "mean")), 0.125, RG_LEVEL_NONE);
	expect_score(row_of(old, fresh, POLICY("m", "score", "max")), 0.25, RG_LEVEL_NONE);
	expect_score(row_of(old, fresh, POLICY("m", "score", "max", "m", "direction", "higher")), 0,
		     RG_LEVEL_NONE);
	expect_score(row_of(old, fresh, POLICY("m", "score", "max", "m", "floor", "4")), 0,
		     RG_LEVEL_NONE);
	expect_score(row_of("{\"m\": [4, 4]}", "{\"m\": [5, 3]}", NULL), 0.25, RG_LEVEL_NONE);
}

TEST(steps)
{
	const char *old = "{\"m\": {\"values\": {\"1\": 1, \"2\": 2, \"3\": 4, \"5\": 8}}}";
	const char *fresh =
		"{\"m\": {\"values\": {\"1\": 2, \"2\": 2, \"3\": 3, \"4\": 1, \"5\": 8}}}";
	rg_row row = row_of(old, fresh, POLICY("m", "steps", "2.."));

	assert_int_equal(row.n_steps, 3);
	assert_int_equal(row.left_out.not_looked_at, 1);
	assert_int_equal(row.first_diff, 3);
	row = row_of(old, fresh, POLICY("m", "steps", "..2"));
	assert_int_equal(row.n_steps, 2);
	assert_true(row.avg_rel_diff == -0.5);
	row = row_of(old, fresh, POLICY("m", "steps", "last 2"));
	assert_int_equal(row.n_steps, 2);
	assert_true(row.avg_rel_diff == 0.125);
	assert_int_equal(row.left_out.not_looked_at, 2);
	row = row_of(old, fresh, POLICY("m", "steps", "last 100"));
	assert_int_equal(row.n_steps, 4);
	/* What is not looked at makes no figure, but "identical" speaks of the whole. */
	row = row_of(old, fresh, POLICY("m", "steps", "5..20"));
	assert_true(row.avg_rel_diff == 0 && row.n_steps == 1);
	assert_false(row.identical);
}

/* Sections of some files come after all without, the more specific files after the less. */
TEST(files)
{
	rg_policy *policy = POLICY("lm loss", "flag", "1", "lm loss", "noise", "0.5");
	rg_metric_policy p;
	rg_error *err;

	assert_null(rg_policy_set_of_golden(policy, "gpt/a/*.json:*", "flag", "3"));
	assert_null(rg_policy_set_of_golden(policy, "gpt/**:lm loss", "flag", "2"));
	assert_null(rg_policy_set_of_golden(policy, "x.csv:time: ms", "fail", "4"));
	rg_policy_resolve(policy, "tests/gpt/a/golden.json", "lm loss", &p);
	assert_true(p.flag == 3 && p.noise == 0.5);
	rg_policy_resolve(policy, "gpt/b/golden.json", "lm loss", &p);
	assert_true(p.flag == 2);
	rg_policy_resolve(policy, "gpt/b/golden.json", "mem", &p);
	assert_true(isnan(p.flag));
	rg_policy_resolve(policy, "bert/a/golden.json", "lm loss", &p);
	assert_true(p.flag == 1);
	rg_policy_resolve(policy, NULL, "lm loss", &p);
	assert_true(p.flag == 1);
	/* The metric is all behind the first colon. */
	rg_policy_resolve(policy, "a/x.csv", "time: ms", &p);
	assert_true(p.fail == 4);
	assert_false(rg_policy_has(policy, "time: ms", "fail"));
	err = rg_policy_set_of_golden(policy, "gpt/a", "flag", "3");
	assert_error(err, RG_E_USAGE,
		     "golden \"gpt/a\": is not \"FILES:METRIC\", a glob of files, "
		     "a colon and a glob of metrics");
	err = rg_policy_set_of_golden(policy, "a:b", "flag", "x");
	assert_error(err, RG_E_USAGE, "golden \"a:b\": flag: 'x' is not a number of 0 or more");
	rg_policy_free(policy);
}
