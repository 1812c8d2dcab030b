/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SVG_H
#define REGILD_REPORT_SVG_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The figures of a page's first screen as inline SVG: numbers in, text out. All others are drawn by
 * templates/page.js. Colours are left to the page's CSS, by class: "plot" (the svg itself), "line0"
 * and "line1" (each line, its dots, and the entries of a legend), "axis", "grid", "mark".
 */

typedef struct {
	double x, y; /* a y that is not finite interrupts the line */
} rg_svg_point;

typedef struct {
	const rg_svg_point *points; /* ascending in x */
	size_t count;
} rg_svg_line;

typedef struct {
	const rg_svg_line *lines;
	size_t line_count;
	const char *title; /* what a screen reader says of it */
	const char *x_label, *y_label;
	/* The names of x from 0 on, whole numbers; NULL: they go by their numbers. */
	const char *const *x_names;
	size_t x_name_count;
	bool pairs; /* two lines, whose points have no order: dots, joined where they have one x */
	/* The range of y, where high > low; values beyond it have an arrow at its edge. Else
	 * theirs. */
	double low, high;
	double mark_x;
	const char *mark; /* what is at mark_x; NULL: nothing is marked */
} rg_svg_plot;

void rg_svg_plot_write(rg_buf *out, const rg_svg_plot *plot);

/* Shares around zero, on a scale that is logarithmic on both sides of it; infinite ones are at its
 * ends, as arrows. Classes are "strips" and of each "point", and "look". */
typedef struct {
	double value; /* not NaN */
	bool look;
	const char *link;  /* the id of a row without "row-"; NULL or "": none */
	const char *title; /* what it is of */
} rg_svg_signed;
void rg_svg_signed_write(rg_buf *out, const char *title, const rg_svg_signed *points, size_t count);

#endif
