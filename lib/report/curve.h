/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_CURVE_H
#define REGILD_REPORT_CURVE_H

#include "compare/row.h"
#include "golden/golden.h"
#include "report/svg.h"

/*
 * A row's two series, thin enough to be drawn. A comparison does not keep series: curves are read
 * while a file's two sides are at hand.
 */

/* A side of more values than this is thinned: each of 500 stretches of steps keeps its least and
 * its largest value, and a gap where a value is not finite. */
#define RG_CURVE_MAX 1000
/* A side has no more points than this. */
#define RG_CURVE_POINTS (2 * RG_CURVE_MAX)

typedef struct {
	rg_svg_point *points;
	size_t count, capacity;
	double min, max; /* of the finite values; NaN where there is none */
} rg_curve_side;

typedef struct {
	const rg_row *row;
	rg_curve_side old, new_side;
	bool is_tensor;
	/* Of a table: what its steps are called, NULL where there are more than RG_CURVE_MAX. */
	bool by_record;
	const char **records;
	size_t record_count;
	rg_arena arena; /* of their names */
} rg_curve;

typedef struct {
	rg_curve *items; /* worst first */
	size_t count;
} rg_curve_list;

/* Are both sides there? Not where a file has changed or gone away since. */
bool rg_curve_is_read(const rg_curve *curve);

/* Picks the worst `max` rows that have a curve: series of two steps or more that differ. `out` is
 * released whatever comes back. */
/* Is it a series of two steps or more that differ? */
bool rg_row_has_curve(const rg_row *row);
RG_CHECKED rg_error *rg_curves_pick(rg_curve_list *out, const rg_comparison *comparison,
				    size_t max);
void rg_curves_release(rg_curve_list *list);
void rg_curve_release(rg_curve *curve);
/* Fills in both sides. */
RG_CHECKED rg_error *rg_curve_read(rg_curve *curve, const rg_metric *old, const rg_metric *fresh);

/*
 * The range of values that shows how the two differ: where a few outliers would press all others
 * flat (the first step's time), the range of the 90 % in the middle and as much again around it.
 * `beyond` is how many of the drawn points lie outside; where it is 0, low and high are too.
 */
typedef struct {
	double low, high;
	size_t beyond;
} rg_curve_range;
RG_CHECKED rg_error *rg_curve_measure(rg_curve_range *out, const rg_curve *curve);
/* That of the finite ones of both sides' values, which it sorts. */
void rg_curve_range_of(rg_curve_range *out, double *values, size_t count);

#endif
