/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "compare/pair_kernel.h"
#include "compare/score.h"
#include "support/little.h"

#include <math.h>

/* An element of so few bytes, where it is in memory. */
static uint64_t stored(rg_dtype dtype, uint64_t bits)
{
	return big_endian ? bits << (64 - 8 * rg_dtype_size(dtype)) : bits;
}

static uint64_t ulps(rg_dtype dtype, uint64_t a, uint64_t b)
{
	a = stored(dtype, a);
	b = stored(dtype, b);
	uint64_t distance = rg_pair_kernel_get(true)->ulps[dtype](&a, &b, 1);

	assert_true(rg_pair_kernel_get(false)->ulps[dtype](&a, &b, 1) == distance);
	return distance;
}

TEST(ulps_of_types)
{
	assert_int_equal(ulps(RG_DTYPE_FLOAT16, 0x3c00, 0x3c01), 1);
	assert_int_equal(ulps(RG_DTYPE_FLOAT16, 0x8000, 0x0000), 0);
	assert_int_equal(ulps(RG_DTYPE_FLOAT16, 0x8001, 0x0001), 2);
	assert_int_equal(ulps(RG_DTYPE_BFLOAT16, 0x3f80, 0x3f7e), 2);
	assert_int_equal(ulps(RG_DTYPE_FLOAT8_E4M3FN, 0x38, 0xb8), 0x70);
	assert_int_equal(ulps(RG_DTYPE_FLOAT32, 0x00000001, 0x80000001), 2);
	assert_true(ulps(RG_DTYPE_FLOAT64, 0x7fefffffffffffff, 0xffefffffffffffff) ==
		    0xffdffffffffffffe);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0x8000000000000000, 0), 0);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0, 0x8000000000000000), 0);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0x8000000000000001, 1), 2);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 2, 0x8000000000000001), 3);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0xbff0000000000000, 0xbff0000000000003), 3);
	assert_int_equal(ulps(RG_DTYPE_INT8, 0x80, 0x7f), 255);
	assert_true(ulps(RG_DTYPE_INT64, 0x8000000000000000, 0x7fffffffffffffff) == UINT64_MAX);
	assert_true(ulps(RG_DTYPE_UINT64, 0, UINT64_MAX) == UINT64_MAX);
}

/* Whichever of them is the farthest. */
TEST(ulps_of_several)
{
	enum { COUNT = 67 };
	static const rg_dtype types[] = {RG_DTYPE_FLOAT16, RG_DTYPE_BFLOAT16, RG_DTYPE_FLOAT32,
					 RG_DTYPE_FLOAT64, RG_DTYPE_UINT8,    RG_DTYPE_INT8,
					 RG_DTYPE_INT16,   RG_DTYPE_INT32,    RG_DTYPE_INT64,
					 RG_DTYPE_UINT64};
	size_t n, i;

	for (n = 0; n < sizeof(types) / sizeof(*types); n++)
		for (i = 0; i < COUNT; i++) {
			rg_ulps_fn *ulps_of = rg_pair_kernel_get(false)->ulps[types[n]];
			uint64_t zeros[COUNT] = {0}, values[COUNT] = {0};
			unsigned char *bytes = (unsigned char *)values;

			size_t size = rg_dtype_size(types[n]), low = big_endian ? size - 1 : 0;
			bytes[i * size + low] = 3;
			bytes[(COUNT - 1 - i) * size + low] |= 1;
			assert_int_equal(ulps_of(zeros, values, COUNT), 3);
			assert_int_equal(ulps_of(values, zeros, COUNT), 3);
		}
}

TEST(ulps_between_doubles)
{
	assert_int_equal(rg_ulps_between(RG_DTYPE_FLOAT64, 1, nextafter(1, 2)), 1);
	assert_int_equal(rg_ulps_between(RG_DTYPE_FLOAT64, nextafter(1, 0), nextafter(1, 2)), 2);
	assert_int_equal(rg_ulps_between(RG_DTYPE_FLOAT64, 0.0, -0.0), 0);
	assert_int_equal(rg_ulps_between(RG_DTYPE_FLOAT64, -5e-324, 5e-324), 2);
	assert_true(rg_ulps_between(RG_DTYPE_FLOAT64, -INFINITY, INFINITY) ==
		    UINT64_C(0xffe0000000000000));
}

/* A value that was read as a double is as far from another as its bits are: every pattern of the
 * small types against one in the middle, and float32 in strides. */
TEST(ulps_between_values_read)
{
	static const rg_dtype types[] = {
		RG_DTYPE_FLOAT8_E5M2,     RG_DTYPE_FLOAT8_E4M3FN, RG_DTYPE_FLOAT8_E5M2FNUZ,
		RG_DTYPE_FLOAT8_E4M3FNUZ, RG_DTYPE_FLOAT16,       RG_DTYPE_BFLOAT16,
		RG_DTYPE_FLOAT32,         RG_DTYPE_INT16,         RG_DTYPE_UINT32,
	};
	size_t n, i;

	for (n = 0; n < sizeof(types) / sizeof(*types); n++) {
		size_t size = rg_dtype_size(types[n]), patterns = size == 1 ? 256 : 65536;

		for (i = 0; i < patterns; i++) {
			uint64_t a = size == 4 ? i * 65521 : i, b = 0x3a;
			double values[2];

			const uint64_t old = stored(types[n], a), fresh = stored(types[n], b);
			rg_dtype_to_double(types[n], big_endian, &old, 1, &values[0]);
			rg_dtype_to_double(types[n], big_endian, &fresh, 1, &values[1]);
			if (isfinite(values[0]))
				assert_int_equal(rg_ulps_between(types[n], values[0], values[1]),
						 ulps(types[n], a, b));
		}
	}
}

/* Means of values are rounded to their type; integers of 64 bits fill the range. */
TEST(ulps_between_means)
{
	assert_int_equal(rg_ulps_between(RG_DTYPE_FLOAT32, 1 + 0x1p-25, 1 + 0x1p-23), 1);
	assert_int_equal(rg_ulps_between(RG_DTYPE_FLOAT32, 2 - 0x1p-26, 2), 0);
	assert_true(rg_ulps_between(RG_DTYPE_INT64, -0x1p63, 0x1p63) == UINT64_MAX);
}
