/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_PARTS_H
#define REGILD_REPORT_STORY_PARTS_H

#include "report/story.h"

/* What rg_story_make calls in turn; nobody else does. */

/* Fills groups, and what rows know of them. Leaves the rows in the story's order. */
void rg_story_add_groups(rg_story *story);
RG_CHECKED rg_error *rg_story_add_shapes(rg_story *story);
/* The bottom line, of all that. */
RG_CHECKED rg_error *rg_story_add_lines(rg_story *story);
/* Of the bottom line: each loss, then all else that moved. */
void rg_story_say_losses(rg_buf *out, const rg_story *story);
void rg_story_say_changed(rg_buf *out, const rg_story *story);
/* The last of it; `check` is what rg_story_say_checks says. */
void rg_story_say_next(rg_buf *out, const rg_story *story, const char *check);
/* Of the bottom line, what the project's own checks say. The check with a tolerance that fails in
 * most goldens comes back; NULL: none does. */
void rg_story_say_checks(rg_buf *out, const rg_story *story, const char **worst);

/* Joins what two sets of rows say. */
void rg_story_shift_add(rg_story_shift *to, const rg_story_shift *more);
/* Has no value of both sides moved? */
bool rg_story_is_still(const rg_story_shift *shift);
/* Does its worst row say more than it: is it the only one, or has none a figure? */
bool rg_story_is_of_one(const rg_story_shift *shift, size_t rows);
/* Not finite before all else, then lost, then by |avg_rel_diff|. */
bool rg_story_is_worse(const rg_story_row *a, const rg_story_row *b);
/* Moves what was written into the arena, and empties the buffer. */
RG_CHECKED rg_error *rg_story_keep(rg_story *story, rg_buf *text, const char **out);
/* The policy's flag level, or 1e-3 where it has none: what is no larger is not worth a word. */
double rg_story_level(const rg_metric_policy *policy);

#endif
