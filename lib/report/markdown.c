/* SPDX-License-Identifier: Apache-2.0 */
#include "report/markdown.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static bool is_word(const char *text, size_t length, size_t at)
{
	return at < length && (isalnum((unsigned char)text[at]) || (text[at] & 0x80));
}

/* A character that shows nothing and turns what is around it: no path may look like another. */
static void write_hidden(rg_buf *out, const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		rg_buf_printf(out, "\\\\x%02x", (unsigned char)text[i]);
}

/* The ':' of "https://" or the '.' of "www.": GitHub links what follows them, inside <code>, too.
 */
static bool makes_link(const char *text, size_t length, size_t at)
{
	if (text[at] == ':')
		return length - at > 2 && text[at + 1] == '/' && text[at + 2] == '/';
	return text[at] == '.' && at >= 3 && !strncmp(text + at - 3, "www", 3);
}

/* One byte that is more than itself in markdown, or a control character. Returns false for all
 * others. */
static bool write_special(rg_buf *out, const char *text, size_t length, size_t at)
{
	char c = text[at];

	if (c == '\n') {
		rg_buf_str(out, "\\\\n");
	} else if (c == '\r') {
		rg_buf_str(out, "\\\\r");
	} else if (c == '\t') {
		rg_buf_str(out, "\\\\t");
	} else if ((unsigned char)c < 0x20 || c == 0x7f) {
		rg_buf_printf(out, "\\\\x%02x", (unsigned char)c);
	} else if (c == '@' || c == '#') {
		/* A comment after it keeps GitHub from making a mention or a reference. */
		rg_buf_printf(out, "\\%c<!-- -->", c);
	} else if (c == '_' && at && is_word(text, length, at - 1) &&
		   is_word(text, length, at + 1)) {
		return false; /* inside a word it is not emphasis */
	} else if (c && (strchr("\\`*_[]<>|~&$", c) || makes_link(text, length, at))) {
		rg_buf_char(out, '\\');
		rg_buf_char(out, c);
	} else {
		return false;
	}
	return true;
}

void rg_markdown_text(rg_buf *out, const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		size_t size = rg_utf8_length(text + at, length - at);

		if (!size)
			rg_buf_str(out, "\xef\xbf\xbd");
		else if (size > 1 && rg_utf8_is_control(text + at))
			write_hidden(out, text + at, size);
		else if (!write_special(out, text, length, at))
			rg_buf_add(out, text + at, size);
		at += size ? size : 1;
	}
}

/* Does a code span between two backticks show the text as it is, in a table too? */
static bool fits_code_span(const char *text, size_t length)
{
	size_t at = 0, size;

	if (!length || text[0] == ' ' || text[length - 1] == ' ')
		return false;
	for (; at < length; at += size ? size : 1) {
		size = rg_utf8_length(text + at, length - at);
		if (strchr("`|\\", text[at]) || (size && rg_utf8_is_control(text + at)))
			return false;
	}
	return true;
}

void rg_markdown_code(rg_buf *out, const char *text, size_t length)
{
	bool span = fits_code_span(text, length);

	rg_buf_str(out, span ? "`" : "<code>");
	if (span)
		rg_utf8_add_valid(out, text, length);
	else
		rg_markdown_text(out, text, length);
	rg_buf_str(out, span ? "`" : "</code>");
}

/* The characters, as GitHub counts them. */
static size_t count_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

const rg_mustache_style rg_markdown_style = {rg_markdown_text, rg_markdown_code, NULL, NULL};

rg_error *rg_markdown_fit(rg_buf *out, const char *template_text, const cJSON *view, size_t items)
{
	size_t start = out->length;

	/* Ever fewer items of each list, until it fits or there is nothing left to take away. */
	for (;;) {
		RG_TRY(rg_error_wrap(
			rg_mustache_render(out, template_text, view, &rg_markdown_style, items),
			"template"));
		if (!items || count_characters(out->data) < RG_MARKDOWN_MAX)
			return NULL;
		rg_buf_truncate(out, start);
		items = items == SIZE_MAX ? 1024 : items / 2;
	}
}
