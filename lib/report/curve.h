/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_CURVE_H
#define REGILD_REPORT_CURVE_H

#include "audit/model.h"
#include "base/buf.h"
#include "base/fields.h"
#include "base/json.h"
#include "compare/policy.h"
#include "compare/row.h"
#include "golden/golden.h"
#include "report/svg.h"

#include <stdbool.h>

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
	/* The least and the largest value at each step of the runs behind a verdict; no points
	 * where nothing was measured. */
	rg_curve_side low, high;
	bool is_tensor;
	/* The names of a table's steps; NULL: there are more than RG_CURVE_MAX. */
	bool by_record;
	const char **records;
	size_t record_count;
	rg_arena arena; /* of their names */
} rg_curve;

/* Curves whose values a page holds at most, and the points of all of these at most. */
#define RG_CURVES_KEPT   20000
#define RG_CURVES_POINTS 600000

typedef struct {
	/* Those of rows that need a look first. */
	rg_curve *items;
	size_t count;
	size_t left_out; /* further rows that have a curve, for which there is no room */
} rg_curve_list;

/* Are both sides there? Not where a file has changed or gone away since. */
bool rg_curve_is_read(const rg_curve *curve);

/* Is it a series of two steps or more that differ? */
bool rg_row_has_curve(const rg_row *row);
void rg_curves_release(rg_curve_list *list);
void rg_curve_release(rg_curve *curve);
/* Fills in both sides. */
RG_CHECKED rg_error *rg_curve_read(rg_curve *curve, const rg_metric *old, const rg_metric *fresh);
/* Reads the band of a noise model's runs; nothing for a series that is thinned. */
RG_CHECKED rg_error *rg_curve_read_band(rg_curve *curve, const rg_noise_model *model,
					const rg_noise_series *runs);
/* How many points all of its sides have. */
size_t rg_curve_points(const rg_curve *curve);

/*
 * The range of values that shows how the two differ: where a few outliers would press all others
 * flat (the first step's time), the range of the 90 % in the middle and as much again around it.
 * `beyond` is how many of the drawn points lie outside; where it is 0, low and high are too.
 */
typedef struct {
	double low, high;
	size_t beyond;
} rg_curve_range;
void rg_curve_measure(rg_curve_range *out, const rg_curve *curve);
/* That of the finite ones of both sides' values, which it sorts. */
void rg_curve_range_of(rg_curve_range *out, double *values, size_t count);

/* The curves that the page has, in the JSON of a comparison. */

/* Writes the members "curves" and "curves_left_out"; `curves` may be NULL. */
void rg_curves_write(rg_json_out *json, const rg_curve_list *curves);

/* Reads them; rows and their texts, as far as a page needs them, are in in->arena. RG_E_PARSE for
 * what is not a curve, and for more of them than a page has. `out` is released whatever comes
 * back. */
RG_CHECKED rg_error *rg_curves_read(rg_curve_list *out, const rg_json_in *in);

/* The keys of that, in JSON. */
extern const rg_json_field rg_curve_fields[];

/* A curve in one line of text, for a person to see its shape. */
typedef struct {
	double low, high; /* the scale; values outside are drawn at its ends */
	size_t width;     /* characters at most; several values share one (their mean) */
	bool utf8;        /* block elements, else ASCII */
} rg_sparkline_scale;

/* Widens low … high (start with INFINITY, -INFINITY) to take the finite values in. */
void rg_sparkline_fit(rg_sparkline_scale *scale, const double *values, size_t count);

/* Appends the line; a place with no finite value is '!'. */
void rg_sparkline(rg_buf *out, const double *values, size_t count, const rg_sparkline_scale *scale);

#endif
