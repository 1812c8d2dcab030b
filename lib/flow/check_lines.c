/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/check_lines.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void rg_check_lines_release(rg_check_lines *lines)
{
	free(lines->items);
	rg_arena_release(&lines->arena);
	*lines = (rg_check_lines){0};
}

void rg_check_lines_add(rg_check_lines *lines, unsigned rank, const char *path,
			const char *inner_path, const char *text)
{
	rg_check_line line = {.goldens = 1, .rank = rank, .place = lines->count};
	line.path = rg_arena_text(&lines->arena, path);
	line.inner_path = rg_arena_text(&lines->arena, inner_path);
	line.text = rg_arena_text(&lines->arena, text);
	rg_grow(&lines->items, &lines->capacity, lines->count + 1, sizeof(*lines->items));
	lines->items[lines->count++] = line;
}

static int by_place(const rg_check_line *a, const rg_check_line *b)
{
	return (a->place > b->place) - (a->place < b->place);
}

static int by_text(const void *a, const void *b)
{
	const rg_check_line *one = a, *other = b;
	int order = strcmp(one->text, other->text);

	if (!order)
		order = (one->rank > other->rank) - (one->rank < other->rank);
	return order ? order : by_place(one, other);
}

static int by_rank(const void *a, const void *b)
{
	const rg_check_line *one = a, *other = b;
	int order = (one->rank > other->rank) - (one->rank < other->rank);

	return order ? order : by_place(one, other);
}

void rg_check_lines_group(rg_check_lines *lines)
{
	rg_check_line *items = lines->items;
	size_t kept = 0;

	if (!lines->count)
		return;
	qsort(items, lines->count, sizeof(*items), by_text);
	for (size_t i = 1; i < lines->count; i++) {
		if (items[i].rank == items[kept].rank && !strcmp(items[i].text, items[kept].text))
			items[kept].goldens++;
		else
			items[++kept] = items[i];
	}
	lines->count = kept + 1;
	qsort(items, lines->count, sizeof(*items), by_rank);
}
