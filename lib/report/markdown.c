#include "report/markdown.h"

#include "base/utf8.h"
#include "report/mustache.h"
#include "report/templates.h"
#include "report/view.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static bool is_word(const char *text, size_t length, size_t at)
{
	return at < length && (isalnum((unsigned char)text[at]) || (text[at] & 0x80));
}

/* A character that shows nothing and turns what is around it: a path must not look like another. */
static void write_hidden(rg_buf *out, const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		rg_buf_printf(out, "\\\\x%02x", (unsigned char)text[i]);
}

/* The ':' of "https://" or the '.' of "www.": GitHub links what is behind them, inside <code>, too.
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
		/* A comment behind it keeps GitHub from making a mention or a reference. */
		rg_buf_printf(out, "\\%c<!-- -->", c);
	} else if (c == '_' && at && is_word(text, length, at - 1) &&
		   is_word(text, length, at + 1)) {
		return false; /* inside a word it is no emphasis */
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

rg_error *rg_summary_render(rg_buf *out, const rg_summary *summary)
{
	static const rg_mustache_filter filters[] = {{"code", rg_markdown_code}, {0}};
	const char *text = summary->template_text ? summary->template_text
						  : rg_template_text("summary.md");
	size_t cap = SIZE_MAX, start = out->length;

	/* Ever fewer items of each list, until it fits or there is nothing left to take away. */
	for (;;) {
		cJSON *view;
		rg_error *err;

		RG_TRY(rg_summary_view(&view, summary, cap));
		err = rg_mustache_render(out, text, view, rg_markdown_text, filters);
		cJSON_Delete(view);
		RG_TRY(rg_error_wrap(err, "template"));
		while (out->length > start + 1 && !strcmp(out->data + out->length - 2, "\n\n"))
			rg_buf_truncate(out, out->length - 1);
		if (!cap || count_characters(out->data) < RG_MARKDOWN_MAX)
			return NULL;
		rg_buf_truncate(out, start);
		cap = cap == SIZE_MAX ? 1024 : cap / 2;
	}
}
