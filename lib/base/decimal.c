/* SPDX-License-Identifier: Apache-2.0 */
#include "base/decimal.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
	uint64_t high, low;
} wide;

static wide multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 uint128;
	const uint128 product = (uint128)a * b;
	return (wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
	const uint64_t low_a = a & UINT32_MAX, high_a = a >> 32;
	const uint64_t low_b = b & UINT32_MAX, high_b = b >> 32;
	const uint64_t low = low_a * low_b;
	const uint64_t middle = high_a * low_b + (low >> 32);
	const uint64_t other = low_a * high_b + (middle & UINT32_MAX);
	return (wide){high_a * high_b + (middle >> 32) + (other >> 32),
		      other << 32 | (low & UINT32_MAX)};
#endif
}

/* --- powers of ten --- */

/* The range in which powers matter: less is 0 with any digits, and more infinite, but for the
 * reciprocals of small doubles. EXACT_MAX: the last power of five with 128 bits. */
enum { POWER_MIN = -342, POWER_MAX = 324, DOUBLE_MAX_POWER = 308, EXACT_MAX = 55 };

/*
 * The first 128 bits of each power of five, and so of ten: its value is between 2^127 and 2^128 and
 * is multiplied by a power of two (log2_power). Positive powers are cut off, negative ones, none of
 * which is exact, rounded up.
 */
static wide powers[POWER_MAX - POWER_MIN + 1];

/* 2^(32 * LIMBS - 1) has 128 bits left when it is divided by 5^342. */
enum { LIMBS = 30 };

static wide first_bits(const uint32_t limbs[static LIMBS], size_t count)
{
	uint64_t words[3] = {0};
	for (size_t i = 0; i < 6 && i < count; i++)
		words[i / 2] |= (uint64_t)limbs[count - 1 - i] << (i % 2 ? 0 : 32);
	const int shift = __builtin_clzll(words[0]);
	if (!shift)
		return (wide){words[0], words[1]};
	return (wide){words[0] << shift | words[1] >> (64 - shift),
		      words[1] << shift | words[2] >> (64 - shift)};
}

static void fill_powers(void)
{
	uint32_t limbs[LIMBS] = {1};
	size_t count = 1;

	for (int power = 0; power <= POWER_MAX; power++) {
		uint64_t carry = 0;
		powers[power - POWER_MIN] = first_bits(limbs, count);
		for (size_t i = 0; i < count; i++) {
			carry += (uint64_t)limbs[i] * 5;
			limbs[i] = (uint32_t)carry;
			carry >>= 32;
		}
		if (carry)
			limbs[count++] = (uint32_t)carry;
	}
	memset(limbs, 0, sizeof(limbs));
	limbs[LIMBS - 1] = UINT32_C(1) << 31;
	count = LIMBS;
	for (int power = -1; power >= POWER_MIN; power--) {
		uint64_t rest = 0;
		for (size_t i = count; i--;) {
			rest = rest << 32 | limbs[i];
			limbs[i] = (uint32_t)(rest / 5);
			rest %= 5;
		}
		count -= !limbs[count - 1];
		wide *bits = &powers[power - POWER_MIN];
		*bits = first_bits(limbs, count);
		bits->high += !++bits->low;
	}
}

static wide power_of_ten(int power)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, fill_powers);
	return powers[power - POWER_MIN];
}

/* Rounds numerator / 2^shift down, below 0 too. */
static int floor_shift(int numerator, int shift)
{
	const int divisor = 1 << shift;
	return (numerator - (numerator < 0 ? divisor - 1 : 0)) / divisor;
}

/* The whole part of log2(10^power), for each power of the table. */
static int log2_power(int power)
{
	return floor_shift(power * 217706, 16);
}

/* --- reading --- */

enum { MANTISSA_BITS = 52, BIAS = 1023, EXPONENT_MAX = 2047 };

