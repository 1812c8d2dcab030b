/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A decimal in scientific form: digits d1.d2d3… times ten to `exponent`. */
typedef struct {
	char digits[20]; /* without point and trailing zeros, NUL-terminated */
	int count;
	int exponent;
} decimal;

/* Python's repr: exponent form under 1e-4 and from 1e16, else positional with at least ".0". */
static size_t layout(const decimal *d, char *out)
{
	char *p = out;
	int point = d->exponent + 1, i; /* how many digits come before the point */

	if (d->exponent < -4 || d->exponent >= 16) {
		*p++ = d->digits[0];
		if (d->count > 1) {
			*p++ = '.';
			memcpy(p, d->digits + 1, (size_t)d->count - 1);
			p += d->count - 1;
		}
		return (size_t)(p - out) + (size_t)snprintf(p, 8, "e%+03d", d->exponent);
	}
	if (point <= 0) {
		*p++ = '0';
		*p++ = '.';
		for (i = point; i < 0; i++)
			*p++ = '0';
		memcpy(p, d->digits, (size_t)d->count);
		p += d->count;
	} else {
		for (i = 0; i < point; i++)
			*p++ = i < d->count ? d->digits[i] : '0';
		*p++ = '.';
		if (i >= d->count)
			*p++ = '0';
		for (; i < d->count; i++)
			*p++ = d->digits[i];
	}
	*p = '\0';
	return (size_t)(p - out);
}

static double decimal_value(const decimal *d)
{
	char text[RG_DOUBLE_REPR_SIZE];
	layout(d, text);
	return strtod(text, NULL);
}

/* The nearest decimal of `precision` digits to a positive finite value. */
static void decimal_round(double value, int precision, decimal *out)
{
	char text[40];
	snprintf(text, sizeof(text), "%.*e", precision - 1, value);
	const char *e = strchr(text, 'e');
	out->exponent = (int)strtol(e + 1, NULL, 10);
	out->digits[0] = text[0];
	if (precision > 1)
		memcpy(out->digits + 1, text + 2, (size_t)precision - 1);
	out->digits[precision] = '\0';
	out->count = precision;
}

/* The next larger decimal of as many digits. */
static void decimal_increment(decimal *d)
{
	int i = d->count - 1;
	while (i >= 0 && d->digits[i] == '9')
		d->digits[i--] = '0';
	if (i >= 0) {
		d->digits[i]++;
		return;
	}
	d->digits[0] = '1';
	d->exponent++;
}

/* The same out of the nearest decimal of 17 digits, which is cheaper. The digits that are cut off
 * say whether to round up, unless they are just a half: the value may be on either side of that. */
static void decimal_shorten(double value, const decimal *longest, int precision, decimal *out)
{
	static const char half[] = "50000000000000000";
	int order = memcmp(longest->digits + precision, half, (size_t)(longest->count - precision));

	if (!order) {
		decimal_round(value, precision, out);
		return;
	}
	*out = *longest;
	out->digits[precision] = '\0';
	out->count = precision;
	if (order > 0)
		decimal_increment(out);
}

/*
 * Finds the shortest decimal for a positive finite value. Any decimal of up to 15 digits survives
 * the way through a normal double, so precision 15 either settles it (after stripping zeros) or
 * shows that 16 or 17 are needed. Subnormals hold fewer digits and are tried from one up.
 *
 * At a power of two the doubles below are twice as dense as those above. The nearest decimal of n
 * digits may be below it and read back as another double, while its upper neighbour does not.
 */
static void decimal_shortest(double value, decimal *out)
{
	int precision = value < DBL_MIN ? 1 : 15, binary_exponent;
	bool power_of_two = frexp(value, &binary_exponent) == 0.5;
	decimal longest;

	decimal_round(value, 17, &longest);
	for (; precision < 17; precision++) {
		decimal_shorten(value, &longest, precision, out);
		if (decimal_value(out) == value)
			break;
		if (power_of_two) {
			decimal_increment(out);
			if (decimal_value(out) == value)
				break;
		}
	}
	if (precision == 17)
		*out = longest;
	while (out->count > 1 && out->digits[out->count - 1] == '0')
		out->digits[--out->count] = '\0';
}

