#ifndef REGILD_GOLDEN_DIGITS_H
#define REGILD_GOLDEN_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Short decimals, eight bytes at a time. How many digits there are is guessed from the last time: a
 * processor that predicts that the guess is right goes on with what follows and need not wait until
 * the digits are counted. Nothing is taken, and false returned, where a number is longer or is
 * written in another way, or where less than eight bytes follow: rg_series_number takes them all.
 */

/* Digits beyond whole eights: of a step, before and behind a point. Starts all zero. */
typedef struct {
	unsigned step, whole, fraction;
} rg_digits_usual;

enum { RG_DIGITS_EIGHT = 8, RG_DIGITS_MAX = 15 };

/* The first character in the lowest byte; digits as 0 … 9. */
static inline uint64_t rg_digits_load(const char *text)
{
	uint64_t bytes;

	memcpy(&bytes, text, sizeof(bytes));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#endif
	return bytes ^ UINT64_C(0x3030303030303030);
}

/* The highest bit of bytes that are no digits; right up to the first of them. */
static inline uint64_t rg_digits_others(uint64_t bytes)
{
	return ((bytes + UINT64_C(0x7676767676767676)) | bytes) & UINT64_C(0x8080808080808080);
}

/* The number that eight digits make: pairs, then fours, then all. */
static inline uint64_t rg_digits_join(uint64_t bytes)
{
	const uint64_t every_fourth = UINT64_C(0x000000ff000000ff);

	bytes = bytes * 10 + (bytes >> 8);
	return ((bytes & every_fourth) * (100 + (UINT64_C(1000000) << 32)) +
		((bytes >> 16) & every_fourth) * (1 + (UINT64_C(10000) << 32))) >>
	       32;
}

/* One to 15 digits: their number and how many they are. */
static inline bool rg_digits_take(const char **at, const char *end, unsigned *usual, int64_t *out,
				  unsigned *count)
{
	static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	const char *p = *at;
	uint64_t bytes, others, first_eight = 0;

	if (end - p < 2 * RG_DIGITS_EIGHT)
		return false;
	*count = 0;
	bytes = rg_digits_load(p);
	others = rg_digits_others(bytes);
	if (!others) {
		first_eight = rg_digits_join(bytes);
		*count = RG_DIGITS_EIGHT;
		p += RG_DIGITS_EIGHT;
		bytes = rg_digits_load(p);
		others = rg_digits_others(bytes);
	}
	if ((others & -others) != UINT64_C(0x80) << 8 * *usual) {
		if (!others)
			return false;
		*usual = (unsigned)__builtin_ctzll(others) / 8;
	}
	*count += *usual;
	/* In two steps: there may be nothing to keep, and a shift by 64 is none. */
	*out = (int64_t)(first_eight * powers[*usual] +
			 rg_digits_join(bytes << 8 * (7 - *usual) << 8));
	*at = p + *usual;
	return *count > 0;
}

/* A number of up to 15 digits and no exponent, by JSON's grammar: both the digits and the power of
 * ten are doubles then, and one division rounds correctly (Clinger 1990). */
static inline bool rg_digits_number(const char **at, const char *end, rg_digits_usual *usual,
				    double *out)
{
	static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
					1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
	bool negative = *at < end && **at == '-';
	const char *first = *at + negative, *p = first;
	int64_t whole, fraction = 0;
	unsigned digits, decimals = 0;
	double value;

	if (!rg_digits_take(&p, end, &usual->whole, &whole, &digits) ||
	    (*first == '0' && digits > 1))
		return false;
	value = (double)whole;
	if (*p == '.') {
		p++;
		if (!rg_digits_take(&p, end, &usual->fraction, &fraction, &decimals) ||
		    digits + decimals > RG_DIGITS_MAX)
			return false;
		value = (value * powers[decimals] + (double)fraction) / powers[decimals];
	}
	if (*p == 'e' || *p == 'E')
		return false;
	*at = p;
	*out = negative ? -value : value;
	return true;
}

#endif