double rg_decimal_to_double(uint64_t digits, int64_t exponent)
{
	uint64_t bits;
	double value;

	if (!digits || exponent < POWER_MIN)
		return 0;
	if (exponent > DOUBLE_MAX_POWER)
		return INFINITY;
	const wide power = power_of_ten((int)exponent);
	const int zeros = __builtin_clzll(digits);
	wide product = multiply(digits << zeros, power.high);
	/* The other half of the power matters only where it can carry into the bits that count. */
	if ((product.high & 0x1ff) == 0x1ff) {
		const uint64_t more = multiply(digits << zeros, power.low).high;
		product.low += more;
		product.high += product.low < more;
	}
	const int upper = (int)(product.high >> 63), shift = upper + 62 - MANTISSA_BITS - 1;
	uint64_t mantissa = product.high >> shift; /* and one bit to round by */
	const int biased = log2_power((int)exponent) + 63 - zeros + upper + BIAS;
	if (biased <= 0) { /* subnormal: no such number is just between two */
		mantissa = biased <= -63 ? 0 : mantissa >> (1 - biased);
		bits = (mantissa + (mantissa & 1)) >> 1;
	} else {
		/* Only small powers are exact enough to be just between two. */
		if (product.low <= 1 && exponent >= -4 && exponent <= 23 && (mantissa & 3) == 1 &&
		    mantissa << shift == product.high)
			mantissa--;
		mantissa = (mantissa + (mantissa & 1)) >> 1;
		/* One that is rounded up to a power of two carries into the exponent. */
		bits = ((uint64_t)biased << MANTISSA_BITS) +
		       (mantissa - (UINT64_C(1) << MANTISSA_BITS));
		if (bits >> MANTISSA_BITS >= EXPONENT_MAX)
			return INFINITY;
	}
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* --- writing --- */

/* power * n / 2^128, of which the last bit says, too, whether anything was cut off. */
static uint64_t scale_to_odd(wide power, uint64_t n)
{
	const uint64_t low = multiply(power.low, n).high;
	wide product = multiply(power.high, n);

	product.low += low;
	product.high += product.low < low;
	/* The power may be one too large, which adds less than 2 here. */
	return product.high | (product.low > 1);
}

static rg_decimal without_zeros(uint64_t digits, int exponent)
{
	for (; digits % 10 == 0; exponent++)
		digits /= 10;
	return (rg_decimal){digits, exponent};
}

rg_decimal rg_decimal_shortest(double value)
{
	const uint64_t one = UINT64_C(1) << MANTISSA_BITS;
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	const int biased = (int)(bits >> MANTISSA_BITS) & EXPONENT_MAX;
	const uint64_t mantissa = bits & (one - 1);
	/* value = c * 2^q; all between it and half way to its neighbours reads back as it. Below a
	 * power of two the next one is half as far. */
	const uint64_t c = biased ? mantissa | one : mantissa;
	const int q = (biased ? biased : 1) - BIAS - MANTISSA_BITS;
	const bool closer = !mantissa && biased > 1;
	/* 10^k is the largest power of ten that is no longer than that interval. */
	const int k = floor_shift(q * 1262611 - (closer ? 524031 : 0), 22);
	const int shift = q + log2_power(-k) + 1;
	wide power = power_of_ten(-k);
	if (-k > EXACT_MAX)
		power.high += !++power.low;
	/* The value and the interval's ends in quarters of 10^k. The ends read back as the value
	 * where it is even. */
	const uint64_t odd = c & 1;
	const uint64_t low = scale_to_odd(power, (4 * c - 2 + closer) << shift) + odd;
	const uint64_t at = scale_to_odd(power, 4 * c << shift);
	const uint64_t high = scale_to_odd(power, (4 * c + 2) << shift) - odd;
	const uint64_t below = at / 4, tens = below / 10;
	const bool tens_inside = low <= 40 * tens, next_inside = 40 * (tens + 1) <= high;
	if (tens && tens_inside != next_inside)
		return without_zeros(tens + next_inside, k + 1);
	const bool inside = low <= 4 * below, above_inside = 4 * (below + 1) <= high;
	if (inside != above_inside)
		return without_zeros(below + above_inside, k);
	const uint64_t half = 4 * below + 2;
	return without_zeros(below + (at > half || (at == half && (below & 1))), k);
}
