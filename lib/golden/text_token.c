/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/text_token.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "golden/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Characters at which a token ends; a ':' may be in one. */
static const bool ends[256] = {
	[','] = true, [';'] = true,  ['='] = true,  ['('] = true,  [')'] = true,
	['['] = true, [']'] = true,  ['{'] = true,  ['}'] = true,  ['|'] = true,
	['"'] = true, ['\''] = true, ['<'] = true,  ['>'] = true,  [':'] = true,
	[' '] = true, ['\t'] = true, ['\v'] = true, ['\f'] = true, ['\r'] = true,
};

bool rg_text_separates(const char *line, size_t length, size_t at)
{
	if (line[at] != ':')
		return ends[(unsigned char)line[at]] && !rg_text_is_blank(line[at]);
	return !at || at + 1 == length || !rg_text_is_digit(line[at - 1]) ||
	       !rg_text_is_digit(line[at + 1]);
}

size_t rg_text_token_end(const char *line, size_t length, size_t at)
{
	for (; at < length; at++)
		if (ends[(unsigned char)line[at]] &&
		    (line[at] != ':' || rg_text_separates(line, length, at)))
			break;
	return at;
}

/* --- numbers --- */

static size_t digits_at(const char *text, size_t length, size_t at)
{
	size_t n = 0;
	while (at + n < length && rg_text_is_digit(text[at + n]))
		n++;
	return n;
}

/* The length of nan, inf or infinity, as the whole text or in front of a unit; 0: none. */
static size_t word_at(const char *text, size_t length)
{
	static const char *const words[] = {"nan", "infinity", "inf"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const size_t n = strlen(words[i]);
		if (length >= n && (*text | ' ') == *words[i] && !strncasecmp(text, words[i], n) &&
		    (n == length || text[n] == ' ' || text[n] == '%'))
			return n;
	}
	return 0;
}

/* A number in a text. */
typedef struct {
	size_t length;
	size_t point;    /* the place of its point or comma, or the length */
	size_t exponent; /* the place of its exponent's letter or sign, or the length */
	bool whole;
} shape;

/* Scans [+-]?(digits[.[digits]] | .digits)([eEdD][+-]?digits)?, or a word, at the text's beginning.
 * With `comma` a comma may be the point. False if it is not a number. */
static bool scan(shape *out, const char *text, size_t length, bool comma)
{
	size_t at = length && (*text == '+' || *text == '-'), after = 0;
	const size_t before = digits_at(text, length, at);

	if (!before && word_at(text + at, length - at)) {
		at += word_at(text + at, length - at);
		*out = (shape){at, at, at, false};
		return true;
	}
	at += before;
	const size_t point = at;
	const bool has_point = at < length && (text[at] == '.' || (comma && text[at] == ','));
	if (has_point) {
		after = digits_at(text, length, at + 1);
		at += 1 + after;
	}
	if (!before && !after)
		return false;
	/* The end of an exponent that begins at `at`, or `at`. Fortran leaves out the letter if
	 * there are three digits. */
	const bool letter = at < length && ((text[at] | ' ') == 'e' || (text[at] | ' ') == 'd');
	size_t digits = at + letter;
	const bool sign = digits < length && (text[digits] == '+' || text[digits] == '-');

	digits += sign;
	const size_t count = digits_at(text, length, digits);
	const size_t end = (letter && count) || (has_point && sign && count == 3) ? digits + count
										  : at;
	*out = (shape){end, has_point ? point : end, at, !has_point && end == at};
	return true;
}

static double value_of(const char *text, const shape *number)
{
	const size_t exponent = number->exponent, length = number->length;
	/* Fortran's exponent, 'd' or no letter at all, becomes an 'e', and a comma a point. */
	const bool has_letter = exponent < length && isalpha((unsigned char)text[exponent]);
	double value;

	if ((number->point == length || text[number->point] == '.') &&
	    (exponent == length || (has_letter && (text[exponent] | ' ') == 'e'))) {
		(void)rg_double_parse(text, length, &value);
		return value;
	}
	RG_AUTO_FREE char *copy = rg_malloc(length + 1);
	const bool more = exponent < length && !has_letter;
	memcpy(copy, text, length);
	memmove(copy + exponent + more, copy + exponent, length - exponent);
	if (exponent < length)
		copy[exponent] = 'e';
	if (number->point < length)
		copy[number->point] = '.';
	(void)rg_double_parse(copy, length + more, &value);
	return value;
}

/* Most texts are words, which their first two letters tell: nan and inf are numbers. */
static bool may_be_number(const char *text, size_t length)
{
	const char letter = (char)(*text | ' ');
	if (*text <= '9')
		return rg_text_is_digit(*text) || *text == '-' || *text == '.' || *text == '+';
	return (letter == 'n' || letter == 'i') && length > 2 &&
	       (text[1] | ' ') == (letter == 'n' ? 'a' : 'n');
}

