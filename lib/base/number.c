/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/decimal.h"
#include "base/memory.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Python's repr: exponent form under 1e-4 and from 1e16, else positional with at least ".0". */
static size_t layout(rg_decimal d, char *out)
{
	char room[20], *digits = room + sizeof(room), *p = out;
	int count = 0, i;

	do {
		*--digits = (char)('0' + d.digits % 10);
		count++;
	} while (d.digits /= 10);
	const int point = d.exponent + count; /* how many digits come before the point */
	if (point < -3 || point > 16) {
		*p++ = digits[0];
		if (count > 1) {
			*p++ = '.';
			memcpy(p, digits + 1, (size_t)count - 1);
			p += count - 1;
		}
		return (size_t)(p - out) + (size_t)snprintf(p, 8, "e%+03d", point - 1);
	}
	if (point <= 0) {
		*p++ = '0';
		*p++ = '.';
		for (i = point; i < 0; i++)
			*p++ = '0';
		memcpy(p, digits, (size_t)count);
		p += count;
	} else {
		for (i = 0; i < point; i++)
			*p++ = i < count ? digits[i] : '0';
		*p++ = '.';
		if (i >= count)
			*p++ = '0';
		for (; i < count; i++)
			*p++ = digits[i];
	}
	*p = '\0';
	return (size_t)(p - out);
}

size_t rg_double_repr(double value, char out[static RG_DOUBLE_REPR_SIZE])
{
	char *p = out;

	if (isnan(value))
		return (size_t)snprintf(out, RG_DOUBLE_REPR_SIZE, "nan");
	if (signbit(value))
		*p++ = '-';
	if (isinf(value))
		memcpy(p, "inf", 4);
	else if (value == 0)
		memcpy(p, "0.0", 4);
	else
		return (size_t)(p - out) + layout(rg_decimal_shortest(fabs(value)), p);
	return strlen(out);
}

/* The shortest decimal is on the same side of each decimal with fewer digits as the value itself,
 * or it is that decimal: then only all digits of the value say which side. */
static double round_at(double value, rg_decimal d, int power)
{
	uint64_t unit = 10;
	char text[400];

	if (d.exponent >= power)
		return value;
	for (int i = d.exponent + 1; i < power && unit < UINT64_C(1000000000000000000); i++)
		unit *= 10;
	if (d.digits % unit == unit / 2) {
		int more = 0;
		for (uint64_t rest = d.digits / unit; rest >= 10; rest /= 10)
			more++;
		snprintf(text, sizeof(text), power > 0 ? "%.*e" : "%.*f", power > 0 ? more : -power,
			 value);
		return strtod(text, NULL);
	}
	return copysign(rg_decimal_to_double((d.digits + unit / 2) / unit, power), value);
}

double rg_double_round_decimals(double value, int decimals)
{
	return isfinite(value) && value != 0
		       ? round_at(value, rg_decimal_shortest(fabs(value)), -decimals)
		       : value;
}

double rg_double_round_digits(double value, int digits)
{
	if (!isfinite(value) || value == 0)
		return value;
	const rg_decimal d = rg_decimal_shortest(fabs(value));
	int power = d.exponent - digits;
	for (uint64_t rest = d.digits; rest; rest /= 10)
		power++;
	return round_at(value, d, power);
}

/* A decimal in text: mantissa times ten to `exponent`. */
typedef struct {
	uint64_t mantissa; /* right up to DIGITS_MAX digits */
	size_t digits;     /* of the mantissa, and maybe zeros in front */
	int64_t exponent;
	bool is_json; /* by JSON's grammar too, which is stricter */
} parts;

enum { DIGITS_MAX = 19 };

/* Reading numbers is most of reading a golden: no call, and no branch a digit. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* The value of eight digits, or zero bytes in front of them: neighbours are joined to pairs, fours
 * and eights. */
