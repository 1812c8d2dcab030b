/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_CURSOR_H
#define REGILD_GOLDEN_CURSOR_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A place in a text that is read from front to back. */
typedef struct {
	const char *at, *end;
} rg_cursor;

/* Bytes that were read are forgotten piece by piece (rg_input.forget). They are read again only if
 * the file turns out to be something else. */
typedef struct {
	void (*forget)(const void *from, size_t size); /* NULL: nobody wants to know */
	const char *begin, *from;
} rg_read_part;

static inline void rg_read_up_to(rg_read_part *part, const char *at)
{
	enum { PIECE = 1 << 20 };
	if (!part->forget || at - part->from < PIECE)
		return;
	/* Up to two huge pages before it may have come in with it. */
	const char *start = part->from - part->begin > 4 * PIECE ? part->from - 4 * PIECE
								 : part->begin;
	part->forget(start, (size_t)(at - start));
	part->from = at;
}

static inline void rg_cursor_skip_blanks(rg_cursor *c)
{
	while (c->at < c->end &&
	       (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r')) {
		c->at++;
		if (c->end - c->at >= 8) /* a line is often indented by as many */
			c->at += rg_zero_bytes(rg_le64(c->at) ^ UINT64_C(0x2020202020202020));
	}
}

/* Takes `byte` where it comes next; rg_cursor_take_sign takes it after blanks too. */
static inline bool rg_cursor_take(rg_cursor *c, char byte)
{
	if (c->at == c->end || *c->at != byte)
		return false;
	c->at++;
	return true;
}

static inline bool rg_cursor_take_sign(rg_cursor *c, char byte)
{
	rg_cursor_skip_blanks(c);
	return rg_cursor_take(c, byte);
}

/* Takes the word where it comes next. */
static inline bool rg_cursor_take_word(rg_cursor *c, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
		return false;
	c->at += length;
	return true;
}

/* A whole text, after a byte order mark. `data` may be NULL. */
static inline rg_cursor rg_cursor_of(const void *data, size_t size)
{
	rg_cursor c = {data, data ? (const char *)data + size : NULL};
	rg_cursor_take_word(&c, "\xef\xbb\xbf");
	return c;
}

/* Takes the next line, which comes without its end; false after the last one. */
static inline bool rg_cursor_next_line(rg_cursor *c, rg_cursor *line)
{
	if (c->at == c->end)
		return false;
	const char *newline = memchr(c->at, '\n', (size_t)(c->end - c->at));
	*line = (rg_cursor){c->at, newline ? newline : c->end};
	c->at = newline ? newline + 1 : c->end;
	line->end -= line->end > line->at && line->end[-1] == '\r';
	return true;
}

/* Takes the next word of a line; false where there is none. */
static inline bool rg_cursor_next_word(rg_cursor *line, rg_cursor *word)
{
	while (line->at < line->end &&
	       (*line->at == ' ' || (*line->at >= '\t' && *line->at <= '\r')))
		line->at++;
	word->at = line->at;
	while (line->at < line->end && *line->at != ' ' && (*line->at < '\t' || *line->at > '\r'))
		line->at++;
	word->end = line->at;
	return word->end > word->at;
}

static inline size_t rg_cursor_count_words(rg_cursor line)
{
	size_t count = 0;
	for (rg_cursor word; rg_cursor_next_word(&line, &word);)
		count++;
	return count;
}

static inline size_t rg_cursor_length(rg_cursor c)
{
	return (size_t)(c.end - c.at);
}

/* Does the word, of at least two characters, appear anywhere? The search is for its second one, as
 * the first is usually a quote, and quotes are everywhere. */
static inline bool rg_cursor_holds(rg_cursor c, const char *word)
{
	while (c.end - c.at > 1 &&
	       (c.at = memchr(c.at + 1, word[1], (size_t)(c.end - c.at - 1))) != NULL) {
		rg_cursor found = {c.at - 1, c.end};

		if (rg_cursor_take_word(&found, word))
			return true;
	}
	return false;
}

#endif
