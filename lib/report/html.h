/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_HTML_H
#define REGILD_REPORT_HTML_H

#include "report/curve.h"
#include "report/summary.h"

/*
 * The report as one page: nothing is fetched, nothing is run. Rendered from templates/report.html
 * or the user's template, with all that a summary's template can use (report/summary_view.h) and
 * what man/regild-compare.1 lists beside it.
 */

/* Rows in the page's table, curves, and items of each list of the summary, at most. */
#define RG_HTML_ROWS   500
#define RG_HTML_CURVES 24
#define RG_HTML_ITEMS  100

typedef struct {
	rg_summary summary;          /* template_text is the page's; columns are the table's */
	const char *formats;         /* what formats say beside rows, as HTML; NULL: nothing */
	const rg_row *const *rows;   /* of the table, in its order: all series rows */
	size_t row_count;            /* the first RG_HTML_ROWS are shown */
	const rg_curve_list *curves; /* NULL: none */
} rg_html_page;

/* RG_E_USAGE for a template that is wrong. */
RG_CHECKED rg_error *rg_html_render(rg_buf *out, const rg_html_page *page);

#endif
