/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_HTML_H
#define REGILD_REPORT_HTML_H

#include "report/curve.h"

#include <cJSON.h>

/*
 * The report as one page: nothing is fetched, and the only script is templates/page.js. Rendered
 * from templates/report.html or the user's template, with all that a summary's template can use
 * (report/summary_view.h) and what man/regild-compare.1 lists beside it.
 */

/* Items of each list of the summary, at most. */
#define RG_HTML_ITEMS 100

typedef struct {
	cJSON *view;                 /* the summary's, to which the page's own parts are added */
	cJSON *table;                /* report/page_table.h; its rows learn of their curves */
	const rg_curve_list *curves; /* NULL: none */
	cJSON *formats;              /* report/format_report.h; NULL: nothing */
	const cJSON *goldens;        /* report/coverage.h; NULL: nothing was refreshed */
	cJSON *provenance;           /* flow/provenance.h; NULL: not known */
	const char *template_text;   /* NULL: the built-in one */
} rg_html_page;

/* RG_E_USAGE for a template that is wrong. */
RG_CHECKED rg_error *rg_html_render(rg_buf *out, const rg_html_page *page);

#endif
