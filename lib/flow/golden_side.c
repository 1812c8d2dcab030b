/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/golden_side.h"

#include "base/file.h"
#include "flow/program_map.h"
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

void rg_golden_side_init(rg_golden_side *s, rg_worktree **worktree, uint64_t max)
{
	*s = (rg_golden_side){.worktree = worktree};
	rg_buf_init(&s->bytes, max);
	rg_buf_init(&s->beside.bytes, max);
	rg_buf_init(&s->name, PATH_MAX);
}

void rg_golden_side_release(rg_golden_side *s)
{
	rg_blob_release(&s->blob);
	rg_map_release(&s->map);
	rg_map_release(&s->beside_map);
	rg_buf_release(&s->name);
	rg_buf_release(&s->beside.bytes);
	rg_buf_release(&s->bytes);
}

rg_error *rg_golden_side_check_name(const char *path)
{
	if (*path && !rg_is_folder(path))
		return NULL;
	return rg_error_new(RG_E_USAGE, "'%s' is %s; name a file", path,
			    *path ? "a folder" : "empty");
}

/* Maps an open file where it is large and its format is read in place: no limit holds for it then.
 */
static rg_error *map_if_large(rg_golden_side *s, int fd, const char *path, rg_map *map)
{
	rg_input in = {.name = path};
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < MAP_MIN)
		return NULL; /* reading it will say what is wrong */
	RG_TRY(rg_map_descriptor(map, fd, s->name.data));
	in.data = map->data;
	in.size = map->size;
	if (!rg_golden_reads_in_place(&in))
		rg_map_release(map);
	return NULL;
}

/* Of the folder's file, one of the two is filled. */
static rg_error *map_or_read(rg_golden_side *s, const char *path, rg_map *map, rg_buf *bytes)
{
	int fd;
	rg_buf_clear(&s->name);
	rg_buf_printf(&s->name, "%s%s", s->folder, path);
	RG_TRY(rg_buf_check(&s->name, path));
	RG_TRY(rg_file_open(&fd, s->name.data, 0));
	rg_map_release(map);
	rg_buf_clear(bytes);
	rg_error *err = map_if_large(s, fd, path, map);
	if (!err && !map->size)
		err = rg_file_read_descriptor(bytes, fd, s->name.data);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

/* The same of a member. What is not read in place is limited, however it is packed. */
static rg_error *map_or_unpack(const rg_zip_file *file, rg_map *map, rg_buf *bytes)
{
	rg_input in = {.name = file->path};
	char start[RG_PROBE_BYTES];

	rg_map_release(map);
	rg_buf_clear(bytes);
	if (file->packed.size >= MAP_MIN) {
		in.data = start;
		RG_TRY(rg_zip_file_start(file, start, sizeof(start), &in.size));
		if (rg_golden_reads_in_place(&in))
			return rg_zip_file_map(file, map);
	}
	return rg_zip_file_read(file, bytes);
}

/* By its path in the folder or the zip. */
static rg_error *open_golden(rg_golden_side *s, const char *path, rg_map *map, rg_buf *bytes)
{
	const rg_zip_file *file = s->zip ? rg_zip_files_find(s->zip, path) : NULL;
	if (s->zip && !file)
		return rg_error_io(ENOENT, "%s", path);
	return file ? map_or_unpack(file, map, bytes) : map_or_read(s, path, map, bytes);
}

/* The program beside a tensor is as large as a model, and read in its head alone. All tensors of a
 * model ask for the same. */
static rg_error *map_program(rg_golden_side *s, const rg_zip_file *file)
{
	if (s->beside_map.size && s->beside_file == file)
		return NULL;
	rg_map_release(&s->beside_map);
	s->beside_file = file;
	return rg_program_map(&s->beside_map, &file->packed);
}

static rg_error *open_beside(rg_golden_side *s, const char *path, rg_buf *bytes)
{
	const rg_zip_file *file = s->zip ? rg_zip_files_find(s->zip, path) : NULL;
	rg_error *err = file && file->packed.size >= MAP_MIN && rg_ends_with(path, ".pte")
				? map_program(s, file)
				: open_golden(s, path, &s->beside_map, bytes);

	s->beside_is_mapped = !err && s->beside_map.size;
	return err;
}

static rg_error *read_on_side(void *context, const char *path, rg_buf *out)
{
	rg_golden_side *s = context;
	return rg_config_name_golden_max(
		s->tree[0] ? rg_worktree_file_at(*s->worktree, s->tree, path, out)
			   : open_beside(s, path, out));
}

static rg_error *read_beside(void *context, const char *name, rg_bytes *out)
{
	rg_golden_side *s = context;
	s->beside_is_mapped = false;
	RG_TRY(rg_beside_read(&s->beside, name, out));
	if (s->beside_is_mapped)
		*out = (rg_bytes){s->beside_map.data, s->beside_map.size};
	return NULL;
}

/* What went wrong with the side's own file is reported after the pair's name: not by its place too.
 */
static rg_error *without_place(const rg_golden_side *s, rg_error *err)
{
	return s->zip ? err : rg_error_drop_subject(err, s->name.data);
}

rg_error *rg_golden_side_read(rg_golden_side *s, const char *path, const char *tree, const char *id,
			      rg_input *out)
{
	s->beside.path = path;
	s->beside.read = read_on_side;
	s->beside.context = s;
	s->tree = tree;
	rg_map_release(&s->map);
	rg_blob_release(&s->blob);
	*out = (rg_input){.name = path, .sibling = read_beside, .sibling_context = s};
	if (tree[0]) {
		RG_TRY(rg_config_name_golden_max(
			rg_blob_open(&s->blob, *s->worktree, id, s->bytes.max)));
		out->data = s->blob.data;
		out->size = s->blob.size;
		return NULL;
	}
	RG_TRY(rg_config_name_golden_max(
		without_place(s, open_golden(s, path, &s->map, &s->bytes))));
	out->data = s->map.size ? s->map.data : s->bytes.data;
	out->size = s->map.size ? s->map.size : s->bytes.length;
	out->forget = s->map.size ? rg_map_forget : NULL;
	return NULL;
}

rg_error *rg_golden_side_refuse_pointer(const rg_input *side, const char *id)
{
	if (!*id || !side->name || !rg_lfs_is_pointer(side->data, side->size))
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "a Git LFS pointer, not the file itself; 'git cat-file blob %s | git "
			    "lfs smudge' prints that",
			    id);
}

rg_error *rg_golden_side_read_removed(rg_golden_side *side, const char *path, const char *tree,
				      const char *id, rg_input *out)
{
	rg_error *err = rg_golden_side_read(side, path, tree, id, out);
	if (!err)
		err = rg_golden_side_refuse_pointer(out, id ? id : "");
	if (!err)
		return NULL;
	*out = (rg_input){0};
	if (rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	rg_error_free(err);
	return NULL;
}
