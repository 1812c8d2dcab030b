/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/ulps.h"

#include "compare/pair_kernel.h"

#include <math.h>

/* The bits of fraction, and the least exponent, of floats smaller than a double; 0: no such type.
 */
static const struct {
	int fraction, least;
} floats[RG_DTYPE_COUNT] = {
	[RG_DTYPE_FLOAT32] = {23, -126},      [RG_DTYPE_BFLOAT16] = {7, -126},
	[RG_DTYPE_FLOAT16] = {10, -14},       [RG_DTYPE_FLOAT8_E5M2] = {2, -14},
	[RG_DTYPE_FLOAT8_E4M3FN] = {3, -6},   [RG_DTYPE_FLOAT8_E5M2FNUZ] = {2, -15},
	[RG_DTYPE_FLOAT8_E4M3FNUZ] = {3, -7},
};

/* Where a value is in the order of a type's values, 0 being at 0; one between two of them goes to
 * the nearer one. */
static double place_of(double value, int fraction, int least)
{
	int exponent;
	if (value == 0)
		return 0;
	frexp(value, &exponent);
	exponent = exponent - 1 > least ? exponent - 1 : least;
	double place = ldexp(exponent - least, fraction) +
		       nearbyint(ldexp(fabs(value), fraction - exponent));
	return value < 0 ? -place : place;
}

uint64_t rg_ulps_between(rg_dtype dtype, double a, double b)
{
	const int fraction = floats[dtype].fraction, least = floats[dtype].least;
	double distance = fabs(a - b);

	if (dtype == RG_DTYPE_FLOAT64)
		return rg_pair_kernel_get(true)->ulps[dtype](&a, &b, 1);
	/* A double is eleven bits short of it. */
	if (dtype == RG_DTYPE_LONGDOUBLE)
		distance = 0x1p11 * (double)rg_ulps_between(RG_DTYPE_FLOAT64, a, b);
	if (fraction)
		distance = fabs(place_of(a, fraction, least) - place_of(b, fraction, least));
	return distance < 0x1p64 ? (uint64_t)distance : UINT64_MAX;
}
