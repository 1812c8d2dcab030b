/* SPDX-License-Identifier: Apache-2.0 */
#include "place/place.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "config/config.h"
#include "base/lfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void rg_place_init(rg_place *place)
{
	*place = (rg_place){.folder = "", .name = ""};
	rg_arena_init(&place->arena);
}

void rg_place_release(rg_place *place)
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

void rg_place_open_folder(rg_place *place, const char *folder)
{
	place->name = rg_arena_text(&place->arena, folder);
	place->folder = rg_arena_path(&place->arena, folder, "");
}

void rg_place_add(rg_place *place, const rg_place_file *file)
{
	*RG_PUSH(place->items, place->count, place->capacity) = *file;
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
	const char *folder = rg_arena_path(&place->arena, place->folder, below);
	place->whole = *below && rg_is_folder(folder);
	RG_TRY(rg_tree_list(&place->tree, place->whole ? folder : place->name));
	for (size_t i = 0; i < place->tree.count; i++) {
		file.key = file.path = place->tree.paths[i];
		if (place->whole)
			file.path = rg_arena_path(&place->arena, below, file.key);
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

/* The index has the files that a sparse checkout leaves out. */
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

/* From this size on a file is mapped if its format can be read in place, or in order. */
#define MAP_MIN          ((off_t)1 << 20)
#define MAP_IN_ORDER_MIN ((off_t)4 << 20)

void rg_place_reader_init(rg_place_reader *r, rg_worktree **worktree, size_t max)
{
	*r = (rg_place_reader){.worktree = worktree};
	rg_buf_init(&r->bytes, max);
	rg_buf_init(&r->beside.bytes, max);
	rg_buf_init(&r->name, PATH_MAX);
}

void rg_place_reader_release(rg_place_reader *r)
{
	rg_blob_release(&r->blob);
	rg_map_release(&r->map);
	rg_map_release(&r->beside_map);
	rg_buf_release(&r->name);
	rg_buf_release(&r->beside.bytes);
	rg_buf_release(&r->bytes);
}

rg_error *rg_place_check_name(const char *path)
{
	if (*path && !rg_is_folder(path))
		return NULL;
	return rg_error_new(RG_E_USAGE, "'%s' is %s; name a file", path,
			    *path ? "a folder" : "empty");
}

/* Maps an open file where it is large and its format is read in place, when no limit holds for it,
 * or in order. */
static rg_error *map_if_large(rg_place_reader *r, int fd, const char *path, rg_map *map)
{
	rg_input in = {.name = path};
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < MAP_MIN)
		return NULL; /* reading it will say what is wrong */
	RG_TRY(rg_map_descriptor(map, fd, r->name.data));
	in.data = map->data;
	in.size = map->size;
	const bool in_order = st.st_size >= MAP_IN_ORDER_MIN &&
			      (uint64_t)st.st_size <= r->bytes.max;
	if (!rg_golden_reads_in_place(&in) && !(in_order && rg_golden_reads_in_order(&in)))
		rg_map_release(map);
	return NULL;
}

/* Fills one of the two from an open file, which is closed. */
static rg_error *map_or_read_open(rg_place_reader *r, int fd, const char *path, rg_map *map,
				  rg_buf *bytes)
{
	rg_map_release(map);
	rg_buf_clear(bytes);
	rg_error *err = map_if_large(r, fd, path, map);
	if (!err && !map->size)
		err = rg_file_read_descriptor(bytes, fd, r->name.data);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

static void use_bytes(const rg_place_reader *r, rg_input *out)
{
	out->data = r->map.size ? r->map.data : r->bytes.data;
	out->size = r->map.size ? r->map.size : r->bytes.length;
	out->forget = r->map.size ? rg_map_forget : NULL;
	out->file = r->map.file;
}

/* Fills one of the two from a member. What is not read in place is limited, however it is packed.
 */
static rg_error *map_or_unpack(const rg_member *file, rg_map *map, rg_buf *bytes)
{
	rg_input in = {.name = file->path};
	char start[RG_PROBE_BYTES];

	rg_map_release(map);
	rg_buf_clear(bytes);
	if (file->packed.size >= MAP_MIN) {
		in.data = start;
		RG_TRY(rg_member_start(file, start, sizeof(start), &in.size));
		if (rg_golden_reads_in_place(&in))
			return rg_member_map(file, map);
	}
	return rg_member_read(file, bytes);
}

/* Fills one of the two with a file of the folder or the archive. */
static rg_error *open_golden(rg_place_reader *r, const char *path, rg_map *map, rg_buf *bytes)
{
	const rg_member *file = r->place->archive ? rg_members_find(r->place->archive, path) : NULL;
	int fd;

	if (file)
		return map_or_unpack(file, map, bytes);
	if (r->place->archive)
		return rg_error_io(ENOENT, "%s", path);
	rg_buf_clear(&r->name);
	rg_buf_printf(&r->name, "%s%s", r->place->folder, path);
	RG_TRY(rg_buf_check(&r->name, path));
	RG_TRY(rg_file_open(&fd, r->name.data, 0));
	return map_or_read_open(r, fd, path, map, bytes);
}

/* The program beside a tensor is as large as a model, and read in its head alone. All tensors of a
 * model ask for the same. */
static rg_error *map_head(rg_place_reader *r, const rg_member *file, rg_head_size_fn *size)
{
	if (r->beside_map.size && r->beside_file == file)
		return NULL;
	rg_map_release(&r->beside_map);
	r->beside_file = file;
	return rg_member_map_head(file, size, &r->beside_map);
}

static rg_error *open_beside(rg_place_reader *r, const char *path, rg_buf *bytes)
{
	const rg_member *file = r->place->archive ? rg_members_find(r->place->archive, path) : NULL;
	rg_head_size_fn *head = file && file->packed.size >= MAP_MIN ? rg_format_head_size(path)
								     : NULL;
	rg_error *err = head ? map_head(r, file, head)
			     : open_golden(r, path, &r->beside_map, bytes);

	r->beside_is_mapped = !err && r->beside_map.size;
	return err;
}

static rg_error *read_on_side(void *context, const char *path, rg_buf *out)
{
	rg_place_reader *r = context;
	return rg_config_name_golden_max(
		r->tree[0] ? rg_worktree_file_at(*r->worktree, r->tree, path, out)
			   : open_beside(r, path, out));
}

static rg_error *read_beside(void *context, const char *name, rg_bytes *out)
{
	rg_place_reader *r = context;
	r->beside_is_mapped = false;
	RG_TRY(rg_sibling_read(&r->beside, name, out));
	if (r->beside_is_mapped)
		*out = (rg_bytes){r->beside_map.data, r->beside_map.size};
	return NULL;
}

/* Reads the file that a pointer of Git LFS stands for, if its store has it. */
static rg_error *follow_pointer(rg_place_reader *r, rg_input *in)
{
	RG_AUTO_FREE char *path = r->worktree && *r->worktree
					  ? rg_worktree_lfs_object(*r->worktree, in->data, in->size)
					  : NULL;
	int fd;

	if (!path)
		return NULL;
	rg_buf_clear(&r->name);
	rg_buf_str(&r->name, path);
	RG_TRY(rg_buf_check(&r->name, in->name));
	RG_TRY(rg_file_open(&fd, r->name.data, 0));
	rg_error *err = map_or_read_open(r, fd, in->name, &r->map, &r->bytes);
	use_bytes(r, in);
	return err;
}

static rg_error *read_plain(rg_place_reader *r, const rg_place_file *file, rg_input *out)
{
	r->beside.path = file->path;
	r->beside.read = read_on_side;
	r->beside.context = r;
	r->tree = file->tree ? file->tree : "";
	rg_map_release(&r->map);
	rg_blob_release(&r->blob);
	*out = (rg_input){.name = file->path, .sibling = read_beside, .sibling_context = r};
	if (file->tree) {
		RG_TRY(rg_config_name_golden_max(
			rg_blob_open(&r->blob, *r->worktree, file->id, r->bytes.max)));
		out->data = r->blob.data;
		out->size = r->blob.size;
		return NULL;
	}
	rg_error *err = open_golden(r, file->path, &r->map, &r->bytes);
	/* The pair's name is before an error in the side's own file, not its place, too. */
	if (!r->place->archive)
		err = rg_error_drop_subject(err, r->name.data);
	RG_TRY(rg_config_name_golden_max(err));
	use_bytes(r, out);
	return NULL;
}

/* git-lfs makes no pointer of an empty file. */
static bool is_empty_in_lfs(const rg_place_reader *r, const rg_place_file *file)
{
	rg_worktree *worktree = r->worktree ? *r->worktree : NULL;
	if (!worktree || (!file->tree && strcmp(r->place->folder, rg_worktree_root(worktree)) != 0))
		return false;
	RG_AUTO_FREE char *filter = rg_worktree_filter(worktree, file->path);
	return filter && !strcmp(filter, "lfs");
}

rg_error *rg_place_read(rg_place_reader *r, const rg_place_file *file, rg_input *out)
{
	RG_TRY(read_plain(r, file, out));
	out->may_be_empty = !out->size && is_empty_in_lfs(r, file);
	return rg_config_name_golden_max(follow_pointer(r, out));
}

rg_error *rg_place_refuse_pointer(const rg_place_file *file, const rg_input *side)
{
	if (!file->tree || !side->name || !rg_lfs_is_pointer(side->data, side->size))
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "a Git LFS pointer, not the file itself; 'git lfs pull', or of another "
			    "commit than HEAD 'git lfs fetch REMOTE COMMIT', fetches it");
}

rg_error *rg_place_read_removed(rg_place_reader *r, const rg_place_file *file, rg_input *out)
{
	rg_error *err = rg_place_read(r, file, out);
	if (!err)
		err = rg_place_refuse_pointer(file, out);
	if (err)
		*out = (rg_input){0};
	if (!err || rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	rg_error_free(err);
	return NULL;
}

static rg_error *recognise_member(bool *out, const rg_members *archive, const char *path)
{
	char bytes[RG_PROBE_BYTES];
	rg_input in = {.name = path, .data = bytes};

	RG_TRY(rg_member_start(rg_members_find(archive, path), bytes, sizeof(bytes), &in.size));
	*out = rg_golden_recognised(&in, true);
	return NULL;
}

bool rg_place_begins_like_golden(const rg_place *place, const char *path)
{
	bool golden = true;
	rg_error_free(place->archive
			      ? recognise_member(&golden, place->archive, path)
			      : rg_golden_recognised_file(&golden, place->folder, path, true));
	return golden;
}
