/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_CHANGEPOINT_H
#define REGILD_AUDIT_CHANGEPOINT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * One break in a sequence of runs, by ranks alone. For every place k that leaves at least two runs
 * on each side, U(k) is the Mann-Whitney statistic of the first k against the rest (mid-ranks for
 * ties), scaled by the spread that it has without a break, sqrt(k (n - k)); the largest |U(k)| is
 * the statistic (Pettitt 1979, with every place weighed alike so that late breaks are seen).
 *
 * The p-value is the share of the n! orders of these very values whose statistic is as large: exact
 * up to 16 values (a sum over subsets), from random orders with a fixed seed above (sequential,
 * Besag and Clifford 1991). Either way it is at or under x in at most a share x of the sequences
 * without a break, ties or not.
 */
#define RG_CHANGE_EXACT_MAX 16

typedef struct {
	bool tested; /* false for under four values, or where all are equal */
	double p;    /* 1 where not tested */
	/* The first value of the newer side: where the statistic peaks, or where the values part
	 * into two groups that are further apart than either is wide. */
	size_t at;
	double shift; /* median of the newer side less that of the older */
	/* None of so many random orders did as much: more of them might give a smaller p. 0 where
	 * some did, and where p is exact. */
	size_t unreached;
} rg_changepoint;

/* How many orders are drawn at most for so many values: 9,999, fewer for over 400 values. */
size_t rg_changepoint_orders(size_t count);

/* `values` are finite, in the runs' order; `orders`: at most so many, over 0. RG_E_NOMEM only. */
RG_CHECKED rg_error *rg_changepoint_find(rg_changepoint *out, const double *values, size_t count,
					 size_t orders);

/*
 * Benjamini and Hochberg (1995): adjusted[i] <= q marks the discoveries of which on average at most
 * a share q is false. `p` and `adjusted` may be the same array.
 */
RG_CHECKED rg_error *rg_false_discovery(double *adjusted, const double *p, size_t count);

#endif
