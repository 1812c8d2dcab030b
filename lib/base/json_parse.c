/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { EXCERPT = 24 };

/* One pass over the text; `out` is NULL in the first pass, which only looks. */
typedef struct {
	const char *text;
	size_t size;
	char *out;
	size_t length;   /* written to out */
	size_t literals; /* bare literals met */
	size_t run;      /* digits in a row, outside of strings; and the most of them */
	size_t longest;
	bool open;        /* at the end, something was not closed */
	bool nan, marker; /* a bare NaN; a string that could be taken for RG_JSON_NAN */
} scan;

static const struct {
	const char *literal, *replacement;
} literals[] = {
	{"NaN", "\"" RG_JSON_NAN "\""},
	{"Infinity", "1e999"},
	{"-Infinity", "-1e999"},
};

static void emit(scan *s, const char *bytes, size_t length)
{
	if (s->out)
		memcpy(s->out + s->length, bytes, length);
	s->length += length;
}

/* A string from its opening quote; *at is after the closing one then. */
static rg_error *scan_string(scan *s, size_t *at)
{
	size_t start = *at, i = start + 1;
	while (i < s->size && s->text[i] != '"') {
		if (s->text[i] == '\0')
			return rg_error_new(RG_E_PARSE, "byte %zu is a NUL", i);
		if (s->text[i] == '\x01')
			s->marker = true;
		if (s->text[i] == '\\' && i + 1 < s->size) {
			size_t left = s->size - i;
			if (left >= 6 && !memcmp(s->text + i, "\\u0000", 6))
				return rg_error_new(RG_E_PARSE,
						    "a string has a NUL in it (byte %zu)", i);
			if (left >= 6 && !memcmp(s->text + i, "\\u0001", 6))
				s->marker = true;
			i++;
		}
		i++;
	}
	s->open = i >= s->size;
	*at = i < s->size ? i + 1 : i;
	emit(s, s->text + start, *at - start);
	return NULL;
}

static bool is_key(const scan *s, size_t at)
{
	while (at < s->size && strchr(" \t\n\r", s->text[at]) && s->text[at])
		at++;
	return at < s->size && s->text[at] == ':';
}

/* A bare literal at `*at`, replaced; false where there is none. As a key it is an error, which
 * cJSON finds. */
static bool scan_literal(scan *s, size_t *at)
{
	for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
		size_t length = strlen(literals[i].literal);
		if (s->size - *at < length || memcmp(s->text + *at, literals[i].literal, length) ||
		    is_key(s, *at + length))
			continue;
		emit(s, literals[i].replacement, strlen(literals[i].replacement));
		*at += length;
		s->literals++;
		s->nan |= i == 0;
		return true;
	}
	return false;
}

static rg_error *scan_text(scan *s)
{
	size_t i = 0, depth = 0;
	s->length = s->literals = s->run = 0;
	while (i < s->size) {
		char c = s->text[i];
		switch (c) {
		case '"':
			RG_TRY(scan_string(s, &i));
			continue;
		case 'N':
		case 'I':
		case '-':
			if (scan_literal(s, &i))
				continue;
			break;
		case '{':
		case '[':
			if (++depth > RG_JSON_DEPTH_MAX)
				return rg_error_new(RG_E_PARSE, "nested deeper than %d (byte %zu)",
						    RG_JSON_DEPTH_MAX, i);
			break;
		case '}':
		case ']':
			depth -= depth > 0;
			break;
		case '\0':
			return rg_error_new(RG_E_PARSE, "byte %zu is a NUL", i);
		default:
			break;
		}
		s->run = c >= '0' && c <= '9' ? s->run + 1 : 0;
		s->longest = s->run > s->longest ? s->run : s->longest;
		emit(s, &c, 1);
		i++;
	}
	s->open |= depth > 0;
	return NULL;
}

static bool only_blanks(const char *from, const char *to)
{
	while (from < to && (*from == ' ' || *from == '\t' || *from == '\n' || *from == '\r'))
		from++;
	return from == to;
}

/* `open`: a string, list or object does not end. cJSON points at the last byte then. */
static rg_error *not_json(const char *text, size_t size, const char *end, bool open)
{
	size_t at = end && end >= text ? (size_t)(end - text) : size;
	size_t line = 1;

	if (at > size || (open && at + 1 >= size) || only_blanks(text + at, text + size))
		at = size;
	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	if (at == size)
		return rg_error_new(RG_E_PARSE, "not JSON: it ends too early, in line %zu", line);
	size_t length = size - at < EXCERPT ? size - at : EXCERPT;
	return rg_error_new(RG_E_PARSE, "not JSON: line %zu, at '%.*s'", line, (int)length,
			    text + at);
}

/* --- whole numbers that doubles may not hold --- */

/* The next number of the text that is not in a string. */
static const char *next_number(const char **at, const char *end, size_t *length)
{
	const char *p = *at;
	for (bool quoted = false; p < end; p++) {
		if (quoted && *p == '\\')
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && (*p == '-' || (*p >= '0' && *p <= '9')))
			break;
	}
	p = p < end ? p : end;
	const char *first = p;
	while (p < end && *p && strchr("+-.0123456789eE", *p))
		p++;
	*length = (size_t)(p - first);
	*at = p;
	return first;
}

/* Numbers come in the tree in the text's order. Each whole one of many digits keeps them. */
static void keep_digits(cJSON *item, const char **at, const char *end)
{
	for (; item; item = item->next) {
		size_t length;
		if (cJSON_IsNumber(item)) {
			const char *number = next_number(at, end, &length);
			if (length >= RG_JSON_DIGITS && !memchr(number, '.', length) &&
			    !memchr(number, 'e', length) && !memchr(number, 'E', length))
				item->valuestring = rg_strndup(number, length);
		}
		keep_digits(item->child, at, end);
	}
}

rg_error *rg_json_parse_bytes(cJSON **out, const char *text, size_t size)
{
	scan s = {.text = text, .size = size};
	RG_AUTO_FREE char *replaced = NULL; /* the text, if it has bare literals */
	const char *end = NULL;

	*out = NULL;
	RG_TRY(scan_text(&s));
	if (s.literals) {
		if (s.nan && s.marker)
			return rg_error_new(
				RG_E_PARSE,
				"bare NaN beside a string with the control character 0x01");
		text = s.out = replaced = rg_malloc(s.length + 1);
		RG_TRY(scan_text(&s));
		size = s.length;
	}
	*out = cJSON_ParseWithLengthOpts(text, size, &end, false);
	if (!*out || !only_blanks(end, text + size)) {
		cJSON_Delete(*out);
		*out = NULL;
		return not_json(text, size, end, s.open);
	}
	if (s.longest >= RG_JSON_DIGITS)
		keep_digits(*out, &text, text + size);
	return NULL;
}

rg_error *rg_json_parse(cJSON **out, const char *text, size_t size)
{
	*out = NULL;
	for (size_t i = 0, length; i < size; i += length) {
		unsigned char byte = (unsigned char)text[i];
		length = byte < 0x80 ? 1 : rg_utf8_length(text + i, size - i);
		if (!length)
			return rg_error_new(RG_E_PARSE, "not UTF-8: byte %zu is 0x%02x", i, byte);
	}
	return rg_json_parse_bytes(out, text, size);
}
