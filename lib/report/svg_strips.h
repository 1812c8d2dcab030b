/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SVG_STRIPS_H
#define REGILD_REPORT_SVG_STRIPS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

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

/* A line through values of any size, without axes, for a line of text: "trend", with its class
 * "odd" dots where `odd` is true. NaN interrupts it. */
void rg_svg_trend_write(rg_buf *out, const double *values, const bool *odd, size_t count);

#endif
