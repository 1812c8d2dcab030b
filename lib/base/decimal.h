/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_DECIMAL_H
#define REGILD_BASE_DECIMAL_H

#include <stdint.h>

/* A positive decimal number: digits * 10^exponent. */
typedef struct {
	uint64_t digits;
	int exponent;
} rg_decimal;

/* The double nearest to digits * 10^exponent, of two the even one; infinite where it is too large.
 * All 64-bit numbers are right (Lemire 2021; Mushtak and Lemire 2023). */
double rg_decimal_to_double(uint64_t digits, int64_t exponent);

/* The shortest decimal that reads back as `value`, which is finite and over 0; of several the
 * nearest, of two as near the one whose last digit is even (Giulietti 2020, "Schubfach"). Its last
 * digit is not 0. */
rg_decimal rg_decimal_shortest(double value);

#endif
