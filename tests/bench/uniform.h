/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_BENCH_UNIFORM_H
#define REGILD_TESTS_BENCH_UNIFORM_H

#include <stdint.h>

/* Numbers from 0 up to 1 that depend on nothing but the seed. */

static uint64_t seed;

/* xorshift64* */
static double uniform(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (double)((seed * UINT64_C(0x2545F4914F6CDD1D)) >> 11) / 9007199254740992.0;
}

#endif
