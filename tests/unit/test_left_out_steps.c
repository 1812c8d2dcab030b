/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that did not count, as people read them. */

#include "unit.h"

#include "compare/compare.h"
#include "compare/step_ranges.h"

#include <string.h>

static void expect_text(const rg_left_out *counts, const rg_left_steps *steps, const char *expected)
{
	const char *text;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_left_out_text(&text, &arena, counts, steps);
	if (expected)
		assert_string_equal(text, expected);
	else
		assert_null(text);
	rg_arena_release(&arena);
}

TEST(stretches)
{
	const rg_left_out some = {.near_zero = 3, .new_only = 10};
	rg_left_steps steps = {0};
	size_t i;

	expect_text(&(rg_left_out){0}, NULL, NULL);
	expect_text(&(rg_left_out){0}, &steps, NULL);
	expect_text(&some, NULL, "3 near zero, 10 on the new side only");
	/* Steps 5, 10 and 20, 15 being there for another reason or counting. */
	rg_step_ranges_add(&steps.by[RG_LEFT_NEAR_ZERO], 0, 5, 5, 1);
	rg_step_ranges_add(&steps.by[RG_LEFT_NEAR_ZERO], 1, 10, 10, 1);
	rg_step_ranges_add(&steps.by[RG_LEFT_NEAR_ZERO], 3, 20, 20, 1);
	/* Eight stretches are told, the last one to its end. */
	rg_step_ranges_add(&steps.by[RG_LEFT_NEW_ONLY], 10, -3, 1, 2);
	for (i = 2; i < 9; i++)
		rg_step_ranges_add(&steps.by[RG_LEFT_NEW_ONLY], 10 * i, (int64_t)i, (int64_t)i, 1);
	expect_text(&some, &steps,
		    "3 near zero (5..10, 20), 10 on the new side only (-3..1, 2, 3, 4, 5, 6, 7, "
		    "8)");
	rg_step_ranges_add(&steps.by[RG_LEFT_NEW_ONLY], 81, 9, 9, 1);
	rg_step_ranges_add(&steps.by[RG_LEFT_NEW_ONLY], 99, 11, 11, 1);
	rg_step_ranges_add(&steps.by[RG_LEFT_NEW_ONLY], 100, 12, 12, 1);
	expect_text(&some, &steps,
		    "3 near zero (5..10, 20), 10 on the new side only (-3..1, 2, 3, 4, 5, 6, 7, "
		    "8..9, …)");
}

/* What is left out of two series without a policy. */
static void expect_of_series(const char *old_text, const char *new_text, const char *wanted)
{
	rg_input old_in = {.name = "o.json", .data = old_text, .size = strlen(old_text)};
	rg_input new_in = {.name = "n.json", .data = new_text, .size = strlen(new_text)};
	rg_golden *old, *fresh;
	rg_arena arena;
	rg_row row;
	bool is_row;

	assert_null(rg_golden_read(&old, &old_in, NULL));
	assert_null(rg_golden_read(&fresh, &new_in, NULL));
	rg_arena_init(&arena);
	assert_null(
		rg_compare_metric(&row, &is_row, &arena, old->metrics, fresh->metrics, NULL, NULL));
	assert_true(is_row);
	assert_string_equal(row.left_out_text, wanted);
	rg_arena_release(&arena);
	rg_golden_free(fresh);
	rg_golden_free(old);
}

/* Steps of one side are one stretch where none of both sides stands between them. */
TEST(stretches_of_one_side)
{
	expect_of_series("{\"m\": {\"values\": {\"1\": 1, \"2\": 1, \"3\": 1, \"4\": 1, \"5\": 1, "
			 "\"6\": 1, \"7\": 1}}}",
			 "{\"m\": {\"values\": {\"3\": 1, \"4\": 1, \"5\": 1, \"6\": 1}}}",
			 "3 on the old side only (1..2, 7)");
	expect_of_series(
		"{\"m\": {\"values\": {\"1\": 0, \"4\": 0, \"5\": 1}}}",
		"{\"m\": {\"values\": {\"1\": 0, \"2\": 1, \"3\": 1, \"4\": 0, \"5\": 1}}}",
		"2 near zero (1, 4), 2 on the new side only (2..3)");
	expect_of_series("{\"m\": {\"values\": {\"1\": 1, \"5\": 1, \"9\": 1, \"10\": 1}}}",
			 "{\"m\": {\"values\": {\"10\": 1}}}", "3 on the old side only (1..9)");
	expect_of_series("{\"m\": [1, 1]}", "{\"m\": [1, 1, 1, 1, 1]}",
			 "3 on the new side only (2..4)");
}

/* Each reason, in series whose steps are not one after the other. */
TEST(of_a_row)
{
	static const char old_text[] =
		"{\"m\": {\"values\": {\"1\": 0, \"5\": 0, \"10\": 1, \"15\": 1e-13, \"20\": NaN,"
		" \"25\": NaN, \"30\": 2, \"40\": 1, \"50\": 1}}}";
	static const char new_text[] =
		"{\"m\": {\"values\": {\"1\": 0, \"5\": 1, \"10\": 1, \"15\": 1, \"20\": 1,"
		" \"25\": NaN, \"30\": \"inf\", \"35\": 1, \"45\": 1, \"50\": 1}}}";
	rg_input old_in = {.name = "o.json", .data = old_text, .size = strlen(old_text)};
	rg_input new_in = {.name = "n.json", .data = new_text, .size = strlen(new_text)};
	rg_golden *old, *fresh;
	rg_policy *policy;
	rg_arena arena;
	rg_row row;
	bool is_row;

	assert_null(rg_golden_read(&old, &old_in, NULL));
	assert_null(rg_golden_read(&fresh, &new_in, NULL));
	policy = rg_policy_new();
	assert_null(rg_policy_set(policy, "m", "steps", "5..45"));
	rg_arena_init(&arena);
	assert_null(rg_compare_metric(&row, &is_row, &arena, old->metrics, fresh->metrics, policy,
				      NULL));
	assert_true(is_row);
	assert_string_equal(row.left_out_text,
			    "2 near zero (5, 15), 2 not finite on the old side (20..25), "
			    "1 not finite on the new side (30), 1 on the old side only (40), "
			    "2 on the new side only (35, 45), 2 not looked at (1, 50)");
	rg_arena_release(&arena);
	rg_policy_free(policy);
	rg_golden_free(fresh);
	rg_golden_free(old);
}