/* Only a cell may have blanks in front of the unit. */
static bool parse(rg_text_number *out, const char *text, size_t length, bool comma, bool blanks)
{
	shape number;
	if (!length || (!may_be_number(text, length) && !(comma && *text == ',')) ||
	    !scan(&number, text, length, comma))
		return false;
	size_t at = number.length;
	while (blanks && at < length && text[at] == ' ')
		at++;
	*out = (rg_text_number){.length = number.length,
				.whole = number.whole,
				.unit = rg_unit_find(text + at, length - at)};
	if (at < length && !out->unit)
		return false;
	out->value = value_of(text, &number);
	return true;
}

bool rg_text_number_parse(rg_text_number *out, const char *token, size_t length)
{
	const char *end = token;
	double value;
	/* Most numbers have no unit, and are written as elsewhere. */
	if (!length || !may_be_number(token, length) ||
	    !rg_decimal_read(&end, token + length, &value) || end != token + length)
		return parse(out, token, length, false, false);
	const size_t sign = *token == '+' || *token == '-';
	*out = (rg_text_number){.value = value,
				.length = length,
				.whole = sign + digits_at(token, length, sign) == length};
	return true;
}

bool rg_plain_number_parse(const char *text, size_t length, double *out)
{
	rg_text_number number;
	if (rg_double_parse(text, length, out))
		return true;
	const bool is_number = rg_text_number_parse(&number, text, length) && !number.unit;
	if (is_number)
		*out = number.value;
	return is_number;
}

bool rg_cell_number_parse(rg_text_number *out, const char *cell, size_t length, bool comma)
{
	*out = (rg_text_number){.length = length};
	if (!rg_double_parse(cell, length, &out->value) && !parse(out, cell, length, comma, true))
		return false;
	/* Digits that no double holds are a hash with an 'e' in it, rather than infinite. */
	size_t at = 0;
	while (isinf(out->value) && at < length && !rg_text_is_digit(cell[at]))
		at++;
	return !isinf(out->value) || at == length;
}

/* --- stamps --- */

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
	while (at < length && rg_text_is_blank(text[at]))
		at++;
	return at;
}

/* The end of "2024-01-02T12:30:45+01:00", "02.01.2024" or "12:30:45,123", or `at`. */
static size_t moment_end(const char *text, size_t length, size_t at)
{
	size_t end = at, digits = 0, clock = 0, dashes = 0, year = 0;

	for (char c; end < length && (c = text[end], rg_text_is_digit(c) || strchr("-/.,:TZ+", c));
	     end++) {
		if (rg_text_is_digit(c)) {
			digits++;
			continue;
		}
		if (!digits && c != 'T' && c != '+')
			break;
		clock += c == ':' && digits <= 2 && end + 1 < length &&
			 rg_text_is_digit(text[end + 1]);
		dashes += !clock && strchr("-/.", c) && (digits == 2 || digits == 4);
		year += digits == 4;
		digits = 0;
	}
	year += digits == 4;
	while (end > at && strchr(",:", text[end - 1]))
		end--;
	return clock || (dashes == 2 && year == 1) ? end : at;
}

typedef enum { NO_PART, WEEKDAY, MONTH, DAY, YEAR, MOMENT, ZONE } date_part;

/* "Nov", "November", "Thu" */
static date_part named_part(const char *word, size_t length)
{
	static const char *const names[] = {
		"january",   "february",  "march",   "april",    "may",      "june",   "july",
		"august",    "september", "october", "november", "december", "monday", "tuesday",
		"wednesday", "thursday",  "friday",  "saturday", "sunday"};
	for (size_t i = 0; length >= 3 && i < sizeof(names) / sizeof(*names); i++)
		if ((*word | ' ') == *names[i] && length <= strlen(names[i]) &&
		    !strncasecmp(word, names[i], length))
			return i < 12 ? MONTH : WEEKDAY;
	return NO_PART;
}

static date_part part_of_date(const char *text, size_t length, size_t at, size_t *end)
{
	const char *word = text + at;
	size_t upper = 0;

	*end = at;
	if (at == length || (!rg_text_is_digit(*word) && (*word < 'A' || *word > 'Z')))
		return NO_PART;
	if (rg_text_is_digit(*word)) {
		const size_t size = digits_at(text, length, at);
		const bool year = size == 4 && (!memcmp(word, "20", 2) || !memcmp(word, "19", 2));
		*end = moment_end(text, length, at);
		if (*end > at)
			return MOMENT;
		*end = at + size;
		if (*end < length && !rg_text_is_blank(text[*end]) &&
		    !rg_text_separates(text, length, *end))
			return NO_PART;
		return size <= 2 ? DAY : year ? YEAR : NO_PART;
	}
	*end = rg_text_token_end(text, length, at);
	const size_t size = *end - at;
	const date_part named = named_part(word, size);
	while (upper < size && word[upper] >= 'A' && word[upper] <= 'Z')
		upper++;
	return named ? named : size && size <= 5 && upper == size ? ZONE : NO_PART;
}

/* The end of a date with all its parts, or `at`. Each appears once, but for moments: a date and a
 * time are two. A day is beside its month, and a zone is between a time and a year. `full`: it has
 * a moment, or a day, a month and a year. */
