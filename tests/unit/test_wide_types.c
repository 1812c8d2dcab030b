/* SPDX-License-Identifier: Apache-2.0 */
/* Values that no double has, and numbers of two parts. */
#include "random.h"
#include "unit.h"

#include "compare/compare.h"
#include "golden/longdouble.h"
#include "support/little.h"
#include "support/tensor_golden.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The row of two tensors of `count` elements of that type. */
static rg_row compare(rg_arena *arena, const char *type, const void *old, const void *fresh,
		      int64_t count, size_t size, rg_policy *policy)
{
	static rg_golden goldens[2];
	const void *data[] = {old, fresh};
	bool is_row;
	rg_row row;
	size_t i;

	for (i = 0; i < 2; i++) {
		rg_tensor tensor = {
			.dimensions = 1, .shape = {count}, .data = data[i], .size = size};

		rg_tensor_row_major(&tensor);
		assert_success(rg_tensor_set_type(&tensor, type));
		tensor.big_endian = big_endian;
		goldens[i] = (rg_golden){0};
		rg_arena_init(&goldens[i].arena);
		assert_success(tensor_golden(&goldens[i], &tensor));
	}
	assert_success(rg_compare_metric(&row, &is_row, arena, &goldens[0].metrics[0],
					 &goldens[1].metrics[0], policy, NULL));
	for (i = 0; i < 2; i++)
		rg_arena_release(&goldens[i].arena);
	return row;
}

TEST(integers_beyond_doubles)
{
	static const int64_t old[] = {INT64_C(9007199254740993), -INT64_C(9007199254740993), 5,
				      INT64_MIN, INT64_MAX},
			     fresh[] = {INT64_C(9007199254740992), -INT64_C(9007199254740993), 5,
					INT64_MIN, INT64_MAX - 2};
	static const uint64_t large[] = {UINT64_MAX, UINT64_MAX - 7},
			      larger[] = {UINT64_MAX - 3, UINT64_MAX - 7};
	rg_arena arena;
	rg_row row;

	rg_arena_init(&arena);
	row = compare(&arena, "int64", old, fresh, 5, sizeof(old), NULL);
	assert_false(row.identical);
	assert_int_equal(row.max_ulps, 2);
	assert_true(row.max_abs == 2);
	assert_int_equal(row.tensor->worst, 4);
	assert_true(row.tensor->mean_abs == 3.0 / 5 && row.tensor->mse == 1);
	assert_true(row.tensor->mean_signed == -3.0 / 5);
	assert_true(row.max_abs_rel == 1 / 9007199254740993.0);
	assert_int_equal(row.max_abs_rel_step, 0);
	assert_true(row.share_above_zero == 2.0 / 5);
	assert_true(row.tensor->share_differing == 2.0 / 5);
	assert_true(row.tensor->max_rel == 1 / 9007199254740993.0);
	assert_true(isfinite(row.tensor->snr_db));
	row = compare(&arena, "uint64", large, larger, 2, sizeof(large), NULL);
	assert_true(row.max_abs == 3 && row.max_ulps == 3);
	assert_true(row.tensor->l2 == 3);
	/* The largest and the least are as far apart as they are. */
	row = compare(&arena, "int64", &old[3], &old[4], 1, 8, NULL);
	assert_true(row.max_abs == 0x1p64 && row.max_ulps == UINT64_MAX);
	rg_arena_release(&arena);
}

/* Against 128-bit integers; parts of a chunk, a whole one and some. */
TEST(integers_of_any_size)
{
	enum { COUNT = 700 };
	static int64_t old[COUNT], fresh[COUNT];
	uint32_t seed = 7;
	double largest = 0, sum = 0;
	rg_arena arena;
	rg_row row;
	size_t i;

	for (i = 0; i < COUNT; i++) {
		int shift = (int)(next_random(&seed) % 62);
		int64_t far = (int64_t)(next_random(&seed) % 2001) - 1000;

		old[i] = (int64_t)(((uint64_t)next_random(&seed) << 40 | next_random(&seed)) >> 1 >>
				   shift);
		old[i] = i % 2 ? old[i] : -old[i];
		fresh[i] = old[i] > INT64_MAX - 1000 ? old[i] - 1000 : old[i] + far;
		largest = fmax(largest, fabs((double)(fresh[i] - old[i])));
		sum += fabs((double)(fresh[i] - old[i]));
	}
	rg_arena_init(&arena);
	row = compare(&arena, "int64", old, fresh, COUNT, sizeof(old), NULL);
	assert_true(row.max_abs == largest && row.max_ulps == (uint64_t)largest);
	assert_true(row.tensor->mean_abs == sum / COUNT);
	rg_arena_release(&arena);
}

