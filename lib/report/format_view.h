/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FORMAT_VIEW_H
#define REGILD_REPORT_FORMAT_VIEW_H

#include "base/fields.h"
#include "compare/row.h"

#include <cJSON.h>

/*
 * The parts of a report beside rows that every format has, as data of templates and of JSON; see
 * format_hooks.h for those of particular formats.
 *
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
extern const rg_json_field rg_opaque_fields[];
extern const rg_json_field rg_table_fields[];

#endif
