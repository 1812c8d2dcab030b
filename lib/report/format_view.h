/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FORMAT_VIEW_H
#define REGILD_REPORT_FORMAT_VIEW_H

#include "base/fields.h"
#include "compare/backend_compare.h"
#include "compare/opdiff_compare.h"
#include "compare/row.h"

#include <cJSON.h>

/*
 * What particular formats have to say beside rows, as data of templates and of JSON: backend tests
 * by what became of their cases, opdiff runs by status, accuracy and time, opaque goldens and
 * records of tables. Freed with cJSON_Delete; rg_summary_view_finish makes it ready for templates.
 */
cJSON *rg_cases_view(const rg_case_comparison *comparison);
/* `title` is the file's name, or both files'. */
cJSON *rg_opdiff_view(const rg_opdiff_comparison *comparison, const char *title);

/*
 * Each adds a list to the formats where there is something for it. "opaque" has the opaque goldens
 * that differ; the lines and pictures of all of them are bounded, and a view says what is left out.
 * "tables" has the tables whose records changed, the largest change first; their cells are bounded,
 * and those that are left out are counted.
 */
void rg_opaque_view_add(cJSON *formats, const rg_comparison *comparison);
void rg_tables_view_add(cJSON *formats, const rg_comparison *comparison);

/* Has a view a picture to show? `formats` may be NULL. */
bool rg_opaque_view_has_pictures(const cJSON *formats);

/* The keys of that, in JSON. */
extern const rg_json_field rg_cases_fields[];
extern const rg_json_field rg_opdiff_fields[];
extern const rg_json_field rg_opaque_fields[];
extern const rg_json_field rg_table_fields[];

#endif
