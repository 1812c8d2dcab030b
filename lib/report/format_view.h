/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FORMAT_VIEW_H
#define REGILD_REPORT_FORMAT_VIEW_H

#include "base/fields.h"
#include "compare/backend_compare.h"
#include "compare/opdiff_compare.h"
#include "compare/row.h"

#include <cJSON.h>

/*
 * What particular formats have to say beside rows, as data of templates: backend tests by what
 * became of their cases, opdiff runs by status, accuracy and time, opaque goldens and records of
 * tables. The same data are in the
 * JSON. *out is freed with cJSON_Delete.
 */
RG_CHECKED rg_error *rg_cases_view(cJSON **out, const rg_case_comparison *comparison);
/* `title` is the file's name, or both files'. */
RG_CHECKED rg_error *rg_opdiff_view(cJSON **out, const rg_opdiff_comparison *comparison,
				    const char *title);

/*
 * Adds the opaque goldens that differ as "opaque", a list of views, to *formats, which is made
 * where it is NULL; nothing where none differs. Lines and pictures of all goldens together are
 * bounded: beyond that, a view says that they are left out.
 */
RG_CHECKED rg_error *rg_opaque_view_add(cJSON **formats, const rg_comparison *comparison);

/* Has a view a picture to show? `formats` may be NULL. */
bool rg_opaque_view_has_pictures(const cJSON *formats);

/* Adds the tables whose records changed as "tables", a list of views, the largest change first, to
 * *formats, which is made where it is NULL; nothing where there are none. Cells of all tables
 * together are bounded: what is left out is counted. */
RG_CHECKED rg_error *rg_tables_view_add(cJSON **formats, const rg_comparison *comparison);

/* The keys of that, in JSON. */
extern const rg_json_field rg_cases_fields[];
extern const rg_json_field rg_opdiff_fields[];
extern const rg_json_field rg_opaque_fields[];
extern const rg_json_field rg_table_fields[];

#endif
