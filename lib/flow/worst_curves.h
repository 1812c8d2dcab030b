/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_WORST_CURVES_H
#define REGILD_FLOW_WORST_CURVES_H

#include "report/curve.h"
#include "report/html.h"

/*
 * The curves of the worst rows so far, read while both sides of a file are at hand: no golden is
 * parsed again to be drawn. Each worker has its own; the worst rows of all are among them.
 */
typedef struct {
	struct {
		rg_row row; /* a copy */
		rg_curve curve;
	} items[RG_HTML_CURVES]; /* worst first */
	size_t count;
} rg_worst_curves;

/* Looks at one row of the two goldens. */
RG_CHECKED rg_error *rg_worst_curves_add(rg_worst_curves *worst, const rg_row *row,
					 const rg_golden *old, const rg_golden *fresh);
/* Takes the curves of the worst rows of a comparison out of those that were read. */
RG_CHECKED rg_error *rg_worst_curves_pick(rg_curve_list *out, const rg_comparison *comparison,
					  rg_worst_curves *parts, size_t count);
void rg_worst_curves_release(rg_worst_curves *worst);

#endif
