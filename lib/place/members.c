/* SPDX-License-Identifier: Apache-2.0 */
#include "place/members.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/order.h"
#include "base/path.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct rg_member_source {
	rg_reader_file file;
	struct rg_member_source *next;
};

void rg_members_init(rg_members *members)
{
	*members = (rg_members){0};
	rg_arena_init(&members->arena);
}

rg_error *rg_members_open(rg_members *members, const char *path)
{
	return rg_reader_file_open(&members->file, path);
}

/* Keeps the file of a zip inside the zip open: its selection ends before its members are read. */
static rg_error *keep_inner(rg_members *members, int fd, const char *via)
{
	struct stat st;
	if (members->last_via && !strcmp(members->last_via, via))
		return NULL;
	struct rg_member_source *source = rg_calloc(1, sizeof(*source));
	source->next = members->inner;
	members->inner = source;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return rg_error_io(errno, "%s", via);
	rg_reader_file_init(&source->file, own, rg_temporary_folder(), 0);
	if (fstat(own, &st))
		return rg_error_io(errno, "%s", via);
	source->file.reader.size = (uint64_t)st.st_size;
	free(members->last_via);
	members->last_via = rg_strdup(via);
	return NULL;
}

static rg_error *locate(rg_members *members, const rg_selected *selected, rg_zip_packed *out)
{
	uint64_t start;
	RG_TRY(selected->locate(selected->source, out));
	int fd = rg_reader_descriptor(out->reader, &start);
	out->range.offset += start;
	out->reader = &members->file.reader;
	if (fd == members->file.fd)
		return NULL;
	RG_TRY(keep_inner(members, fd, selected->via));
	out->reader = &members->inner->file.reader;
	return NULL;
}

typedef struct {
	rg_members *members;
	unsigned long crc;
} spool_state;

static rg_error *write_spool(void *context, const void *bytes, size_t length)
{
	spool_state *s = context;
	rg_reader_file *spool = &s->members->spool;

	RG_TRY(rg_write_all(spool->fd, bytes, length, rg_temporary_folder()));
	spool->reader.size += length;
	s->crc = crc32_z(s->crc, bytes, length);
	return NULL;
}

/* The bytes of a member that is not whole belong to nobody. */
static rg_error *keep_spooled(rg_members *members, const rg_selected *selected, rg_zip_packed *out)
{
	rg_reader_file *spool = &members->spool;
	spool_state s = {members, crc32_z(0, NULL, 0)};

	if (!spool->reader.read_at) {
		int fd;
		RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
		rg_reader_file_init(spool, fd, rg_temporary_folder(), 0);
	}
	const uint64_t start = spool->reader.size;
	RG_TRY(selected->read(selected->source, write_spool, &s));
	*out = (rg_zip_packed){.reader = &spool->reader,
			       .range = {start, selected->size},
			       .size = selected->size,
			       .crc = (uint32_t)s.crc};
	return NULL;
}

static rg_error *take(void *context, const rg_selected *selected)
{
	rg_members *members = context;
	const bool in_place = members->file.reader.read_at && selected->locate;
	rg_member member;

	RG_TRY((in_place ? locate : keep_spooled)(members, selected, &member.packed));
	member.path = rg_arena_text(&members->arena, selected->path);
	member.via = rg_arena_text(&members->arena, selected->via);
	*RG_PUSH(members->items, members->count, members->capacity) = member;
	return NULL;
}

rg_error *rg_members_select(rg_members *members, rg_selection *out, const rg_reader *reader,
			    rg_archive_kind kind, const char *const *patterns, size_t count,
			    const rg_zip_limits *limits)
{
	return (kind == RG_ARCHIVE_ZIP ? rg_select_zip : rg_select_tar)(
		out, reader, patterns, count, limits, take, members);
}

rg_error *rg_members_select_all(rg_members *members, rg_selection *out, rg_archive_kind kind,
				const rg_zip_limits *limits)
{
	static const char *const everything[] = {"**"}, *const inner[] = {"**/*.zip!**"};
	const rg_reader *reader = &members->file.reader;

	RG_TRY(rg_members_select(members, out, reader, kind, everything, 1, limits));
	if (members->count != 1 || !rg_ends_with(members->items[0].path, ".zip"))
		return NULL;
	rg_selection_release(out);
	rg_selection_init(out);
	members->count = 0;
	return rg_members_select(members, out, reader, kind, inner, 1, limits);
}

