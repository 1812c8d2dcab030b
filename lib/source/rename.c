/* SPDX-License-Identifier: Apache-2.0 */
#include "source/rename.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r";

/* Takes the blanks off both ends. */
static const char *trim(const char *start, const char **end)
{
	start += strspn(start, blanks);
	while (*end > start && strchr(blanks, (*end)[-1]))
		--*end;
	return start;
}

/* One side: a name with one '*' in it, and nothing else that a glob gives a meaning to. */
static rg_error *parse_side(char **out, const char *start, const char *end)
{
	start = trim(start, &end);
	*out = rg_strndup(start, start < end ? (size_t)(end - start) : 0);
	const char *star = strchr(*out, '*');
	if (star && !strpbrk(star + 1, "*") && !strpbrk(*out, "?[]\\!/"))
		return NULL;
	return rg_error_new(RG_E_USAGE, "'%s' is not a name with one '*' in it", *out);
}

static rg_error *parse_one(rg_renames *out, const char *start, const char *end)
{
	const char *p;
	for (p = start; p < end - 1 && strncmp(p, "->", 2) != 0; p++)
		;
	if (p >= end - 1)
		return rg_error_new(RG_E_USAGE, "'%.*s' is not of the form 'GLOB -> GLOB'",
				    (int)(end - start), start);
	rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items));
	rg_rename *made = &out->items[out->count++];
	RG_TRY(parse_side(&made->from, start, p));
	return parse_side(&made->to, p + 2, end);
}

rg_error *rg_renames_parse(rg_renames *out, const char *text)
{
	const char *end;
	*out = (rg_renames){0};
	for (const char *p = text ? text : ""; *p; p = *end ? end + 1 : end) {
		const char *last = end = p + strcspn(p, ",\n");
		const char *first = trim(p, &last);

		if (first < last)
			RG_TRY(parse_one(out, first, last));
	}
	return NULL;
}

void rg_renames_release(rg_renames *renames)
{
	for (size_t i = 0; i < renames->count; i++) {
		free(renames->items[i].from);
		free(renames->items[i].to);
	}
	free(renames->items);
	*renames = (rg_renames){0};
}

void rg_rename_apply(char **out, const rg_renames *renames, const char *name)
{
	size_t length = strlen(name);
	*out = NULL;
	for (size_t i = 0; i < renames->count; i++) {
		const char *from = renames->items[i].from, *to = renames->items[i].to;
		size_t before = strcspn(from, "*"), after = strlen(from + before + 1);
		size_t kept = strcspn(to, "*");

		if (length < before + after || strncmp(name, from, before) != 0 ||
		    strcmp(name + length - after, from + before + 1) != 0)
			continue;
		*out = rg_textf("%.*s%.*s%s", (int)kept, to, (int)(length - before - after),
				name + before, to + kept + 1);
		return;
	}
}
