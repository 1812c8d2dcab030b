/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_MEDIAN_H
#define REGILD_BASE_MEDIAN_H

#include <stddef.h>

/* All reorder the values, of which none is NaN; NaN for no values. */

/* The one that sorting puts at place k, which is there then, with none larger before it and none
 * smaller after it; at least one value. */
double rg_select(double *values, size_t count, size_t k);

/* The median, of an even count the mean of the two in the middle. */
double rg_median(double *values, size_t count);

/* The values about the median of at least one: of an odd count the ones before and after it, of an
 * even count the two in the middle. */
typedef struct {
	double before, median, after;
} rg_middle;

rg_middle rg_middle_find(double *values, size_t count);
/* The median of the `count` values that it is of, and of one more. */
double rg_middle_with(const rg_middle *middle, size_t count, double more);

/* The smallest value with at least `share` (0 … 1) of the values at or under it. */
double rg_quantile(double *values, size_t count, double share);

#endif
