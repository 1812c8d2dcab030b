/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SVG_H
#define REGILD_REPORT_SVG_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Figures as inline SVG: numbers in, text out. Colours are left to the page's CSS, by class: "plot"
 * and "bars" (the svg itself), "line0", "line1", … (each line, its dots, and the entries of a
 * legend), "axis", "grid", "mark", "bar".
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
	bool log_x;   /* points with x <= 0 are left out */
	bool whole_x; /* x are whole numbers, and the axis names no others; not with log_x */
	/* What whole x from 0 on are called; NULL: by their numbers. */
	const char *const *x_names;
	size_t x_name_count;
	/* The range of y, where high > low; values beyond it are drawn at its edge. Else theirs. */
	double low, high;
	double mark;       /* the x of a vertical line; NaN: none */
	const char *marks; /* the text beside that line */
} rg_svg_plot;

void rg_svg_plot_write(rg_buf *out, const rg_svg_plot *plot);

/* Horizontal bars with their names and counts, which a screen reader says after the title. */
void rg_svg_bars_write(rg_buf *out, const char *title, const char *const *names,
		       const size_t *counts, size_t count);

#endif
