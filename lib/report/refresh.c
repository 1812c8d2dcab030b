/* SPDX-License-Identifier: Apache-2.0 */
#include "report/refresh.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const rg_refresh_names[RG_REFRESH_OUTCOMES] = {
	[RG_REFRESH_UPDATED] = "updated",     [RG_REFRESH_NEW] = "new",
	[RG_REFRESH_UNCHANGED] = "unchanged", [RG_REFRESH_HELD] = "held back",
	[RG_REFRESH_LEFT_OUT] = "left out",   [RG_REFRESH_MISSING] = "missing",
	[RG_REFRESH_GONE] = "no longer made",
};

void rg_refresh_init(rg_refresh *refresh)
{
	*refresh = (rg_refresh){0};
	rg_arena_init(&refresh->arena);
}

void rg_refresh_release(rg_refresh *refresh)
{
	free(refresh->items);
	rg_arena_release(&refresh->arena);
	rg_refresh_init(refresh);
}

void rg_refresh_add(rg_refresh *refresh, rg_refresh_outcome outcome, const char *name,
		    const char *why)
{
	rg_grow(&refresh->items, &refresh->capacity, refresh->count + 1, sizeof(*refresh->items));
	rg_refresh_item *item = &refresh->items[refresh->count];
	*item = (rg_refresh_item){.outcome = outcome};
	item->name = rg_arena_text(&refresh->arena, name);
	if (why)
		item->why = rg_arena_text(&refresh->arena, why);
	refresh->counts[outcome]++;
	refresh->count++;
}

static int compare_items(const void *a, const void *b)
{
	const rg_refresh_item *x = a, *y = b;
	bool gone = x->outcome == RG_REFRESH_MISSING;

	if (gone != (y->outcome == RG_REFRESH_MISSING))
		return gone ? 1 : -1;
	return strcmp(x->name, y->name);
}

void rg_refresh_sort(rg_refresh *refresh)
{
	if (refresh->count)
		qsort(refresh->items, refresh->count, sizeof(*refresh->items), compare_items);
}

static int compare_path(const void *path, const void *item)
{
	return strcmp(path, ((const rg_refresh_item *)item)->name);
}

const rg_refresh_item *rg_refresh_find(const rg_refresh *refresh, const char *path)
{
	size_t goldens = refresh->count - refresh->counts[RG_REFRESH_MISSING];
	return goldens ? bsearch(path, refresh->items, goldens, sizeof(*refresh->items),
				 compare_path)
		       : NULL;
}

bool rg_refresh_is_from_run(const rg_refresh *refresh, const char *path)
{
	const rg_refresh_item *item = rg_refresh_find(refresh, path);
	return item && item->outcome <= RG_REFRESH_UNCHANGED;
}

bool rg_refresh_is_own(const rg_refresh *refresh, const char *path)
{
	return refresh && !rg_refresh_is_from_run(refresh, path);
}

bool rg_refresh_is_partial(const rg_refresh *refresh)
{
	return refresh->counts[RG_REFRESH_HELD] || refresh->counts[RG_REFRESH_LEFT_OUT] ||
	       refresh->counts[RG_REFRESH_MISSING];
}
