/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/longdouble.h"

#include <math.h>
#include <stdbool.h>

enum { EXPONENT = 0x7fff, BIAS = 16383, FRACTION = 63 };

#define LEADING ((uint64_t)1 << FRACTION)

static bool is_negative(const rg_longdouble *x)
{
	return x->exponent >> 15;
}

/* The least exponent stands for the one after it. */
static int exponent_of(const rg_longdouble *x)
{
	return x->exponent & EXPONENT ? x->exponent & EXPONENT : 1;
}

double rg_longdouble_value(const rg_longdouble *x)
{
	const int exponent = x->exponent & EXPONENT;
	double value = exponent == EXPONENT && x->fraction << 1 == 0 ? INFINITY : NAN;

	if (exponent < EXPONENT && (x->fraction & LEADING || !exponent))
		value = ldexp((double)x->fraction, exponent_of(x) - BIAS - FRACTION);
	return is_negative(x) ? -value : value;
}

double rg_uint64_rest(uint64_t value)
{
	double nearest = (double)value;
	if (nearest >= 0x1p64)
		return -(double)(UINT64_MAX - value) - 1;
	return value >= (uint64_t)nearest ? (double)(value - (uint64_t)nearest)
					  : -(double)((uint64_t)nearest - value);
}

double rg_longdouble_rest(const rg_longdouble *x)
{
	if (!isfinite(rg_longdouble_value(x)))
		return 0;
	double rest = ldexp(rg_uint64_rest(x->fraction), exponent_of(x) - BIAS - FRACTION);
	return is_negative(x) ? -rest : rest;
}

/* A magnitude's place among the values, 0 being at 0: 78 bits. */
typedef struct {
	uint64_t high, low;
} place;

static place place_of(const rg_longdouble *x)
{
	const uint64_t exponent = x->fraction & LEADING ? (uint64_t)exponent_of(x) : 0;
	return (place){exponent >> 1, (exponent & 1) << FRACTION | (x->fraction & ~LEADING)};
}

uint64_t rg_longdouble_distance(const rg_longdouble *a, const rg_longdouble *b)
{
	place x = place_of(a), y = place_of(b);
	uint64_t high, low;

	if (is_negative(a) != is_negative(b)) {
		low = x.low + y.low;
		high = x.high + y.high + (low < x.low);
		return high ? UINT64_MAX : low;
	}
	if (x.high < y.high || (x.high == y.high && x.low < y.low)) {
		place kept = x;
		x = y;
		y = kept;
	}
	low = x.low - y.low;
	high = x.high - y.high - (x.low < y.low);
	return high ? UINT64_MAX : low;
}
