/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TEXT_TOKEN_H
#define REGILD_GOLDEN_TEXT_TOKEN_H

#include "base/buf.h"

/* The letters of numbers in text: tokens, and the names that are before numbers. */

static inline bool rg_text_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static inline bool rg_text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Does line[at] separate tokens? A ':' does, but not between two digits. */
bool rg_text_separates(const char *line, size_t length, size_t at);

/* The end of the token that begins at `at`. */
size_t rg_text_token_end(const char *line, size_t length, size_t at);

typedef struct {
	double value;
	const char *unit; /* that follows it (golden/unit.h); NULL: none */
	size_t length;    /* without the unit */
	bool whole;       /* digits alone, perhaps with a sign */
} rg_text_number;

/* Is the whole token a number, or one that a unit follows at once? */
bool rg_text_number_parse(rg_text_number *out, const char *token, size_t length);

/* A number without a unit, as rg_double_parse or rg_text_number_parse has it. */
bool rg_plain_number_parse(const char *text, size_t length, double *out);

/* The same as rg_text_number_parse of a table's cell without blanks at its ends, or a text of JSON,
 * in which blanks may be in front of the unit. With `comma` a comma is a decimal point, too.
 * `whole` is not said. */
bool rg_cell_number_parse(rg_text_number *out, const char *cell, size_t length, bool comma);

/* How long the stamp is that the line begins with: dates, times, brackets with nothing but these
 * and durations, and what separates them. 0: there is none, or nothing else on the line. */
size_t rg_text_stamp_length(const char *line, size_t length);

/* The end of the date or time that begins at `at`, or `at`: "2024-01-02T12:30:45+01:00", "5 March
 * 2026", "Thu Nov 26 10:22:31 UTC 2026"; and what separates it from the next word. */
size_t rg_text_date_end(const char *text, size_t length, size_t at);

/* Is there a letter, ASCII's or another script's? */
bool rg_text_has_letter(const char *text, size_t length);

/* Cuts the blanks and separators off its ends. A closing bracket stays if its opening one does. */
void rg_text_trim(const char **text, size_t *length);

#endif
