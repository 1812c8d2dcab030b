/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FORMAT_REPORT_H
#define REGILD_REPORT_FORMAT_REPORT_H

#include "base/buf.h"
#include "base/json.h"
#include "report/table.h"

/*
 * Renders the parts of a report beside rows from their views (report/format_hooks.h and
 * format_view.h) by templates/NAME.md, NAME.txt and NAME.html; the HTML is a part of a page
 * (report/html.h).
 */
typedef enum {
	RG_FORMAT_REPORT_MARKDOWN,
	RG_FORMAT_REPORT_TERMINAL,
	RG_FORMAT_REPORT_HTML,
} rg_format_report_kind;

/* Appends one of them, "opaque" or "tables" by all formats, others by their view. Lists are cut
 * after `cap` items, with how many more there are. `table`: of the terminal's tables; may be NULL.
 */
RG_CHECKED rg_error *rg_format_render(rg_buf *out, const char *name, const cJSON *view,
				      rg_format_report_kind kind, size_t cap,
				      const rg_table_style *table);

/*
 * All of them: `formats` has what rg_format_report_fields names, where there is any; NULL: nothing.
 * In markdown, less than `max` bytes as far as lists can be cut. Opaque goldens are not told of on
 * the terminal, unless rg_format_render is asked; records of tables only in HTML.
 */
RG_CHECKED rg_error *rg_format_reports_render(rg_buf *out, cJSON *formats,
					      rg_format_report_kind kind, size_t max,
					      const rg_table_style *table);
/* Out of a comparison's JSON, which is not trusted and keeps them; NULL where it has none. */
RG_CHECKED rg_error *rg_format_reports_read(cJSON **out, const rg_json_in *in);

#endif
