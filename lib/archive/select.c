/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/select.h"

#include "base/memory.h"
#include "base/pattern.h"

#include <stdlib.h>
#include <string.h>

void rg_selection_init(rg_selection *selection)
{
	*selection = (rg_selection){0};
	rg_arena_init(&selection->arena);
}

void rg_selection_release(rg_selection *selection)
{
	for (size_t i = 0; i < selection->count; i++)
		rg_error_free(selection->refusals[i].err);
	free(selection->refusals);
	rg_arena_release(&selection->arena);
	*selection = (rg_selection){0};
}

/* The '!' that ends a pattern's first part, or its terminating NUL. */
static const char *first_part_end(const char *pattern)
{
	const char *p = pattern;
	for (; *p; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '[' && p[1] == '!')
			p++;
		else if (*p == '!')
			break;
	}
	return p;
}

rg_error *rg_select_check(const char *const *patterns, size_t count, unsigned most)
{
	for (size_t i = 0; i < count; i++) {
		const char *part = patterns[i], *end = first_part_end(part);
		unsigned depth = 0;

		for (; *end && end > part; end = first_part_end(part)) {
			part = end + 1;
			depth++;
		}
		if (end == part)
			return rg_error_new(RG_E_USAGE,
					    "pattern '%s': there is nothing before or after a '!'",
					    patterns[i]);
		if (depth > most)
			return rg_error_new(RG_E_USAGE,
					    "pattern '%s': zips are opened at most %u deep "
					    "(regild.maxDepth)",
					    patterns[i], most);
	}
	return NULL;
}

void rg_select_match(bool *take, const char **inner, size_t *inner_count, const char *name,
		     const char *const *patterns, size_t count)
{
	*take = false;
	*inner_count = 0;
	for (size_t i = 0; i < count; i++) {
		const char *end = first_part_end(patterns[i]);
		RG_AUTO_FREE char *first =
			*end ? rg_strndup(patterns[i], (size_t)(end - patterns[i])) : NULL;
		if (!rg_glob_match(first ? first : patterns[i], name, 0))
			continue;
		if (first)
			inner[(*inner_count)++] = end + 1;
		else
			*take = true;
	}
}

void rg_select_wants(bool *out, const char *name, const char *const *patterns, size_t count)
{
	RG_AUTO_FREE const char **inner = rg_calloc(count + 1, sizeof(*inner));
	size_t inner_count;

	rg_select_match(out, inner, &inner_count, name, patterns, count);
	*out = *out || inner_count;
}
