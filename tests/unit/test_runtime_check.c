/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "unit.h"

#include "golden/runtime_check.h"

#include <float.h>
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

TEST(floats_are_close)
{
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

TEST(integers_are_equal)
{
	const int64_t a = ((int64_t)1 << 60) + 1, b = (int64_t)1 << 60;
	const uint64_t large = UINT64_MAX;
	const int8_t minus = -3, two = 2, one = 1;

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

TEST(shapes_and_types)
{
	static const float values[4] = {1, 2, 3, 4};
	rg_runtime_verdict v;

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
TEST(counts_over_blocks)
{
	enum { COUNT = 5000 };
	static float a[COUNT], b[COUNT];
	rg_runtime_verdict v;

	b[1023] = b[1024] = b[4999] = 1;
	v = check(tensor_of(RG_DTYPE_FLOAT32, a, 5, 1000), tensor_of(RG_DTYPE_FLOAT32, b, 5, 1000),
		  0, 0);
	assert_false(v.passed);
	assert_int_equal(v.wrong, 3);
	assert_string_equal(v.why, "element [1, 23] is 1.0, not 0.0");
}

/* --- the runtime's own rule, after its definition, as an oracle --- */

/* The difference is of the type of a and b, as that of C++'s template parameter is. */
#define ORACLE(NAME, TYPE, ABS)                                           \
	static bool NAME(TYPE a, TYPE b, double rtol, double atol)        \
	{                                                                 \
		if (isnan(a) && isnan(b))                                 \
			return true;                                      \
		if (!isfinite(a) && !isfinite(b) && (a > 0) == (b > 0))   \
			return true;                                      \
		if (rtol == 0 && atol == 0)                               \
			return a == b;                                    \
		{                                                         \
			volatile TYPE difference = a - b;                 \
			double allowed = atol + fabs(rtol * (double)b);   \
			TYPE off = ABS(difference);                       \
                                                                          \
			return isfinite(off) && !((double)off > allowed); \
		}                                                         \
	}

ORACLE(floats_are_close, float, fabsf)
ORACLE(doubles_are_close, double, fabs)

static const struct {
	double rtol, atol;
} tolerances[] = {{1e-5, 1e-8}, {0, 0}, {0.04, 0.1}, {0, 1e-3}, {INFINITY, 0}};

static float any_float(uint32_t *seed)
{
	static const float special[] = {0,       -0.0F,    INFINITY,  -INFINITY, NAN,
					FLT_MAX, -FLT_MAX, 0x1p-149F, 1,         1e-8F};
	uint32_t bits = next_random(seed) << 8 ^ next_random(seed);
	float value;

	if (next_random(seed) % 4 == 0)
		return special[next_random(seed) % 10];
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Often near the other, so that the tolerance decides. */
static float near_float(float value, uint32_t *seed)
{
	float by = 1 + ((float)(next_random(seed) % 2001) - 1000) * 2e-8F;

	return next_random(seed) % 2 ? value * by : any_float(seed);
}

TEST(floats_follow_the_runtime)
{
	uint32_t seed = 11;
	size_t i, t;

	for (i = 0; i < 100000; i++) {
		float a = any_float(&seed), b = near_float(a, &seed);
		double x = a, y = (double)b + (double)b * 1e-12;

		for (t = 0; t < sizeof(tolerances) / sizeof(tolerances[0]); t++) {
			double rtol = tolerances[t].rtol, atol = tolerances[t].atol;

			assert_int_equal(check(tensor_of(RG_DTYPE_FLOAT32, &a, 1, 1),
					       tensor_of(RG_DTYPE_FLOAT32, &b, 1, 1), rtol, atol)
						 .passed,
					 floats_are_close(a, b, rtol, atol));
			assert_int_equal(check_one(x, y, rtol, atol).passed,
					 doubles_are_close(x, y, rtol, atol));
		}
	}
}

/* Every float16 against some; as doubles. */
TEST(halves_follow_the_runtime)
{
	uint32_t seed = 5, bits;
	double a, b;

	for (bits = 0; bits < 0x10000; bits++) {
		uint16_t x = (uint16_t)bits;
		uint16_t y = (uint16_t)(next_random(&seed) % 2 ? bits + next_random(&seed) % 3
							       : next_random(&seed));

		rg_dtype_to_double(RG_DTYPE_FLOAT16, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, &x, 1,
				   &a);
		rg_dtype_to_double(RG_DTYPE_FLOAT16, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, &y, 1,
				   &b);
		assert_int_equal(check(tensor_of(RG_DTYPE_FLOAT16, &x, 1, 1),
				       tensor_of(RG_DTYPE_FLOAT16, &y, 1, 1), 0.04, 0.1)
					 .passed,
				 doubles_are_close(a, b, 0.04, 0.1));
		assert_int_equal(check(tensor_of(RG_DTYPE_FLOAT16, &x, 1, 1),
				       tensor_of(RG_DTYPE_FLOAT16, &y, 1, 1), 0, 0)
					 .passed,
				 doubles_are_close(a, b, 0, 0));
	}
}

/* bfloat16 and 8-bit floats by bytes: no tolerance, and 0 is not -0. */
TEST(other_floats_are_bytes)
{
	static const uint16_t one = 0x3f80, next = 0x3f81, zero = 0, minus = 0x8000, nan = 0x7fc0,
			      other_nan = 0x7fc1;
	static const uint8_t zero8 = 0, minus8 = 0x80;

#define BRAINS(a, b) \
	check(tensor_of(RG_DTYPE_BFLOAT16, a, 1, 1), tensor_of(RG_DTYPE_BFLOAT16, b, 1, 1), 1, 1)
	assert_true(BRAINS(&one, &one).passed);
	assert_true(BRAINS(&nan, &nan).passed);
	assert_false(BRAINS(&zero, &minus).passed);
	assert_string_equal(BRAINS(&one, &next).why, "element [0, 0] is 1.0078125, not 1.0");
	assert_string_equal(BRAINS(&nan, &other_nan).why, "element [0, 0] is nan in other bits");
#undef BRAINS
	assert_false(check(tensor_of(RG_DTYPE_FLOAT8_E5M2, &zero8, 1, 1),
			   tensor_of(RG_DTYPE_FLOAT8_E5M2, &minus8, 1, 1), 1, 1)
			     .passed);
}

TEST(nan_against_infinity)
{
	assert_true(check_one(NAN, -INFINITY, 1, 1).passed);
	assert_true(check_one(-INFINITY, NAN, 0, 0).passed);
	assert_false(check_one(NAN, INFINITY, 1, 1).passed);
	assert_false(check_one(INFINITY, NAN, INFINITY, 1).passed);
}

/* std::max */
static double larger(double a, double b)
{
	return a < b ? b : a;
}

/* The sums are in the order of the expected side's memory. */
TEST(errors_follow_the_runtime)
{
	enum { ROWS = 37, COLUMNS = 41, COUNT = ROWS * COLUMNS };
	static float expected[COUNT], actual[COUNT], in_rows[COUNT];
	double sum_abs = 0, max_abs = 0, sum_rel = 0, max_rel = 0;
	rg_runtime_errors errors = {0};
	uint32_t seed = 17;
	rg_tensor a, b;
	size_t i;

	for (i = 0; i < COUNT; i++) {
		double off, by;

		expected[i] = ((float)next_random(&seed) - 0x1p23F) * 1e-5F;
		actual[i] = expected[i] * (1 + ((float)(next_random(&seed) % 100)) * 1e-6F);
		expected[i] = i % 7 ? expected[i] : 0;
		actual[i] = i % 49 ? actual[i] : 0;
		off = (double)fabsf(actual[i] - expected[i]);
		by = larger(larger((double)fabsf(actual[i]), (double)fabsf(expected[i])),
			    (double)1e-8f);
		sum_abs += off;
		max_abs = larger(max_abs, off);
		sum_rel += off / by;
		max_rel = larger(max_rel, off / by);
		/* The expected ones lie in columns, the actual ones in rows. */
		in_rows[i % ROWS * COLUMNS + i / ROWS] = actual[i];
	}
	a = tensor_of(RG_DTYPE_FLOAT32, expected, ROWS, COLUMNS);
	a.order[0] = 1;
	a.order[1] = 0;
	assert_success(rg_tensor_check(&a));
	b = tensor_of(RG_DTYPE_FLOAT32, in_rows, ROWS, COLUMNS);
	assert_true(rg_runtime_errors_add(&errors, &a, &b));
	assert_true(errors.sum_abs == sum_abs && errors.max_abs == max_abs);
	assert_true(errors.sum_rel == sum_rel && errors.max_rel == max_rel);
	assert_int_equal(errors.count, COUNT);
	/* A NaN is passed over by the largest, and stays in the sums. */
	in_rows[0] = NAN;
	assert_true(rg_runtime_errors_add(&errors, &a, &b));
	assert_true(isnan(errors.sum_abs) && errors.max_abs == max_abs);
	/* Other shapes will do, other numbers of elements and other types will not. */
	assert_true(rg_runtime_errors_add(&errors, &a,
					  &(rg_tensor){.dtype = RG_DTYPE_FLOAT32,
						       .dimensions = 1,
						       .shape = {COUNT},
						       .data = (unsigned char *)in_rows,
						       .size = sizeof(in_rows),
						       .count = COUNT,
						       .row_major = true}));
	b = tensor_of(RG_DTYPE_FLOAT32, in_rows, 1, 1);
	assert_false(rg_runtime_errors_add(&errors, &a, &b));
	b = tensor_of(RG_DTYPE_INT32, in_rows, ROWS, COLUMNS);
	assert_false(rg_runtime_errors_add(&errors, &a, &b));
}
