#ifndef REGILD_GOLDEN_DIGITS_H
#define REGILD_GOLDEN_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Short decimals, eight bytes at a time. How many digits there are is guessed from the last time: a
 * processor that predicts that the guess is right goes on with what follows and need not wait until
 * the digits are counted. Nothing is taken, and false returned, where a number is longer or is
 * written in another way; rg_series_number takes them all.
 */

/* What must be readable where a number may begin, whatever is there. */
enum { RG_DIGITS_ROOM = 48 };
enum { RG_DIGITS_EIGHT = 8, RG_DIGITS_MAX = 15 };

/* A run of up to seven digits, as the last one was. Starts all zero. */
typedef struct {
	unsigned count;
	uint64_t stop; /* what rg_digits_stop says of such a run */
} rg_digits_usual;

typedef struct {
	rg_digits_usual whole, fraction;
} rg_digits_usual_number;

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

/* The highest bit of the first byte that is no digit; 0 where all are. */
static inline uint64_t rg_digits_stop(uint64_t bytes)
{
	uint64_t others = ((bytes + UINT64_C(0x7676767676767676)) | bytes) &
			  UINT64_C(0x8080808080808080);

	return others & (0 - others);
}

/* The number that eight digits make: pairs, then fours, then all. */
static inline int64_t rg_digits_join(uint64_t bytes)
{
	const uint64_t every_fourth = UINT64_C(0x000000ff000000ff);

	bytes = bytes * 10 + (bytes >> 8);
	return (int64_t)(((bytes & every_fourth) * (100 + (UINT64_C(1000000) << 32)) +
			  ((bytes >> 16) & every_fourth) * (1 + (UINT64_C(10000) << 32))) >>
			 32);
}

/* The number that the first `count` bytes make, one to eight. */
static inline int64_t rg_digits_first(uint64_t bytes, unsigned count)
{
	return rg_digits_join(bytes << (64 - 8 * count));
}

/* Notes another run as the usual one; not where there is none or it is longer than seven. */
static inline bool rg_digits_guess(rg_digits_usual *usual, uint64_t stop)
{
	if (!(stop >> 8))
		return false;
	usual->stop = stop;
	usual->count = (unsigned)__builtin_ctzll(stop) / 8;
	return true;
}

/* One to 15 digits: their number and how many they are. Always inline: as a function it takes twice
 * as long. */
__attribute__((always_inline)) static inline bool
rg_digits_take(const char **at, rg_digits_usual *usual, int64_t *out, unsigned *count)
{
	static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	uint64_t bytes = rg_digits_load(*at), stop = rg_digits_stop(bytes);
	int64_t first;

	if (stop) {
		if (stop != usual->stop && !rg_digits_guess(usual, stop))
			return false;
		*out = rg_digits_first(bytes, usual->count);
		*count = usual->count;
		*at += usual->count;
		return true;
	}
	first = rg_digits_join(bytes);
	bytes = rg_digits_load(*at + RG_DIGITS_EIGHT);
	stop = rg_digits_stop(bytes);
	*count = RG_DIGITS_EIGHT;
	*out = first;
	if (stop != 0x80) {
		if (!stop || (stop != usual->stop && !rg_digits_guess(usual, stop)))
			return false;
		*out = first * powers[usual->count] + rg_digits_first(bytes, usual->count);
		*count += usual->count;
	}
	*at += *count;
	return true;
}

/* A number of up to 15 digits and no exponent, by JSON's grammar: both the digits and the power of
 * ten are doubles then, and one division rounds correctly (Clinger 1990). */
static inline bool rg_digits_number(const char **at, rg_digits_usual_number *usual, double *out)
{
	static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
					1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
	bool negative = **at == '-';
	const char *first = *at + negative, *p = first;
	unsigned digits, decimals;
	int64_t whole, fraction;
	double value;

	if (!rg_digits_take(&p, &usual->whole, &whole, &digits) || (*first == '0' && digits > 1))
		return false;
	value = (double)whole;
	if (*p == '.') {
		p++;
		if (!rg_digits_take(&p, &usual->fraction, &fraction, &decimals) ||
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
