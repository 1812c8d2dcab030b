/* SPDX-License-Identifier: Apache-2.0 */
#include "report/markdown.h"

#include "base/utf8.h"
#include "report/html_text.h"

#include <ctype.h>
#include <string.h>

/* More items than this are in no report of any length; a text that is too long keeps so many bytes
 * of it, or fewer. */
enum { ITEMS_MAX = 4096, STORY_MAX = 30, TEXT_MAX = 1024, TEXT_MIN = 16 };

static bool is_word(const char *text, size_t length, size_t at)
{
	return at < length && (isalnum((unsigned char)text[at]) || (text[at] & 0x80));
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
	} else if (c == '>' && at > 1 && at + 1 < length && !strncmp(text + at - 2, " -> ", 4)) {
		return false; /* an arrow begins no quotation */
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
		else if (size > 1 && rg_utf8_is_control(text + at)) {
			/* A character that shows nothing and turns what is around it: no path may
			 * look like another. */
			for (size_t i = 0; i < size; i++)
				rg_buf_printf(out, "\\\\x%02x", (unsigned char)text[at + i]);
		} else if (!write_special(out, text, length, at))
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

/* A diff between two rows of backticks, of which it has no longer one. */
static void write_fence(rg_buf *out, const char *text, size_t length)
{
	int most = 3, run = 0;
	for (size_t i = 0; i < length; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		most = run < most ? most : run + 1;
	}
	for (int i = 0; i < most; i++)
		rg_buf_char(out, '`');
	rg_buf_str(out, "diff\n");
	rg_buf_add(out, text, length);
	for (int i = 0; i < most; i++)
		rg_buf_char(out, '`');
	rg_buf_char(out, '\n');
}

/* Between HTML tags nothing is markdown. */
const rg_mustache_style rg_markdown_style = {.escape = rg_markdown_text,
					     .code = rg_markdown_code,
					     .html_code = rg_html_code,
					     .fence = write_fence};

/* A template, what it is rendered from, and what of it is shown. */
typedef struct {
	const char *template_text;
	const cJSON *view;
	rg_mustache_limits limits;
	rg_buf *text; /* of the last attempt; its maximum is the room there is */
} fit_state;

static rg_error *attempt(fit_state *f, bool *fits)
{
	rg_buf_clear(f->text);
	rg_error *err = rg_mustache_render(f->text, f->template_text, f->view, &rg_markdown_style,
					   &f->limits);
	*fits = !err;
	if (!err || rg_error_get_code(err) != RG_E_LIMIT)
		return rg_error_wrap(err, "template");
	rg_error_free(err);
	return NULL;
}

/* As many items of the lists of one rank as fit, up to so many; what it has now fits. */
static rg_error *grow(fit_state *f, rg_mustache_rank rank, size_t items)
{
	size_t least = f->limits.items[rank], beyond = items + 1, next;
	bool fits;

	while (beyond > least && beyond - least > 1) {
		/* Small figures first: they cost least. */
		next = beyond - least > least ? least * 2 + !least : (least + beyond) / 2;
		f->limits.items[rank] = next;
		RG_TRY(attempt(f, &fits));
		if (fits)
			least = next;
		else
			beyond = next;
	}
	f->limits.items[rank] = least;
	return NULL;
}

typedef struct {
	rg_mustache_rank rank;
	size_t items;
} step;

/* The lists that give way, in their order; and those that grow again if there is room. */
static const step cuts[] = {{RG_MUSTACHE_DETAIL, 0}, {RG_MUSTACHE_LIST, 8},
			    {RG_MUSTACHE_STORY, 16}, {RG_MUSTACHE_LIST, 0},
			    {RG_MUSTACHE_STORY, 6},  {RG_MUSTACHE_STORY, 0}};
static const step gifts[] = {{RG_MUSTACHE_STORY, 16},
			     {RG_MUSTACHE_LIST, 16},
			     {RG_MUSTACHE_DETAIL, ITEMS_MAX},
			     {RG_MUSTACHE_LIST, ITEMS_MAX},
			     {RG_MUSTACHE_STORY, STORY_MAX}};

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Cuts lists, then texts. */
static rg_error *fit(fit_state *f, bool *fits, size_t items)
{
	RG_TRY(attempt(f, fits));
	if (*fits)
		return NULL;
	f->limits.text = TEXT_MAX;
	for (size_t i = 0; !*fits && i < sizeof(cuts) / sizeof(*cuts); i++) {
		f->limits.items[cuts[i].rank] = least_of(cuts[i].items, items);
		RG_TRY(attempt(f, fits));
	}
	while (!*fits && f->limits.text > TEXT_MIN) {
		f->limits.text /= 2;
		RG_TRY(attempt(f, fits));
	}
	for (size_t i = 0; *fits && i < sizeof(gifts) / sizeof(*gifts); i++)
		RG_TRY(grow(f, gifts[i].rank, least_of(gifts[i].items, items)));
	return *fits ? attempt(f, fits) : NULL;
}

rg_error *rg_markdown_fit(rg_buf *out, const char *template_text, const cJSON *view, size_t max,
			  size_t items)
{
	RG_AUTO(rg_buf) text = rg_buf_of(max > out->length ? max - out->length : 1);
	fit_state f = {.template_text = template_text,
		       .view = view,
		       .limits = RG_MUSTACHE_ITEMS(items),
		       .text = &text};
	bool fits;

	f.limits.items[RG_MUSTACHE_STORY] = least_of(items, STORY_MAX);
	RG_TRY(fit(&f, &fits, items));
	if (fits)
		rg_buf_add(out, text.data, text.length);
	else /* what the template itself says is too long */
		RG_TRY(rg_error_wrap(
			rg_mustache_render(out, template_text, view, &rg_markdown_style, &f.limits),
			"template"));
	return rg_buf_check(out, "markdown");
}