RG_ORDER(compare_files, rg_member, RG_BY_TEXT(path));

rg_error *rg_members_sort(rg_members *members)
{
	if (members->count)
		qsort(members->items, members->count, sizeof(*members->items), compare_files);
	for (size_t i = 1; i < members->count; i++)
		if (!compare_files(&members->items[i - 1], &members->items[i]))
			return rg_error_new(RG_E_CONFLICT,
					    "two zips in it both have a file '%s'; unpack the one "
					    "that is meant",
					    members->items[i].path);
	return NULL;
}

void rg_members_release(rg_members *members)
{
	struct rg_member_source *next;
	for (struct rg_member_source *source = members->inner; source; source = next) {
		next = source->next;
		rg_reader_file_release(&source->file);
		free(source);
	}
	rg_reader_file_release(&members->file);
	rg_reader_file_release(&members->spool);
	free(members->last_via);
	free(members->items);
	rg_arena_release(&members->arena);
	*members = (rg_members){0};
}

const rg_member *rg_members_find(const rg_members *members, const char *path)
{
	const rg_member key = {.path = path};
	return members->count ? bsearch(&key, members->items, members->count,
					sizeof(*members->items), compare_files)
			      : NULL;
}

/* --- one of them --- */

typedef struct {
	char *out;
	size_t size, got;
} begin_state;

static rg_error *take_beginning(void *context, const void *bytes, size_t length)
{
	begin_state *b = context;
	if (length > b->size - b->got)
		length = b->size - b->got;
	memcpy(b->out + b->got, bytes, length);
	b->got += length;
	return b->got == b->size ? rg_error_new(RG_E_CANCELLED, "the beginning is there") : NULL;
}

rg_error *rg_member_start(const rg_member *file, void *out, size_t size, size_t *got)
{
	begin_state b = {.out = out, .size = size};
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

/* A file's beginning on its way into one without a name. */
typedef struct {
	rg_head_size_fn *head_size;
	int fd;
	uint64_t size, wanted, written;
	bool enough;
} file_head;

static rg_error *take_head(void *context, const void *bytes, size_t length)
{
	file_head *head = context;
	if (!head->written)
		head->wanted = head->head_size(bytes, length, head->size);
	if (length > head->wanted - head->written)
		length = (size_t)(head->wanted - head->written);
	RG_TRY(rg_write_all(head->fd, bytes, length, rg_temporary_folder()));
	head->written += length;
	head->enough = head->written == head->wanted;
	return head->enough ? rg_error_new(RG_E_CANCELLED, "the head is there") : NULL;
}

static rg_error *map_unpacked(const rg_zip_packed *packed, rg_head_size_fn *head_size, rg_map *out)
{
	file_head head = {.head_size = head_size, .size = packed->size};
	uint64_t unpacked = 0;

	RG_TRY(rg_file_unnamed(&head.fd, rg_temporary_folder()));
	rg_error *err = head_size ? rg_zip_unpack(packed, &unpacked, take_head, &head)
				  : rg_zip_unpack(packed, &unpacked, rg_unnamed_write, &head.fd);
	if (head.enough) {
		rg_error_free(err);
		err = NULL;
	}
	if (!err && head_size && ftruncate(head.fd, (off_t)head.size))
		err = rg_error_io(errno, "%s", rg_temporary_folder());
	if (!err)
		err = rg_map_descriptor(out, head.fd, rg_temporary_folder());
	close(head.fd); /* only the map needs it */
	return err;
}

static rg_error *map(const rg_zip_packed *packed, rg_head_size_fn *head_size, rg_map *out)
{
	uint64_t start, unpacked = 0;
	int fd = rg_reader_descriptor(packed->reader, &start);

	*out = (rg_map){.data = ""};
	if (packed->method != 0)
		return map_unpacked(packed, head_size, out);
	if (!head_size) /* is its CRC-32 right? */
		RG_TRY(rg_zip_unpack(packed, &unpacked, rg_zip_pass_over, NULL));
	return rg_map_range(out, fd, start + packed->range.offset, packed->size,
			    packed->reader->name);
}

rg_error *rg_member_map(const rg_member *file, rg_map *out)
{
	return map(&file->packed, NULL, out);
}

rg_error *rg_member_map_head(const rg_member *file, rg_head_size_fn *size, rg_map *out)
{
	return map(&file->packed, size, out);
}
