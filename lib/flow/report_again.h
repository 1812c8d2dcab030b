/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_REPORT_AGAIN_H
#define REGILD_FLOW_REPORT_AGAIN_H

#include "base/json.h"
#include "flow/report.h"

/*
 * The summary and the page out of the JSON of a comparison: the same bytes as the comparison's own,
 * without goldens, repository or network. The document is not trusted.
 *
 *	rg_report_prepare(&report, &flow, &options);
 *	rg_report_document_read(&document, path);
 *	rg_report_again(&text, &report, &document, RG_REPORT_MARKDOWN);
 */

typedef struct {
	const char *path; /* borrowed */
	cJSON *root, *story, *formats;
	rg_arena arena;
	rg_json_in in;
} rg_report_document;

/* RG_E_PARSE for what is not such a document, RG_E_LIMIT for one of more than 512 MiB. `out` is
 * released whatever comes back. */
RG_CHECKED rg_error *rg_report_document_read(rg_report_document *out, const char *path);
/* The same of a text in memory; `path` is for messages. */
RG_CHECKED rg_error *rg_report_document_parse(rg_report_document *out, const char *text,
					      size_t size, const char *path);
void rg_report_document_release(rg_report_document *document);

/* Appends the summary or the page, as report->options have it; options->top: items of a list of the
 * summary, at most. */
RG_CHECKED rg_error *rg_report_again(rg_buf *out, const rg_report *report,
				     rg_report_document *document, rg_report_kind kind);

#endif
