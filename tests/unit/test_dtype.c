/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/dtype.h"
#include "support/little.h"

#include <math.h>
#include <string.h>

static const int all_types[] = {0,  1,  2,  3,  4,  5,  6,  7,  11, 12,
				13, 14, 15, 23, 24, 25, 26, 27, 28, 29};

/* The bits of a double: tells -0 from 0. All NaNs are one. */
static uint64_t bits_of(double value)
{
	uint64_t bits;

	if (isnan(value))
		value = NAN;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* The textbook: (-1)^s 2^(e - bias) 1.f, subnormal at e = 0. */
static double by_formula(unsigned bits, int exponent_bits, int fraction_bits, int bias)
{
	unsigned fraction = bits & ((1u << fraction_bits) - 1);
	int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
	int negative = (int)(bits >> (fraction_bits + exponent_bits)) & 1;
	double value = exponent ? ldexp(1.0 + ldexp(fraction, -fraction_bits), exponent - bias)
				: ldexp(fraction, 1 - bias - fraction_bits);

	return negative ? -value : value;
}

static double ieee(unsigned bits, int exponent_bits, int fraction_bits, int bias)
{
	unsigned fraction = bits & ((1u << fraction_bits) - 1);
	unsigned ones = (1u << exponent_bits) - 1;

	if ((bits >> fraction_bits & ones) != ones)
		return by_formula(bits, exponent_bits, fraction_bits, bias);
	if (fraction)
		return NAN;
	return bits >> (fraction_bits + exponent_bits) ? -INFINITY : INFINITY;
}

/* All 65,536 bit patterns, at once and one by one (the vectorised loop and its remainder). */
static void assert_all_16_bit(rg_dtype dtype, int exponent_bits, int fraction_bits, int bias)
{
	static uint16_t raw[65536];
	static double values[65536];
	unsigned i;
	double one;

	for (i = 0; i < 65536; i++)
		raw[i] = (uint16_t)i;
	rg_dtype_to_double(dtype, big_endian, raw, 65536, values);
	for (i = 0; i < 65536; i++) {
		double wanted = ieee(i, exponent_bits, fraction_bits, bias);

		rg_dtype_to_double(dtype, big_endian, &raw[i], 1, &one);
		if (bits_of(values[i]) != bits_of(wanted) || bits_of(one) != bits_of(wanted))
			fail_msg("%s 0x%04x: %a and %a, not %a", rg_dtype_name(dtype), i, values[i],
				 one, wanted);
	}
}

TEST(all_halves)
{
	assert_all_16_bit(RG_DTYPE_FLOAT16, 5, 10, 15);
}

TEST(all_bfloat16)
{
	assert_all_16_bit(RG_DTYPE_BFLOAT16, 8, 7, 127);
}

static double e5m2(unsigned bits)
{
	return ieee(bits, 5, 2, 15);
}

static double e4m3fn(unsigned bits)
{
	return (bits & 0x7f) == 0x7f ? NAN : by_formula(bits, 4, 3, 7);
}

static double e5m2fnuz(unsigned bits)
{
	return bits == 0x80 ? NAN : by_formula(bits, 5, 2, 16);
}

static double e4m3fnuz(unsigned bits)
{
	return bits == 0x80 ? NAN : by_formula(bits, 4, 3, 8);
}

TEST(all_8_bit_floats)
{
	static const struct {
		rg_dtype dtype;
		double (*formula)(unsigned bits);
		double largest;
	} types[] = {{RG_DTYPE_FLOAT8_E5M2, e5m2, 57344},
		     {RG_DTYPE_FLOAT8_E4M3FN, e4m3fn, 448},
		     {RG_DTYPE_FLOAT8_E5M2FNUZ, e5m2fnuz, 57344},
		     {RG_DTYPE_FLOAT8_E4M3FNUZ, e4m3fnuz, 240}};
	uint8_t raw[256];
	double values[256];
	unsigned i, k;

	for (i = 0; i < 256; i++)
		raw[i] = (uint8_t)i;
	for (k = 0; k < sizeof(types) / sizeof(types[0]); k++) {
		double largest = 0;

		rg_dtype_to_double(types[k].dtype, false, raw, 256, values);
		for (i = 0; i < 256; i++) {
			if (bits_of(values[i]) != bits_of(types[k].formula(i)))
				fail_msg("%s 0x%02x: %a, not %a", rg_dtype_name(types[k].dtype), i,
					 values[i], types[k].formula(i));
			if (isfinite(values[i]) && values[i] > largest)
				largest = values[i];
		}
		/* As the standards' tables have it. */
		assert_true(largest == types[k].largest);
	}
}

static void assert_one(rg_dtype dtype, const void *raw, double wanted)
{
	unsigned char swapped[8];
	size_t size = rg_dtype_size(dtype), i;
	double value;

	rg_dtype_to_double(dtype, big_endian, raw, 1, &value);
	assert_true(bits_of(value) == bits_of(wanted));
	for (i = 0; i < size; i++)
		swapped[i] = ((const unsigned char *)raw)[size - 1 - i];
	rg_dtype_to_double(dtype, !big_endian, swapped, 1, &value);
	assert_true(bits_of(value) == bits_of(wanted));
	rg_dtype_to_host(dtype, !big_endian, swapped, 1);
	assert_memory_equal(swapped, raw, size);
}

#define ASSERT_ONE(DTYPE, TYPE, VALUE, WANTED)      \
	do {                                        \
		TYPE raw_ = VALUE;                  \
		assert_one(DTYPE, &raw_, (WANTED)); \
	} while (0)

TEST(integers_and_wide_floats)
{
	ASSERT_ONE(RG_DTYPE_UINT8, uint8_t, 255, 255);
	ASSERT_ONE(RG_DTYPE_QUINT8, uint8_t, 200, 200);
	ASSERT_ONE(RG_DTYPE_INT8, int8_t, -128, -128);
	ASSERT_ONE(RG_DTYPE_QINT8, int8_t, -1, -1);
	ASSERT_ONE(RG_DTYPE_INT16, int16_t, INT16_MIN, -32768);
	ASSERT_ONE(RG_DTYPE_UINT16, uint16_t, UINT16_MAX, 65535);
	ASSERT_ONE(RG_DTYPE_INT32, int32_t, INT32_MIN, -2147483648.0);
	ASSERT_ONE(RG_DTYPE_QINT32, int32_t, 7, 7);
	ASSERT_ONE(RG_DTYPE_UINT32, uint32_t, UINT32_MAX, 4294967295.0);
	ASSERT_ONE(RG_DTYPE_INT64, int64_t, -((int64_t)1 << 53), -0x1p53);
	ASSERT_ONE(RG_DTYPE_INT64, int64_t, INT64_MAX, 0x1p63);
	ASSERT_ONE(RG_DTYPE_UINT64, uint64_t, ((uint64_t)1 << 53) - 1, 0x1p53 - 1);
	ASSERT_ONE(RG_DTYPE_BOOL, uint8_t, 0, 0);
	ASSERT_ONE(RG_DTYPE_BOOL, uint8_t, 17, 1);
	ASSERT_ONE(RG_DTYPE_FLOAT32, float, 0x1p-149f, 0x1p-149);
	ASSERT_ONE(RG_DTYPE_FLOAT32, float, -0.0f, -0.0);
	ASSERT_ONE(RG_DTYPE_FLOAT64, double, 0x1p-1074, 0x1p-1074);
	ASSERT_ONE(RG_DTYPE_FLOAT64, double, -INFINITY, -INFINITY);
}

/* More than one block of the swapping loop, from an odd address. */
TEST(many_swapped_and_unaligned)
{
	static unsigned char raw[1 + 4 * 1300];
	static double values[1300];
	size_t i;

	for (i = 0; i < 1300; i++) {
		raw[1 + 4 * i + 2] = (unsigned char)(i >> 8);
		raw[1 + 4 * i + 3] = (unsigned char)i;
	}
	rg_dtype_to_double(RG_DTYPE_INT32, true, raw + 1, 1300, values);
	for (i = 0; i < 1300; i++)
		assert_true(values[i] == (double)i);
}

TEST(names)
{
	static const struct {
		const char *name;
		rg_dtype dtype;
	} names[] = {{"float32", RG_DTYPE_FLOAT32},
		     {"Float32", RG_DTYPE_FLOAT32},
		     {"torch.float32", RG_DTYPE_FLOAT32},
		     {"float", RG_DTYPE_FLOAT32},
		     {"f4", RG_DTYPE_FLOAT32},
		     {"F32", RG_DTYPE_FLOAT32},
		     {"half", RG_DTYPE_FLOAT16},
		     {"BF16", RG_DTYPE_BFLOAT16},
		     {"u8", RG_DTYPE_UINT64},
		     {"U8", RG_DTYPE_UINT8},
		     {"i8", RG_DTYPE_INT64},
		     {"I8", RG_DTYPE_INT8},
		     {"F8_E4M3", RG_DTYPE_FLOAT8_E4M3FN},
		     {"BOOL", RG_DTYPE_BOOL}};
	static const char *const none[] = {"", "float31", "f", "complex64", "torch.", "float32 "};
	rg_dtype dtype;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(rg_dtype_parse(names[i].name, &dtype));
		assert_int_equal(dtype, names[i].dtype);
	}
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(rg_dtype_parse(none[i], &dtype));
	for (i = 0; i < sizeof(all_types) / sizeof(all_types[0]); i++) {
		assert_true(rg_dtype_known(all_types[i]));
		assert_true(rg_dtype_parse(rg_dtype_name((rg_dtype)all_types[i]), &dtype));
		assert_int_equal(dtype, all_types[i]);
	}
}

TEST(unknown_numbers)
{
	int i, known = 0;

	for (i = -2; i < 300; i++)
		known += rg_dtype_known(i);
	assert_int_equal(known, sizeof(all_types) / sizeof(all_types[0]));
	assert_false(rg_dtype_known(8));
	assert_false(rg_dtype_known(30));
}
