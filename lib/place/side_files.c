/* SPDX-License-Identifier: Apache-2.0 */
#include "place/side_files.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pattern.h"

#include <stdlib.h>
#include <string.h>

static bool was_folder(rg_worktree *worktree, const rg_change_list *list, const char *path)
{
	return rg_worktree_has_folder(worktree, list->base_id, path) ||
	       (*list->to_id && rg_worktree_has_folder(worktree, list->to_id, path));
}

static bool is_in_any(const char *path, const char *const *folders, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!*folders[i] || rg_path_is_below(folders[i], path))
			return true;
	return false;
}

RG_ORDER(compare_changes, rg_change, RG_BY_PATH(path));

/* The named files come first. What is a file on neither side and was a folder is looked at as one.
 */
static rg_error *list_parts(rg_change_list *out, const rg_sides *sides, rg_worktree *worktree,
			    const rg_change_query *query)
{
	const size_t room = (sides->part_count + 1) * sizeof(const char *);
	RG_AUTO_FREE const char **paths = rg_malloc(room);
	RG_AUTO_FREE const char **folders = rg_malloc(room);
	size_t files = 0, count = 0, kept = 0;

	for (size_t i = 0; i < sides->part_count; i++)
		if (sides->parts[i].folder)
			folders[count++] = sides->parts[i].path;
		else
			paths[files++] = sides->parts[i].path;
	RG_TRY(rg_worktree_named(worktree, query, paths, files, out));
	for (size_t i = 0; i < out->count; i++)
		if (out->items[i].kind == RG_CHANGE_NONE &&
		    was_folder(worktree, out, out->items[i].path))
			folders[count++] = out->items[i].path;
		else
			out->items[kept++] = out->items[i];
	out->count = kept;
	/* Adds what differs in the folders to the files that are listed; a file that is named as
	 * well is there already. */
	if (!count)
		return NULL;
	RG_AUTO(rg_change_list) changes = {0};
	const size_t named = out->count;

	RG_TRY(rg_worktree_changes(worktree, query, &changes));
	for (size_t i = 0; i < changes.count; i++) {
		const rg_change *change = &changes.items[i];
		if (is_in_any(change->path, folders, count) &&
		    !(named &&
		      bsearch(change, out->items, named, sizeof(*change), compare_changes)))
			rg_change_list_add(out, change);
	}
	if (out->count > named)
		qsort(out->items, out->count, sizeof(*out->items), compare_changes);
	return NULL;
}

rg_error *rg_sides_list_changes(rg_change_list *out, const rg_sides *sides, rg_worktree *worktree,
				const rg_config *config, bool no_renames)
{
	rg_change_query query = rg_side_query(&sides->fresh, config);

	query.base = sides->old.text;
	query.merge_base = sides->merge_base;
	query.no_renames = no_renames;
	query.unsure = true;
	return sides->part_count ? list_parts(out, sides, worktree, &query)
				 : rg_worktree_changes(worktree, &query, out);
}

void rg_sides_keep_parts(const rg_sides *sides, rg_place *place, const rg_config *config)
{
	const char *files = rg_config_goldens(config), *root = rg_config_get(config, "regild.root");
	size_t kept = 0;

	for (size_t i = 0; i < place->count; i++) {
		rg_place_file file = place->items[i];
		if (!rg_globs_take(files, file.key))
			continue;
		file.key = rg_arena_path(&place->arena, root, file.key);
		if (rg_sides_take(sides, file.key))
			place->items[kept++] = file;
	}
	place->count = kept;
}

rg_error *rg_sides_list_git(const rg_sides *sides, const rg_side_name *name, rg_place *place,
			    rg_worktree *worktree, const rg_config *config, const rg_place *other)
{
	const rg_change_query query = rg_side_query(name, config);
	const char **paths = NULL;
	size_t kept = 0;

	rg_change_list_release(&place->changes);
	place->count = 0;
	place->whole = other->whole;
	if (!place->whole) {
		paths = rg_arena_alloc(&place->arena, (other->count + 1) * sizeof(*paths));
		for (size_t i = 0; i < other->count; i++)
			paths[i] = other->items[i].key;
	}
	RG_TRY(rg_place_list_git(place, worktree, &query, paths, other->count));
	for (size_t i = 0; i < place->count; i++)
		if (rg_sides_take(sides, place->items[i].key))
			place->items[kept++] = place->items[i];
	place->count = kept;
	return NULL;
}