static rg_longdouble longdouble(bool negative, unsigned exponent, uint64_t fraction)
{
	return (rg_longdouble){.fraction = fraction,
			       .exponent = (uint16_t)(exponent | (negative ? 0x8000 : 0))};
}

TEST(longdouble)
{
	const uint64_t one = (uint64_t)1 << 63;
	const rg_longdouble old[] = {longdouble(false, 16383, one), longdouble(true, 16383, one),
				     longdouble(false, 0x7fff, one)};
	rg_longdouble fresh[] = {longdouble(false, 16383, one + 5), longdouble(true, 16383, one),
				 longdouble(false, 0x7fff, one)};
	rg_arena arena;
	rg_row row;

	rg_arena_init(&arena);
	row = compare(&arena, "longdouble", old, fresh, 3, sizeof(old), NULL);
	assert_false(row.identical);
	assert_true(row.max_abs == 5 * 0x1p-63 && row.max_ulps == 5);
	assert_true(row.tensor->l2 == 5 * 0x1p-63);
	assert_int_equal(row.left_out.old_nonfinite, 1);
	fresh[0] = longdouble(true, 16383, one);
	row = compare(&arena, "longdouble", old, fresh, 3, sizeof(old), NULL);
	assert_true(row.max_abs == 2 && row.max_ulps == UINT64_MAX);
	rg_arena_release(&arena);
}

/* Against the machine's own, where that is the type. */
TEST(longdouble_as_the_machine_has_it)
{
#if LDBL_MANT_DIG == 64
	uint32_t seed = 3;
	size_t i;

	for (i = 0; i < 200000; i++) {
		rg_longdouble x = longdouble(next_random(&seed) % 2, next_random(&seed) % 0x8000,
					     (uint64_t)next_random(&seed) << 40 |
						     (uint64_t)next_random(&seed) << 16 |
						     next_random(&seed) % 0x10000);
		rg_longdouble near = x;
		long double value = 0, rest, other = 0;
		double nearest;

		/* Most doubles' exponents, and no fraction without its leading bit: the machine
		 * knows no such number. */
		if (i % 4)
			x.exponent = (uint16_t)((x.exponent & 0x8000) |
						(15400 + next_random(&seed) % 1960));
		x.fraction |= x.exponent & 0x7fff ? (uint64_t)1 << 63 : 0;
		x.fraction &= x.exponent & 0x7fff ? UINT64_MAX : ~((uint64_t)1 << 63);
		memcpy(&value, &x, 10);
		nearest = rg_longdouble_value(&x);
		if (isnan(value)) {
			assert_true(isnan(nearest));
			continue;
		}
		if (fabsl(value) >= 0x1p-1022L || value == 0)
			assert_true(nearest == (double)value);
		rest = isfinite(nearest) ? value - nearest : 0;
		if (fabsl(value) > 1e-290L)
			assert_true(rg_longdouble_rest(&x) == (double)rest);
		near = x;
		if (near.fraction << 1 != 0 && isfinite(value)) {
			near.fraction--;
			memcpy(&other, &near, 10);
			assert_true(nextafterl(value, 0) == other);
			assert_int_equal(rg_longdouble_distance(&x, &near), 1);
		}
	}
#else
	skip();
#endif
}

/* Norms are over all parts, ULPs of each; the worst is a part of a number. */
TEST(complex)
{
	static const float old[] = {3, 4, 1, 0}, fresh[] = {3, 4, 1, 0x1p-149F};
	static const double both[] = {3, 4, 0, -2}, moved[] = {0, 0, 0, -2};
	rg_arena arena;
	rg_row row;

	rg_arena_init(&arena);
	row = compare(&arena, "complex64", old, fresh, 2, sizeof(old), NULL);
	assert_int_equal(row.max_ulps, 1);
	assert_string_equal(row.tensor->worst_text, "[1, 1]");
	row = compare(&arena, "complex128", both, moved, 2, sizeof(both), NULL);
	assert_true(row.tensor->l2 == 5);
	assert_string_equal(row.tensor->worst_text, "[0, 1]");
	assert_int_equal(row.tensor->count, 4);
	rg_arena_release(&arena);
}
