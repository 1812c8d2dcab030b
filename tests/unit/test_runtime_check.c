/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/runtime_check.h"

#include <math.h>
#include <string.h>

static rg_tensor tensor_of(rg_dtype dtype, const void *data, int64_t rows, int64_t columns)
{
	rg_tensor t = {.dtype = dtype,
		       .dimensions = 2,
		       .shape = {rows, columns},
		       .data = data,
		       .size = (size_t)(rows * columns) * rg_dtype_size(dtype)};

	rg_tensor_row_major(&t);
	assert_success(rg_tensor_check(&t));
	return t;
}

static rg_runtime_verdict check(rg_tensor expected, rg_tensor actual, double rtol, double atol)
{
	rg_runtime_verdict verdict;

	rg_runtime_check(&verdict, &expected, &actual, rtol, atol);
	return verdict;
}

static rg_runtime_verdict check_one(double expected, double actual, double rtol, double atol)
{
	return check(tensor_of(RG_DTYPE_FLOAT64, &expected, 1, 1),
		     tensor_of(RG_DTYPE_FLOAT64, &actual, 1, 1), rtol, atol);
}

static void test_floats_are_close(void **state)
{
	(void)state;
	assert_true(check_one(1, 1, 0, 0).passed);
	assert_true(check_one(100, 101, 0.01, 0).passed);
	/* Relative to the actual side alone: 1.01 are too much for 100. */
	assert_true(check_one(100, 101.01, 0.01, 0).passed);
	assert_false(check_one(101.01, 100, 0.01, 0).passed);
	assert_true(check_one(0, 0.5, 0, 0.5).passed);
	assert_false(check_one(0.5000001, 0, 1, 0.5).passed);
	assert_true(check_one(NAN, NAN, 0, 0).passed);
	assert_false(check_one(NAN, 1, 1, 1).passed);
	assert_false(check_one(1, NAN, 1, 1).passed);
	assert_true(check_one(INFINITY, INFINITY, 0, 0).passed);
	assert_false(check_one(INFINITY, -INFINITY, 1, 1).passed);
	/* An infinite tolerance must not let an infinity pass for a number. */
	assert_false(check_one(INFINITY, 1, 1, 1).passed);
	assert_false(check_one(1, INFINITY, 1, 1).passed);
	assert_string_equal(check_one(1, 2, 0, 0).why, "element [0, 0] is 2.0, not 1.0");
}

static void test_integers_are_equal(void **state)
{
	const int64_t a = ((int64_t)1 << 60) + 1, b = (int64_t)1 << 60;
	const uint64_t large = UINT64_MAX;
	const int8_t minus = -3, two = 2, one = 1;

	(void)state;
	assert_true(check(tensor_of(RG_DTYPE_INT64, &a, 1, 1), tensor_of(RG_DTYPE_INT64, &a, 1, 1),
			  0, 0)
			    .passed);
	/* No tolerance, and not through doubles. */
	assert_false(check(tensor_of(RG_DTYPE_INT64, &a, 1, 1), tensor_of(RG_DTYPE_INT64, &b, 1, 1),
			   1, 1)
			     .passed);
	/* Nor are they shown through them. */
	assert_string_equal(check(tensor_of(RG_DTYPE_INT64, &a, 1, 1),
				  tensor_of(RG_DTYPE_INT64, &b, 1, 1), 0, 0)
				    .why,
			    "element [0, 0] is 1152921504606846976, not 1152921504606846977");
	assert_string_equal(check(tensor_of(RG_DTYPE_UINT64, &large, 1, 1),
				  tensor_of(RG_DTYPE_UINT64, &b, 1, 1), 0, 0)
				    .why,
			    "element [0, 0] is 1152921504606846976, not 18446744073709551615");
	assert_string_equal(check(tensor_of(RG_DTYPE_INT8, &minus, 1, 1),
				  tensor_of(RG_DTYPE_INT8, &two, 1, 1), 0, 0)
				    .why,
			    "element [0, 0] is 2, not -3");
	/* A truth is a byte: what is not 0 is not all the same. */
	assert_string_equal(check(tensor_of(RG_DTYPE_BOOL, &one, 1, 1),
				  tensor_of(RG_DTYPE_BOOL, &two, 1, 1), 0, 0)
				    .why,
			    "element [0, 0] is 2, not 1");
}

static void test_shapes_and_types(void **state)
{
	static const float values[4] = {1, 2, 3, 4};
	rg_runtime_verdict v;

	(void)state;
	v = check(tensor_of(RG_DTYPE_FLOAT32, values, 2, 2),
		  tensor_of(RG_DTYPE_FLOAT32, values, 4, 1), 1, 1);
	assert_false(v.passed);
	assert_string_equal(v.why, "is float32 [4, 1], not float32 [2, 2]");
	v = check(tensor_of(RG_DTYPE_FLOAT32, values, 2, 2),
		  tensor_of(RG_DTYPE_INT32, values, 2, 2), 1, 1);
	assert_string_equal(v.why, "is int32 [2, 2], not float32 [2, 2]");
	v = check(tensor_of(RG_DTYPE_FLOAT32, values, 0, 2),
		  tensor_of(RG_DTYPE_FLOAT32, values, 0, 2), 0, 0);
	assert_true(v.passed);
}

/* Every wrong element is counted, over more than one block, and the first is shown. */
static void test_counts_over_blocks(void **state)
{
	enum { COUNT = 5000 };
	static float a[COUNT], b[COUNT];
	rg_runtime_verdict v;

	(void)state;
	b[1023] = b[1024] = b[4999] = 1;
	v = check(tensor_of(RG_DTYPE_FLOAT32, a, 5, 1000), tensor_of(RG_DTYPE_FLOAT32, b, 5, 1000),
		  0, 0);
	assert_false(v.passed);
	assert_int_equal(v.wrong, 3);
	assert_string_equal(v.why, "element [1, 23] is 1.0, not 0.0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_floats_are_close),
		cmocka_unit_test(test_integers_are_equal),
		cmocka_unit_test(test_shapes_and_types),
		cmocka_unit_test(test_counts_over_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
