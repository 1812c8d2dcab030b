/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/file_pairs.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/path.h"
#include "base/pattern.h"
#include "golden/golden.h"

#include <stdlib.h>
#include <unistd.h>

void rg_is_staging(const char *folder, bool *out)
{
	char *manifest, *files = NULL;
	rg_path_join(&manifest, folder, "manifest.json");
	rg_path_join(&files, folder, "files");
	*out = !access(manifest, F_OK) && rg_is_folder(files);
	free(files);
	free(manifest);
}

static void list_zip(rg_tree *out, const rg_zip_files *zip)
{
	rg_grow(&out->paths, &out->capacity, zip->count + 1, sizeof(*out->paths));
	for (size_t i = 0; i < zip->count; i++)
		out->paths[out->count++] = zip->items[i].path;
}

/* Lists the files of a folder or zip, by path components; *base, which is the caller's to free, is
 * where they are. */
static rg_error *list_files(rg_tree *out, char **base, const rg_file_side *side)
{
	bool staging;
	rg_is_staging(side->path, &staging);
	*base = rg_textf("%s%s", side->path, staging ? "/files/" : "/");
	if (side->zip) {
		list_zip(out, side->zip);
	} else {
		RG_TRY(rg_tree_list(out, staging ? *base : side->path));
	}
	out->count = rg_path_sort_unique(out->paths, out->count);
	return NULL;
}

/* The files of either tree, each once. */
static void merge_trees(rg_file_pairs *pairs)
{
	const rg_tree *old = &pairs->old_tree, *fresh = &pairs->new_tree;
	size_t i = 0, k = 0;

	pairs->items = rg_calloc(old->count + fresh->count + 1, sizeof(*pairs->items));
	while (i < old->count || k < fresh->count) {
		int order = i == old->count     ? 1
			    : k == fresh->count ? -1
						: rg_path_compare(old->paths[i], fresh->paths[k]);
		const char *old_path = order <= 0 ? old->paths[i++] : NULL;
		const char *new_path = order >= 0 ? fresh->paths[k++] : NULL;

		pairs->items[pairs->count++] =
			(rg_file_pair){new_path ? new_path : old_path, old_path, new_path};
	}
}

static rg_error *recognise_in_zip(bool *out, const rg_zip_files *zip, const char *path)
{
	char bytes[RG_PROBE_BYTES];
	rg_input in = {.name = path, .data = bytes};

	RG_TRY(rg_zip_file_start(rg_zip_files_find(zip, path), bytes, sizeof(bytes), &in.size));
	*out = rg_golden_recognised(&in, false);
	return NULL;
}

/* One that cannot be read is left to the comparison, which says why. */
static bool begins_like_golden(const rg_file_pairs *pairs, const rg_file_pair *pair)
{
	const rg_zip_files *zip = pair->new_path ? pairs->new_zip : pairs->old_zip;
	bool golden = true;

	rg_error_free(zip ? recognise_in_zip(&golden, zip, pair->name)
			  : rg_golden_recognised_file(
				    &golden, pair->new_path ? pairs->new_folder : pairs->old_folder,
				    pair->name, false));
	return golden;
}

/* Keeps the goldens among all files. */
static void choose_goldens(rg_file_pairs *pairs, const char *files)
{
	bool named = false;
	size_t kept = 0;

	for (size_t i = 0; !named && i < pairs->count; i++)
		named = rg_globs_take(files, pairs->items[i].name);
	for (size_t i = 0; i < pairs->count; i++)
		if (named ? rg_globs_take(files, pairs->items[i].name)
			  : begins_like_golden(pairs, &pairs->items[i]))
			pairs->items[kept++] = pairs->items[i];
	pairs->count = kept;
	pairs->guessed = !named;
}

static rg_error *find_in_folders(rg_file_pairs *out, const rg_file_side *old,
				 const rg_file_side *fresh, const char *files)
{
	RG_TRY(list_files(&out->old_tree, &out->old_folder, old));
	RG_TRY(list_files(&out->new_tree, &out->new_folder, fresh));
	merge_trees(out);
	choose_goldens(out, files);
	return NULL;
}

/* The only pair; `name` is made. */
static void keep_pair(rg_file_pairs *out, const char *old_path, const char *new_path)
{
	out->old_folder = rg_strdup("");
	out->new_folder = rg_strdup("");
	out->items = rg_calloc(1, sizeof(*out->items));
	out->items[out->count++] = (rg_file_pair){out->name, old_path, new_path};
}

rg_error *rg_file_pairs_find(rg_file_pairs *out, const rg_file_side *old, const rg_file_side *fresh,
			     const char *files)
{
	*out = (rg_file_pairs){.old_zip = old->zip, .new_zip = fresh->zip};
	if (rg_is_folder(old->path) || rg_is_folder(fresh->path))
		return find_in_folders(out, old, fresh, files);
	out->name = rg_textf("%s vs %s", rg_path_name(old->path), rg_path_name(fresh->path));
	keep_pair(out, old->path, fresh->path);
	return NULL;
}

void rg_file_pairs_alone(rg_file_pairs *out, const char *path)
{
	*out = (rg_file_pairs){0};
	out->name = rg_strdup(rg_path_name(path));
	keep_pair(out, NULL, path);
}

void rg_file_pairs_release(rg_file_pairs *pairs)
{
	free(pairs->items);
	rg_tree_release(&pairs->new_tree);
	rg_tree_release(&pairs->old_tree);
	free(pairs->name);
	free(pairs->new_folder);
	free(pairs->old_folder);
	*pairs = (rg_file_pairs){0};
}
