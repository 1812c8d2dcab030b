/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_PARTS_H
#define REGILD_REPORT_STORY_PARTS_H

#include "report/story.h"

/* What rg_story_make calls in turn; nobody else does. */

void rg_story_add_shapes(rg_story *story);
void rg_story_add_cards(rg_story *story);
void rg_story_add_heads(rg_story *story);
/* The bottom line, of all that. */
void rg_story_add_lines(rg_story *story);
/* Of the bottom line: each loss, then all else that moved. */
void rg_story_say_losses(rg_buf *out, const rg_story *story);
void rg_story_say_changed(rg_buf *out, const rg_story *story);
/* The last of it. */
void rg_story_say_next(rg_buf *out, const rg_story *story);

/* Joins what two sets of rows say. */
void rg_story_shift_add(rg_story_shift *to, const rg_story_shift *more);
/* Has no value of both sides moved? */
bool rg_story_is_still(const rg_story_shift *shift);
/* Does its worst row say more than it: is it the only one, or has none a figure? */
bool rg_story_is_of_one(const rg_story_shift *shift, size_t rows);
/* Not finite before all else, then lost, then by |avg_rel_diff|. */
bool rg_story_is_worse(const rg_story_row *a, const rg_story_row *b);
/* The order of rows in a line that names few: the worse tier first, then by how far over its level.
 */
int rg_story_row_order(const rg_story_row *a, const rg_story_row *b);
/* Moves what was written into the arena, and empties the buffer, which has no maximum. */
const char *rg_story_keep(rg_story *story, rg_buf *text);
/* The policy's flag level, or 1e-3 where it has none: what is no larger is not worth a word. */
double rg_story_level(const rg_metric_policy *policy);

#endif
