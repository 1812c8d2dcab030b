/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_repr(double value, const char *wanted)
{
	char text[RG_DOUBLE_REPR_SIZE];
	size_t length = rg_double_repr(value, text);

	assert_string_equal(text, wanted);
	assert_int_equal(length, strlen(wanted));
}

/* What Python 3 prints for the same values. */
TEST(repr_is_pythons)
{
	assert_repr(0.0, "0.0");
	assert_repr(-0.0, "-0.0");
	assert_repr(1.0, "1.0");
	assert_repr(-1.5, "-1.5");
	assert_repr(0.1, "0.1");
	assert_repr(0.1 + 0.2, "0.30000000000000004");
	assert_repr(1e-4, "0.0001");
	assert_repr(1e-5, "1e-05");
	assert_repr(1.25e-5, "1.25e-05");
	assert_repr(-4.590055459766602e-06, "-4.590055459766602e-06");
	assert_repr(123456789.0, "123456789.0");
	assert_repr(1e15, "1000000000000000.0");
	assert_repr(9999999999999998.0, "9999999999999998.0");
	assert_repr(1e16, "1e+16");
	assert_repr(1.2345678901234568e17, "1.2345678901234568e+17");
	assert_repr(1e22, "1e+22");
	assert_repr(1e100, "1e+100");
	assert_repr(1.7976931348623157e308, "1.7976931348623157e+308");
	assert_repr(2.2250738585072014e-308, "2.2250738585072014e-308");
	assert_repr(-2.2250738585072014e-308, "-2.2250738585072014e-308");
	assert_repr(INFINITY, "inf");
	assert_repr(-INFINITY, "-inf");
	assert_repr(NAN, "nan");
	assert_repr(-NAN, "nan");
}

TEST(repr_of_subnormals)
{
	assert_repr(5e-324, "5e-324");
	assert_repr(1e-323, "1e-323");
	assert_repr(2.225073858507201e-308, "2.225073858507201e-308");
}

/* At powers of two the nearest decimal of a length need not read back while its neighbour does. */
TEST(repr_at_powers_of_two)
{
	assert_repr(0x1p-44, "5.684341886080802e-14");
	assert_repr(0x1p-1022, "2.2250738585072014e-308");
	assert_repr(0x1p+1023, "8.98846567431158e+307");
	assert_repr(0x1p-24, "5.960464477539063e-08");
	assert_repr(0x1p+70, "1.1805916207174113e+21");
}

/* A xorshift generator: the same bit patterns on every run. */
static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static size_t digit_count(const char *text)
{
	size_t digits = 0, zeros = 0;
	const char *p;

	for (p = text; *p && *p != 'e'; p++) {
		if (*p == '0' && !digits)
			continue;
		if (*p >= '0' && *p <= '9') {
			digits++;
			zeros = *p == '0' ? zeros + 1 : 0;
		}
	}
	return digits - zeros;
}

TEST(repr_reads_back_and_is_shortest)
{
	uint64_t seed = 88172645463325252u;
	int i;

	for (i = 0; i < 100000; i++) {
		uint64_t bits = next_random(&seed);
		char text[RG_DOUBLE_REPR_SIZE], shorter[64];
		double value, back;

		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		rg_double_repr(value, text);
		assert_true(rg_double_parse(text, strlen(text), &back));
		assert_memory_equal(&value, &back, sizeof(value));
		if (digit_count(text) < 2)
			continue;
		snprintf(shorter, sizeof(shorter), "%.*e", (int)digit_count(text) - 2, value);
		assert_true(rg_double_parse(shorter, strlen(shorter), &back));
		assert_true(back != value);
	}
}

static void assert_parses(const char *text, double wanted)
{
	double value;

	assert_true(rg_double_parse(text, strlen(text), &value));
	if (isnan(wanted))
		assert_true(isnan(value));
	else
		assert_memory_equal(&value, &wanted, sizeof(value));
}

TEST(parse)
{
	static const char *const bad[] = {"",    " ",       "x",   "1x",   "0x10", "1e",
					  "e5",  ".",       "+",   "--1",  "1 2",  "nanx",
					  "1,5", "infinit", "1e+", "1.2.3"};
	double value;
	size_t i;

	assert_parses("1", 1);
	assert_parses(" 1.5\n", 1.5);
	assert_parses("+2", 2);
	assert_parses("-.5", -.5);
	assert_parses("5.", 5);
	assert_parses("1E3", 1000);
	assert_parses("1e999", INFINITY);
	assert_parses("nan", NAN);
	assert_parses("-NaN", NAN);
	assert_parses("Inf", INFINITY);
	assert_parses("-infinity", -INFINITY);
	assert_parses("1000000000000000000000000000000000000000000000000000000000000000000000000",
		      1e72);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(rg_double_parse(bad[i], strlen(bad[i]), &value));
	assert_true(rg_double_parse("12345", 2, &value) && value == 12);
}

TEST(fractions)
{
	static const char *const bad[] = {"", "%", "1%%", "%1", "x%", "1 %x"};
	double value;
	size_t i;

	assert_true(rg_fraction_parse("0.25", 4, &value) && value == 0.25);
	assert_true(rg_fraction_parse("1%", 2, &value) && value == 0.01);
	assert_true(rg_fraction_parse("0.7%", 4, &value) && value == 0.007);
	assert_true(rg_fraction_parse("-5 %", 4, &value) && value == -0.05);
	assert_true(rg_fraction_parse("1e1%", 4, &value) && value == 0.1);
	assert_true(rg_fraction_parse("inf%", 4, &value) && value == INFINITY);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(rg_fraction_parse(bad[i], strlen(bad[i]), &value));
}

