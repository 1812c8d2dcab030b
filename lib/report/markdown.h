/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_MARKDOWN_H
#define REGILD_REPORT_MARKDOWN_H

#include "report/mustache.h"

/* GitHub's markdown. */

/* The longest body of a pull request or comment that GitHub takes, in characters. */
#define RG_MARKDOWN_MAX 65536
/* A reviewer reads no more than this, in bytes. */
#define RG_MARKDOWN_SHORT 12000

/* Escaping for text: it means itself inside and outside of tables, mentions nobody and breaks no
 * line (a newline shows as \n). */
void rg_markdown_text(rg_buf *out, const char *text, size_t length);
/* The same as code: `text`, or <code> with escapes where backticks would not hold it. */
void rg_markdown_code(rg_buf *out, const char *text, size_t length);

extern const rg_mustache_style rg_markdown_style;

/*
 * Appends a rendered template, so that all of `out` has at most `max` bytes. Where that is too
 * little, texts are shortened and lists are cut, by their ranks (report/mustache.h); a list never
 * has more than `items`. RG_E_USAGE for a template that is wrong.
 */
RG_CHECKED rg_error *rg_markdown_fit(rg_buf *out, const char *template_text, const cJSON *view,
				     size_t max, size_t items);

#endif
