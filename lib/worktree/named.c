#include "worktree/internal.h"

#include <stdlib.h>
#include <string.h>

static rg_error *add_named(rg_worktree *worktree, const rg_change_query *query,
			   const rg_git_trees *trees, const char *path, rg_change_list *out)
{
	rg_change change = {.path = path, .old_path = path};
	bool in_files = !trees->to && !query->staged, has_old, has_new, absent = false;
	git_oid id;

	RG_TRY(rg_git_find_in_tree(trees->base, path, &id, &has_old));
	if (has_old)
		git_oid_tostr(change.old_id, sizeof(change.old_id), &id);
	else
		change.old_path = NULL;
	if (trees->to)
		RG_TRY(rg_git_find_in_tree(trees->to, path, &id, &has_new));
	else if (query->staged)
		RG_TRY(rg_git_find_in_index(worktree, path, &id, &has_new));
	else
		RG_TRY(rg_git_find_in_files(worktree, path, &has_new));
	if (in_files && !has_new && query->as_in_index)
		RG_TRY(rg_git_find_absent(worktree, path, &id, &absent));
	has_new |= absent;
	change.unmerged = has_new && !trees->to && rg_worktree_is_in_conflict(worktree, path);
	if (has_new && (!in_files || absent) && !change.unmerged)
		git_oid_tostr(change.new_id, sizeof(change.new_id), &id);
	change.kind = has_old && has_new ? RG_CHANGE_MODIFIED
		      : has_old          ? RG_CHANGE_REMOVED
		      : has_new          ? RG_CHANGE_NEW
					 : RG_CHANGE_NONE;
	return rg_git_add_change(out, &change);
}

rg_error *rg_worktree_named(rg_worktree *worktree, const rg_change_query *query,
			    const char *const *paths, size_t path_count, rg_change_list *out)
{
	rg_git_trees trees = {0};
	rg_error *err;
	size_t i, kept = 0;

	*out = (rg_change_list){0};
	rg_arena_init(&out->arena);
	err = rg_git_resolve_trees(worktree, query, &trees, out);
	for (i = 0; !err && i < path_count; i++)
		err = add_named(worktree, query, &trees, paths[i], out);
	rg_git_trees_release(&trees);
	if (err) {
		rg_change_list_release(out);
		return err;
	}
	rg_git_sort_changes(out);
	/* A file that was named twice is compared once. */
	for (i = 0; i < out->count; i++)
		if (!kept || strcmp(out->items[kept - 1].path, out->items[i].path) != 0)
			out->items[kept++] = out->items[i];
	out->count = kept;
	return NULL;
}
