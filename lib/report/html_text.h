#ifndef REGILD_REPORT_HTML_TEXT_H
#define REGILD_REPORT_HTML_TEXT_H

#include "base/buf.h"

#include <stddef.h>

/* Text that means itself in HTML and SVG, between tags and in quoted attributes; control characters
 * and broken UTF-8 as \xNN. */
void rg_html_text(rg_buf *out, const char *text, size_t length);
/* The same as code: between <code> and </code>. */
void rg_html_code(rg_buf *out, const char *text, size_t length);

#endif
