/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_WORST_CURVES_H
#define REGILD_FLOW_WORST_CURVES_H

#include "report/curve.h"
#include "story/story.h"

/*
 * The curves of the rows so far, read while both sides of a file are at hand: no golden is parsed
 * again to be drawn. Each worker has its own. Beyond what a page holds (RG_CURVES_KEPT and
 * RG_CURVES_POINTS), those of rows that need no look go first, then those of the least bad ones; a
 * row that counts among the worst of all is among the worst of its worker.
 */
typedef struct rg_kept_curve rg_kept_curve;
typedef struct {
	rg_kept_curve **items;
	size_t count, capacity;
	size_t points;   /* of all their curves */
	size_t arrivals; /* curves that came so far */
} rg_worst_curves;

/* Looks at one row of the two goldens. `noise` may be NULL. */
RG_CHECKED rg_error *rg_worst_curves_add(rg_worst_curves *worst, const rg_row *row,
					 const rg_golden *old, const rg_golden *fresh,
					 const rg_noise_model *noise);
/* Takes the curves that a page has room for out of those that were read; rows that the comparison
 * does not have any more are passed over. `out` is released whatever comes back. */
void rg_worst_curves_pick(rg_curve_list *out, const rg_comparison *comparison,
			  rg_worst_curves *parts, size_t count);
/* A list of the same curves in the story's order. `places` has what the story has of each row of
 * the comparison, NULL for those that it does not tell of. Only out->items is the caller's to free.
 */
void rg_worst_curves_order(rg_curve_list *out, const rg_curve_list *list,
			   const rg_story_place *const *places, const rg_comparison *comparison);
void rg_worst_curves_release(rg_worst_curves *worst);

#endif
