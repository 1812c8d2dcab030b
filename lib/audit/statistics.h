/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_STATISTICS_H
#define REGILD_AUDIT_STATISTICS_H

#include "base/error.h"
#include "base/median.h"
#include "base/sum.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Figures of small samples. Plain functions of doubles: no I/O, no allocation, no state. Values
 * must be finite unless a function says otherwise.
 */

typedef struct {
	size_t count;
	double min, max, mean;
	double std; /* sample standard deviation (n - 1); 0 for one value */
} rg_sample;

/* All NaN but the count for count 0. A sample of equal values has exactly that mean and std 0. */
void rg_sample_describe(rg_sample *out, const double *values, size_t count);

/* The median of |value - median|, not scaled. Overwrites the values. */
double rg_median_deviation(double *values, size_t count);

/* The trimmed mean of the sizes, without the largest fifth, one at least: nearly as sure of a
 * normal sample as the standard deviation, and no wild value moves it. Overwrites the values. */
double rg_trimmed_size(double *values, size_t count);

/* The mean size of all but the largest; 0 of one value. */
double rg_size_but_largest(const double *values, size_t count);

/* Subtracts the values' median and divides by the trimmed size of the rest; `instead` takes the
 * place of a size under `least`. `scratch`: room for as many. */
void rg_standardise(double *values, size_t count, double *scratch, double least, double instead);

/* The ECDF of the sorted values as a count: how many are under `value`, or (`or_equal`) not over
 * it.
 */
size_t rg_ecdf_count(const double *sorted, size_t count, double value, bool or_equal);

/* With n runs alike to the bit, how often the next may still differ, at 95 % confidence:
 * 1 - 0.05^(1/(n - 1)), the one-sided bound of Clopper and Pearson (1934) for none of n - 1, since
 * the value was learnt from one of them. 1 for less than two. */
double rg_deterministic_bound(size_t n);
/* How often, at most, a run is further out than n exchangeable ones: 1 / (n + 1), for each of the
 * n + 1 is as likely to be the furthest. */
double rg_rank_bound(size_t n);
/* The smallest n whose rg_rank_bound is at or under the level (0 < level <= 1): 9 for 0.1. */
size_t rg_runs_needed(double level);
/* A random permutation's worth of numbers, the same for the same seed: splitmix64 (Steele, Lea,
 * Flood 2014). For permutation tests and simulations, nothing secret. */
typedef struct {
	uint64_t state;
} rg_random;

uint64_t rg_random_next(rg_random *random);
/* Uniform in 0 … bound - 1; bound > 0. */
uint64_t rg_random_below(rg_random *random, uint64_t bound);

/* Distributions of normal theory. Degrees of freedom are at least 1. */

/* How often |t| with so many degrees of freedom is as large. */
double rg_t_tail(double t, double freedom);
/* The value that t is over in a share `rate` (0 … 0.5) of cases. */
double rg_t_quantile(double rate, double freedom);
/* The value that F is under in that share (0 … 1) of cases; the degrees of freedom are those of
 * what is divided and of what divides. */
double rg_f_quantile(double share, double above, double below);

#endif