size_t rg_double_repr(double value, char out[static RG_DOUBLE_REPR_SIZE])
{
	char *p = out;
	decimal d;

	if (isnan(value))
		return (size_t)snprintf(out, RG_DOUBLE_REPR_SIZE, "nan");
	if (signbit(value))
		*p++ = '-';
	if (isinf(value))
		memcpy(p, "inf", 4);
	else if (value == 0)
		memcpy(p, "0.0", 4);
	else {
		decimal_shortest(fabs(value), &d);
		return (size_t)(p - out) + layout(&d, p);
	}
	return strlen(out);
}

/* A decimal in text: mantissa times ten to `exponent`. */
typedef struct {
	uint64_t mantissa; /* right up to DIGITS_MAX digits */
	size_t digits;     /* of the mantissa, without leading zeros */
	int64_t exponent;
	bool is_json; /* by JSON's grammar too, which is stricter */
} parts;

enum { DIGITS_MAX = 19 };

static const char *read_digits(parts *d, const char *p, const char *end)
{
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
		d->digits += d->digits || d->mantissa;
	}
	return p;
}

/* The digits after the 'e', with their sign; NULL where there are none. */
static const char *read_exponent(parts *d, const char *p, const char *end)
{
	const int64_t large = INT64_MAX / 100;
	bool negative = p < end && *p == '-';
	const char *first;
	int64_t exponent = 0;

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	for (first = p; p < end && *p >= '0' && *p <= '9'; p++)
		if (exponent < large)
			exponent = exponent * 10 + (*p - '0');
	d->exponent += negative ? -exponent : exponent;
	return p > first ? p : NULL;
}

/* [digits][.digits][e[sign]digits] with at least one digit in the mantissa: where it ends, or NULL.
 */
static const char *read_decimal(parts *d, const char *p, const char *end)
{
	const char *whole = p, *fraction;
	*d = (parts){0};
	p = read_digits(d, p, end);
	bool any = p > whole;
	d->is_json = any && (*whole != '0' || p == whole + 1);
	if (p < end && *p == '.') {
		fraction = ++p;
		p = read_digits(d, p, end);
		any |= p > fraction;
		d->is_json &= p > fraction;
		d->exponent = fraction - p;
	}
	if (any && p < end && (*p == 'e' || *p == 'E'))
		return read_exponent(d, p + 1, end);
	return any ? p : NULL;
}

/* The double nearest to the number in `text`, whose parts these are. */
static double convert(const parts *d, const char *text, size_t length)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const int64_t power_max = sizeof(powers) / sizeof(*powers) - 1;

	/* Both the mantissa and the power of ten are doubles: one multiplication or division
	 * rounds correctly (Clinger 1990). Nearly all numbers are such. */
	if (d->digits <= DIGITS_MAX && d->mantissa <= UINT64_C(1) << 53 &&
	    d->exponent >= -power_max && d->exponent <= power_max) {
		double value = (double)d->mantissa;
		value = d->exponent < 0 ? value / powers[-d->exponent]
					: value * powers[d->exponent];
		return *text == '-' ? -value : value;
	}
	char small[64];
	RG_AUTO_FREE char *large = length < sizeof(small) ? NULL : rg_malloc(length + 1);
	char *copy = large ? large : small;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return strtod(copy, NULL);
}

bool rg_json_number_read(const char **at, const char *end, double *out)
{
	const char *start = *at;
	parts d;

	const char *stop = read_decimal(&d, start + (start < end && *start == '-'), end);
	if (!stop || !d.is_json)
		return false;
	*at = stop;
	*out = convert(&d, start, (size_t)(stop - start));
	return true;
}

