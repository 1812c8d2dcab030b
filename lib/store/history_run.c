/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history.h"

#include "base/memory.h"
#include "base/path.h"
#include "store/history_operations.h"

#include <string.h>

int rg_history_run_compare(const void *a, const void *b)
{
	const rg_history_run *x = a, *y = b;
	int order = strcmp(x->repository, y->repository);

	if (!order)
		order = strcmp(x->source, y->source);
	if (!order)
		order = strcmp(x->settings, y->settings);
	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static void copy_text(const char **out, const char *text, const char *before, rg_arena *arena)
{
	*out = before;
	if (!(before && !strcmp(text, before)))
		*out = rg_arena_text(arena, text);
}

void rg_history_run_copy(rg_history_run *out, const rg_history_run *run,
			 const rg_history_run *before, rg_arena *arena)
{
	*out = *run;
	copy_text(&out->repository, run->repository, before->repository, arena);
	copy_text(&out->source, run->source, before->source, arena);
	copy_text(&out->settings, run->settings, before->settings, arena);
	copy_text(&out->commit, run->commit, before->commit, arena);
	copy_text(&out->branch, run->branch, before->branch, arena);
	copy_text(&out->event, run->event, before->event, arena);
	copy_text(&out->when, run->when, before->when, arena);
}

bool rg_history_run_is_of(const rg_history_run *run, const char *repository)
{
	return !repository || rg_path_ends_with(run->repository, repository);
}

void rg_history_add_run(rg_history_run_list *list, const rg_history_run *run)
{
	static const rg_history_run none = {0};
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	const rg_history_run *before = list->count ? &list->items[list->count - 1] : &none;
	rg_history_run_copy(&list->items[list->count], run, before, list->arena);
	list->count++;
}

rg_error *rg_history_incomplete(void)
{
	return rg_error_new(RG_E_MISMATCH, "incomplete here: a replica is behind, or data is lost");
}
