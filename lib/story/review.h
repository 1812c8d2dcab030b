/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_REVIEW_H
#define REGILD_STORY_REVIEW_H

#include "base/buf.h"
#include "compare/policy.h"
#include "compare/row.h"

/* Which rows a reviewer must look at, in which order, and why. */

/* Inside of what was measured, or outside as often as runs of the same kind are. */
bool rg_row_is_measured_noise(const rg_row *row);

/* At or over the flag level, unless that is measured noise; standing out from what was measured,
 * not finite any more, in part missing, different only where there is no relative figure, or
 * failing a check of the project that has a tolerance. */
bool rg_row_needs_review(const rg_row *row);
/* Whether and how much it needs a look: rising. */
typedef enum {
	RG_LOOK_NONE,
	RG_LOOK_MUST,  /* rg_row_needs_review */
	RG_LOOK_FAILS, /* a gate breaks */
} rg_look;
/* The look of a row by itself: as far as is known before there is a story (rg_story.places). */
rg_look rg_row_look(const rg_row *row);

/* Do differences of both signs hide one another in avg_rel_diff, where both directions count? Not
 * of tensors, of which nobody reads it. */
bool rg_row_cancels(const rg_row *row, const rg_metric_policy *policy);
/* How large a tensor's error is beside the tensor, |new - old| / |new| of norms: its SNR as a
 * ratio; infinite where an element is finite on one side only. 0 for what is no tensor. */
double rg_row_noise(const rg_row *row);
/* The figure that a level compared with avg_rel_diff does not see: mean_abs_rel of a row that
 * cancels, the noise of a tensor; 0: nothing. */
double rg_row_hidden(const rg_row *row, const rg_metric_policy *policy);
/* Failed ones first, then what is not finite any more and exact rows, then by falling
 * rg_row_size, then in the rows' own order. */
void rg_rows_worst_first(const rg_row **rows, size_t count);
/* Is `a` the worse one, whatever their order? */
bool rg_row_is_worse(const rg_row *a, const rg_row *b);

#endif
