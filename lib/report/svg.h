/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SVG_H
#define REGILD_REPORT_SVG_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Figures as inline SVG: numbers in, text out. Colours are left to the page's CSS, by class: "plot"
 * and "bars" (the svg itself), "line0", "line1", … (each line, its dots, and the entries of a
 * legend), "axis", "grid", "bar".
 */

typedef struct {
	double x, y; /* a y that is not finite interrupts the line */
} rg_svg_point;

typedef struct {
	const rg_svg_point *points; /* ascending in x */
	size_t count;
	bool dots; /* each point by itself, which says its x's name and its y when it is pointed at
		    */
} rg_svg_line;

/* A part of the frame, behind the lines; a vertical line where left == right. What is outside of
 * the frame is left out; infinite ends are its edges. */
typedef struct {
	double left, right, low, high;
	const char *class_name; /* in the page's CSS */
	const char *text;       /* at its top, in front of the lines; NULL: none */
} rg_svg_area;

typedef struct {
	const rg_svg_line *lines;
	size_t line_count;
	const char *title; /* what a screen reader says of it */
	const char *x_label, *y_label;
	bool log_x;   /* points with x <= 0 are left out */
	bool whole_x; /* x are whole numbers, and the axis names no others; not with log_x */
	/* What whole x from 0 on are called; NULL: by their numbers. */
	const char *const *x_names;
	size_t x_name_count;
	bool pairs; /* two lines, whose points have no order: dots, joined where they have one x */
	/* The range of y, where high > low; values beyond it have an arrow at its edge. Else
	 * theirs. */
	double low, high;
	double left, right; /* the range of x, where right > left; else that of the lines */
	const rg_svg_area *areas;
	size_t area_count;
} rg_svg_plot;

void rg_svg_plot_write(rg_buf *out, const rg_svg_plot *plot);

/* The area that is a vertical line at x, over the whole height. */
rg_svg_area rg_svg_line_at(double x, const char *class_name, const char *text);

/* A name at an axis. */
void rg_svg_tick(rg_buf *out, double x, double y, const char *anchor, const char *text);

/* A name, of which as much is shown as fits `width` columns. */
void rg_svg_name_add(rg_buf *out, const char *name, size_t width);

/* Horizontal bars with their names and counts, which a screen reader says after the title. */
void rg_svg_bars_write(rg_buf *out, const char *title, const char *const *names,
		       const size_t *counts, size_t count);

/*
 * Sizes as dots on a logarithmic scale, a strip for each of some things one below the other; zeros
 * are to the left of the scale. Classes for the page's CSS are "sizes", "dots", "odd" and "limit".
 */

typedef struct {
	const char *name;     /* above it, as much as there is room for */
	const char *link;     /* the element that the name leads to; "": none */
	const double *values; /* not under 0; NaN is left out */
	const bool *odd;      /* by value: drawn to stand out */
	size_t count;
	double limit; /* a mark on the strip; NaN: none */
} rg_svg_strip;

void rg_svg_strips_write(rg_buf *out, const char *title, const char *label,
			 const rg_svg_strip *strips, size_t count);

/* Shares around zero, on a scale that is logarithmic on both sides of it; infinite ones are at its
 * ends, as arrows. Classes are "strips" and of each "point", and "look". */
typedef struct {
	double value; /* not NaN */
	bool look;
	const char *link;  /* the id of a row without "row-"; NULL or "": none */
	const char *title; /* what it is of */
} rg_svg_signed;
void rg_svg_signed_write(rg_buf *out, const char *title, const rg_svg_signed *points, size_t count);

/* A line through values of any size, without axes, for a line of text: "trend", with its class
 * "odd" dots where `odd` is true. NaN interrupts it. */
void rg_svg_trend_write(rg_buf *out, const double *values, const bool *odd, size_t count);
/* Its range: that of what does not stand out, unless that is one value or none; and where in it a
 * finite value is drawn, from 0 to 1: at its edge what is beyond it. */
void rg_svg_trend_measure(double range[static 2], const double *values, const bool *odd,
			  size_t count);
double rg_svg_trend_share(const double range[static 2], double value);

#endif
