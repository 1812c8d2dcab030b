/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_SHORTEN_H
#define REGILD_BASE_SHORTEN_H

#include "base/buf.h"

/*
 * Appends text from outside for a person (see rg_utf8_add_safe) in at most `width` columns. What is
 * too long loses its middle: "tests/…/golden_values_dev.json". The end says most in a path, and
 * gets three quarters of the width or more. An escape and a character with its marks stay whole.
 * Returns the columns that it took.
 */
size_t rg_text_shorten(rg_buf *out, const char *text, size_t length, size_t width);

/*
 * Texts one below the other, which are told apart however short they are: of each, what it differs
 * by stays, and what it shares with others goes first. The calling sequence: rg_apart_init,
 * rg_apart_add of each text, rg_apart_sort, rg_apart_shorten, rg_apart_find, rg_apart_release.
 */
typedef struct {
	const char *text; /* borrowed */
	size_t length;
	size_t common;             /* bytes that it begins with as the one before it does */
	size_t begin, size, width; /* what is shown of it: bytes in `shown`, and its columns */
} rg_apart_text;

typedef struct {
	rg_apart_text *items; /* sorted, each once */
	size_t count, capacity;
	rg_buf shown;
} rg_apart;

void rg_apart_init(rg_apart *apart);
void rg_apart_release(rg_apart *apart);
/* `text` has to stay until the end. */
void rg_apart_add(rg_apart *apart, const char *text, size_t length);
void rg_apart_sort(rg_apart *apart);
/* The columns that all of them need to be told apart. */
void rg_apart_least(const rg_apart *apart, size_t *width);
/* Shows each of them in at most `width` columns; whole, where it would look like another one or
 * what it differs by has no room. */
void rg_apart_shorten(rg_apart *apart, size_t width);
/* One of the texts that were added, and what is shown of it. */
const rg_apart_text *rg_apart_find(const rg_apart *apart, const char *text, size_t length);

/* How much of a run's or commit's name is shown: ten digits of a hash. */
size_t rg_run_name_length(const char *name);

/* Appends a text's lines, each folded at blanks where it is wider than `width` columns (0: there is
 * no limit), further lines of it by four. A line with a colour is of a table, which has its own
 * width. Ends with a line's end. */
void rg_text_fold(rg_buf *out, const char *text, size_t width);

#endif
