/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pattern.h"

#include "base/file.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { PATH_LENGTH_MAX = 4096 };

static unsigned char fold(char c, unsigned flags)
{
	unsigned char byte = (unsigned char)c;
	return flags & RG_GLOB_IGNORE_CASE ? (unsigned char)tolower(byte) : byte;
}

/*
 * Matches one character against the set at `set` (after its '['). Returns the place after the
 * closing ']', or NULL when there is none and the '[' is an ordinary character.
 */
static const char *match_set(const char *set, char c, unsigned flags, bool *matched)
{
	unsigned char wanted = fold(c, flags);
	bool negated = *set == '!' || *set == '^', found = false;
	const char *first = set + negated, *p;

	for (p = first; *p && (*p != ']' || p == first); p++) {
		char low = *p == '\\' && p[1] ? *++p : *p, high = low;
		if (p[1] == '-' && p[2] && p[2] != ']') {
			p += 2;
			high = *p == '\\' && p[1] ? *++p : *p;
		}
		found |= fold(low, flags) <= wanted && wanted <= fold(high, flags);
	}
	if (*p != ']')
		return NULL;
	*matched = found != negated;
	return p + 1;
}

/*
 * Calls match_set at the '[' at `p`. *open is the first '[' that was found unclosed, or NULL: each
 * later one is unclosed too, and need not be searched to the end again.
 */
static const char *match_set_at(const char *p, char c, unsigned flags, bool *matched,
				const char **open)
{
	const char *after = *open && p >= *open ? NULL : match_set(p + 1, c, flags, matched);
	if (!after && (!*open || p < *open))
		*open = p;
	return after;
}

/* Matches one pattern element that is not a star; returns the place after it or NULL. */
static const char *match_one(const char *pattern, char c, unsigned flags, const char **open)
{
	const char *after;
	bool matched;

	switch (*pattern) {
	case '?':
		return c != '/' || flags & RG_GLOB_ANY_SLASH ? pattern + 1 : NULL;
	case '[':
		after = match_set_at(pattern, c, flags, &matched, open);
		if (after)
			return matched && (c != '/' || flags & RG_GLOB_ANY_SLASH) ? after : NULL;
		break;
	case '\\':
		if (pattern[1])
			pattern++;
		break;
	default:
		break;
	}
	return *pattern && fold(*pattern, flags) == fold(c, flags) ? pattern + 1 : NULL;
}

/* A place to go back to: try the star again with one character more. */
typedef struct {
	const char *pattern, *text;
} retreat;

static bool matches_glob(const char *pattern, const char *text, unsigned flags)
{
	/* `any` is the last ** passed, `star` the last * after it. Going back further than the
	 * last of each kind never helps, which is what keeps this quadratic at worst. */
	retreat star = {NULL, NULL}, any = {NULL, NULL};
	const char *p = pattern, *next, *open = NULL;

	for (;;) {
		if (p[0] == '*' && p[1] == '*' && (p == pattern || p[-1] == '/') &&
		    (p[2] == '\0' || p[2] == '/')) {
			if (!p[2])
				return true;
			p += 3; /* "**" + "/" also matches nothing at all */
			any = (retreat){p, text};
			star = (retreat){NULL, NULL};
			continue;
		}
		if (*p == '*') {
			while (*p == '*')
				p++;
			star = (retreat){p, text};
			continue;
		}
		if (!*text && !*p)
			return true;
		next = *text ? match_one(p, *text, flags, &open) : NULL;
		if (next) {
			p = next;
			text++;
			continue;
		}
		if (star.pattern && *star.text &&
		    (*star.text != '/' || flags & RG_GLOB_ANY_SLASH)) {
			text = ++star.text;
			p = star.pattern;
			continue;
		}
		/* A ** takes whole path parts: continue after the next slash. */
		if (!any.pattern || !(next = strchr(any.text, '/')))
			return false;
		any.text = text = next + 1;
		p = any.pattern;
		star = (retreat){NULL, NULL};
	}
}

bool rg_glob_match(const char *pattern, const char *text, unsigned flags)
{
	return matches_glob(pattern, text, flags) || !strcmp(pattern, text);
}

bool rg_glob_match_end(const char *pattern, const char *path)
{
	for (; path; path = strchr(path, '/') ? strchr(path, '/') + 1 : NULL)
		if (rg_glob_match(pattern, path, 0))
			return true;
	return false;
}

bool rg_glob_is_literal(const char *pattern)
{
	return !strpbrk(pattern, "*?[\\");
}

size_t rg_glob_weight(const char *pattern)
{
	const char *open = NULL;
	size_t weight = 0;

	if (rg_glob_is_literal(pattern))
		return SIZE_MAX;
	for (const char *p = pattern; *p; p++) {
		bool matched;
		const char *after = *p == '[' ? match_set_at(p, 'x', 0, &matched, &open) : NULL;

		if (after)
			p = after - 1;
		else if (*p == '\\' && p[1])
			p++, weight++;
		else if (*p != '*' && *p != '?')
			weight++;
	}
	return weight;
}

size_t rg_glob_inner(const char *word, size_t length)
{
	size_t start = 0;
	for (size_t i = 0; i < length; i++)
		if (word[i] == '\\' || (word[i] == '[' && word[i + 1] == '!'))
			i++;
		else if (word[i] == '!')
			start = i + 1;
	return start;
}

bool rg_globs_take(const char *globs, const char *path)
{
	static const char blanks[] = " \t\r\n";
	const char *word;
	bool taken = false;
	size_t length;

	for (word = globs + strspn(globs, blanks); *word;
	     word += length + strspn(word + length, blanks)) {
		char glob[PATH_LENGTH_MAX + 1];
		length = strcspn(word, blanks);
		if (length >= sizeof(glob))
			continue;
		memcpy(glob, word, length);
		glob[length] = '\0';
		if (*glob == '!') {
			if (rg_glob_match_end(glob + 1, path))
				return false;
		} else {
			taken = taken ||
				rg_glob_match_end(glob + rg_glob_inner(glob, length), path);
		}
	}
	return taken;
}
