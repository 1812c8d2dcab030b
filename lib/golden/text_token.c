/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/text_token.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "golden/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool rg_text_separates(const char *line, size_t length, size_t at)
{
	if (line[at] != ':')
		return line[at] && strchr(",;=()[]{}|\"'<>", line[at]);
	return !at || at + 1 == length || !is_digit(line[at - 1]) || !is_digit(line[at + 1]);
}

size_t rg_text_token_end(const char *line, size_t length, size_t at)
{
	while (at < length && !rg_text_is_blank(line[at]) && !rg_text_separates(line, length, at))
		at++;
	return at;
}

/* --- numbers --- */

static size_t digits_at(const char *text, size_t length, size_t at)
{
	size_t n = 0;
	while (at + n < length && is_digit(text[at + n]))
		n++;
	return n;
}

static bool is_word(const char *text, size_t length)
{
	static const char *const words[] = {"nan", "inf", "infinity"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (length == strlen(words[i]) && !strncasecmp(text, words[i], length))
			return true;
	return false;
}

/* [+-]?(digits[.[digits]] | .digits)([eEdD][+-]?digits)?, or a word; *exponent is the place of its
 * letter, or the length. */
static bool fits(const char *text, size_t length, bool *whole, size_t *exponent)
{
	size_t at = length && (*text == '+' || *text == '-');
	const size_t before = digits_at(text, length, at);
	size_t after = 0;

	*exponent = length;
	*whole = before && at + before == length;
	if (!before && is_word(text + at, length - at))
		return true;
	at += before;
	if (at < length && text[at] == '.') {
		after = digits_at(text, length, at + 1);
		at += 1 + after;
	}
	if (!before && !after)
		return false;
	if (at == length)
		return true;
	if (!strchr("eEdD", text[at]))
		return false;
	*exponent = at++;
	at += at < length && (text[at] == '+' || text[at] == '-');
	const size_t digits = digits_at(text, length, at);
	return digits && at + digits == length;
}

bool rg_text_number_parse(rg_text_number *out, const char *token, size_t length)
{
	char room[64];
	size_t exponent;

	/* Most tokens are words, which their first letter tells. */
	if (!is_digit(*token) && !strchr("+-.nNiI", *token))
		return false;
	if (!fits(token, length, &out->whole, &exponent))
		return false;
	char *copy = length < sizeof(room) ? room : rg_malloc(length + 1);
	memcpy(copy, token, length);
	copy[length] = '\0';
	if (exponent < length)
		copy[exponent] = 'e';
	out->value = strtod(copy, NULL);
	if (copy != room)
		free(copy);
	return true;
}

/* --- stamps --- */

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
	while (at < length && rg_text_is_blank(text[at]))
		at++;
	return at;
}

/* The end of digits and separators that are a date or a time: "2024-01-02", "02.01.2024",
 * "12:30:45,123", "2024-01-02T12:30:45+01:00"; or `at`. */
static size_t moment_end(const char *text, size_t length, size_t at)
{
	size_t end = at, digits = 0, clock = 0, dashes = 0, year = 0;

	for (char c; end < length && (c = text[end], is_digit(c) || strchr("-/.,:TZ+", c)); end++) {
		if (is_digit(c)) {
			digits++;
			continue;
		}
		if (!digits && c != 'T' && c != '+')
			break;
		clock += c == ':' && digits <= 2 && end + 1 < length && is_digit(text[end + 1]);
		dashes += !clock && strchr("-/.", c) && (digits == 2 || digits == 4);
		year += digits == 4;
		digits = 0;
	}
	year += digits == 4;
	while (end > at && strchr(",:", text[end - 1]))
		end--;
	return clock || (dashes == 2 && year == 1) ? end : at;
}

/* The end of "5.3s" in brackets, or `at`. */
static size_t duration_end(const char *text, size_t length, size_t at)
{
	rg_text_number number;
	size_t end = at;
	while (end < length && (is_digit(text[end]) || text[end] == '.'))
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
		next = moment_end(text, length, last);
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
			end = moment_end(line, length, at);
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

/* Characters that are no letters, from the end of ASCII on: marks, signs, arrows, boxes, smileys.
 */
static bool is_letter(uint32_t c)
{
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
