/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_UTF8_H
#define REGILD_BASE_UTF8_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes the well-formed UTF-8 character at `text` has, of which `left` bytes may be read;
 * 0 if there is none. (Unicode 15, table 3-7.) */
size_t rg_utf8_length(const char *text, size_t left);

/* The character that the `size` bytes of a well-formed one stand for. */
uint32_t rg_utf8_character(const char *text, size_t size);

/* Shows nothing itself, so that a name may look like another with it: C0, DEL and C1, line and
 * paragraph separators, what turns the writing direction (Unicode 15, Bidi_Control), and what has
 * no width or shows none of it, such as U+200B and U+FEFF; but for variation selectors, which
 * smileys have. `text` begins with one well-formed UTF-8 character. */
bool rg_utf8_is_control(const char *text);

/*
 * Text from outside for a person: control characters and broken UTF-8 as \xNN, so that nobody's
 * name can move the cursor.
 *
 * rg_utf8_next_safe writes the first character of `text` (`left` is at least 1) like that,
 * NUL-terminated; *width is how many columns of a terminal it takes. Returns how many bytes that
 * took. rg_utf8_add_safe appends a whole text and returns its columns.
 */
#define RG_UTF8_SAFE_SIZE 17 /* four escaped bytes and the NUL */
size_t rg_utf8_next_safe(const char *text, size_t left, char out[static RG_UTF8_SAFE_SIZE],
			 size_t *width);
size_t rg_utf8_add_safe(rg_buf *out, const char *text, size_t length);
/* The columns that rg_utf8_add_safe returns. */
size_t rg_utf8_columns(const char *text, size_t length);

/* Appends it with each byte that is not part of well-formed UTF-8 as U+FFFD. */
void rg_utf8_add_valid(rg_buf *out, const char *text, size_t length);

/* Append one character, or bytes, so that no two that differ look alike: a backslash is doubled,
 * \UNNNNNNNN is not a character, and \xNN is not a part of one, or NUL. */
void rg_utf8_add_character(rg_buf *out, uint32_t c);
void rg_utf8_add_escaped(rg_buf *out, const char *bytes, size_t size);

#endif
