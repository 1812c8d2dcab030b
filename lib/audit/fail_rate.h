/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_FAIL_RATE_H
#define REGILD_AUDIT_FAIL_RATE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A tolerance by the rate at which it fails: |fresh - golden| <= atol + rtol * |golden| at every
 * step, where the golden is one of the runs and the fresh one another. Each ordered pair of runs
 * needs some rtol; with F(rtol) the share of pairs that need more, the smallest rtol is taken with
 * (n F + 1) / (n + 1) <= rate: one more run fails at that rate at most, whatever the noise looks
 * like (conformal risk control: Angelopoulos et al. 2022).
 *
 * n runs can show no rate under 1 / (n + 1). There, the pairs' needs are taken to be lognormal, and
 * their mean and spread over the runs, with Student's t for their number, give it.
 */
enum {
	RG_FAIL_RATE_RUNS_MIN = 5,
	RG_FAIL_RATE_RUNS_MAX = 100, /* more say little, and pairs are many: the last ones count */
};

typedef struct {
	double relative, absolute; /* not rounded; infinite where no tolerance does it */
	/* How often a fresh run fails, with 95 % confidence: of resampled runs (Efron 1979), a run
	 * more or less, and at least what n runs without a failure leave open. */
	double low, high;
	bool normal; /* by the theory, for want of runs */
	size_t runs; /* that it rests on */
} rg_fail_tolerance;

/* `values` are those of a run one after the other, runs * steps of them, all finite; `rate` is over
 * 0 and under 1. */
void rg_fail_tolerance_find(rg_fail_tolerance *out, const double *values, size_t runs, size_t steps,
			    double rate);

#endif
