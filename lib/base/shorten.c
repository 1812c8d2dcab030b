/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shorten.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A text's first bytes, and the columns that they take. */
typedef struct {
	size_t length, width;
} extent;

static extent next(const char *text, size_t left)
{
	char safe[RG_UTF8_SAFE_SIZE];
	extent one;

	one.length = rg_utf8_next_safe(text, left, safe, &one.width);
	return one;
}

/* How much of the text fits. */
static extent measure(const char *text, size_t length, size_t width)
{
	extent all = {0};
	while (all.length < length) {
		extent one = next(text + all.length, length - all.length);
		if (one.width > width - all.width)
			break;
		all.length += one.length;
		all.width += one.width;
	}
	return all;
}

size_t rg_text_shorten(rg_buf *out, const char *text, size_t length, size_t width)
{
	extent whole = measure(text, length, SIZE_MAX), one;
	if (whole.width <= width)
		return rg_utf8_add_safe(out, text, length);
	if (!width)
		return 0;
	/* The head has a quarter of the width, and ends with the last whole folder in it. */
	extent head = measure(text, length, (width - 1) / 4);
	size_t end = head.length;
	while (end && text[end - 1] != '/')
		end--;
	if (end)
		head = measure(text, end, width - 1);
	/* The text after it is skipped until the rest fits. Marks of a character that is gone go
	 * with it. */
	size_t at = head.length;
	size_t left = whole.width - head.width;
	while (at < length) {
		one = next(text + at, length - at);
		if (left <= width - 1 - head.width && one.width)
			break;
		at += one.length;
		left -= one.width;
	}
	rg_utf8_add_safe(out, text, head.length);
	rg_buf_str(out, "…");
	rg_utf8_add_safe(out, text + at, length - at);
	return head.width + 1 + left;
}

/* --- texts that stay apart --- */

/* A character with its marks. */
typedef struct {
	extent size;
	size_t begin;
	bool separates;
	enum { HIDDEN, TRIED, SHOWN } state;
} unit;

/* A text while it is shortened. */
typedef struct {
	unit *units;
	size_t count;
} cut_state;

static void cut_state_release(cut_state *c)
{
	free(c->units);
}

void rg_apart_init(rg_apart *apart)
{
	*apart = (rg_apart){0};
	rg_buf_init(&apart->shown, RG_BUF_ANY); /* what it is written into has a limit */
}

void rg_apart_release(rg_apart *apart)
{
	free(apart->items);
	rg_buf_release(&apart->shown);
}

void rg_apart_add(rg_apart *apart, const char *text, size_t length)
{
	*RG_PUSH(apart->items, apart->count, apart->capacity) =
		(rg_apart_text){.text = text, .length = length};
}

static int compare_bytes(const char *a, size_t length, const char *b, size_t other)
{
	size_t shorter = length < other ? length : other;
	int order = shorter ? memcmp(a, b, shorter) : 0;

	return order ? order : (length > other) - (length < other);
}

RG_ORDER(compare_texts, rg_apart_text,
	 RG_THEN(compare_bytes(x->text, x->length, y->text, y->length)));

void rg_apart_sort(rg_apart *apart)
{
	size_t kept = 0;
	if (apart->count)
		qsort(apart->items, apart->count, sizeof(*apart->items), compare_texts);
	for (size_t i = 0; i < apart->count; i++) {
		rg_apart_text text = apart->items[i];
		const rg_apart_text *last = kept ? &apart->items[kept - 1] : NULL;
		if (last && !compare_texts(last, &text))
			continue;
		while (last && text.common < last->length && text.common < text.length &&
		       last->text[text.common] == text.text[text.common])
			text.common++;
		apart->items[kept++] = text;
	}
	apart->count = kept;
}

static cut_state cut_up(const rg_apart_text *text)
{
	cut_state c = {.units = rg_calloc(text->length + 1, sizeof(*c.units))};
	size_t at = 0;
	while (at < text->length) {
		extent one = next(text->text + at, text->length - at);
		if (c.count && !one.width)
			c.units[c.count - 1].size.length += one.length;
		else
			c.units[c.count++] =
				(unit){one, at, strchr("/_-. []", text->text[at]) != NULL, HIDDEN};
		at += one.length;
	}
	return c;
}

/* Shows the character at a byte; the last one past the end, where another text goes on. */
static void show_at(cut_state *c, size_t byte)
{
	size_t i = 0;
	while (i + 1 < c->count && c->units[i + 1].begin <= byte)
		i++;
	if (c->count)
		c->units[i].state = SHOWN;
}

/* Shows each place where another text differs first from this one. */
static void show_differences(cut_state *c, const rg_apart *apart, size_t at)
{
	size_t least = SIZE_MAX;
	for (size_t i = at; i && least; i--)
		if (apart->items[i].common < least)
			show_at(c, least = apart->items[i].common);
	least = SIZE_MAX;
	for (size_t i = at + 1; i < apart->count && least; i++)
		if (apart->items[i].common < least)
			show_at(c, least = apart->items[i].common);
}

/* Counts the columns that are shown, with one for each gap. */
static size_t measure_shown(const cut_state *c)
{
	size_t width = 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->units[i].state != HIDDEN)
			width += c->units[i].size.width;
		else
			width += !i || c->units[i - 1].state != HIDDEN;
	return width;
}

/* Shows a piece as well, if it fits. */
static bool try_piece(cut_state *c, size_t begin, size_t end, size_t limit)
{
	for (size_t i = begin; i < end; i++)
		if (c->units[i].state == HIDDEN)
			c->units[i].state = TRIED;
	bool fits = measure_shown(c) <= limit;
	for (size_t i = begin; i < end; i++)
		if (c->units[i].state == TRIED)
			c->units[i].state = fits ? SHOWN : HIDDEN;
	return fits;
}

