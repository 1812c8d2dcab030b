/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html_text.h"

#include "base/utf8.h"

#include <string.h>

void rg_html_text(rg_buf *out, const char *text, size_t length)
{
	size_t at = 0, width;
	while (at < length) {
		char shown[RG_UTF8_SAFE_SIZE];
		at += rg_utf8_next_safe(text + at, length - at, shown, &width);
		if (!strcmp(shown, "&"))
			rg_buf_str(out, "&amp;");
		else if (!strcmp(shown, "<"))
			rg_buf_str(out, "&lt;");
		else if (!strcmp(shown, ">"))
			rg_buf_str(out, "&gt;");
		else if (!strcmp(shown, "\""))
			rg_buf_str(out, "&quot;");
		else if (!strcmp(shown, "'"))
			rg_buf_str(out, "&#39;");
		else
			rg_buf_str(out, shown);
	}
}

void rg_html_str(rg_buf *out, const char *text)
{
	rg_html_text(out, text, strlen(text));
}

void rg_html_code(rg_buf *out, const char *text, size_t length)
{
	rg_buf_str(out, "<code>");
	rg_html_text(out, text, length);
	rg_buf_str(out, "</code>");
}

const rg_mustache_style rg_html_style = {.escape = rg_html_text, .code = rg_html_code};
