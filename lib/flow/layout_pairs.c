/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/layout_pairs.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/pattern.h"
#include "base/tree.h"
#include "update/safe_tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
	const rg_flow *flow;
	const rg_sides *sides;
	const char *root, *files; /* regild.root, "" for the top; regild.files */
} lister;

static void add_file(rg_layout_side *side, const rg_layout_file *file)
{
	rg_grow(&side->items, &side->capacity, side->count + 1, sizeof(*side->items));
	side->items[side->count++] = *file;
}

static int compare_files(const void *a, const void *b)
{
	return rg_path_compare(((const rg_layout_file *)a)->target,
			       ((const rg_layout_file *)b)->target);
}

static void keep_text(rg_layout_side *side, const char *first, const char *second, const char **out)
{
	char *text = rg_textf("%s%s%s", first, *first && *second ? "/" : "", second);
	*out = rg_arena_text(&side->arena, text);
	free(text);
}

/* --- what a folder has --- */

/* A staging folder may have come with a clone: no link leads out of it. */
static rg_error *add_golden(rg_layout_side *side, int tree, const rg_manifest_golden *golden)
{
	rg_layout_file file = {.target = golden->target, .tree = "", .id = "", .golden = golden};
	char *path;

	rg_manifest_staged_path(golden, &path);
	rg_error *err = rg_tree_check(tree, "", path);
	if (!err)
		file.path = rg_arena_text(&side->arena, path);
	free(path);
	if (err)
		return err;
	add_file(side, &file);
	return NULL;
}

static rg_error *add_staged(rg_layout_side *side, const lister *l, const rg_manifest *manifest)
{
	rg_error *err = NULL;
	int tree;

	RG_TRY(rg_tree_open(&tree, side->folder));
	for (size_t i = 0; !err && i < manifest->golden_count; i++)
		if (rg_sides_take(l->sides, manifest->goldens[i].target))
			err = add_golden(side, tree, &manifest->goldens[i]);
	close(tree);
	return err;
}

/* Of files below the root, wherever that is in the folder. */
static void add_tree(rg_layout_side *side, const lister *l, const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rg_layout_file file = {.tree = "", .id = ""};
		if (!rg_globs_take(l->files, paths[i]))
			continue;
		keep_text(side, l->root, paths[i], &file.target);
		keep_text(side, side->whole ? l->root : "", paths[i], &file.path);
		if (rg_sides_take(l->sides, file.target))
			add_file(side, &file);
	}
}

static rg_error *list_tree(rg_layout_side *side, const lister *l, const char *folder)
{
	rg_tree tree;
	char *below;

	rg_path_join(&below, folder, *l->root ? l->root : ".");
	side->whole = *l->root && rg_is_folder(below);
	rg_error *err = rg_tree_list(&tree, side->whole ? below : folder);
	if (!err)
		add_tree(side, l, tree.paths, tree.count);
	rg_tree_release(&tree);
	free(below);
	return err;
}

static void list_zip(rg_layout_side *side, const lister *l, const rg_zip_files *zip)
{
	const char **paths = rg_calloc(zip->count + 1, sizeof(*paths));
	size_t length = *l->root ? strlen(l->root) + 1 : 0, count = 0;
	side->zip = zip;
	for (size_t i = 0; i < zip->count; i++)
		side->whole |= *l->root && rg_path_is_below(l->root, zip->items[i].path);
	for (size_t i = 0; i < zip->count; i++)
		if (!side->whole || rg_path_is_below(l->root, zip->items[i].path))
			paths[count++] = zip->items[i].path + (side->whole ? length : 0);
	add_tree(side, l, paths, count);
	free(paths);
}

/* A checkout has the root as a folder; else the folder is taken for the root itself. */
static rg_error *list_folder(rg_layout_side *side, const lister *l, const rg_staged_side *staged)
{
	side->folder = staged->folder;
	if (staged->is_staging)
		return add_staged(side, l, &staged->manifest);
	if (staged->zip) {
		list_zip(side, l, staged->zip);
	} else {
		RG_TRY(list_tree(side, l, staged->folder));
	}
	if (side->count)
		qsort(side->items, side->count, sizeof(*side->items), compare_files);
	return NULL;
}

/* --- what git has --- */

static void add_changes(rg_layout_side *side, const lister *l)
{
	const rg_change_list *list = &side->list;
	for (size_t i = 0; i < list->count; i++) {
		const rg_change *file = &list->items[i];
		/* A file that a sparse checkout leaves out is the index's. */
		const char *tree = *file->new_id && !*list->to_id ? ":" : list->to_id;

		if (file->kind != RG_CHANGE_NONE && rg_sides_take(l->sides, file->path))
			add_file(side, &(rg_layout_file){file->path, file->path, tree, file->new_id,
							 file->unmerged, NULL});
	}
}

