/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_CHANGEPOINT_H
#define REGILD_AUDIT_CHANGEPOINT_H

#include "base/cleanup.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * One break in a sequence of runs. For every place k that leaves at least two runs on each side,
 * the sum of the first k centred values over sqrt(k (n - k)) says how far apart the sides are; the
 * largest |sum| is the statistic: once of the ranks (Pettitt 1979, with every place weighed alike
 * so that late breaks are seen) and once of the values themselves (James, James, Siegmund 1987).
 *
 * From RG_CHANGE_PERMUTATION_MIN values on, p is twice the smaller of both statistics' shares of
 * random orders in which they are as large: a bound, whatever the values are like. The share of
 * ranks without ties depends on n alone, and one table a length serves all series; else these very
 * values change places. From 200 values on p is at most the number of places times a normal tail of
 * the ranks, and that is what is given, unless more than half of the values are alike. Under
 * RG_CHANGE_PERMUTATION_MIN the orders are too few to show anything, and p is that of the largest
 * of the places' t statistics, times their number (Bonferroni): it takes the values to be normal.
 */
enum { RG_CHANGE_MIN = 5, RG_CHANGE_PERMUTATION_MIN = 12 };

typedef enum {
	RG_CHANGE_UNTESTED,
	RG_CHANGE_NORMAL,
	RG_CHANGE_PERMUTATION,
	RG_CHANGE_TESTS
} rg_change_test;
extern const char *const rg_change_test_names[RG_CHANGE_TESTS]; /* in JSON */

typedef struct {
	rg_change_test test; /* untested: too few values, or all are equal */
	double p;            /* 1 where not tested */
	/* The first value of the newer side: where the statistic peaks, or where the values part
	 * into two groups that are further apart than either is wide. */
	size_t at;
} rg_changepoint;

/* The least p for so many values: twice the share of the orders that do nothing but
 * reorder each side; 0 where p is a normal theory's. */
double rg_changepoint_least_p(size_t count);

/*
 * The smallest break that so many runs of normal noise can show, in the noise's standard deviation
 * `std`: one in the middle of them that p is at most `level` for in 80 % of cases or more, by
 * Student's t at as many places as p is held for. 0 where any shows, since there is no noise;
 * INFINITY where none does: p, or what so many orders tell of it, is never as small.
 */
double rg_changepoint_smallest(double std, size_t count, double level, size_t orders);

/* Each value's midrank, doubled and less that of the middle; the caller frees. *ties: the most
 * values that are alike. */
double *rg_midranks(const double *values, size_t count, size_t *ties);

/* Tables by length, for all series of an audit; several threads may share them. */
typedef struct rg_change_nulls rg_change_nulls;
rg_change_nulls *rg_change_nulls_new(void);
void rg_change_nulls_free(rg_change_nulls *nulls);
RG_FREE_AT(rg_change_nulls)

/* `values` are finite, in the runs' order; `orders` are drawn at most, over 0. `nulls` NULL: the
 * place alone is asked for, and p is 1. */
void rg_changepoint_find(rg_changepoint *out, rg_change_nulls *nulls, const double *values,
			 size_t count, size_t orders);

/*
 * The places where the break may be, the first and last of those that a test at 5 % does not
 * reject: given a break at k, the orders within each side are alike (Worsley 1986). `at` is one of
 * them always.
 */
void rg_changepoint_place(size_t *first, size_t *last, const double *values, size_t count,
			  size_t at);

/* How far the newer values are above the older: the median of all differences, with the interval of
 * 95 % that ranks give (Hodges, Lehmann 1963). Infinite ends: too few for one. */
typedef struct {
	double size, low, high;
} rg_shift;

void rg_shift_find(rg_shift *out, const double *older, size_t older_count, const double *newer,
		   size_t newer_count);

/*
 * Tarone (1990): the number to divide an error rate by so that the chance of any false alarm stays
 * under it, where p of some tests can never be small enough to count. `least` has each test's
 * rg_changepoint_least_p; it is reordered.
 */
size_t rg_tests_that_count(double *least, size_t count, double rate);

#endif
