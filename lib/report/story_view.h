/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_VIEW_H
#define REGILD_REPORT_STORY_VIEW_H

#include "base/fields.h"
#include "report/story.h"

/* The story as the data of a template: lines, changes in shape, groups, and the rows that are
 * worth a look. Figures are numbers. man/regild-compare.1 lists the keys. */
extern const rg_json_field rg_told_fields[];

/* Writes these of a rg_story into the open object of a tree. */
void rg_told_put(rg_json_out *json, const void *story, const void *context);

#endif
