/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/missing.h"

#include <math.h>

static const int64_t steps[] = {1, 4, 5, 9};
static const double values[] = {-1, 2, -1, 3}, tolerances[] = {0.1, 0.2, 0.3, NAN};

/* Everything that goes by places goes with the values. */
TEST(values_go)
{
	const rg_metric series = {.kind = RG_METRIC_SERIES,
				  .count = 4,
				  .steps = steps,
				  .values = values,
				  .tolerances = tolerances};
	const int64_t other_steps[] = {1, 5, 9};
	const double other_values[] = {7, -1, 3};
	const rg_metric other = {
		.kind = RG_METRIC_SERIES, .count = 3, .steps = other_steps, .values = other_values};
	size_t found = 0;
	rg_arena arena;

	rg_arena_init(&arena);
	const rg_metric *left = rg_without_missing(&arena, &series, -1, &other, &found);
	assert_int_equal(left->count, 2);
	assert_true(left->steps[0] == 4 && left->steps[1] == 9);
	assert_true(left->values[0] == 2 && left->values[1] == 3);
	assert_true(left->tolerances[0] == 0.2 && isnan(left->tolerances[1]));
	assert_null(left->errors);
	/* Step 1 has a number on the other side; step 5 has none there, either. */
	assert_int_equal(found, 1);
	rg_arena_release(&arena);
}

/* Without such a value, or where nobody names one, it is the series itself. */
TEST(nothing_goes)
{
	const rg_metric series = {.kind = RG_METRIC_SERIES, .count = 4, .values = values};
	const rg_metric text = {.kind = RG_METRIC_TEXT, .count = 2, .text = "-1"};
	rg_arena arena;

	rg_arena_init(&arena);
	assert_ptr_equal(rg_without_missing(&arena, &series, NAN, NULL, NULL), &series);
	assert_ptr_equal(rg_without_missing(&arena, &series, -2, NULL, NULL), &series);
	assert_ptr_equal(rg_without_missing(&arena, &text, -1, NULL, NULL), &text);
	/* Places are steps where it has none of its own. */
	assert_true(rg_without_missing(&arena, &series, -1, NULL, NULL)->steps[1] == 3);
	rg_arena_release(&arena);
}
