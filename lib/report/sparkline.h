/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SPARKLINE_H
#define REGILD_REPORT_SPARKLINE_H

#include "base/buf.h"

#include <stdbool.h>

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
