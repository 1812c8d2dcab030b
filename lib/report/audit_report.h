/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_REPORT_H
#define REGILD_REPORT_AUDIT_REPORT_H

#include "base/fields.h"
#include "audit/audit.h"
#include "base/reader.h"
#include "report/columns.h"
#include "report/table.h"

/*
 * An audit written down. What each format holds is described in man/regild-audit.1.
 */

/* All of it may be too much to hold: a drain gets it as it comes. */
RG_CHECKED rg_error *rg_audit_json(rg_buf *out, const rg_audit *audit);

/* CSV (RFC 4180, CRLF), a line for each file and metric of each group. */
RG_CHECKED rg_error *rg_audit_csv(rg_buf *out, const rg_audit *audit);

/* Markdown for GitHub, under its 65,536 characters: lists are cut and say so. `template_text` NULL:
 * templates/audit.md. RG_E_USAGE for a template that is wrong. */
RG_CHECKED rg_error *rg_audit_markdown(rg_buf *out, const rg_audit *audit,
				       const char *template_text);

/*
 * One page for a browser: the answers, a map of runs and metrics, the runs of the most interesting
 * series in time, strips by golden, and a table of all series. `context` tells stage and variant by
 * a golden's path. `template_text` NULL: templates/audit.html. RG_E_USAGE for a template that is
 * wrong.
 */
RG_CHECKED rg_error *rg_audit_html(rg_buf *out, const rg_audit *audit,
				   const rg_column_context *context, const char *template_text);

/* What a person reads on the terminal, by templates/audit.txt. `top`: lines of each table and list,
 * 0: all. */
RG_CHECKED rg_error *rg_audit_terminal(rg_buf *out, const rg_audit *audit, size_t top,
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
