/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TABLES_VIEW_H
#define REGILD_REPORT_TABLES_VIEW_H

#include "base/fields.h"
#include "compare/row.h"

#include <cJSON.h>

/* Adds the tables whose records changed as "tables", a list of views, the largest change first, to
 * *formats, which is made where it is NULL; nothing where there are none. Cells of all tables
 * together are bounded: what is left out is counted. */
RG_CHECKED rg_error *rg_tables_view_add(cJSON **formats, const rg_comparison *comparison);

/* The keys of that, in JSON. */
extern const rg_json_field rg_table_fields[];

#endif
