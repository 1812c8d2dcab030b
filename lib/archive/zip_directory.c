/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip_directory.h"

#include "base/memory.h"
#include "archive/zip_end_record.h"
#include "archive/zip_format.h"
#include "base/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* No directory is larger: 100,000 members with names of 600 bytes. */
#define DIRECTORY_MAX ((uint64_t)64 << 20)

enum { ENCRYPTED_FLAGS = 1 << 0 | 1 << 6 | 1 << 13, PATCH_FLAG = 1 << 5 };
enum { ZIP64_EXTRA = 1 };
enum { MODE_TYPE = 0170000, MODE_REGULAR = 0100000, MODE_FOLDER = 0040000, MODE_LINK = 0120000 };

/* The first reason counts. Out of memory, the reason is kept and its sentence is shorter. */
static void refuse(rg_zip_directory *directory, rg_zip_member *member, rg_refused refused,
		   const char *why)
{
	if (member->refused)
		return;
	member->refused = refused;
	member->why = rg_arena_copy(&directory->arena, why, strlen(why));
	if (!member->why)
		member->why = "it is refused";
}

/* The zip64 extra field's next number, where the old field is saturated. */
static bool widen(uint64_t *value, const unsigned char **p, size_t *left)
{
	if (*value != 0xffffffff)
		return true;
	if (*left < 8)
		return false;
	*value = rg_le64(*p);
	*p += 8;
	*left -= 8;
	return true;
}

/* Sizes and offset as 64-bit numbers; false where the extra field they need is missing or cut. */
static bool read_zip64(rg_zip_member *member, const unsigned char *extra, size_t length)
{
	while (length >= 4) {
		size_t id = rg_le16(extra), size = rg_le16(extra + 2);
		extra += 4;
		length -= 4;
		if (size > length)
			break;
		if (id == ZIP64_EXTRA)
			return widen(&member->size, &extra, &size) &&
			       widen(&member->packed, &extra, &size) &&
			       widen(&member->offset, &extra, &size);
		extra += size;
		length -= size;
	}
	return member->size != 0xffffffff && member->packed != 0xffffffff &&
	       member->offset != 0xffffffff;
}

static void check_name(rg_zip_directory *directory, rg_zip_member *member, size_t length)
{
	const char *name = member->name;
	char why[RG_MEMBER_WHY];

	if (strlen(name) != length) {
		refuse(directory, member, RG_REFUSED_NAME, "its name holds a NUL");
		return;
	}
	if (member->folder)
		name = rg_arena_copy(&directory->arena, name, length - 1);
	rg_refused refused = rg_member_check_name(name, why);
	if (refused)
		refuse(directory, member, refused, why);
}

static void check_kind(rg_zip_directory *directory, rg_zip_member *member, uint32_t attributes)
{
	unsigned type = attributes >> 16 & MODE_TYPE;
	if (type == MODE_LINK)
		refuse(directory, member, RG_REFUSED_LINK, "it is a symbolic link");
	else if (type && type != MODE_REGULAR && type != MODE_FOLDER)
		refuse(directory, member, RG_REFUSED_LINK, "it is a device, pipe or socket");
	else if (type && (type == MODE_FOLDER) != member->folder)
		refuse(directory, member, RG_REFUSED_BROKEN,
		       "its name and its mode differ on whether it is a folder");
	if (member->flags & ENCRYPTED_FLAGS)
		refuse(directory, member, RG_REFUSED_ENCRYPTED, "it is encrypted");
	if ((member->method != 0 && member->method != 8) || member->flags & PATCH_FLAG)
		refuse(directory, member, RG_REFUSED_METHOD,
		       "its compression method is neither stored nor deflated");
}

static void check_sizes(rg_zip_directory *directory, rg_zip_member *member, size_t name_length,
			const rg_zip_limits *limits)
{
	uint64_t fixed = RG_ZIP_LOCAL_SIZE + name_length;
	char why[RG_MEMBER_WHY];

	if (member->offset > directory->offset || fixed > directory->offset - member->offset ||
	    member->packed > directory->offset - member->offset - fixed)
		refuse(directory, member, RG_REFUSED_OVERLAP,
		       "its bytes reach into the directory or past the end");
	if ((member->folder && member->size) ||
	    (member->method == 0 && member->size != member->packed))
		refuse(directory, member, RG_REFUSED_BROKEN, "its sizes contradict each other");
	if (rg_member_check_size(member->size, limits, why)) {
		refuse(directory, member, RG_REFUSED_LIMIT, why);
		return;
	}
	rg_error *err = rg_member_check_ratio(member->size, member->packed, limits);
	if (err)
		refuse(directory, member, RG_REFUSED_LIMIT, rg_error_message(err));
	rg_error_free(err);
}

/* Reads the entry at the start of `p`; *used is its whole length. */
static rg_error *read_entry(rg_zip_directory *directory, rg_zip_member *member,
			    const unsigned char *p, size_t left, size_t *used,
			    const rg_zip_limits *limits)
{
	if (left < RG_ZIP_ENTRY_SIZE || rg_le32(p) != RG_ZIP_ENTRY_SIGNATURE)
		return rg_error_new(RG_E_PARSE, "its directory holds fewer members than it counts");
	size_t name = rg_le16(p + 28);
	size_t extra = rg_le16(p + 30);
	size_t comment = rg_le16(p + 32);
	*used = RG_ZIP_ENTRY_SIZE + name + extra + comment;
	if (*used > left)
		return rg_error_new(RG_E_PARSE, "its directory is cut off");
	member->name = rg_arena_copy(&directory->arena, (const char *)p + RG_ZIP_ENTRY_SIZE, name);
	member->flags = rg_le16(p + 8);
	member->method = rg_le16(p + 10);
	member->crc = rg_le32(p + 16);
	member->packed = rg_le32(p + 20);
	member->size = rg_le32(p + 24);
	member->offset = rg_le32(p + 42);
	member->folder = name && p[RG_ZIP_ENTRY_SIZE + name - 1] == '/';
	check_name(directory, member, name);
	if (!read_zip64(member, p + RG_ZIP_ENTRY_SIZE + name, extra))
		refuse(directory, member, RG_REFUSED_BROKEN, "its zip64 sizes are missing");
	if (rg_le16(p + 34) != 0)
		refuse(directory, member, RG_REFUSED_BROKEN, "it is in another part");
	check_kind(directory, member, rg_le32(p + 38));
	check_sizes(directory, member, name, limits);
	return NULL;
}

