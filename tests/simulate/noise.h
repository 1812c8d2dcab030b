/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SIMULATE_NOISE_H
#define REGILD_TESTS_SIMULATE_NOISE_H

#include "audit/statistics.h"

#include <stdbool.h>
#include <stddef.h>

/* Made-up runs of kinds that real ones have: what is concluded from them is known to be right or
 * wrong. */
typedef struct {
	const char *name;
	/* Runs may change places without a difference: only of such noise is a rate promised. */
	bool exchangeable;
	/* A run's `steps` deviations from its curve, in units of a step's standard deviation where
	 * the noise has one. `run` of `runs`, for those that drift. */
	void (*make)(rg_random *random, double *out, size_t steps, size_t run, size_t runs);
} noise_kind;

extern const noise_kind noise_kinds[];
extern const size_t noise_kind_count;

const noise_kind *noise_find(const char *name);

double noise_uniform(rg_random *random); /* in (0, 1) */
double noise_normal(rg_random *random);

#endif
