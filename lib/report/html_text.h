/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_HTML_TEXT_H
#define REGILD_REPORT_HTML_TEXT_H

#include "report/mustache.h"

/* Text that means itself in HTML and SVG, between tags and in quoted attributes; control characters
 * and broken UTF-8 as \xNN. */
void rg_html_text(rg_buf *out, const char *text, size_t length);
void rg_html_str(rg_buf *out, const char *text);
/* The same as code: between <code> and </code>. */
void rg_html_code(rg_buf *out, const char *text, size_t length);
extern const rg_mustache_style rg_html_style;

#endif
