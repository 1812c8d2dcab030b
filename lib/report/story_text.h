/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_TEXT_H
#define REGILD_REPORT_STORY_TEXT_H

#include "report/story.h"
#include "report/table.h"

/* The story for a terminal. Names are made safe to show. */

/* What was lost, then what else changed in shape: a line for each pattern that repeats. */
void rg_story_shapes_text(rg_buf *out, const rg_story *story, const rg_table_style *style);
/* A table of the groups that moved, differ or have rows apart, and how many are not shown. */
RG_CHECKED rg_error *rg_story_groups_text(rg_buf *out, const rg_story *story,
					  const rg_table_style *style);
/* The bottom line, wrapped at words where the style has a width; with colours, what stands out is
 * bold. */
void rg_story_lines_text(rg_buf *out, const rg_story *story, const rg_table_style *style);

#endif