static bool is_word(const char *p, const char *end, const char *word)
{
	return (size_t)(end - p) == strlen(word) && !strncasecmp(p, word, (size_t)(end - p));
}

bool rg_double_parse(const char *text, size_t length, double *out)
{
	const char *end = text + length;
	bool negative = false;
	parts d;

	while (text < end && isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	const char *mantissa = text;
	if (mantissa < end && (*mantissa == '+' || *mantissa == '-'))
		negative = *mantissa++ == '-';
	if (is_word(mantissa, end, "nan")) {
		*out = NAN;
		return true;
	}
	if (is_word(mantissa, end, "inf") || is_word(mantissa, end, "infinity")) {
		*out = negative ? -INFINITY : INFINITY;
		return true;
	}
	if (read_decimal(&d, mantissa, end) != end)
		return false;
	*out = convert(&d, text, (size_t)(end - text));
	return true;
}

bool rg_fraction_parse(const char *text, size_t length, double *out)
{
	char scaled[64];
	if (!length || text[length - 1] != '%')
		return rg_double_parse(text, length, out);
	length--;
	/* 0.7 / 100 is not the double nearest to 0.007. */
	if (length + sizeof("e-2") <= sizeof(scaled)) {
		snprintf(scaled, sizeof(scaled), "%.*se-2", (int)length, text);
		if (rg_double_parse(scaled, strlen(scaled), out))
			return true;
	}
	if (!rg_double_parse(text, length, out))
		return false;
	*out /= 100;
	return true;
}

bool rg_uint64_parse(const char *text, size_t length, uint64_t *out)
{
	uint64_t value = 0;
	if (!length)
		return false;
	for (size_t i = 0; i < length; i++) {
		uint64_t digit = (uint64_t)(text[i] - '0');
		if (!isdigit((unsigned char)text[i]) || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return true;
}

bool rg_int64_parse(const char *text, size_t length, int64_t *out)
{
	bool negative = length && *text == '-';
	uint64_t magnitude;

	if (!rg_uint64_parse(text + negative, length - negative, &magnitude))
		return false;
	if (magnitude > (uint64_t)INT64_MAX + negative)
		return false;
	/* Negated as unsigned, where -2^63 does not overflow. */
	*out = (int64_t)(negative ? 0 - magnitude : magnitude);
	return true;
}

bool rg_size_parse(const char *text, uint64_t *out)
{
	static const char units[] = "kmgt";
	size_t digits = strspn(text, "0123456789");
	const char *unit = text + digits, *found;
	int shift = 0;
	uint64_t value;

	if (!rg_uint64_parse(text, digits, &value))
		return false;
	if (*unit && (found = strchr(units, tolower((unsigned char)*unit))) != NULL) {
		shift = 10 * (int)(found - units + 1);
		unit++;
		if (!strcasecmp(unit, "iB") || !strcasecmp(unit, "B"))
			unit = "";
	}
	if (*unit || value > UINT64_MAX >> shift)
		return false;
	*out = value << shift;
	return true;
}

void rg_size_text(uint64_t bytes, char out[static RG_SIZE_TEXT])
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		snprintf(out, RG_SIZE_TEXT, "%u B", (unsigned)bytes);
		return;
	}
	for (; value >= 1023.95 && unit + 1 < sizeof(units) / sizeof(*units); unit++)
		value /= 1024;
	snprintf(out, RG_SIZE_TEXT, "%.1f %s", value, units[unit]);
}

const char *rg_count_text(uint64_t count, char out[static RG_COUNT_TEXT])
{
	char *at = out + RG_COUNT_TEXT - 1;
	unsigned digits = 0;

	*at = '\0';
	do {
		if (digits && digits % 3 == 0)
			*--at = ',';
		*--at = (char)('0' + count % 10);
		count /= 10;
		digits++;
	} while (count);
	return memmove(out, at, (size_t)(out + RG_COUNT_TEXT - at));
}
