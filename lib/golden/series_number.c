#include "golden/series.h"

#include <stdlib.h>
#include <string.h>

/*
 * Decimal to double, correctly rounded. Nearly all numbers of goldens are one of the first two:
 *
 *  - at most 2^53 times or over a power of ten up to 10^22: both are doubles, so one multiplication
 *    or division rounds correctly (Clinger 1990);
 *  - up to 19 digits over a power of ten up to 10^19: both fit 64 bits, so an integer division with
 *    its remainder has all that rounding needs;
 *  - the rest is strtod's.
 */

enum { NUMBER_MAX = 60, DIGITS_MAX = 19, EXPONENT_MAX = 9999 };

/* A number's parts: ± mantissa × 10^exponent. */
typedef struct {
	uint64_t mantissa;
	int digits; /* of the mantissa, leading zeros left out */
	int exponent;
	bool negative;
} decimal;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits from `p` on; past DIGITS_MAX the mantissa is no longer right, and `digits` says so. */
static const char *add_digits(decimal *d, const char *p, const char *end)
{
	while (p < end && is_digit(*p)) {
		d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
		d->digits += d->digits || d->mantissa;
		p++;
	}
	return p;
}

static const char *add_exponent(decimal *d, const char *p, const char *end)
{
	bool negative = p < end && *p == '-';
	const char *first;
	int exponent = 0;

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	for (first = p; p < end && is_digit(*p); p++)
		if (exponent < EXPONENT_MAX)
			exponent = exponent * 10 + (*p - '0');
	d->exponent += negative ? -exponent : exponent;
	return p == first ? NULL : p;
}

/* By JSON's grammar; returns where it ends or NULL. */
static const char *parse(decimal *d, const char *p, const char *end)
{
	const char *first;

	d->negative = p < end && *p == '-';
	p += d->negative;
	first = p;
	p = add_digits(d, p, end);
	if (p == first || (*first == '0' && p - first > 1))
		return NULL;
	if (p < end && *p == '.') {
		first = ++p;
		p = add_digits(d, p, end);
		if (p == first)
			return NULL;
		d->exponent = -(int)(p - first);
	}
	if (p < end && (*p == 'e' || *p == 'E'))
		p = add_exponent(d, p + 1, end);
	return p;
}

__extension__ typedef unsigned __int128 wide;

static const uint64_t integer_powers[] = {
	1u,
	10u,
	100u,
	1000u,
	10000u,
	100000u,
	1000000u,
	10000000u,
	100000000u,
	1000000000u,
	10000000000u,
	100000000000u,
	1000000000000u,
	10000000000000u,
	100000000000000u,
	1000000000000000u,
	10000000000000000u,
	100000000000000000u,
	1000000000000000000u,
	10000000000000000000u,
};

enum { INTEGER_POWERS = sizeof(integer_powers) / sizeof(integer_powers[0]) };

/* mantissa / 10^power, both not 0: a quotient of 64 or 65 bits, cut to 54 with a sticky bit behind.
 */
static double divide(uint64_t mantissa, int power)
{
	uint64_t divisor = integer_powers[power];
	int up = __builtin_clzll(mantissa), divisor_up = __builtin_clzll(divisor);
	wide numerator = (wide)(mantissa << up) << 63;
	uint64_t quotient, remainder, bits, sticky, kept;
	int exponent, spare;

	/* Normalised, the numerator's upper half is less than the divisor: one hardware division.
	 */
	divisor <<= divisor_up;
	quotient = (uint64_t)(numerator / divisor);
	remainder = (uint64_t)(numerator % divisor);
	/* 2^62 <= quotient < 2^64; the value is quotient × 2^exponent. */
	exponent = divisor_up - up - 63;
	spare = 64 - __builtin_clzll(quotient) - 53;
	kept = quotient >> spare;
	sticky = (quotient & ((UINT64_C(1) << (spare - 1)) - 1)) | remainder;
	if ((quotient >> (spare - 1)) & 1 && (sticky || (kept & 1)))
		kept++;
	exponent += spare;
	exponent += (int)(kept >> 53); /* 2^53: all lower bits are 0 */
	bits = (kept & ((UINT64_C(1) << 52) - 1)) | ((uint64_t)(exponent + 52 + 1023) << 52);
	return ((union {
		       uint64_t bits;
		       double value;
	       }){.bits = bits})
		.value;
}

static bool convert_fast(const decimal *d, double *out)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const int powers_max = (int)(sizeof(powers) / sizeof(powers[0])) - 1;
	double value;

	if (d->digits > DIGITS_MAX)
		return false;
	if (d->mantissa <= UINT64_C(1) << 53 && d->exponent >= -powers_max &&
	    d->exponent <= powers_max) {
		value = (double)d->mantissa;
		value = d->exponent < 0 ? value / powers[-d->exponent]
					: value * powers[d->exponent];
	} else if (d->mantissa && d->exponent < 0 && d->exponent > -INTEGER_POWERS) {
		value = divide(d->mantissa, -d->exponent);
	} else {
		return false;
	}
	*out = d->negative ? -value : value;
	return true;
}

bool rg_series_number(const char **at, const char *end, double *out)
{
	const char *start = *at;
	decimal d = {0};
	const char *p = parse(&d, start, end);
	char text[NUMBER_MAX + 1];
	size_t length;

	if (!p || p == end)
		return false;
	*at = p;
	length = (size_t)(p - start);
	if (length > NUMBER_MAX)
		return false;
	if (convert_fast(&d, out))
		return true;
	memcpy(text, start, length);
	text[length] = '\0';
	*out = strtod(text, NULL);
	return true;
}
