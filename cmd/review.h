/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_REVIEW_H
#define REGILD_CMD_REVIEW_H

#include "config/config.h"
#include "story/story.h"
#include "update/plan.h"

/* The questions of an interactive review, in the order in which it asks, and their story. */

typedef struct {
	rg_plan_item *item; /* left_out, held and allowed are the answer */
	rg_test_name name;
	size_t file;               /* in `asked`; SIZE_MAX: there was nothing to compare */
	const rg_story_row *worst; /* of its rows with a change; NULL: there is none */
	size_t rank;
	bool decided;
} review_question;

typedef struct {
	const rg_plan *plan;
	rg_column_context columns;
	rg_comparison asked; /* of the plan's, the goldens that are asked about; its texts are the
				plan's */
	rg_summary summary;
	rg_story story;
	/* Those first whose losses change or hold them back, each by what needs a look; then
	 * goldens that differ without a figure, new ones, and last those whose values are equal. */
	review_question *questions;
	size_t count;
	size_t held;  /* of them, those that a guard holds back */
	size_t stuck; /* goldens that are not asked about */
} review;

/* `out` is released whatever comes back, and not moved; it borrows the plan. */
RG_CHECKED rg_error *review_make(review *out, rg_plan *plan, const rg_config *config);
void review_release(review *r);

/* Is the row about a change: of its own values, or of the others in its group? */
bool review_has_to_say(const review *r, const rg_story_row *row);
bool review_is_loss(const char *metric);
/* Is it held back, and nobody can let it through? */
bool review_is_stuck(const rg_plan_item *item);
/* Are both of one stage and variant, if the paths tell them? */
bool review_is_group(const review_question *a, const review_question *b);

/* On stderr: what the answers are about, in a few lines. */
void review_show_story(const review *r, bool color);
/* The golden, its worst rows, and why it is held back. */
void review_show_question(const review *r, size_t place, bool color);
/* Its path, all of its rows, and the values of its worst metric. */
RG_CHECKED rg_error *review_show_all(const review *r, size_t place);

#endif
