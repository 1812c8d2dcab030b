/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_VIEW_H
#define REGILD_REPORT_STORY_VIEW_H

#include "base/fields.h"
#include "report/story.h"

#include <cJSON.h>

/* The story as the data of a template: lines, changes in shape, groups, and the rows that are
 * worth a look. Figures are numbers. man/regild-compare.1 lists the keys. */
void rg_view_add_story(cJSON *view, const rg_story *story);

/* The keys of that, in JSON. */
extern const rg_json_field rg_story_line_fields[];
extern const rg_json_field rg_story_shape_fields[];
extern const rg_json_field rg_story_group_fields[];
extern const rg_json_field rg_story_row_fields[];
extern const rg_json_field rg_story_gap_fields[];
extern const rg_json_field rg_story_exact_fields[];
extern const rg_json_field rg_measured_fields[];

#endif
