/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_SUMMARY_H
#define REGILD_COMPARE_SUMMARY_H

#include "compare/row.h"

/* Buckets of the sizes of a comparison's rows that have one (rg_row_has_size). */

/* rg_row.moved; infinite where nothing but zeros changed. Of a tensor infinite where a 0 changed,
 * or where an element is finite on one side only. */
double rg_row_size(const rg_row *row);

/* == 0, (0, 1e-6), [1e-6, 1e-4), [1e-4, 1e-3), [1e-3, 1e-2), [1e-2, 1e-1), >= 1e-1 */
#define RG_BUCKETS 7
extern const char *const rg_bucket_names[RG_BUCKETS];
size_t rg_bucket_of(double size);
/* The counts add up to comparison->series_rows. */
void rg_bucket_counts(const rg_comparison *comparison, size_t counts[static RG_BUCKETS]);

/* The 95 % interval of the values' median, by the sign test, whatever their distribution is; sorts
 * them. False, and NaN, of fewer than six, which are too few. */
bool rg_median_interval(double *values, size_t count, double *low, double *high);

/* The classes of metrics, in the order in which people look at them. No name makes a duration. */
typedef enum {
	RG_CLASS_LOSS,
	RG_CLASS_COUNT, /* "num-zeros" */
	RG_CLASS_VALUE, /* all that no pattern names */
	RG_CLASS_TIME,  /* a duration: larger is slower */
	RG_CLASS_RATE,  /* of work in time: larger is not slower */
	RG_CLASS_MEMORY,
	RG_CLASSES
} rg_metric_class;

/* A metric's class follows from its name; a row's from its measure first. */
rg_metric_class rg_metric_class_of(const char *metric);
rg_metric_class rg_row_class(const rg_row *row);

#endif
