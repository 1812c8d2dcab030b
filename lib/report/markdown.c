#include "report/markdown.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_word(const char *text, size_t length, size_t at)
{
	return at < length && (isalnum((unsigned char)text[at]) || (text[at] & 0x80));
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
		/* A comment behind it keeps GitHub from making a mention or a reference. */
		rg_buf_printf(out, "\\%c<!-- -->", c);
	} else if (c == '_' && at && is_word(text, length, at - 1) &&
		   is_word(text, length, at + 1)) {
		return false; /* inside a word it is no emphasis */
	} else if (c && strchr("\\`*_[]<>|~&$", c)) {
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
		else if (!write_special(out, text, length, at))
			rg_buf_add(out, text + at, size);
		at += size ? size : 1;
	}
}

/* Does a code span between two backticks show the text as it is, in a table too? */
static bool fits_code_span(const char *text, size_t length)
{
	size_t i;

	if (!length || text[0] == ' ' || text[length - 1] == ' ')
		return false;
	for (i = 0; i < length; i++)
		if (text[i] == '`' || text[i] == '|' || text[i] == '\\' ||
		    (unsigned char)text[i] < 0x20 || text[i] == 0x7f ||
		    ((text[i] & 0x80) && !rg_utf8_length(text + i, length - i) &&
		     (text[i] & 0xc0) != 0x80))
			return false;
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
