/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_PARTS_H
#define REGILD_REPORT_STORY_PARTS_H

#include "report/story.h"

/* What rg_story_make calls in turn; nobody else does. */

/* Fills cohorts, and what rows know of them. Leaves the rows in the story's order. */
RG_CHECKED rg_error *rg_story_add_cohorts(rg_story *story);
RG_CHECKED rg_error *rg_story_add_shapes(rg_story *story);
/* The bottom line, of all that. */
RG_CHECKED rg_error *rg_story_add_lines(rg_story *story);
/* Of the bottom line, what the project's own checks say. */
void rg_story_say_checks(rg_buf *out, const rg_story *story);

/* Of the parts of a name, as strcmp: what is not there comes first. */
int rg_name_part_compare(const rg_name_part *a, const rg_name_part *b);
/* Moves what was written into the arena, and empties the buffer. */
RG_CHECKED rg_error *rg_story_keep(rg_story *story, rg_buf *text, const char **out);
/* The policy's flag level, or 1e-3 where it has none: what is no larger is not worth a word. */
double rg_story_level(const rg_metric_policy *policy);

#endif
