/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "audit/conformal.h"
#include "audit/statistics.h"
#include "audit/tolerance.h"
#include "base/sum.h"
#include "compare/compare.h"
#include "support/tensor_golden.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Finite values have finite figures, where a double is large enough for them. */

static rg_row row_of(const char *old_values, const char *new_values)
{
	rg_input sides[2] = {{.name = "o.json", .data = old_values, .size = strlen(old_values)},
			     {.name = "n.json", .data = new_values, .size = strlen(new_values)}};
	rg_golden *old, *fresh;
	rg_policy *policy = rg_policy_new();
	rg_arena arena;
	bool is_row;
	rg_row row;

	assert_success(rg_golden_read(&old, &sides[0], NULL));
	assert_success(rg_golden_read(&fresh, &sides[1], NULL));
	rg_arena_init(&arena);
	assert_success(rg_compare_metric(&row, &is_row, &arena, &old->metrics[0],
					 &fresh->metrics[0], policy, NULL));
	rg_arena_release(&arena);
	rg_golden_free(old);
	rg_golden_free(fresh);
	rg_policy_free(policy);
	return row;
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= fabs(expected) * 1e-15))
		fail_msg("%.17g, not %.17g", value, expected);
}

TEST(differences_past_the_doubles)
{
	rg_row row = row_of("{\"m\": [1.7e308, 1.7e308]}", "{\"m\": [-1.7e308, 1.7e308]}");
	assert_near(row.avg_rel_diff, 1);
	assert_near(row.mean_abs_rel, 1);
	assert_near(row.max_abs_rel, 2);
	assert_int_equal(row.max_abs_rel_step, 0);
	assert_near(row.old_mean, 1.7e308);
	assert_true(row.new_mean == 0);
	assert_near(row.shift, 1);
	assert_true(isinf(row.max_abs)); /* 3.4e308 is no double */
	/* The largest one is found among several that overflow. */
	row = row_of("{\"m\": [1.7e308, 1e308, 4]}", "{\"m\": [-1.7e308, -1.7e308, 4]}");
	assert_near(row.max_abs_rel, 2.7);
	assert_int_equal(row.max_abs_rel_step, 1);
	assert_near(row.avg_rel_diff, 4.7 / 3);
	assert_near(row.largest_rel, 2.7);
}

TEST(sums_past_the_doubles)
{
	rg_row row = row_of("{\"m\": [1e-8, 1e-8]}", "{\"m\": [1e300, 1e300]}");
	assert_near(row.avg_rel_diff, -1e308);
	assert_near(row.mean_abs_rel, 1e308);
	assert_near(row.new_mean, 1e300);
	row = row_of("{\"m\": [1.6e308, 1.6e308, 1.6e308]}", "{\"m\": [1.6e308, 1.6e308, 1e308]}");
	assert_near(row.old_mean, 1.6e308);
	assert_near(row.new_mean, 1.4e308);
	assert_near(row.avg_rel_diff, 0.125);
}

/* No double is as large as 1e313: the row has the values that have it. */
TEST(figures_past_the_doubles)
{
	rg_row row = row_of("{\"m\": [1, 1e-5]}", "{\"m\": [1, 1e308]}");
	assert_true(row.avg_rel_diff == -INFINITY && isinf(row.max_abs_rel));
	assert_true(row.past_old == 1e-5 && row.past_new == 1e308);
	assert_near(row.new_mean, 5e307);
}

/* A tensor's largest relative difference is between denormals, another one past the doubles. */
TEST(a_denormal_beside_a_large_one)
{
	static const double old_values[] = {1.7e308, 1e-310}, new_values[] = {-1.7e308, 5e-310};
	rg_tensor tensor = {
		.dtype = RG_DTYPE_FLOAT64, .dimensions = 1, .shape = {2}, .count = 2, .size = 16};
	RG_AUTO_PTR(rg_policy) policy = rg_policy_new();
	rg_arena arena;
	rg_golden goldens[2] = {0};
	bool is_row;
	rg_row row;

	rg_tensor_row_major(&tensor);
	tensor.data = (const unsigned char *)old_values;
	rg_arena_init(&goldens[0].arena);
	rg_arena_init(&goldens[1].arena);
	assert_success(tensor_golden(&goldens[0], &tensor));
	tensor.data = (const unsigned char *)new_values;
	assert_success(tensor_golden(&goldens[1], &tensor));
	rg_arena_init(&arena);
	assert_success(rg_compare_metric(&row, &is_row, &arena, &goldens[0].metrics[0],
					 &goldens[1].metrics[0], policy, NULL));
	assert_near(row.tensor->max_rel, 4);
	rg_arena_release(&arena);
	for (int i = 0; i < 2; i++)
		rg_arena_release(&goldens[i].arena);
}

TEST(denormals)
{
	rg_row row = row_of("{\"m\": [5e-324, 1e-310]}", "{\"m\": [1e-323, 1e-310]}");
	assert_int_equal(row.n_steps, 0);
	assert_true(row.too_small.alone && row.too_small.rel == 1 && row.moved == 1);
}

TEST(sums)
{
	static const double values[] = {DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX};
	rg_wide_sum sum = {0};

	for (size_t i = 0; i < 4; i++)
		rg_wide_sum_add(&sum, values[i]);
	assert_true(rg_wide_sum_mean(&sum, 4) == DBL_MAX / 2);
	sum = (rg_wide_sum){0};
	rg_wide_sum_add(&sum, DBL_TRUE_MIN); /* nothing of it is left when it is scaled */
	assert_true(rg_wide_sum_mean(&sum, 1) == DBL_TRUE_MIN);
	assert_true(rg_ratio(DBL_MAX - -DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX) == 2);
	assert_true(rg_ratio(INFINITY, INFINITY, 1, 2) == INFINITY);
	assert_true(isnan(rg_ratio(NAN, NAN, 1, 2)));
}

TEST(audits)
{
	double values[] = {-1.5e308, 1.5e308, 1.5e308, 1.5e308, 1.7e308};
	rg_tolerance tolerance;
	rg_sample sample;
	double seen, off;

	rg_sample_describe(&sample, values, 5);
	assert_near(sample.mean, 9.4e307);
	rg_tolerance_init(&tolerance, RG_TOLERANCE_BY_STEP);
	rg_tolerance_add(&tolerance, &sample);
	assert_near(tolerance.max_relative, 24.4 / 9.4);
	assert_near(rg_size_but_largest(values, 5), 1.5e308);
	rg_conformal_off(&seen, &off, values + 1, 4, 1, 1e-12, NULL);
	assert_true(seen == 0);
	assert_near(off, 2.0 / 15);
	values[4] = -1.5e308;
	rg_conformal_off(&seen, &off, values + 1, 4, 1, 1e-12, NULL);
	assert_true(off == 2);
}
