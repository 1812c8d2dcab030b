/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Globs against a plain matcher that tries everything, and the name patterns of [jobs]: what a name
 * is taken apart into makes that name again. The input is a pattern and a text with a NUL between.
 */
#include "require.h"

#include "base/pattern.h"
#include "base/name_pattern.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LENGTH_MAX = 24 };

typedef struct {
	const char *start;
	unsigned flags;
	bool seen[LENGTH_MAX + 1][LENGTH_MAX + 1]; /* tried, without success */
	const char *text_start;
} search;

static int lower(const search *s, char c)
{
	return s->flags & RG_GLOB_IGNORE_CASE ? tolower((unsigned char)c) : (unsigned char)c;
}

/* The end of the set that begins after its '[', and whether it has c; NULL: it is not a set. */
static const char *try_set(const search *s, const char *p, char c, bool *has)
{
	bool negated = *p == '!' || *p == '^', any = false, first = true;

	for (p += negated; *p && (first || *p != ']'); first = false) {
		int low, high;

		p += *p == '\\' && p[1];
		low = high = lower(s, *p++);
		if (*p == '-' && p[1] && p[1] != ']') {
			p++;
			p += *p == '\\' && p[1];
			high = lower(s, *p++);
		}
		any |= low <= lower(s, c) && lower(s, c) <= high;
	}
	*has = any != negated;
	return *p ? p + 1 : NULL;
}

static bool matches(search *s, const char *p, const char *text);

static bool try_star(search *s, const char *p, const char *text)
{
	bool whole = p[1] == '*' && (p == s->start || p[-1] == '/') && (!p[2] || p[2] == '/');
	const char *t;

	if (whole && !p[2])
		return true;
	if (whole) {
		for (t = text; t; t = (t = strchr(t, '/')) ? t + 1 : NULL)
			if (matches(s, p + 3, t))
				return true;
		return false;
	}
	while (p[1] == '*')
		p++;
	for (t = text;; t++) {
		if (matches(s, p + 1, t))
			return true;
		if (!*t || (*t == '/' && !(s->flags & RG_GLOB_ANY_SLASH)))
			return false;
	}
}

static bool try_one(search *s, const char *p, const char *text)
{
	bool slash_fits = *text != '/' || s->flags & RG_GLOB_ANY_SLASH, has;
	const char *behind = *p == '[' ? try_set(s, p + 1, *text, &has) : NULL;

	if (!*text)
		return false;
	if (behind)
		return has && slash_fits && matches(s, behind, text + 1);
	if (*p == '?')
		return slash_fits && matches(s, p + 1, text + 1);
	p += *p == '\\' && p[1];
	return lower(s, *p) == lower(s, *text) && matches(s, p + 1, text + 1);
}

static bool matches(search *s, const char *p, const char *text)
{
	bool *seen = &s->seen[p - s->start][text - s->text_start];

	if (*seen)
		return false;
	*seen = true;
	if (!*p)
		return !*text;
	return *p == '*' ? try_star(s, p, text) : try_one(s, p, text);
}

static void check_glob(const char *pattern, const char *text)
{
	unsigned flags;

	for (flags = 0; flags < 4; flags++) {
		search s = {.start = pattern, .text_start = text, .flags = flags};

		bool wanted = matches(&s, pattern, text) || !strcmp(pattern, text);

		require(rg_glob_match(pattern, text, flags) == wanted, "a glob");
	}
	if (rg_glob_is_literal(pattern))
		require(rg_glob_match(pattern, text, 0) == !strcmp(pattern, text), "a literal");
	else
		require(rg_glob_weight(pattern) <= strlen(pattern), "a weight");
	(void)rg_globs_take(pattern, text);
}

static void check_name(const char *pattern, const char *name)
{
	rg_arena patterns = {0};
	rg_name_pattern *compiled;
	rg_name_fields fields, again;
	rg_error *err = rg_name_pattern_new(&compiled, &patterns, pattern,
					    (1u << RG_FIELD_FILE) - 1, "name");
	char *made = NULL;

	if (!err && rg_name_match(compiled, name, NULL, &fields)) {
		err = rg_name_expand(&made, compiled, &fields);
		/* A tag, and the text before it, may be absent. */
		if (!err && (!rg_name_pattern_has(compiled, RG_FIELD_TAG) ||
			     fields.fields[RG_FIELD_TAG].start))
			require(!strcasecmp(made, name), "a name");
		require(rg_name_match(compiled, name, &fields, &again) &&
				!memcmp(&fields, &again, sizeof(fields)),
			"a name with its own fields");
	}
	free(made);
	rg_error_free(err);
	rg_arena_release(&patterns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char pattern[LENGTH_MAX + 1] = "", text[LENGTH_MAX + 1] = "";
	const uint8_t *cut = size ? memchr(data, 0, size) : NULL;
	size_t first = cut ? (size_t)(cut - data) : size, rest = cut ? size - first - 1 : 0;

	if (first > LENGTH_MAX || rest > LENGTH_MAX)
		return 0;
	memcpy(pattern, data, first);
	if (rest)
		memcpy(text, cut + 1, rest);
	check_glob(pattern, text);
	check_name(pattern, text);
	return 0;
}
