/* SPDX-License-Identifier: Apache-2.0 */
#include "base/line_pattern.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PARTS_MAX = 64, NUMBER_MAX = 400 };

typedef enum { LITERAL, ANY, STEP, VALUE } part_kind;

typedef struct {
	part_kind kind;
	const char *text; /* of a literal, into the copy */
	size_t length;
} part;

struct rg_line_pattern {
	char *text;
	part parts[PARTS_MAX + 1]; /* the first is ANY */
	size_t count;
	bool no_step;
};

static bool has(const rg_line_pattern *pattern, part_kind kind)
{
	for (size_t i = 0; i < pattern->count; i++)
		if (pattern->parts[i].kind == kind)
			return true;
	return false;
}

static rg_error *append_field(rg_line_pattern *pattern, const char *name, size_t length)
{
	part_kind last = pattern->parts[pattern->count - 1].kind, kind;
	if (length == 4 && !memcmp(name, "step", 4) && !pattern->no_step)
		kind = STEP;
	else if (length == 5 && !memcmp(name, "value", 5))
		kind = VALUE;
	else
		return rg_error_new(RG_E_USAGE, "{%.*s} is not one of its fields: %s{value}",
				    (int)length, name, pattern->no_step ? "" : "{step}, ");
	if (has(pattern, kind))
		return rg_error_new(RG_E_USAGE, "{%.*s} appears twice", (int)length, name);
	if (last == STEP || last == VALUE)
		return rg_error_new(RG_E_USAGE, "no text before {%.*s} tells where it begins",
				    (int)length, name);
	pattern->parts[pattern->count++] = (part){.kind = kind};
	return NULL;
}

static void append_any(rg_line_pattern *pattern)
{
	if (!pattern->count || pattern->parts[pattern->count - 1].kind != ANY)
		pattern->parts[pattern->count++] = (part){.kind = ANY};
}

static rg_error *compile(rg_line_pattern *pattern)
{
	append_any(pattern);
	for (const char *p = pattern->text, *end; *p; p = end) {
		size_t length = strcspn(p, "*{");
		if (pattern->count == PARTS_MAX)
			return rg_error_new(RG_E_USAGE, "more than %d parts", PARTS_MAX - 1);
		end = p + (length ? length : 1);
		if (length) {
			pattern->parts[pattern->count++] = (part){LITERAL, p, length};
		} else if (*p == '*') {
			append_any(pattern);
		} else {
			if (!(end = strchr(p, '}')))
				return rg_error_new(RG_E_USAGE, "a '{' without '}'");
			RG_TRY(append_field(pattern, p + 1, (size_t)(end - p - 1)));
			end++;
		}
	}
	const bool step = pattern->no_step || has(pattern, STEP);
	if (!step || !has(pattern, VALUE))
		return rg_error_new(RG_E_USAGE, "{%s} is missing", step ? "value" : "step");
	append_any(pattern);
	return NULL;
}

static rg_error *make(rg_line_pattern **out, rg_arena *arena, const char *text, bool no_step)
{
	rg_line_pattern *made = rg_arena_alloc(arena, sizeof(*made));
	*out = NULL;
	made->no_step = no_step;
	made->text = rg_arena_text(arena, text);
	RG_TRY(rg_error_wrap(compile(made), "'%s'", text));
	*out = made;
	return NULL;
}

rg_error *rg_line_pattern_new(rg_line_pattern **out, rg_arena *arena, const char *text)
{
	return make(out, arena, text, false);
}

rg_error *rg_line_pattern_new_of_value(rg_line_pattern **out, rg_arena *arena, const char *text)
{
	return make(out, arena, text, true);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of a server's mask that begins here, or 0. */
static size_t mask_length(const char *text, size_t left)
{
	static const char github[] = "***", gitlab[] = "[MASKED]";
	if (left >= sizeof(github) - 1 && !memcmp(text, github, sizeof(github) - 1))
		return sizeof(github) - 1;
	return left >= sizeof(gitlab) - 1 && !memcmp(text, gitlab, sizeof(gitlab) - 1)
		       ? sizeof(gitlab) - 1
		       : 0;
}

bool rg_log_is_masked(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((text[i] == '*' || text[i] == '[') && mask_length(text + i, length - i))
			return true;
	return false;
}

static size_t count_digits(const char *text, size_t left)
{
	size_t n = 0;
	while (n < left && is_digit(text[n]))
		n++;
	return n;
}

/* A number's digits, point and exponent, without its sign. */
static size_t decimal_length(const char *text, size_t left)
{
	size_t whole = count_digits(text, left), n = whole, after = 0;
	if (n < left && text[n] == '.') {
		after = count_digits(text + n + 1, left - n - 1);
		n += whole || after ? 1 + after : 0;
	}
	if (!whole && !after)
		return 0;
	if (n == left || (text[n] != 'e' && text[n] != 'E'))
		return n;
	size_t sign = n + 1 < left && (text[n + 1] == '+' || text[n + 1] == '-');
	size_t digits = count_digits(text + n + 1 + sign, left - n - 1 - sign);
	return digits ? n + 1 + sign + digits : n;
}

static size_t number_length(const char *text, size_t left, part_kind kind)
{
	static const char *const words[] = {"infinity", "inf", "nan"};
	size_t sign = left && (*text == '-' || (kind == VALUE && *text == '+'));

	text += sign;
	left -= sign;
	size_t n = kind == STEP ? count_digits(text, left) : decimal_length(text, left);
	for (size_t i = 0; kind == VALUE && !n && i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) <= left && !strncasecmp(text, words[i], strlen(words[i])))
			n = strlen(words[i]);
	return n ? sign + n : 0;
}

