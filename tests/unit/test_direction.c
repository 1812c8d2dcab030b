/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "compare/compare.h"
#include "policy_of.h"

#include <math.h>
#include <string.h>

/* The row of a metric with these values at the steps 0, 1, 2, under the policy. */
static rg_row row_of(const char *unit, const double *old, const double *fresh, size_t count,
		     rg_policy *policy)
{
	const rg_metric a = {.name = "relaxation_time",
			     .kind = RG_METRIC_SERIES,
			     .count = count,
			     .values = old,
			     .unit = unit};
	rg_metric b = a;
	rg_arena arena;
	bool is_row;
	rg_row row;

	b.values = fresh;
	rg_arena_init(&arena);
	assert_success(rg_compare_metric(&row, &is_row, &arena, &a, &b, policy, "a.json"));
	rg_arena_release(&arena);
	rg_policy_free(policy);
	return row;
}
#define VALUES(...) ((const double[]){__VA_ARGS__})

TEST(what_is_a_duration)
{
	const double *old = VALUES(1, 2, 4), *fresh = VALUES(2, 2, 4), *slack = VALUES(-1, 2, 4);

	assert_int_equal(row_of(NULL, old, fresh, 3, POLICY("*", "flag", "1")).measure,
			 RG_MEASURE_NONE);
	assert_int_equal(row_of("ns", old, fresh, 3, POLICY("*", "flag", "1")).measure,
			 RG_MEASURE_DURATION);
	assert_int_equal(row_of("MB", old, fresh, 3, POLICY("*", "flag", "1")).measure,
			 RG_MEASURE_NONE);
	assert_int_equal(row_of("ns", old, fresh, 3, POLICY("*", "duration", "no")).measure,
			 RG_MEASURE_NONE);
	assert_int_equal(row_of(NULL, old, fresh, 3, POLICY("*", "duration", "Yes")).measure,
			 RG_MEASURE_DURATION);
	assert_int_equal(row_of(NULL, old, fresh, 3, POLICY("*", "duration", "rate")).measure,
			 RG_MEASURE_RATE);
	/* Negative on either side, but not where that stands for no value. */
	assert_int_equal(row_of("ns", slack, fresh, 3, POLICY("*", "duration", "yes")).measure,
			 RG_MEASURE_NONE);
	assert_int_equal(row_of("ns", old, slack, 3, POLICY("*", "duration", "yes")).measure,
			 RG_MEASURE_NONE);
	assert_int_equal(row_of("ns", slack, fresh, 3, POLICY("*", "missing", "-1")).measure,
			 RG_MEASURE_DURATION);
}

TEST(which_way)
{
	rg_row row = row_of(NULL, VALUES(-1, 2, 4), VALUES(-2, 1, 5), 3, POLICY("*", "flag", "1"));

	/* -1, -0.5 and 0.25 of |old|: the mean of (old - new) / old says something else. */
	assert_true(fabs(row.avg_rel_diff - (-1 + 0.5 - 0.25) / 3) < 1e-15);
	assert_true(fabs(rg_row_shift(&row) - 1.25 / 3) < 1e-15);
	assert_true(row.smaller == 2 && row.larger == 1);
	assert_true(row.most_smaller == 1 && row.most_larger == -0.25);
	/* Of one sign, it is that mean to the bit. */
	row = row_of(NULL, VALUES(-1, -3, 0), VALUES(-2, -3, 1), 3, POLICY("*", "flag", "1"));
	assert_true(rg_row_shift(&row) == -row.avg_rel_diff && row.avg_rel_diff == -0.5);
	row = row_of(NULL, VALUES(3, 7, 0), VALUES(4, 6, 1), 3, POLICY("*", "flag", "1"));
	assert_true(rg_row_shift(&row) == row.avg_rel_diff);
}

TEST(the_median_step)
{
	rg_row row = row_of("ns", VALUES(1, 2, 4), VALUES(9, 1, 3), 3, POLICY("*", "flag", "1"));

	assert_true(row.median_known && row.median_rel_diff == 0.25);
	assert_false(row_of(NULL, VALUES(1, 2, 4), VALUES(9, 1, 3), 3, POLICY("*", "flag", "1"))
			     .median_known);
}
