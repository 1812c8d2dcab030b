/* SPDX-License-Identifier: Apache-2.0 */
#include "place/place.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/order.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

void rg_place_init(rg_place *place)
{
	*place = (rg_place){.folder = "", .name = ""};
	rg_arena_init(&place->arena);
}

void rg_place_close(rg_place *place)
{
	if (place->archive)
		rg_members_release(place->archive);
	free(place->archive);
	free(place->items);
	rg_tree_release(&place->tree);
	rg_change_list_release(&place->changes);
	rg_arena_release(&place->arena);
	*place = (rg_place){0};
}

const char *rg_place_join(rg_place *place, const char *folder, const char *path)
{
	size_t length = strlen(folder), more = strlen(path);
	size_t slash = length && folder[length - 1] != '/';
	char *text = rg_arena_alloc(&place->arena, length + slash + more + 1);
	memcpy(text, folder, length);
	memset(text + length, '/', slash);
	memcpy(text + length + slash, path, more + 1);
	return text;
}

void rg_place_open_folder(rg_place *place, const char *folder)
{
	place->name = rg_arena_text(&place->arena, folder);
	place->folder = rg_place_join(place, folder, "");
}

void rg_place_add(rg_place *place, const rg_place_file *file)
{
	rg_grow(&place->items, &place->capacity, place->count + 1, sizeof(*place->items));
	place->items[place->count++] = *file;
}

RG_ORDER(compare_files, rg_place_file, RG_BY_PATH(key));

void rg_place_sort(rg_place *place)
{
	if (place->count)
		qsort(place->items, place->count, sizeof(*place->items), compare_files);
}

static rg_error *list_folder(rg_place *place, const char *below)
{
	rg_place_file file = {0};
	const char *folder = rg_place_join(place, place->folder, below);
	place->whole = *below && rg_is_folder(folder);
	RG_TRY(rg_tree_list(&place->tree, place->whole ? folder : place->name));
	for (size_t i = 0; i < place->tree.count; i++) {
		file.key = file.path = place->tree.paths[i];
		if (place->whole)
			file.path = rg_place_join(place, below, file.key);
		rg_place_add(place, &file);
	}
	return NULL;
}

static void list_archive(rg_place *place, const char *below)
{
	const rg_members *archive = place->archive;
	for (size_t i = 0; i < archive->count; i++)
		place->whole |= *below && rg_path_is_below(below, archive->items[i].path);
	size_t strip = place->whole ? strlen(below) + 1 : 0;
	for (size_t i = 0; i < archive->count; i++) {
		const char *path = archive->items[i].path;
		if (!place->whole || rg_path_is_below(below, path))
			rg_place_add(place, &(rg_place_file){.key = path + strip, .path = path});
	}
}

rg_error *rg_place_list(rg_place *place, const char *below)
{
	if (place->archive)
		list_archive(place, below);
	else
		RG_TRY(list_folder(place, below));
	rg_place_sort(place);
	return NULL;
}

/* A file that a sparse checkout leaves out is the index's. */
static rg_place_file new_file(const rg_change_list *changes, const rg_change *change)
{
	return (rg_place_file){.key = change->path,
			       .path = change->path,
			       .tree = *changes->to_id   ? changes->to_id
				       : *change->new_id ? ":"
							 : NULL,
			       .id = change->new_id,
			       .unmerged = change->unmerged};
}

rg_error *rg_place_list_git(rg_place *place, rg_worktree *worktree, const rg_change_query *query,
			    const char *const *paths, size_t count)
{
	rg_change_list *changes = &place->changes;

	place->folder = rg_worktree_root(worktree);
	RG_TRY(paths ? rg_worktree_named(worktree, query, paths, count, changes)
		     : rg_worktree_changes(worktree, query, changes));
	for (size_t i = 0; i < changes->count; i++) {
		const rg_place_file file = new_file(changes, &changes->items[i]);
		if (changes->items[i].kind != RG_CHANGE_NONE)
			rg_place_add(place, &file);
	}
	return NULL;
}

/* --- pairs --- */

static void make_room(rg_place_pairs *out, size_t count)
{
	*out = (rg_place_pairs){.items = rg_calloc(count + 1, sizeof(*out->items))};
}

void rg_place_pairs_make(rg_place_pairs *out, const rg_place *old, const rg_place *fresh)
{
	size_t i = 0, k = 0;
	make_room(out, old->count + fresh->count);
	while (i < old->count || k < fresh->count) {
		int order = i == old->count     ? 1
			    : k == fresh->count ? -1
						: compare_files(&old->items[i], &fresh->items[k]);
		rg_place_pair *pair = &out->items[out->count];

		if (order <= 0)
			pair->old = old->items[i++];
		if (order >= 0)
			pair->fresh = fresh->items[k++];
		pair->name = order < 0 ? pair->old.key : pair->fresh.key;
		if ((order < 0 && old->whole && !fresh->whole) ||
		    (order > 0 && fresh->whole && !old->whole))
			*pair = (rg_place_pair){0};
		else
			out->count++;
	}
}

void rg_place_pairs_of_changes(rg_place_pairs *out, const rg_change_list *changes)
{
	make_room(out, changes->count);
	for (size_t i = 0; i < changes->count; i++) {
		const rg_change *change = &changes->items[i];
		rg_place_pair *pair = &out->items[out->count++];

		*pair = (rg_place_pair){.name = change->path, .change = change};
		if (change->kind != RG_CHANGE_NEW)
			pair->old = (rg_place_file){.key = change->old_path,
						    .path = change->old_path,
						    .tree = changes->base_id,
						    .id = change->old_id};
		if (change->kind != RG_CHANGE_REMOVED)
			pair->fresh = new_file(changes, change);
	}
}

void rg_place_pairs_release(rg_place_pairs *pairs)
{
	free(pairs->items);
	*pairs = (rg_place_pairs){0};
}