/* The beginning of the word that ends before `end`; a separator is a word by itself. */
static size_t word_begin(const cut_state *c, size_t end)
{
	size_t begin = end - 1;
	while (begin && !c->units[end - 1].separates && !c->units[begin - 1].separates)
		begin--;
	return begin;
}

/* Shows the words in which it differs, then as many from the end as there is room for, the last of
 * them in part if that is worth it. */
static void fill(cut_state *c, size_t limit)
{
	enum { WORTH_IT = 5 };
	size_t begin, end;

	for (end = c->count; end; end = begin) {
		bool differs = false;
		begin = word_begin(c, end);
		for (size_t i = begin; i < end; i++)
			differs |= c->units[i].state == SHOWN;
		if (differs)
			try_piece(c, begin, end, limit);
	}
	for (end = c->count; end && try_piece(c, word_begin(c, end), end, limit);)
		end = word_begin(c, end);
	if (measure_shown(c) + WORTH_IT <= limit)
		while (end && try_piece(c, end - 1, end, limit))
			end--;
	for (size_t i = 0; i < c->count; i++) /* a gap is no narrower than one character */
		if ((!i || c->units[i - 1].state == SHOWN) &&
		    (i + 1 == c->count || c->units[i + 1].state == SHOWN))
			try_piece(c, i, i + 1, limit);
}

void rg_apart_least(const rg_apart *apart, size_t *width)
{
	*width = 0;
	for (size_t i = 0; apart->count > 1 && i < apart->count; i++) {
		RG_AUTO(cut_state) c = cut_up(&apart->items[i]);
		show_differences(&c, apart, i);
		const size_t least = measure_shown(&c);
		*width = least > *width ? least : *width;
	}
}

static void shorten_one(rg_apart *apart, size_t at, size_t width)
{
	rg_apart_text *text = &apart->items[at];

	text->begin = apart->shown.length;
	text->width = measure(text->text, text->length, SIZE_MAX).width;
	if (text->width <= width || apart->count == 1) {
		text->width = rg_text_shorten(&apart->shown, text->text, text->length, width);
	} else {
		RG_AUTO(cut_state) c = cut_up(text);
		show_differences(&c, apart, at);
		if (measure_shown(&c) <= width)
			fill(&c, width);
		else
			try_piece(&c, 0, c.count, SIZE_MAX);
		text->width = measure_shown(&c);
		for (size_t i = 0; i < c.count; i++)
			if (c.units[i].state == SHOWN)
				rg_utf8_add_safe(&apart->shown, text->text + c.units[i].begin,
						 c.units[i].size.length);
			else if (!i || c.units[i - 1].state == SHOWN)
				rg_buf_str(&apart->shown, "…");
	}
	text->size = apart->shown.length - text->begin;
}

typedef struct {
	const char *shown;
	rg_apart_text *text;
	bool alike; /* as another one */
} shown_text;

RG_ORDER(compare_shown, shown_text,
	 RG_THEN(compare_bytes(x->shown, x->text->size, y->shown, y->text->size)));

void rg_apart_shorten(rg_apart *apart, size_t width)
{
	RG_AUTO_FREE shown_text *all = rg_calloc(apart->count + 1, sizeof(*all));

	rg_buf_clear(&apart->shown);
	for (size_t i = 0; i < apart->count; i++)
		shorten_one(apart, i, width);
	/* Texts that would look alike are shown whole: they differ in the same characters, after
	 * different ones that are left out. */
	for (size_t i = 0; i < apart->count; i++)
		all[i] = (shown_text){apart->shown.data + apart->items[i].begin, &apart->items[i],
				      false};
	if (apart->count)
		qsort(all, apart->count, sizeof(*all), compare_shown);
	for (size_t i = 1; i < apart->count; i++)
		if (!compare_shown(&all[i - 1], &all[i]))
			all[i - 1].alike = all[i].alike = true;
	for (size_t i = 0; i < apart->count; i++) {
		rg_apart_text *text = all[i].text;
		if (!all[i].alike)
			continue;
		text->begin = apart->shown.length;
		text->width = rg_utf8_add_safe(&apart->shown, text->text, text->length);
		text->size = apart->shown.length - text->begin;
	}
}

const rg_apart_text *rg_apart_find(const rg_apart *apart, const char *text, size_t length)
{
	const rg_apart_text wanted = {.text = text, .length = length};
	return bsearch(&wanted, apart->items, apart->count, sizeof(wanted), compare_texts);
}

size_t rg_run_name_length(const char *name)
{
	size_t length = strlen(name);
	bool hash = (length == 40 || length == 64) && strspn(name, "0123456789abcdef") == length;
	return hash ? 10 : length;
}

void rg_text_fold(rg_buf *out, const char *text, size_t width)
{
	enum { INDENT = 4 };

	for (const char *line = text; line && *line; line += *line ? 1 : 0) {
		const size_t length = strcspn(line, "\n");
		bool whole = !width || memchr(line, '\x1b', length) ||
			     rg_utf8_columns(line, length) <= width;
		for (size_t at = 0, column = 0, next; at < length; at = next + 1) {
			const char *blank = whole ? NULL : memchr(line + at, ' ', length - at);
			next = blank ? (size_t)(blank - line) : length;
			const size_t word = whole ? 0 : rg_utf8_columns(line + at, next - at);
			if (column && column + 1 + word > width) {
				rg_buf_printf(out, "\n%*s", INDENT, "");
				column = INDENT;
			} else if (at) {
				rg_buf_char(out, ' ');
				column++;
			}
			rg_buf_add(out, line + at, next - at);
			column += word;
		}
		rg_buf_char(out, '\n');
		line += length;
	}
}
