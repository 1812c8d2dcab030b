/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_PAGE_TABLE_H
#define REGILD_REPORT_PAGE_TABLE_H

#include "base/fields.h"
#include "base/json.h"
#include "report/columns.h"
#include "report/refresh.h"

/*
 * The page's table of rows: made of a comparison, or read out of its JSON, which says which of its
 * rows the page has. Both are the same data of a template: "table", with columns, rows and more. A
 * row has an id, from 1 on, its cells, what it can be filtered by as "facets", and what the page's
 * figures need of it as "facts".
 */

/* Rows in the table at most. */
#define RG_PAGE_ROWS 20000

typedef struct {
	const rg_row *const *rows; /* in the table's order: all of them */
	size_t row_count;          /* the first RG_PAGE_ROWS are shown */
	const rg_column_list *columns;
	const rg_column_context *context;
	const rg_refresh *refresh; /* may be NULL */
} rg_page_rows;

/* *out is freed with cJSON_Delete. */
RG_CHECKED rg_error *rg_page_table_make(cJSON **out, const rg_page_rows *page);
/* Writes the member "page". `order` has all rows of the document, as it has them. */
void rg_page_table_write(rg_json_out *json, const rg_page_rows *page, const rg_row *const *order,
			 size_t count);
/* Out of a document's "page" and "rows". RG_E_PARSE for what does not fit together. */
RG_CHECKED rg_error *rg_page_table_read(cJSON **out, const rg_json_in *in);

/* The keys of that, in JSON. */
extern const rg_json_field rg_page_fields[];

#endif
