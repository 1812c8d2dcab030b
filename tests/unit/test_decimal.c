/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decimals against the C library, which reads and prints them exactly: cases that lie just between
 * two doubles or next to that, all exponents, and random ones. DECIMAL_CASES=N tries N random ones.
 */
#include "unit.h"

#include "base/decimal.h"
#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* xorshift64* */
static uint64_t random_bits(void)
{
	static uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * UINT64_C(0x2545F4914F6CDD1D);
}

static size_t random_cases(void)
{
	const char *wanted = getenv("DECIMAL_CASES");
	return wanted ? strtoull(wanted, NULL, 10) : getenv("TEST_LONG") ? 3000000 : 100000;
}

static double double_of(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* --- reading --- */

static void assert_read(uint64_t digits, int exponent)
{
	char text[64];
	snprintf(text, sizeof(text), "%" PRIu64 "e%d", digits, exponent);
	const double wanted = strtod(text, NULL), got = rg_decimal_to_double(digits, exponent);
	if (memcmp(&wanted, &got, sizeof(got)) != 0)
		fail_msg("%s: %a, not %a", text, got, wanted);
}

static void assert_read_around(uint64_t digits, int exponent)
{
	for (uint64_t i = digits < 3 ? 0 : digits - 3; i <= digits + 3 && i >= digits - 3; i++)
		assert_read(i, exponent);
}

/* Numbers just between two doubles are w * 10^q with w * 5^q, or w / 5^-q, an odd number of 54
 * bits. */
TEST(reads_what_is_just_between_two)
{
	uint64_t power = 1;
	for (int q = 0; q <= 23; q++, power *= 5)
		for (size_t i = 0; i < 2000; i++) {
			const uint64_t from = (UINT64_C(1) << 53) / power + 1;
			const uint64_t odd = (from + random_bits() % from) | 1;
			assert_read_around(odd, q);
			assert_read_around(odd << (i % 9), q);
		}
	power = 5;
	for (int q = -1; q >= -4; q--, power *= 5)
		for (size_t i = 0; i < 2000; i++)
			assert_read_around((UINT64_C(1) << 53 | random_bits() >> 11 | 1) * power,
					   q);
}

/* The first 19 digits of what is between two doubles, as the 64 bits of a long double hold it. */
TEST(reads_next_to_what_is_between_two)
{
	for (size_t i = 0; i < 100000; i++) {
		const double below = double_of(random_bits() >> (i % 3 ? 1 : 12));
		char text[64];
		if (!isfinite(below))
			continue;
		snprintf(text, sizeof(text), "%.18Le",
			 ((long double)below + (long double)nextafter(below, INFINITY)) / 2);
		const int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
		text[1] = text[0]; /* over the point */
		assert_read_around(strtoull(text + 1, NULL, 10), exponent - 18);
	}
}

TEST(reads_all_exponents)
{
	static const uint64_t digits[] = {0,
					  1,
					  2,
					  5,
					  9,
					  10,
					  UINT64_C(9007199254740993),
					  UINT64_C(17976931348623157),
					  UINT64_C(17976931348623158),
					  UINT64_C(1797693134862315807),
					  UINT64_C(1797693134862315808),
					  UINT64_C(22250738585072011),
					  UINT64_C(22250738585072014),
					  UINT64_C(2225073858507201136),
					  UINT64_C(2470328229206232720),
					  UINT64_C(2470328229206232721),
					  UINT64_C(4940656458412465442),
					  UINT64_C(7410984687618698162),
					  UINT64_C(9999999999999999999),
					  UINT64_MAX - 3};
	for (int exponent = -400; exponent <= 400; exponent++)
		for (size_t i = 0; i < sizeof(digits) / sizeof(*digits); i++)
			assert_read_around(digits[i], exponent);
	assert_true(rg_decimal_to_double(1, INT64_MIN) == 0);
	assert_true(isinf(rg_decimal_to_double(1, INT64_MAX)));
	assert_true(rg_decimal_to_double(0, INT64_MAX) == 0);
}

TEST(reads_random_ones)
{
	for (size_t i = random_cases(); i; i--) {
		const uint64_t bits = random_bits();
		assert_read(random_bits() >> (bits & 63), (int)(bits >> 32) % 345);
	}
}

/* --- writing --- */

/* The decimal of `precision` digits that is nearest, without zeros at its end. */
static rg_decimal nearest(double value, int precision)
{
	char text[40];
	rg_decimal out = {0};
	snprintf(text, sizeof(text), "%.*e", precision - 1, value);
	for (const char *p = text; *p != 'e'; p++)
		if (*p != '.')
			out.digits = out.digits * 10 + (uint64_t)(*p - '0');
	out.exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10) - precision + 1;
	return out;
}

