/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/changed_files.h"

#include "base/memory.h"
#include "base/path.h"

#include <stdlib.h>

/* Has either side such a folder? */
static bool was_folder(const rg_flow *flow, const rg_change_list *list, const char *path)
{
	return rg_worktree_has_folder(flow->worktree, list->base_id, path) ||
	       (*list->to_id && rg_worktree_has_folder(flow->worktree, list->to_id, path));
}

/* Finds the named files. What is none on either side and was a folder is one of `folders`, an array
 * of the parts' paths, of which *count are there. */
static rg_error *find_files(rg_change_list *out, const rg_flow *flow, const rg_sides *sides,
			    const rg_change_query *query, const char **folders, size_t *count)
{
	const char **paths = rg_calloc(sides->part_count + 1, sizeof(*paths));
	size_t files = 0, kept = 0;
	for (size_t i = 0; i < sides->part_count; i++)
		if (sides->parts[i].folder)
			folders[(*count)++] = sides->parts[i].path;
		else
			paths[files++] = sides->parts[i].path;
	rg_error *err = rg_worktree_named(flow->worktree, query, paths, files, out);
	free(paths);
	for (size_t i = 0; !err && i < out->count; i++)
		if (out->items[i].kind == RG_CHANGE_NONE &&
		    was_folder(flow, out, out->items[i].path))
			folders[(*count)++] = out->items[i].path;
		else
			out->items[kept++] = out->items[i];
	if (!err)
		out->count = kept;
	return err;
}

static bool is_in_any(const char *path, const char *const *folders, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!*folders[i] || rg_path_is_below(folders[i], path))
			return true;
	return false;
}

static int compare_changes(const void *a, const void *b)
{
	return rg_path_compare(((const rg_change *)a)->path, ((const rg_change *)b)->path);
}

/* Adds what differs in the folders to the files that are listed; a file that is named as well is
 * there already. */
static void add_folders(rg_change_list *list, const rg_change_list *changes,
			const char *const *folders, size_t count)
{
	size_t named = list->count;
	for (size_t i = 0; i < changes->count; i++) {
		const rg_change *change = &changes->items[i];
		if (is_in_any(change->path, folders, count) &&
		    !(named &&
		      bsearch(change, list->items, named, sizeof(*change), compare_changes)))
			rg_change_list_add(list, change);
	}
	if (list->count > named)
		qsort(list->items, list->count, sizeof(*list->items), compare_changes);
}

static rg_error *find_parts(rg_change_list *out, const rg_flow *flow, const rg_sides *sides,
			    const rg_change_query *query, const char **folders)
{
	rg_change_list changes = {0};
	size_t count = 0;

	RG_TRY(find_files(out, flow, sides, query, folders, &count));
	if (!count)
		return NULL;
	rg_error *err = rg_worktree_changes(flow->worktree, query, &changes);
	if (!err)
		add_folders(out, &changes, folders, count);
	rg_change_list_release(&changes);
	return err;
}

rg_error *rg_changed_files(rg_change_list *out, const rg_flow *flow, const rg_sides *sides,
			   bool no_renames)
{
	rg_change_query query = rg_side_query(&sides->fresh, flow->config);
	const char **folders;

	*out = (rg_change_list){0};
	query.base = sides->old.text;
	query.merge_base = sides->merge_base;
	query.no_renames = no_renames;
	query.unsure = true;
	if (!sides->part_count)
		return rg_worktree_changes(flow->worktree, &query, out);
	folders = rg_calloc(sides->part_count + 1, sizeof(*folders));
	rg_error *err = find_parts(out, flow, sides, &query, folders);
	free(folders);
	return err;
}
