/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_LONGDOUBLE_H
#define REGILD_GOLDEN_LONGDOUBLE_H

#include <stdint.h>

/*
 * x86's 80-bit float, as NumPy writes it: 16 bytes, of which the last six are padding. `fraction`
 * has 64 bits, including the one before the point. If that one is 0, it is not a number, except
 * with the least exponent.
 */
typedef struct {
	uint64_t fraction;
	uint16_t exponent; /* and the sign, on top */
	unsigned char padding[6];
} rg_longdouble;

/* The nearest double; infinite beyond the doubles' range, and under 2^-1022 one of the two nearest.
 */
double rg_longdouble_value(const rg_longdouble *x);
/* The value without that double; 0 where it is not finite. */
double rg_longdouble_rest(const rg_longdouble *x);
/* An integer of 64 bits without the nearest double. */
double rg_uint64_rest(uint64_t value);
/* The distance of two numbers in values of the type; UINT64_MAX if it is larger. */
uint64_t rg_longdouble_distance(const rg_longdouble *a, const rg_longdouble *b);

#endif