/* `partial`: the other side, where only what that has counts; else NULL. */
static rg_error *list_in_git(rg_layout_side *side, const lister *l, const rg_side_name *name,
			     const rg_layout_side *partial)
{
	const rg_change_query query = rg_side_query(name, l->flow->config);
	const char **paths;

	side->folder = rg_worktree_root(l->flow->worktree);
	side->whole = !partial;
	if (!partial) {
		RG_TRY(rg_worktree_changes(l->flow->worktree, &query, &side->list));
		add_changes(side, l);
		return NULL;
	}
	paths = rg_calloc(partial->count + 1, sizeof(*paths));
	for (size_t i = 0; i < partial->count; i++)
		paths[i] = partial->items[i].target;
	rg_error *err =
		rg_worktree_named(l->flow->worktree, &query, paths, partial->count, &side->list);
	free(paths);
	if (err)
		return err;
	add_changes(side, l);
	return NULL;
}

/* --- the pairs --- */

/* The files of either side, each target once; what only a whole side has beside a partial one is
 * left out. */
static void pair_up(rg_layout_pairs *pairs)
{
	const rg_layout_side *old = &pairs->old, *fresh = &pairs->fresh;
	size_t i = 0, k = 0;

	pairs->items = rg_calloc(old->count + fresh->count + 1, sizeof(*pairs->items));
	while (i < old->count || k < fresh->count) {
		int order = i == old->count     ? 1
			    : k == fresh->count ? -1
						: compare_files(&old->items[i], &fresh->items[k]);
		rg_layout_pair pair = {order <= 0 ? &old->items[i++] : NULL,
				       order >= 0 ? &fresh->items[k++] : NULL};

		if ((order < 0 && old->whole && !fresh->whole) ||
		    (order > 0 && fresh->whole && !old->whole))
			continue;
		pairs->items[pairs->count++] = pair;
	}
}

static rg_error *list_sides(rg_layout_pairs *out, const lister *l, const rg_staged_side *old,
			    const rg_staged_side *fresh)
{
	bool old_in_git = rg_side_is_in_git(&l->sides->old);
	bool new_in_git = rg_side_is_in_git(&l->sides->fresh);

	if (!old_in_git)
		RG_TRY(rg_error_wrap(list_folder(&out->old, l, old), "%s", l->sides->old_label));
	if (!new_in_git)
		RG_TRY(rg_error_wrap(list_folder(&out->fresh, l, fresh), "%s",
				     l->sides->new_label));
	if (old_in_git)
		RG_TRY(list_in_git(&out->old, l, &l->sides->old,
				   new_in_git || out->fresh.whole ? NULL : &out->fresh));
	if (new_in_git)
		RG_TRY(list_in_git(&out->fresh, l, &l->sides->fresh,
				   old_in_git || out->old.whole ? NULL : &out->old));
	return NULL;
}

/* That there is nothing to compare must not pass for goldens that are all well. */
static rg_error *check_found(const rg_layout_pairs *pairs, const lister *l)
{
	const rg_sides *s = l->sides;
	bool old_empty = !pairs->old.count && !rg_side_is_in_git(&s->old);
	bool new_empty = !pairs->fresh.count && !rg_side_is_in_git(&s->fresh);

	if (pairs->count && !old_empty && !new_empty)
		return NULL;
	return rg_error_new(RG_E_NOTFOUND, "%s: has no golden%s that regild.files ('%s') names",
			    old_empty ? s->old_label : s->new_label,
			    s->part_count ? " in what is named" : "", l->files);
}

rg_error *rg_layout_pairs_find(rg_layout_pairs *out, const rg_flow *flow, const rg_sides *sides,
			       const rg_staged_side *old, const rg_staged_side *fresh)
{
	const lister l = {flow, sides, rg_config_get(flow->config, "regild.root"),
			  rg_config_get(flow->config, "regild.files")};

	*out = (rg_layout_pairs){0};
	rg_arena_init(&out->old.arena);
	rg_arena_init(&out->fresh.arena);
	RG_TRY(list_sides(out, &l, old, fresh));
	pair_up(out);
	return check_found(out, &l);
}

bool rg_layout_pairs_meet(const rg_layout_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->items[i].old && pairs->items[i].fresh)
			return true;
	return false;
}

void rg_layout_pairs_keep_new(const rg_layout_pairs *pairs, rg_sides *sides)
{
	const rg_layout_side *fresh = &pairs->fresh;
	sides->new_is_part = !fresh->whole;
	if (fresh->whole || !fresh->count)
		return;
	sides->new_has = rg_arena_alloc(&sides->arena, fresh->count * sizeof(*sides->new_has));
	for (size_t i = 0; i < fresh->count; i++)
		sides->new_has[i] = rg_arena_text(&sides->arena, fresh->items[i].target);
	sides->new_has_count = fresh->count;
}

static void release_side(rg_layout_side *side)
{
	free(side->items);
	rg_change_list_release(&side->list);
	rg_arena_release(&side->arena);
}

void rg_layout_pairs_release(rg_layout_pairs *pairs)
{
	free(pairs->items);
	release_side(&pairs->fresh);
	release_side(&pairs->old);
	*pairs = (rg_layout_pairs){0};
}
