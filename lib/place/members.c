/* SPDX-License-Identifier: Apache-2.0 */
#include "place/members.h"

#include "base/file.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rg_member_source {
	rg_reader_file file;
	struct rg_member_source *next;
};

static rg_error *add_source(rg_members *files, struct rg_member_source **out)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return rg_error_nomem();
	(*out)->next = files->sources;
	files->sources = *out;
	return NULL;
}

rg_error *rg_members_open(rg_members *out, const char *path)
{
	struct rg_member_source *source;
	*out = (rg_members){0};
	rg_arena_init(&out->arena);
	RG_TRY(add_source(out, &source));
	return rg_reader_file_open(&source->file, path);
}

static const struct rg_member_source *outermost(const rg_members *files)
{
	const struct rg_member_source *source = files->sources;
	while (source->next)
		source = source->next;
	return source;
}

const rg_reader *rg_members_reader(const rg_members *files)
{
	return &outermost(files)->file.reader;
}

/* Keeps the file of a zip inside the zip open: its selection ends before its members are read. */
static rg_error *keep_source(rg_members *files, int fd, const char *via)
{
	struct rg_member_source *source;
	struct stat st;

	if (files->last_via && !strcmp(files->last_via, via))
		return NULL;
	RG_TRY(add_source(files, &source));
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return rg_error_io(errno, "%s", via);
	rg_reader_file_init(&source->file, own, rg_temporary_folder(), 0);
	if (fstat(own, &st))
		return rg_error_io(errno, "%s", via);
	source->file.reader.size = (uint64_t)st.st_size;
	free(files->last_via);
	files->last_via = NULL;
	return rg_strdup(&files->last_via, via);
}

rg_error *rg_members_take(void *context, const rg_selected *selected)
{
	rg_members *files = context;
	const struct rg_member_source *source = outermost(files);
	rg_member file;
	uint64_t start;

	RG_TRY(selected->locate(selected->source, &file.packed));
	int fd = rg_reader_descriptor(file.packed.reader, &start);
	if (fd != source->file.fd) {
		RG_TRY(keep_source(files, fd, selected->via));
		source = files->sources;
	}
	file.packed.reader = &source->file.reader;
	file.packed.range.offset += start;
	RG_TRY(rg_arena_text(&files->arena, selected->path, &file.path));
	RG_TRY(rg_grow(&files->items, &files->capacity, files->count + 1, sizeof(*files->items)));
	files->items[files->count++] = file;
	return NULL;
}

static int compare_files(const void *a, const void *b)
{
	return strcmp(((const rg_member *)a)->path, ((const rg_member *)b)->path);
}

rg_error *rg_members_sort(rg_members *files)
{
	if (files->count)
		qsort(files->items, files->count, sizeof(*files->items), compare_files);
	for (size_t i = 1; i < files->count; i++)
		if (!compare_files(&files->items[i - 1], &files->items[i]))
			return rg_error_new(RG_E_CONFLICT,
					    "two zips in it both have a file '%s'; unpack the one "
					    "that is meant",
					    files->items[i].path);
	return NULL;
}

void rg_members_release(rg_members *files)
{
	struct rg_member_source *source, *next;
	for (source = files->sources; source; source = next) {
		next = source->next;
		rg_reader_file_release(&source->file);
		free(source);
	}
	free(files->last_via);
	free(files->items);
	rg_arena_release(&files->arena);
	*files = (rg_members){0};
}

const rg_member *rg_members_find(const rg_members *files, const char *path)
{
	const rg_member key = {.path = path};
	return files->count ? bsearch(&key, files->items, files->count, sizeof(*files->items),
				      compare_files)
			    : NULL;
}

/* --- one of them --- */

typedef struct {
	char *out;
	size_t size, got;
} beginning;

static rg_error *take_beginning(void *context, const void *bytes, size_t length)
{
	beginning *b = context;
	if (length > b->size - b->got)
		length = b->size - b->got;
	memcpy(b->out + b->got, bytes, length);
	b->got += length;
	return b->got == b->size ? rg_error_new(RG_E_CANCELLED, "the beginning is there") : NULL;
}

rg_error *rg_member_start(const rg_member *file, void *out, size_t size, size_t *got)
{
	beginning b = {.out = out, .size = size};
	uint64_t unpacked = 0;
	rg_error *err = rg_zip_unpack(&file->packed, &unpacked, take_beginning, &b);

	*got = b.got;
	if (b.got < size)
		return err;
	rg_error_free(err);
	return NULL;
}

rg_error *rg_member_read(const rg_member *file, rg_buf *out)
{
	uint64_t unpacked = 0;
	if (file->packed.size > out->max - out->length)
		return rg_error_new(RG_E_LIMIT, "%llu bytes, more than the limit of %zu",
				    (unsigned long long)file->packed.size, out->max);
	return rg_zip_unpack(&file->packed, &unpacked, rg_zip_append, out);
}

static rg_error *map_unpacked(const rg_member *file, rg_map *out)
{
	uint64_t unpacked = 0;
	int fd;

	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_error *err = rg_zip_unpack(&file->packed, &unpacked, rg_unnamed_write, &fd);
	if (!err)
		err = rg_map_descriptor(out, fd, rg_temporary_folder());
	close(fd); /* only the map needs it */
	return err;
}

rg_error *rg_member_map(const rg_member *file, rg_map *out)
{
	const rg_zip_packed *packed = &file->packed;
	uint64_t start, unpacked = 0;
	int fd = rg_reader_descriptor(packed->reader, &start);

	*out = (rg_map){.data = ""};
	if (packed->method != 0)
		return map_unpacked(file, out);
	RG_TRY(rg_zip_unpack(packed, &unpacked, rg_zip_pass_over, NULL)); /* its CRC-32 is right */
	return rg_map_range(out, fd, start + packed->range.offset, packed->size,
			    packed->reader->name);
}
