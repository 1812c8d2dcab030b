/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in text. The first eight bytes are a double that must survive its shortest text, of which
 * no shorter one may, and with two more bytes they are a decimal; all bytes together are a text
 * that is a number for the reader where it is one for the C library.
 */
#include "require.h"

#include "base/decimal.h"
#include "base/number.h"
#include "golden/dtype.h"
#include "golden/tensor.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_digits(const char *text)
{
	size_t count = 0, zeros = 0;

	for (; *text && *text != 'e'; text++) {
		if (!isdigit((unsigned char)*text) || (*text == '0' && !count))
			continue;
		count++;
		zeros = *text == '0' ? zeros + 1 : 0;
	}
	return count - zeros;
}

static void check_repr(double value)
{
	char text[RG_DOUBLE_REPR_SIZE], rounded[40];
	int precision = 1;
	double back;

	require(rg_double_repr(value, text) == strlen(text), "the length");
	require(rg_double_parse(text, strlen(text), &back), "its own text is none");
	if (isnan(value)) {
		require(isnan(back), "NaN");
		return;
	}
	require(!memcmp(&value, &back, sizeof(value)), "another value comes back");
	if (!isfinite(value))
		return;
	do
		snprintf(rounded, sizeof(rounded), "%.*e", precision - 1, value);
	while (strtod(rounded, NULL) != value && precision++ < 17);
	require(count_digits(text) <= (size_t)precision, "there is a shorter text");
}

static void check_decimal(uint64_t digits, int16_t exponent)
{
	const double value = rg_decimal_to_double(digits, exponent);
	char text[40];
	snprintf(text, sizeof(text), "%" PRIu64 "e%d", digits, exponent);
	require(value == strtod(text, NULL), "a decimal");
}

/* What strtod takes as well, but Python's float() does not. */
static bool is_foreign(const char *text)
{
	return strpbrk(text, "xX(") != NULL;
}

static void check_double(const char *text, size_t length)
{
	const char *end = text + length;
	double value, expected;
	bool taken = rg_double_parse(text, length, &value);
	char *stop;

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	expected = strtod(text, &stop);
	if (strlen(text) != length || is_foreign(text)) {
		require(!taken, "what is none is taken");
		return;
	}
	require(taken == (stop == end && stop > text), "who takes it");
	if (taken && isnan(value))
		require(isnan(expected), "NaN");
	else if (taken)
		require(!memcmp(&value, &expected, sizeof(value)), "the value");
}

static void check_whole(const char *text, size_t length)
{
	bool is_whole = length && strspn(text, "0123456789") == length;
	bool is_signed = length > 1 && *text == '-' && strspn(text + 1, "0123456789") == length - 1;
	unsigned long long expected;
	long long signed_expected;
	uint64_t number;
	int64_t integer;

	errno = 0;
	expected = strtoull(text, NULL, 10);
	require(rg_uint64_parse(text, length, &number) == (is_whole && !errno), "whole numbers");
	if (is_whole && !errno)
		require(number == expected, "a whole number");
	errno = 0;
	signed_expected = strtoll(text, NULL, 10);
	require(rg_int64_parse(text, length, &integer) == ((is_whole || is_signed) && !errno),
		"integers");
	if ((is_whole || is_signed) && !errno)
		require(integer == signed_expected, "an integer");
}

static void check_sizes(const char *text)
{
	int64_t shape[RG_METRIC_DIMENSIONS];
	char shown[RG_SIZE_TEXT];
	size_t dimensions, i;
	rg_dtype dtype, again;
	uint64_t bytes;
	rg_error *err = rg_shape_parse(text, shape, &dimensions);

	require(err || dimensions <= RG_METRIC_DIMENSIONS, "dimensions");
	for (i = 0; !err && i < dimensions; i++)
		require(shape[i] >= 0, "a dimension");
	rg_error_free(err);
	if (rg_size_parse(text, &bytes))
		rg_size_text(bytes, shown);
	if (rg_dtype_parse(text, &dtype))
		require(rg_dtype_parse(rg_dtype_name(dtype), &again) && again == dtype,
			"a dtype's own name");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	uint64_t digits;
	int16_t exponent;
	double value;
	memcpy(text, data, size);
	text[size] = '\0';
	if (size >= sizeof(value)) {
		memcpy(&value, data, sizeof(value));
		check_repr(value);
	}
	if (size >= sizeof(digits) + sizeof(exponent)) {
		memcpy(&digits, data, sizeof(digits));
		memcpy(&exponent, data + sizeof(digits), sizeof(exponent));
		check_decimal(digits, exponent);
	}
	check_double(text, size);
	check_whole(text, size);
	check_sizes(text);
	free(text);
	return 0;
}