static void assert_json_reads(const char *text)
{
	char padded[64];
	const char *at = padded;
	double value, expected = strtod(text, NULL);

	snprintf(padded, sizeof(padded), "%s,", text);
	if (!rg_json_number_read(&at, padded + strlen(padded), &value))
		fail_msg("%s: not taken", text);
	if (memcmp(&value, &expected, sizeof(value)) != 0)
		fail_msg("%s: %.17g, expected %.17g", text, value, expected);
	assert_int_equal(*at, ',');
}

TEST(json_numbers)
{
	static const char *const numbers[] = {
		"0",
		"-0",
		"0.0",
		"-0.0e5",
		"1",
		"10.93752",
		"17448304640.0",
		"0.1",
		"1e22",
		"1e23",
		"1e-22",
		"1e-23",
		"9007199254740992",
		"9007199254740993",
		"9007199254740993.0",
		"9007199254740992.5",
		"9007199254740994.5",
		"0.1234567890123456789",
		"0.12345678901234567890",
		"8.5000000000000000",
		"0.9999999999999999999",
		"1844674407370955.1615",
		"1.7976931348623157e308",
		"1e999",
		"-1e999",
		"4.9406564584124654e-324",
		"1e-400",
		"123456789012345678901234567890",
		/* Their digits, in 64 bits, come to nothing. */
		"18446744073709551616",
		"-0.36893488147419103232",
		"1844674407370955161600",
		/* Half way between two doubles, and next to it. */
		"1.00000000000000011102230246251565404",
		"4503599627370496.5",
		"4503599627370497.5",
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		assert_json_reads(numbers[i]);
}

/* Random decimals of all lengths; the seed is fixed. */
TEST(random_json_numbers)
{
	uint64_t seed = 88172645463325252u;
	char text[64];
	int i;

	for (i = 0; i < 300000; i++) {
		int digits, point;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		digits = snprintf(text, sizeof(text), "%llu",
				  (unsigned long long)(seed >> (seed % 60)));
		point = (int)((seed >> 32) % (uint64_t)digits);
		if (point) {
			memmove(text + point + 1, text + point, (size_t)(digits - point) + 1);
			text[point] = '.';
		}
		assert_json_reads(text);
	}
}

TEST(no_json_numbers)
{
	static const char *const others[] = {"",    "-",    "01,", ".5,", "1.,",
					     "1e,", "1e+,", "+1,", "x",   "1e"};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const char *at = others[i];
		double value;

		if (rg_json_number_read(&at, others[i] + strlen(others[i]), &value))
			fail_msg("took '%s'", others[i]);
	}
}

TEST(integers)
{
	int64_t s;
	uint64_t u;

	assert_true(rg_int64_parse("-9223372036854775808", 20, &s) && s == INT64_MIN);
	assert_true(rg_int64_parse("9223372036854775807", 19, &s) && s == INT64_MAX);
	assert_false(rg_int64_parse("9223372036854775808", 19, &s));
	assert_false(rg_int64_parse("-9223372036854775809", 20, &s));
	assert_false(rg_int64_parse("-", 1, &s));
	assert_false(rg_int64_parse("+1", 2, &s));
	assert_true(rg_uint64_parse("18446744073709551615", 20, &u) && u == UINT64_MAX);
	assert_false(rg_uint64_parse("18446744073709551616", 20, &u));
	assert_false(rg_uint64_parse("1 ", 2, &u));
	assert_false(rg_uint64_parse("", 0, &u));
}

TEST(sizes)
{
	char text[RG_SIZE_TEXT];
	uint64_t size;

	assert_true(rg_size_parse("256", &size) && size == 256);
	assert_true(rg_size_parse("64k", &size) && size == 65536);
	assert_true(rg_size_parse("16M", &size) && size == 16 << 20);
	assert_true(rg_size_parse("16MiB", &size) && size == 16 << 20);
	assert_true(rg_size_parse("2gb", &size) && size == (uint64_t)2 << 30);
	assert_false(rg_size_parse("", &size));
	assert_false(rg_size_parse("-1", &size));
	assert_false(rg_size_parse("k", &size));
	assert_false(rg_size_parse("1x", &size));
	assert_false(rg_size_parse("1kk", &size));
	assert_false(rg_size_parse("16777216T", &size));
	rg_size_text(0, text);
	assert_string_equal(text, "0 B");
	rg_size_text(1023, text);
	assert_string_equal(text, "1023 B");
	rg_size_text(1536, text);
	assert_string_equal(text, "1.5 KiB");
	rg_size_text((1 << 20) - 1, text);
	assert_string_equal(text, "1.0 MiB");
	rg_size_text(UINT64_MAX, text);
	assert_string_equal(text, "16.0 EiB");
}

TEST(counts)
{
	char text[RG_COUNT_TEXT];

	assert_string_equal(rg_count_text(0, text), "0");
	assert_string_equal(rg_count_text(999, text), "999");
	assert_string_equal(rg_count_text(1000, text), "1,000");
	assert_string_equal(rg_count_text(248181, text), "248,181");
	assert_string_equal(rg_count_text(UINT64_MAX, text), "18,446,744,073,709,551,615");
}
