/* SPDX-License-Identifier: Apache-2.0 */
#include "place/reader.h"

#include "base/file.h"
#include "config/config.h"
#include "golden/lfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* From this size on a file is mapped if its format can be read in place. */
#define MAP_MIN ((off_t)1 << 20)

void rg_place_reader_init(rg_place_reader *r, rg_worktree **worktree, uint64_t max)
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

/* Maps an open file where it is large and its format is read in place: no limit holds for it then.
 */
static rg_error *map_if_large(rg_place_reader *r, int fd, const char *path, rg_map *map)
{
	rg_input in = {.name = path};
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < MAP_MIN)
		return NULL; /* reading it will say what is wrong */
	RG_TRY(rg_map_descriptor(map, fd, r->name.data));
	in.data = map->data;
	in.size = map->size;
	if (!rg_golden_reads_in_place(&in))
		rg_map_release(map);
	return NULL;
}

/* Of the folder's file, one of the two is filled. */
static rg_error *map_or_read(rg_place_reader *r, const char *path, rg_map *map, rg_buf *bytes)
{
	int fd;
	rg_buf_clear(&r->name);
	rg_buf_printf(&r->name, "%s%s", r->place->folder, path);
	RG_TRY(rg_buf_check(&r->name, path));
	RG_TRY(rg_file_open(&fd, r->name.data, 0));
	rg_map_release(map);
	rg_buf_clear(bytes);
	rg_error *err = map_if_large(r, fd, path, map);
	if (!err && !map->size)
		err = rg_file_read_descriptor(bytes, fd, r->name.data);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

/* The same of a member. What is not read in place is limited, however it is packed. */
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

/* By its path in the folder or the zip. */
static rg_error *open_golden(rg_place_reader *r, const char *path, rg_map *map, rg_buf *bytes)
{
	const rg_member *file = r->place->archive ? rg_members_find(r->place->archive, path) : NULL;
	if (r->place->archive && !file)
		return rg_error_io(ENOENT, "%s", path);
	return file ? map_or_unpack(file, map, bytes) : map_or_read(r, path, map, bytes);
}

/* The program beside a tensor is as large as a model, and read in its head alone. All tensors of a
 * model ask for the same. */
static rg_error *map_program(rg_place_reader *r, const rg_member *file)
{
	if (r->beside_map.size && r->beside_file == file)
		return NULL;
	rg_map_release(&r->beside_map);
	r->beside_file = file;
	return rg_member_map_program(file, &r->beside_map);
}

static rg_error *open_beside(rg_place_reader *r, const char *path, rg_buf *bytes)
{
	const rg_member *file = r->place->archive ? rg_members_find(r->place->archive, path) : NULL;
	rg_error *err = file && file->packed.size >= MAP_MIN && rg_ends_with(path, ".pte")
				? map_program(r, file)
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
	RG_TRY(rg_beside_read(&r->beside, name, out));
	if (r->beside_is_mapped)
		*out = (rg_bytes){r->beside_map.data, r->beside_map.size};
	return NULL;
}

/* What went wrong with the side's own file is reported after the pair's name: not by its place too.
 */
static rg_error *without_place(const rg_place_reader *r, rg_error *err)
{
	return r->place->archive ? err : rg_error_drop_subject(err, r->name.data);
}

rg_error *rg_place_read(rg_place_reader *r, const rg_place_file *file, rg_input *out)
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
	RG_TRY(rg_config_name_golden_max(
		without_place(r, open_golden(r, file->path, &r->map, &r->bytes))));
	out->data = r->map.size ? r->map.data : r->bytes.data;
	out->size = r->map.size ? r->map.size : r->bytes.length;
	out->forget = r->map.size ? rg_map_forget : NULL;
	return NULL;
}

rg_error *rg_place_refuse_pointer(const rg_place_file *file, const rg_input *side)
{
	if (!file->tree || !side->name || !rg_lfs_is_pointer(side->data, side->size))
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "a Git LFS pointer, not the file itself; 'git cat-file blob %s | git "
			    "lfs smudge' prints that",
			    file->id);
}

rg_error *rg_place_read_removed(rg_place_reader *r, const rg_place_file *file, rg_input *out)
{
	rg_error *err = rg_place_read(r, file, out);
	if (!err)
		err = rg_place_refuse_pointer(file, out);
	if (!err)
		return NULL;
	*out = (rg_input){0};
	if (rg_error_get_code(err) == RG_E_CANCELLED)
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