/* Is a number that ends here whole, beside text that may be anything? */
static bool ends_here(const char *text, size_t left)
{
	if (!left)
		return true;
	if (is_letter(*text) || is_digit(*text))
		return false;
	return left < 2 || !strchr(".,", *text) || !*text || !is_digit(text[1]);
}

/* Is a number that begins here separate from what is before it? */
static bool begins_here(const char *line, size_t at)
{
	char before = at ? line[at - 1] : ' ';
	if (before == ',')
		return at < 2 || !is_digit(line[at - 2]);
	return !is_letter(before) && !is_digit(before) && (!before || !strchr("+-.*", before));
}

/* The length of a number that a server has masked; 0 where there is none. */
static size_t masked_length(const char *text, size_t left)
{
	bool masked = false;
	size_t n = 0;

	while (n < left && n < NUMBER_MAX) {
		size_t mask = mask_length(text + n, left - n);
		if (!mask && !is_digit(text[n]) && !is_letter(text[n]) &&
		    (!strchr("+-.", text[n]) || !text[n]))
			break;
		/* A word with a mask in it is no number. */
		if (!n && !mask && is_letter(text[n]))
			break;
		masked |= mask != 0;
		n += mask ? mask : 1;
	}
	return masked ? n : 0;
}

/* A field at line[*at]; `loose` where any text is before it. */
static bool take_field(const part *field, const char *line, size_t length, size_t *at, bool loose,
		       rg_line_match *out)
{
	const char *text = line + *at;
	size_t left = length - *at;

	if (loose && !begins_here(line, *at))
		return false;
	size_t n = masked_length(text, left);
	if (n) {
		out->masked = true;
	} else {
		n = number_length(text, left, field->kind);
		if (!n || n > NUMBER_MAX ||
		    (field[1].kind == ANY && !ends_here(text + n, left - n)))
			return false;
		if (field->kind == STEP ? !rg_int64_parse(text, n, &out->step)
					: !rg_double_parse(text, n, &out->number))
			return false;
	}
	if (field->kind == VALUE) {
		out->value = text;
		out->value_length = n;
	}
	*at += n;
	out->at_end = *at == length;
	return true;
}

/* All parts up to the next ANY, at line[at]; *end is after them then. */
static bool match_here(const part *parts, const char *line, size_t length, size_t at, size_t *end,
		       rg_line_match *out)
{
	const part *p;
	for (p = parts; p->kind != ANY; p++) {
		if (p->kind != LITERAL) {
			if (!take_field(p, line, length, &at, p == parts, out))
				return false;
			continue;
		}
		if (p->length > length - at || memcmp(line + at, p->text, p->length) != 0)
			return false;
		at += p->length;
	}
	*end = at;
	return true;
}

/* The same at the first place from `at` on. */
static bool find(const part *parts, const char *line, size_t length, size_t at, size_t *end,
		 rg_line_match *out)
{
	const rg_line_match before = *out;
	for (; at <= length; at++) {
		if (parts->kind == LITERAL) {
			const char *next = memchr(line + at, *parts->text, length - at);
			if (!next)
				return false;
			at = (size_t)(next - line);
		}
		if (match_here(parts, line, length, at, end, out))
			return true;
		*out = before;
	}
	return false;
}

bool rg_line_pattern_match(const rg_line_pattern *pattern, const char *line, size_t length,
			   rg_line_match *out)
{
	rg_line_match found = {0};
	size_t at = 0;

	for (size_t i = 0; i + 1 < pattern->count; i++)
		if (pattern->parts[i].kind == ANY &&
		    !find(&pattern->parts[i + 1], line, length, at, &at, &found))
			return false;
	*out = found;
	return true;
}