static bool reads_as(rg_decimal decimal, double value)
{
	char text[40];
	snprintf(text, sizeof(text), "%" PRIu64 "e%d", decimal.digits, decimal.exponent);
	return strtod(text, NULL) == value;
}

/* Any decimal of up to 15 digits survives the way through a normal double. At a power of two the
 * doubles below are twice as dense as those above: the nearest decimal of so many digits may be
 * below and another double's, while the one after it is not. */
static rg_decimal find_shortest(double value)
{
	rg_decimal found = {0};
	for (int precision = value < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
		found = nearest(value, precision);
		if (reads_as(found, value))
			break;
		found.digits++;
		if (reads_as(found, value))
			break;
	}
	for (; found.digits % 10 == 0; found.exponent++)
		found.digits /= 10;
	return found;
}

static void assert_shortest(double value)
{
	if (!isfinite(value) || !(value > 0))
		return;
	const rg_decimal got = rg_decimal_shortest(value), wanted = find_shortest(value);
	if (got.digits != wanted.digits || got.exponent != wanted.exponent)
		fail_msg("%a: %" PRIu64 "e%d, not %" PRIu64 "e%d", value, got.digits, got.exponent,
			 wanted.digits, wanted.exponent);
	assert_true(rg_decimal_to_double(got.digits, got.exponent) == value);
}

static void assert_shortest_around(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	for (uint64_t i = bits < 4 ? 0 : bits - 4; i <= bits + 4; i++)
		assert_shortest(double_of(i));
}

TEST(writes_powers_and_their_neighbours)
{
	for (int power = -1074; power <= 1023; power++)
		assert_shortest_around(ldexp(1, power));
	for (int power = -324; power <= 308; power++)
		for (int digit = 1; digit <= 9; digit++) {
			assert_shortest_around(rg_decimal_to_double((uint64_t)digit, power));
			assert_shortest_around(
				rg_decimal_to_double((uint64_t)digit * 10 + 5, power));
		}
	assert_shortest_around(DBL_MAX);
	assert_shortest_around(DBL_MIN);
}

TEST(writes_whole_numbers_and_fractions)
{
	for (int i = 1; i < 20000; i++) {
		assert_shortest(i);
		assert_shortest(i / 1000.0);
		assert_shortest(i * 1e16);
		assert_shortest((double)((UINT64_C(1) << 53) + (uint64_t)i * 2));
		assert_shortest(double_of((uint64_t)i));
	}
}

TEST(writes_random_ones)
{
	for (size_t i = random_cases() / 4; i; i--) {
		assert_shortest(double_of(random_bits() >> 1));
		/* Numbers as people write them. */
		assert_shortest(
			rg_decimal_to_double(random_bits() >> (i % 40 + 11), -(int)(i % 20)));
	}
}

/* --- rounding --- */

static void assert_rounds(double value)
{
	char text[400];
	for (int n = 0; n <= 16; n++) {
		snprintf(text, sizeof(text), "%.*f", n, value);
		const double decimals = strtod(text, NULL);
		double got = rg_double_round_decimals(value, n);
		if (memcmp(&decimals, &got, sizeof(got)) != 0)
			fail_msg("%a to %d decimals: %a, not %a", value, n, got, decimals);
		snprintf(text, sizeof(text), "%.*g", n + 1, value);
		const double digits = strtod(text, NULL);
		got = rg_double_round_digits(value, n + 1);
		if (memcmp(&digits, &got, sizeof(got)) != 0)
			fail_msg("%a to %d digits: %a, not %a", value, n + 1, got, digits);
	}
}

TEST(rounds_as_printf_does)
{
	static const double values[] = {
		0.0,   -0.0,   0.5,     1.5,    2.5,   -0.5,   0.15,
		0.25,  0.05,   1e22,    5e22,   15e22, 2.675,  1e-300,
		5e-16, 4e-17,  9.5,     99.5,   1e300, 25,     9999.5,
		0.95,  5e-324, 1.25e17, 0.0005, 1.005, 8.5e15, 9999999999999998,
		1e17};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		assert_rounds(values[i]);
		assert_rounds(nextafter(values[i], INFINITY));
		assert_rounds(nextafter(values[i], -INFINITY));
	}
	for (size_t i = random_cases() / 50; i; i--) {
		const double any = double_of(random_bits());
		if (isfinite(any))
			assert_rounds(any);
		/* Numbers just between two decimals, and next to that. */
		const double half = rg_decimal_to_double((random_bits() >> (i % 50 + 14)) * 10 + 5,
							 -(int)(i % 18));
		assert_rounds(half);
		assert_rounds(nextafter(half, 0));
	}
	assert_true(isnan(rg_double_round_decimals(NAN, 2)) &&
		    isinf(rg_double_round_digits(INFINITY, 2)));
}
