/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_HTML_H
#define REGILD_REPORT_HTML_H

#include "base/buf.h"
#include "base/deflate.h"
#include "base/error.h"
#include "report/curve.h"
#include "report/json.h"

#include <cJSON.h>

/*
 * The report as one page: nothing is fetched, and the only scripts are templates/page.js and
 * templates/rows.js. Rendered from templates/report.html or the user's template, with all that a
 * summary's template can use (report/summary_view.h) and what man/regild-compare.1 lists beside it.
 */

/* Items of each list of the summary, at most. */
#define RG_HTML_ITEMS 100

/* Rows that are in the page's text; the script has those of the table beyond them. */
#define RG_HTML_ROWS 500

typedef struct {
	cJSON *view; /* the summary's, to which the page's own parts are added */
	rg_page_table *table;
	cJSON *document; /* what is beside the story: provenance, and what was refreshed */
	const rg_curve_list *curves; /* NULL: none */
	cJSON *formats;              /* report/format_report.h; NULL: nothing */
	const char *template_text;   /* NULL: the built-in one */
} rg_html_page;

/* RG_E_USAGE for a template that is wrong. */
RG_CHECKED rg_error *rg_html_render(rg_buf *out, const rg_html_page *page);

/*
 * The data that templates/page-head.html needs for a page's Content-Security-Policy: "style_hash",
 * "script_hash" and "rows_hash" in the view, the digests of templates/page.css, page.js and rows.js
 * in base64. No other style or script counts on such a page, so there are no attributes for them
 * either.
 */
RG_CHECKED rg_error *rg_page_policy_put(cJSON *view);

/* The data that the script reads: the table's rows, which are added one by one, and curves. */
typedef struct {
	rg_json_out json;
	rg_buf text, packed;
	rg_buf_drain drain; /* from the one to the other */
	rg_deflater deflater;
} rg_packed_json;
void rg_page_rows_begin(rg_packed_json *out, const cJSON *head);
void rg_page_rows_add(rg_packed_json *out, const cJSON *row);
RG_CHECKED rg_error *rg_page_rows_end(rg_packed_json *out, rg_buf *page);
RG_CHECKED rg_error *rg_page_curves_write(rg_buf *out, const rg_curve_list *curves);

/* How a row's relative difference goes, a letter a place (page_data.c). "" where no step has one.
 */
#define RG_PAGE_TREND 33
void rg_page_trend(char out[static RG_PAGE_TREND], const rg_curve *curve);

#endif