static rg_error *read_entries(rg_zip_directory *directory, const unsigned char *bytes, size_t size,
			      const rg_zip_limits *limits)
{
	size_t at = 0, used = 0;
	for (size_t i = 0; i < directory->count; i++) {
		directory->members[i].record = directory->offset + at;
		RG_TRY(read_entry(directory, &directory->members[i], bytes + at, size - at, &used,
				  limits));
		at += used;
	}
	if (at != size)
		return rg_error_new(RG_E_PARSE,
				    "its directory holds %zu bytes after its last member",
				    size - at);
	return NULL;
}

static int by_name(const void *left, const void *right)
{
	rg_zip_member *const *a = left, *const *b = right;
	return strcmp((*a)->name, (*b)->name);
}

static int by_offset(const void *left, const void *right)
{
	rg_zip_member *const *a = left, *const *b = right;
	if ((*a)->offset != (*b)->offset)
		return (*a)->offset > (*b)->offset ? 1 : -1;
	return ((*a)->record > (*b)->record) - ((*a)->record < (*b)->record);
}

static void refuse_duplicates(rg_zip_directory *directory, rg_zip_member **sorted)
{
	qsort(sorted, directory->count, sizeof(*sorted), by_name);
	for (size_t i = 1; i < directory->count; i++) {
		if (strcmp(sorted[i - 1]->name, sorted[i]->name))
			continue;
		refuse(directory, sorted[i - 1], RG_REFUSED_DUPLICATE, "its name appears twice");
		refuse(directory, sorted[i], RG_REFUSED_DUPLICATE, "its name appears twice");
	}
}

/* The least that a member takes up. Its local header may have a longer extra field, which is
 * checked when it is read. */
static uint64_t least_end(const rg_zip_member *member)
{
	uint64_t fixed = RG_ZIP_LOCAL_SIZE + strlen(member->name);
	/* Past the directory's start it is refused already, and may be past all numbers. */
	if (member->packed > UINT64_MAX - fixed ||
	    member->offset > UINT64_MAX - fixed - member->packed)
		return UINT64_MAX;
	return member->offset + fixed + member->packed;
}

/* Two members that share a byte are both refused: there is no telling whose it is. */
static void refuse_overlaps(rg_zip_directory *directory, rg_zip_member **sorted)
{
	uint64_t reached = 0;
	qsort(sorted, directory->count, sizeof(*sorted), by_offset);
	for (size_t i = 0; i < directory->count; i++) {
		rg_zip_member *member = sorted[i];
		uint64_t end = least_end(member);

		member->end = directory->offset;
		if (i + 1 < directory->count && sorted[i + 1]->offset < member->end)
			member->end = sorted[i + 1]->offset;
		if (member->offset < reached || end > member->end)
			refuse(directory, member, RG_REFUSED_OVERLAP,
			       "its bytes are also another member's");
		if (end > reached)
			reached = end;
	}
}

static void compare_members(rg_zip_directory *directory)
{
	rg_zip_member **sorted = rg_calloc(directory->count + 1, sizeof(*sorted));
	for (size_t i = 0; i < directory->count; i++)
		sorted[i] = &directory->members[i];
	refuse_duplicates(directory, sorted);
	refuse_overlaps(directory, sorted);
	free(sorted);
}

static rg_error *read_directory(rg_zip_directory *out, const rg_reader *reader,
				const rg_zip_limits *limits)
{
	rg_zip_end end;
	RG_TRY(rg_zip_end_find(&end, reader));
	RG_TRY(rg_member_check_count(end.entries, limits));
	if (end.size > DIRECTORY_MAX)
		return rg_error_new(RG_E_LIMIT,
				    "a directory of %" PRIu64
				    " bytes is more than the limit of %" PRIu64,
				    end.size, DIRECTORY_MAX);
	out->offset = end.offset;
	out->size = end.size;
	out->count = (size_t)end.entries;
	out->members = rg_arena_alloc(&out->arena, (out->count + 1) * sizeof(*out->members));
	unsigned char *bytes = rg_malloc((size_t)end.size + 1);
	rg_range wanted = (rg_range){end.offset, end.size};
	rg_error *err = rg_reader_prefetch(reader, &wanted, 1);
	if (!err)
		err = rg_reader_read(reader, end.offset, bytes, (size_t)end.size);
	if (!err)
		err = read_entries(out, bytes, (size_t)end.size, limits);
	free(bytes);
	if (err)
		return err;
	compare_members(out);
	return NULL;
}

rg_error *rg_zip_directory_read(rg_zip_directory *out, const rg_reader *reader,
				const rg_zip_limits *limits)
{
	*out = (rg_zip_directory){0};
	rg_arena_init(&out->arena);
	rg_error *err = read_directory(out, reader, limits);
	if (err)
		rg_zip_directory_release(out);
	return err;
}

void rg_zip_directory_release(rg_zip_directory *directory)
{
	rg_arena_release(&directory->arena);
	directory->members = NULL;
	directory->count = 0;
}
