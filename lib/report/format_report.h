/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FORMAT_REPORT_H
#define REGILD_REPORT_FORMAT_REPORT_H

#include "base/buf.h"
#include "compare/backend_compare.h"
#include "compare/opdiff_compare.h"

/*
 * What particular formats have to say beside rows: backend tests by what became of their cases, and
 * opdiff runs by status, accuracy and time. Rendered from templates/cases.md, cases.txt,
 * cases.html, opdiff.md, opdiff.txt and opdiff.html; the HTML is a part of a page (report/html.h).
 */
typedef enum {
	RG_FORMAT_REPORT_MARKDOWN,
	RG_FORMAT_REPORT_TERMINAL,
	RG_FORMAT_REPORT_HTML,
} rg_format_report_kind;

/* Appends; lists are cut after `cap` items, with how many more there are. */
RG_CHECKED rg_error *rg_cases_render(rg_buf *out, const rg_case_comparison *comparison,
				     rg_format_report_kind kind, size_t cap);
/* `title` is the file's name, or both files'. */
RG_CHECKED rg_error *rg_opdiff_render(rg_buf *out, const rg_opdiff_comparison *comparison,
				      const char *title, rg_format_report_kind kind, size_t cap);

#endif
