/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_OPDIFF_COMPARE_H
#define REGILD_COMPARE_OPDIFF_COMPARE_H

#include "base/memory.h"
#include "golden/opdiff.h"

/* Two opdiff runs, or two backends of one, held against each other. */

/* ==0, (0,1e-6], (1e-6,1e-4], (1e-4,1e-2], (1e-2,1e-1], (1e-1,1], >1 */
#define RG_OPDIFF_BUCKETS 7
extern const char *const rg_opdiff_bucket_names[RG_OPDIFF_BUCKETS];
/* `value` is 0 or more, not NaN. */
size_t rg_opdiff_bucket(double value);

typedef enum {
	RG_OPDIFF_MAX_ABS,
	RG_OPDIFF_MSE,
	RG_OPDIFF_MEAN_ABS,
	RG_OPDIFF_FIGURES
} rg_opdiff_figure;

/* Ratios of times, over the operators that have both and a positive divisor. NaN without any. */
#define RG_OPDIFF_QUANTILES 7
extern const double rg_opdiff_quantiles[RG_OPDIFF_QUANTILES]; /* 0.05 … 0.95 */
typedef struct {
	size_t count;
	double geometric_mean, median, p90;
	double share_faster;                   /* ratio < 1 */
	double quantiles[RG_OPDIFF_QUANTILES]; /* the cumulative distribution, turned round */
	double *sorted;                        /* all of them, ascending */
} rg_opdiff_ratios;

/* One backend on one side, over all operators. */
typedef struct {
	bool new_side;
	const char *backend;
	size_t statuses[RG_OPDIFF_STATUSES];
	size_t codes[RG_OPDIFF_CODES];                        /* of repeats */
	size_t buckets[RG_OPDIFF_FIGURES][RG_OPDIFF_BUCKETS]; /* of the medians over repeats */
	rg_opdiff_ratios to_baseline;                         /* ms / ms of the baseline */
} rg_opdiff_column;

typedef struct {
	const char *id, *backend; /* the new side's backend */
	rg_opdiff_status old, fresh;
} rg_opdiff_change;

typedef struct {
	rg_opdiff_column *columns; /* by backend, the old side before the new one */
	size_t column_count, column_capacity;
	size_t columns_left_out;   /* of backends beyond a side's first 256, which nothing counts */
	rg_opdiff_change *changes; /* worse ones first, then by id and backend */
	size_t change_count, change_capacity;
	size_t worse, better;
	size_t old_only, new_only;   /* operators × backends */
	rg_opdiff_ratios new_to_old; /* ms of the new side / ms of the old one */
} rg_opdiff_comparison;

/*
 * `old_backend` and `new_backend` (NULL: all, paired by name) may differ, and the two runs may be
 * one. Borrows runs and names. `out` is released whatever comes back.
 */
RG_CHECKED rg_error *rg_opdiff_compare(rg_opdiff_comparison *out, const rg_opdiff_run *old,
				       const rg_opdiff_run *fresh, const char *old_backend,
				       const char *new_backend);
void rg_opdiff_comparison_release(rg_opdiff_comparison *comparison);

#endif