static size_t date_end(const char *text, size_t length, size_t at, bool full)
{
	bool has[ZONE + 1] = {false};
	size_t last = at, end, after;

	for (size_t next = at;;) {
		const date_part part = part_of_date(text, length, next, &end);
		if (!part || (part == ZONE && !has[MOMENT]))
			break;
		size_t ahead = skip_blanks(text, length, end);
		const date_part then = part_of_date(text, length, ahead, &after);
		if ((has[part] && part != MOMENT) || (part == WEEKDAY && next > at) ||
		    (part == DAY && !has[MONTH] && then != MONTH) ||
		    (part == YEAR && !has[MONTH] && !has[MOMENT] && then != MONTH) ||
		    (part == ZONE && then != YEAR))
			break;
		has[part] = true;
		last = end;
		if (ahead < length && text[ahead] == ',')
			ahead = skip_blanks(text, length, ahead + 1);
		next = ahead;
	}
	const size_t parts = (size_t)has[DAY] + has[MONTH] + has[YEAR];
	return has[MOMENT] || (has[MONTH] && parts > 1U + full) ? last : at;
}

size_t rg_text_date_end(const char *text, size_t length, size_t at)
{
	size_t end = date_end(text, length, at, false);
	while (end > at && end < length && strchr(",;:|", text[end]))
		end++;
	return end;
}

/* The end of "5.3s" in brackets, or `at`. */
static size_t duration_end(const char *text, size_t length, size_t at)
{
	rg_text_number number;
	size_t end = at;
	while (end < length && (rg_text_is_digit(text[end]) || text[end] == '.'))
		end++;
	const size_t unit = skip_blanks(text, length, end);
	const size_t last = rg_text_token_end(text, length, unit);
	return end > at && rg_text_number_parse(&number, text + at, end - at) &&
			       rg_unit_is_duration(rg_unit_find(text + unit, last - unit))
		       ? last
		       : at;
}

/* The end of "[2024-01-02 12:30:45]", or `at`. */
static size_t bracket_end(const char *text, size_t length, size_t at)
{
	size_t next = at + 1, last = at;
	if (at == length || text[at] != '[')
		return at;
	while (next > last) {
		last = skip_blanks(text, length, next);
		if (last < length && text[last] == ']')
			return last == skip_blanks(text, length, at + 1) ? at : last + 1;
		next = date_end(text, length, last, false);
		if (next == last)
			next = duration_end(text, length, last);
	}
	return at;
}

size_t rg_text_stamp_length(const char *line, size_t length)
{
	size_t stamp = 0, at = skip_blanks(line, length, 0), end;

	for (;; at = skip_blanks(line, length, end)) {
		end = bracket_end(line, length, at);
		if (end == at)
			end = date_end(line, length, at, true);
		if (end == at ||
		    (end < length && !rg_text_is_blank(line[end]) && !strchr(",;:|[]", line[end])))
			break;
		while (end < length && strchr(",;:|", line[end]))
			end++;
		stamp = end;
	}
	return at < length ? stamp : 0;
}

/* --- names --- */

static bool is_letter(uint32_t c)
{
	/* Marks, signs, arrows, boxes and smileys after ASCII. */
	static const struct {
		uint32_t first, last;
	} others[] = {{0x80, 0xa9},     {0xab, 0xb4},      {0xb6, 0xb9},     {0xbb, 0xbf},
		      {0xd7, 0xd7},     {0xf7, 0xf7},      {0x2000, 0x20ff}, {0x2190, 0x2bff},
		      {0x3000, 0x3004}, {0x3008, 0x3020},  {0xe000, 0xf8ff}, {0xfe00, 0xfe0f},
		      {0xfff0, 0xffff}, {0x1f000, 0x1faff}};
	if (c < 0x80)
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (c >= others[i].first && c <= others[i].last)
			return false;
	return true;
}

bool rg_text_has_letter(const char *text, size_t length)
{
	for (size_t at = 0; at < length;) {
		const size_t size = rg_utf8_length(text + at, length - at);
		if (size && is_letter(rg_utf8_character(text + at, size)))
			return true;
		at += size ? size : 1;
	}
	return false;
}

/* Is the bracket that `text` ends with opened in it? */
static bool closes(const char *text, size_t length)
{
	static const char opening[] = "([{<", closing[] = ")]}>";
	const char *kind = strchr(closing, text[length - 1]);
	size_t depth = 0;

	if (!kind)
		return false;
	for (size_t i = length; i--;) {
		depth += text[i] == *kind;
		if (text[i] == opening[kind - closing] && !--depth)
			return true;
	}
	return false;
}

static bool is_trimmed(char c)
{
	return rg_text_is_blank(c) || (c && strchr(",;=()[]{}|\"'<>:", c));
}

void rg_text_trim(const char **text, size_t *length)
{
	while (*length && is_trimmed(**text))
		++*text, --*length;
	while (*length && is_trimmed((*text)[*length - 1]) && !closes(*text, *length))
		--*length;
}