static ALWAYS_INLINE uint64_t join_eight(uint64_t bytes)
{
	bytes &= UINT64_C(0x0f0f0f0f0f0f0f0f);
	bytes = (bytes * 10 + (bytes >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	bytes = (bytes * 100 + (bytes >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (bytes * 10000 + (bytes >> 32)) & UINT32_MAX;
}

/* Its first byte that is not zero is in the place of the first one that is not a digit. */
static ALWAYS_INLINE uint64_t find_other(uint64_t bytes)
{
	const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
	return ((bytes & high) ^ zeros) | (((bytes + UINT64_C(0x0606060606060606)) & high) ^ zeros);
}

/* Appends the digits at p to the mantissa; returns where they end. */
static ALWAYS_INLINE const char *read_digits(uint64_t *mantissa, const char *p, const char *end)
{
	static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	while (end - p >= 8) {
		const uint64_t bytes = rg_le64(p), other = find_other(bytes);
		if (other) {
			const unsigned count = rg_zero_bytes(other);
			*mantissa = *mantissa * powers[count] +
				    join_eight(bytes << (56 - 8 * count) << 8);
			return p + count;
		}
		*mantissa = *mantissa * 100000000 + join_eight(bytes);
		p += 8;
	}
	for (unsigned digit; p < end && (digit = (unsigned)(*p - '0')) <= 9; p++)
		*mantissa = *mantissa * 10 + digit;
	return p;
}

/* The digits after the 'e', with their sign; NULL where there are none. */
static const char *read_exponent(int64_t *sum, const char *p, const char *end)
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
	*sum += negative ? -exponent : exponent;
	return p > first ? p : NULL;
}

/* [digits][.digits][e[sign]digits] with at least one digit in the mantissa: where it ends, or NULL.
 */
static ALWAYS_INLINE const char *read_decimal(parts *d, const char *p, const char *end)
{
	const char *whole = p;
	uint64_t mantissa = 0;

	/* There are usually few digits before the point, and as many as in the number before. */
	for (unsigned digit; p < end; p++) {
		digit = (unsigned char)*p - (unsigned)'0';
		if (digit > 9)
			break;
		mantissa = mantissa * 10 + digit;
	}
	size_t digits = (size_t)(p - whole);
	int64_t exponent = 0;
	bool is_json = digits && (*whole != '0' || digits == 1);
	if (p < end && *p == '.') {
		const char *fraction = ++p;
		p = read_digits(&mantissa, p, end);
		is_json &= p > fraction;
		digits += (size_t)(p - fraction);
		exponent = fraction - p;
	}
	/* Zeros in front are no digits. */
	for (; digits > DIGITS_MAX && (*whole == '0' || *whole == '.'); whole++)
		digits -= *whole == '0';
	if (digits && p < end && (*p == 'e' || *p == 'E'))
		p = read_exponent(&exponent, p + 1, end);
	*d = (parts){mantissa, digits, exponent, is_json};
	return digits ? p : NULL;
}

static double convert_long(const char *text, size_t length)
{
	char small[64];
	RG_AUTO_FREE char *large = length < sizeof(small) ? NULL : rg_malloc(length + 1);
	char *copy = large ? large : small;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return strtod(copy, NULL);
}

/* The double nearest to the number in `text`, whose parts these are. */
static ALWAYS_INLINE double convert(const parts *d, const char *text, size_t length)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const int64_t power_max = sizeof(powers) / sizeof(*powers) - 1;

	if (d->digits > DIGITS_MAX)
		return convert_long(text, length);
	double value = (double)(int64_t)d->mantissa; /* a larger one is not used */
	/* Both the mantissa and the power of ten are doubles: one multiplication or division
	 * rounds correctly (Clinger 1990). */
	if (d->mantissa > UINT64_C(1) << 53 || d->exponent < -power_max || d->exponent > power_max)
		value = rg_decimal_to_double(d->mantissa, d->exponent);
	else
		value = d->exponent < 0 ? value / powers[-d->exponent]
					: value * powers[d->exponent];
	return *text == '-' ? -value : value;
}

bool rg_decimal_read(const char **at, const char *end, double *out)
{
	const char *start = *at;
	parts d;

	const char *stop =
		read_decimal(&d, start + (start < end && (*start == '-' || *start == '+')), end);
	if (!stop)
		return false;
	*at = stop;
	*out = convert(&d, start, (size_t)(stop - start));
	return true;
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

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

bool rg_double_parse(const char *text, size_t length, double *out)
{
	const char *end = text + length;
	bool negative = false;
	parts d;

	while (text < end && is_blank(*text))
		text++;
	while (end > text && is_blank(end[-1]))
		end--;
	const char *mantissa = text;
	if (mantissa < end && (*mantissa == '+' || *mantissa == '-'))
		negative = *mantissa++ == '-';
	if (read_decimal(&d, mantissa, end) == end) {
		*out = convert(&d, text, (size_t)(end - text));
		return true;
	}
	if (is_word(mantissa, end, "nan")) {
		*out = NAN;
		return true;
	}
	if (is_word(mantissa, end, "inf") || is_word(mantissa, end, "infinity")) {
		*out = negative ? -INFINITY : INFINITY;
		return true;
	}
	return false;
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

double rg_round_places(double value, int places)
{
	/* DBL_MAX with 12 decimals fits. */
	char text[DBL_MAX_10_EXP + 32];

	if (!isfinite(value))
		return value;
	snprintf(text, sizeof(text), "%.*f", places, value);
	return strtod(text, NULL);
}

void rg_percent_at_most(char out[static RG_PERCENT_SIZE], double share)
{
	double percent = 100 * share;
	if (percent > 99) {
		snprintf(out, RG_PERCENT_SIZE, "100");
		return;
	}
	snprintf(out, RG_PERCENT_SIZE, "%.2g", percent);
	/* A difference by the rounding of doubles alone does not count: 8 for 2/25. */
	if (strtod(out, NULL) >= percent * (1 - 1e-12))
		return;
	double unit = pow(10, floor(log10(percent)) - 1);
	snprintf(out, RG_PERCENT_SIZE, "%.2g", strtod(out, NULL) + unit);
}
