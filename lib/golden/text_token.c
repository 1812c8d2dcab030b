/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/text_token.h"

#include "base/memory.h"
#include "base/utf8.h"

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
