/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_REPORT_H
#define REGILD_REPORT_AUDIT_REPORT_H

#include "base/fields.h"
#include "audit/audit.h"
#include "report/columns.h"
#include "report/table.h"

#include <cJSON.h>

/*
 * An audit written down. What each format holds is described in man/regild-audit.1.
 */

/*
 * The data of templates: the document's own keys (report/audit_facts.h), without the statistics by
 * step and with the series that a page shows.
 *
 * With `columns`, which tell stage and variant by a golden's path, it has what a page draws.
 * *out is the caller's, freed with cJSON_Delete whatever comes back.
 */
RG_CHECKED rg_error *rg_audit_story(cJSON **out, const rg_audit *audit,
				    const rg_column_context *columns);
/* The same for a document that was read, which is not trusted: lists are marked with how they are
 * cut, and texts are made UTF-8. */
RG_CHECKED rg_error *rg_audit_story_finish(cJSON *story);

/* The document. All of it may be too much to hold: a drain gets it as it comes. */
RG_CHECKED rg_error *rg_audit_json(rg_buf *out, const rg_audit *audit,
				   const rg_column_context *columns);

/* CSV (RFC 4180, CRLF), a line for each file and metric of each group. */
RG_CHECKED rg_error *rg_audit_csv(rg_buf *out, const rg_audit *audit);

/* Markdown for GitHub, of so many bytes, and items of each list, at most: lists are cut and say so.
 * `template_text` NULL: templates/audit.md. RG_E_USAGE for a template that is wrong. */
#define RG_AUDIT_MARKDOWN_ITEMS 100
RG_CHECKED rg_error *rg_audit_markdown(rg_buf *out, const cJSON *story, const char *template_text,
				       size_t max, size_t items);

/*
 * One page for a browser: what needs review, the tolerances, a map of runs and metrics, the runs of
 * the most interesting series in time, strips by golden, and a table of series. `template_text`
 * NULL: templates/audit.html. RG_E_USAGE for a template that is wrong.
 */
#define RG_AUDIT_PAGE_MAX ((size_t)256 << 20)
RG_CHECKED rg_error *rg_audit_html(rg_buf *out, cJSON *story, const char *template_text);

/*
 * The text on the terminal, by templates/audit.txt. `brief`: what needs review and the metrics, on
 * one screen; else all tables, `top` lines of each table and list (0: all).
 */
RG_CHECKED rg_error *rg_audit_terminal(rg_buf *out, const rg_audit *audit, bool brief, size_t top,
				       const rg_table_style *table_style);

/*
 * Every value of every run in the long form "run,file,metric,step,value", golden by golden and each
 * in the runs' order, streamed into `write`. Steps of derived metrics are left out: they can be had
 * from the others.
 */
typedef rg_error *rg_audit_write_fn(void *context, const void *bytes, size_t length);
RG_CHECKED rg_error *rg_audit_export(const rg_audit_source *source, rg_audit_write_fn *write,
				     void *context);

/* The keys of that, in JSON. */
extern const rg_json_field rg_audit_fields[];

#endif
