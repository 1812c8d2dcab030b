/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_RANDOM_H
#define REGILD_TESTS_RANDOM_H

#include <stdint.h>

/* The next of 24 bits, the same ones for the same first *state on every machine. */
static inline uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

#endif
