/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip.h"

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/memory.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Records of a zip: how each begins, and how long it is without what varies (APPNOTE.TXT 6.3.10,
 * 4.3.7 to 4.3.16). */
#define LOCAL_SIGNATURE   0x04034b50u
#define ENTRY_SIGNATURE   0x02014b50u
#define END_SIGNATURE     0x06054b50u
#define END64_SIGNATURE   0x06064b50u
#define LOCATOR_SIGNATURE 0x07064b50u
#define LOCAL_SIZE        30
#define ENTRY_SIZE        46
#define END_SIZE          22

enum { LOCATOR_SIZE = 20, END64_SIZE = 56, COMMENT_MAX = 0xffff };
enum { TAIL_MOST = LOCATOR_SIZE + END64_SIZE + END_SIZE + COMMENT_MAX };

/* How many records are looked into: each may cost a read elsewhere in the file. */
enum { RECORDS_MAX = 8 };

/* A zip's directory by its end records (APPNOTE.TXT 4.3.14 to 4.3.16). */
typedef struct {
	uint64_t entries;      /* members that the directory should hold */
	uint64_t offset, size; /* of the directory; offset + size == at */
	uint64_t at;           /* where the end records begin */
} end_records;

/* The file's last bytes. */
typedef struct {
	const rg_reader *reader;
	const unsigned char *bytes;
	size_t length;
	uint64_t start; /* of the first of them in the file */
} file_tail;

/* The zip64 end record that a locator points at, or none (*found false). */
static rg_error *read_end64(const file_tail *tail, uint64_t locator_at,
			    const unsigned char *locator, end_records *out)
{
	unsigned char record[END64_SIZE];
	uint64_t at = rg_le64(locator + 8);

	if (rg_le32(locator + 4) != 0 || rg_le32(locator + 16) > 1)
		return rg_error_new(RG_E_PARSE, "a zip of several parts is not supported");
	if (at > locator_at || locator_at - at < END64_SIZE)
		return rg_error_new(RG_E_PARSE, "its zip64 end record is outside the file");
	RG_TRY(rg_reader_read(tail->reader, at, record, sizeof(record)));
	if (rg_le32(record) != END64_SIGNATURE || rg_le64(record + 4) != locator_at - at - 12)
		return rg_error_new(RG_E_PARSE, "its zip64 end record is broken");
	if (rg_le32(record + 16) != 0 || rg_le32(record + 20) != 0 ||
	    rg_le64(record + 24) != rg_le64(record + 32))
		return rg_error_new(RG_E_PARSE, "a zip of several parts is not supported");
	*out = (end_records){.entries = rg_le64(record + 32),
			     .size = rg_le64(record + 40),
			     .offset = rg_le64(record + 48),
			     .at = at};
	return NULL;
}

/* A field of the old record says the same as zip64's, or that one should look there. */
static bool end_agrees(uint64_t old, uint64_t saturated, uint64_t zip64)
{
	return old == saturated || old == zip64;
}

/* Reads the end record at tail->bytes + at and checks that a directory can lie right before it. */
static rg_error *read_end(const file_tail *tail, size_t at, end_records *out)
{
	const unsigned char *record = tail->bytes + at;
	end_records old = {.entries = rg_le16(record + 10),
			   .size = rg_le32(record + 12),
			   .offset = rg_le32(record + 16),
			   .at = tail->start + at};

	*out = old;
	if (at >= LOCATOR_SIZE && rg_le32(record - LOCATOR_SIZE) == LOCATOR_SIGNATURE) {
		RG_TRY(read_end64(tail, old.at - LOCATOR_SIZE, record - LOCATOR_SIZE, out));
		if (!end_agrees(old.entries, 0xffff, out->entries) ||
		    !end_agrees(old.size, 0xffffffff, out->size) ||
		    !end_agrees(old.offset, 0xffffffff, out->offset))
			return rg_error_new(RG_E_PARSE,
					    "its two end records contradict each other");
	} else if (rg_le16(record + 4) || rg_le16(record + 6) ||
		   rg_le16(record + 8) != rg_le16(record + 10)) {
		return rg_error_new(RG_E_PARSE, "a zip of several parts is not supported");
	}
	if (out->size > out->at || out->offset != out->at - out->size)
		return rg_error_new(RG_E_PARSE,
				    "its directory (%" PRIu64 " bytes at %" PRIu64
				    ") does not end where the end record begins (%" PRIu64 ")",
				    out->size, out->offset, out->at);
	if (out->entries > out->size / ENTRY_SIZE || (!out->entries && out->size))
		return rg_error_new(RG_E_PARSE,
				    "its directory of %" PRIu64 " bytes cannot hold %" PRIu64
				    " members",
				    out->size, out->entries);
	return NULL;
}

/*
 * A comment may hold anything, another end record too. A record counts where its comment ends with
 * the file; where two of them count and both make sense, readers would differ on what is inside.
 */
static rg_error *find_end(const file_tail *tail, end_records *out, size_t *seen)
{
	/* A locator before the record must be in sight too. */
	size_t least = tail->start ? LOCATOR_SIZE : 0, found = 0;
	size_t at = tail->length - END_SIZE + 1;
	RG_AUTO_PTR(rg_error) trouble = NULL;

	while (at-- > least && *seen <= RECORDS_MAX) {
		const unsigned char *record = tail->bytes + at;
		end_records end;

		if (record[0] != 'P' || rg_le32(record) != END_SIGNATURE ||
		    rg_le16(record + 20) != tail->length - at - END_SIZE)
			continue;
		rg_error *err = ++*seen > RECORDS_MAX
					? rg_error_new(RG_E_PARSE, "it has too many end records")
					: read_end(tail, at, &end);
		if (err && rg_error_get_code(err) != RG_E_PARSE)
			return err;
		if (!err && found++ == 0)
			*out = end;
		trouble = rg_error_first(trouble, err);
	}
	if (!found && !trouble)
		return rg_error_new(RG_E_PARSE, "there is no end record (cut off, or not a zip)");
	if (!found || *seen > RECORDS_MAX)
		return RG_TAKE(trouble);
	if (found > 1)
		return rg_error_new(RG_E_PARSE, "it has two end records, each with a directory");
	return NULL;
}

/*
 * Looks for the end record in the last `length` bytes; *seen is how many records are there. Where
 * that is more than the tail, a tail's worth before it comes along: the directory is there.
 */
static rg_error *look_in_tail(end_records *out, const rg_reader *reader, size_t length,
			      size_t *seen)
{
	RG_AUTO_FREE unsigned char *bytes = rg_malloc(length);
	const file_tail tail = {reader, bytes, length, .start = reader->size - length};
	size_t more = length <= RG_ZIP_TAIL      ? 0
		      : tail.start < RG_ZIP_TAIL ? (size_t)tail.start
						 : RG_ZIP_TAIL;
	rg_range wanted = {tail.start - more, length + more};

	RG_TRY(rg_reader_prefetch(reader, &wanted, 1));
	RG_TRY(rg_reader_read(reader, tail.start, bytes, length));
	return find_end(&tail, out, seen);
}

/* Reads the file's tail, once. RG_E_PARSE, without the file's name in front, where there is no end
 * record, two, or one that cannot be true. */
static rg_error *zip_end_find(end_records *out, const rg_reader *reader)
{
	size_t most = reader->size < TAIL_MOST ? (size_t)reader->size : TAIL_MOST;
	size_t first = most < RG_ZIP_TAIL ? most : RG_ZIP_TAIL, seen = 0;

	if (most < END_SIZE)
		return rg_error_new(RG_E_PARSE, "%zu byte%s too few for a zip", most,
				    most == 1 ? " is" : "s are");
	RG_AUTO_PTR(rg_error) err = look_in_tail(out, reader, first, &seen);
	if (!err || rg_error_get_code(err) != RG_E_PARSE || seen || first == most)
		return RG_TAKE(err);
	return look_in_tail(out, reader, most, &seen);
}

/* A zip's central directory, found, read and checked. Layouts are APPNOTE.TXT's 4.3.12 (entry) and
 * 4.5.3 (zip64 extra field). */
typedef struct {
	rg_zip_member *members; /* in the directory's order */
	size_t count;
	uint64_t offset, size; /* where it is in the file */
	rg_arena arena;        /* owns members and their texts */
} zip_directory;

/* No directory is larger: 100,000 members with names of 600 bytes. */
#define DIRECTORY_MAX ((uint64_t)64 << 20)

enum { ENCRYPTED_FLAGS = 1 << 0 | 1 << 6 | 1 << 13, PATCH_FLAG = 1 << 5 };
enum { ZIP64_EXTRA = 1 };
enum { MODE_TYPE = 0170000, MODE_REGULAR = 0100000, MODE_FOLDER = 0040000, MODE_LINK = 0120000 };

/* The first reason counts. */
static void refuse(zip_directory *directory, rg_zip_member *member, rg_refused refused,
		   const char *why)
{
	if (member->refused)
		return;
	member->refused = refused;
	member->why = rg_arena_text(&directory->arena, why);
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

static void check_name(zip_directory *directory, rg_zip_member *member, size_t length)
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

static void check_kind(zip_directory *directory, rg_zip_member *member, uint32_t attributes)
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

static void check_sizes(zip_directory *directory, rg_zip_member *member, size_t name_length,
			const rg_zip_limits *limits)
{
	uint64_t fixed = LOCAL_SIZE + name_length;
	char why[RG_MEMBER_WHY];

	if (member->offset > directory->offset || fixed > directory->offset - member->offset ||
	    member->packed > directory->offset - member->offset - fixed)
		refuse(directory, member, RG_REFUSED_OVERLAP,
		       "its bytes reach into the directory or past the end");
	if ((member->folder && member->size) ||
	    (member->method == 0 && member->size != member->packed))
		refuse(directory, member, RG_REFUSED_BROKEN, "its sizes contradict each other");
	if (rg_member_check_size(member->size, limits, why))
		refuse(directory, member, RG_REFUSED_LIMIT, why);
	RG_AUTO_PTR(rg_error) err = rg_member_check_ratio(member->size, member->packed, limits);
	if (err)
		refuse(directory, member, RG_REFUSED_LIMIT, rg_error_message(err));
}

/* Reads the entry at the start of `p`; *used is its whole length. */
static rg_error *read_entry(zip_directory *directory, rg_zip_member *member, const unsigned char *p,
			    size_t left, size_t *used, const rg_zip_limits *limits)
{
	if (left < ENTRY_SIZE || rg_le32(p) != ENTRY_SIGNATURE)
		return rg_error_new(RG_E_PARSE, "its directory holds fewer members than it counts");
	size_t name = rg_le16(p + 28);
	size_t extra = rg_le16(p + 30);
	size_t comment = rg_le16(p + 32);
	*used = ENTRY_SIZE + name + extra + comment;
	if (*used > left)
		return rg_error_new(RG_E_PARSE, "its directory is cut off");
	member->name = rg_arena_copy(&directory->arena, (const char *)p + ENTRY_SIZE, name);
	member->flags = rg_le16(p + 8);
	member->method = rg_le16(p + 10);
	member->crc = rg_le32(p + 16);
	member->packed = rg_le32(p + 20);
	member->size = rg_le32(p + 24);
	member->offset = rg_le32(p + 42);
	member->folder = name && p[ENTRY_SIZE + name - 1] == '/';
	check_name(directory, member, name);
	if (!read_zip64(member, p + ENTRY_SIZE + name, extra))
		refuse(directory, member, RG_REFUSED_BROKEN, "its zip64 sizes are missing");
	if (rg_le16(p + 34) != 0)
		refuse(directory, member, RG_REFUSED_BROKEN, "it is in another part");
	check_kind(directory, member, rg_le32(p + 38));
	check_sizes(directory, member, name, limits);
	return NULL;
}

RG_ORDER_OF_POINTERS(by_name, rg_zip_member, RG_BY_TEXT(name));

RG_ORDER_OF_POINTERS(by_offset, rg_zip_member, RG_RISING(offset) || RG_RISING(record));

static void refuse_duplicates(zip_directory *directory, rg_zip_member **sorted)
{
	qsort(sorted, directory->count, sizeof(*sorted), by_name);
	for (size_t i = 1; i < directory->count; i++) {
		if (strcmp(sorted[i - 1]->name, sorted[i]->name))
			continue;
		refuse(directory, sorted[i - 1], RG_REFUSED_DUPLICATE, "its name appears twice");
		refuse(directory, sorted[i], RG_REFUSED_DUPLICATE, "its name appears twice");
		sorted[i]->again = sorted[i]->refused == RG_REFUSED_DUPLICATE &&
				   sorted[i - 1]->refused == RG_REFUSED_DUPLICATE;
	}
}

/* Two members that share a byte are both refused: there is no telling whose it is. */
static void refuse_overlaps(zip_directory *directory, rg_zip_member **sorted)
{
	uint64_t reached = 0;
	qsort(sorted, directory->count, sizeof(*sorted), by_offset);
	for (size_t i = 0; i < directory->count; i++) {
		rg_zip_member *member = sorted[i];
		/* It takes up this at least. Its local header may have a longer extra field, which
		 * is checked when it is read. Past the directory's start it is refused already, and
		 * may be past all numbers. */
		uint64_t fixed = LOCAL_SIZE + strlen(member->name), end = UINT64_MAX;
		if (member->packed <= end - fixed && member->offset <= end - fixed - member->packed)
			end = member->offset + fixed + member->packed;

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

static rg_error *read_directory(zip_directory *out, const rg_reader *reader,
				const rg_zip_limits *limits)
{
	end_records end = {0};
	RG_TRY(zip_end_find(&end, reader));
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
	RG_AUTO_FREE unsigned char *bytes = rg_malloc((size_t)end.size + 1);
	rg_range wanted = (rg_range){end.offset, end.size};
	RG_TRY(rg_reader_prefetch(reader, &wanted, 1));
	RG_TRY(rg_reader_read(reader, end.offset, bytes, (size_t)end.size));
	size_t at = 0, used;
	for (size_t i = 0; i < out->count; i++, at += used) {
		out->members[i].record = end.offset + at;
		RG_TRY(read_entry(out, &out->members[i], bytes + at, (size_t)end.size - at, &used,
				  limits));
	}
	if (at != end.size)
		return rg_error_new(RG_E_PARSE,
				    "its directory holds %zu bytes after its last member",
				    (size_t)end.size - at);
	RG_AUTO_FREE rg_zip_member **sorted = rg_calloc(out->count + 1, sizeof(*sorted));
	for (size_t i = 0; i < out->count; i++)
		sorted[i] = &out->members[i];
	refuse_duplicates(out, sorted);
	refuse_overlaps(out, sorted);
	return NULL;
}

enum { LOCAL_SLACK = 256, BLOCK = 64 << 10, NAME_MAX_BYTES = 0xffff };
enum { ENCRYPTED_FLAG = 1 << 0, SIZES_FOLLOW_FLAG = 1 << 3 };

struct rg_zip {
	const rg_reader *reader;
	rg_zip_limits limits;
	zip_directory directory;
	uint64_t *unpacked, own_unpacked;
};

bool rg_zip_recognised(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	return length >= 4 && (rg_le32(p) == LOCAL_SIGNATURE || rg_le32(p) == END_SIGNATURE);
}

rg_error *rg_zip_open(rg_zip **out, const rg_reader *reader, const rg_zip_limits *limits,
		      uint64_t *unpacked)
{
	RG_AUTO_PTR(rg_zip) zip = rg_calloc(1, sizeof(*zip));
	*out = NULL;
	zip->reader = reader;
	zip->limits = limits ? *limits : rg_zip_limits_default();
	zip->unpacked = unpacked ? unpacked : &zip->own_unpacked;
	rg_error *err = read_directory(&zip->directory, reader, &zip->limits);
	if (err && rg_error_get_code(err) == RG_E_PARSE)
		err = rg_error_wrap(err, "not a readable zip");
	RG_TRY(err);
	*out = RG_TAKE(zip);
	return NULL;
}

void rg_zip_free(rg_zip *zip)
{
	if (!zip)
		return;
	rg_arena_release(&zip->directory.arena);
	free(zip);
}

const rg_reader *rg_zip_reader(const rg_zip *zip)
{
	return zip->reader;
}

size_t rg_zip_count(const rg_zip *zip)
{
	return zip->directory.count;
}

const rg_zip_member *rg_zip_at(const rg_zip *zip, size_t index)
{
	return &zip->directory.members[index];
}

rg_error *rg_zip_prefetch(rg_zip *zip, const size_t *indices, size_t count)
{
	RG_AUTO_FREE rg_range *ranges = rg_calloc(count, sizeof(*ranges));
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		const rg_zip_member *member = rg_zip_at(zip, indices[i]);
		if (member->refused || member->folder)
			continue;
		/* The length of the local header's extra field is known only when it is read: some
		 * slack is added, up to the next member. */
		uint64_t length = LOCAL_SIZE + strlen(member->name) + member->packed + LOCAL_SLACK;
		uint64_t most = member->end - member->offset;
		ranges[kept++] = (rg_range){member->offset, length < most ? length : most};
	}
	return rg_reader_prefetch(zip->reader, ranges, kept);
}

static rg_error *local_differs(const char *what)
{
	return rg_error_new(RG_E_PARSE,
			    "its header and the directory give it different %s; the zip is "
			    "damaged or forged",
			    what);
}

/* Does the header's number agree with the directory's? A saturated one is in a zip64 field. */
static bool agrees(uint32_t local, uint64_t directory)
{
	return local == directory || local == UINT32_MAX;
}

static rg_error *check_header(const rg_zip_member *member, const unsigned char *header,
			      const rg_reader *reader, rg_range *packed)
{
	size_t length = strlen(member->name), name_length = rg_le16(header + 26);
	char name[NAME_MAX_BYTES];

	if (rg_le32(header) != LOCAL_SIGNATURE)
		return rg_error_new(RG_E_PARSE, "there is no header at its place");
	if (rg_le16(header + 8) != member->method)
		return local_differs("methods");
	if ((rg_le16(header + 6) ^ member->flags) & ENCRYPTED_FLAG)
		return local_differs("flags");
	/* Written to a pipe, the numbers come after the packed bytes. */
	if (!(member->flags & SIZES_FOLLOW_FLAG) &&
	    (rg_le32(header + 14) != member->crc || !agrees(rg_le32(header + 18), member->packed) ||
	     !agrees(rg_le32(header + 22), member->size)))
		return local_differs("sizes or CRCs");
	if (name_length != length)
		return local_differs("names");
	RG_TRY(rg_reader_read(reader, member->offset + LOCAL_SIZE, name, length));
	if (memcmp(name, member->name, length))
		return local_differs("names");
	packed->offset = member->offset + LOCAL_SIZE + length + rg_le16(header + 28);
	packed->length = member->packed;
	return NULL;
}

rg_error *rg_zip_locate(rg_zip *zip, size_t index, rg_zip_packed *out)
{
	const rg_zip_member *member = rg_zip_at(zip, index);
	unsigned char header[LOCAL_SIZE];

	*out = (rg_zip_packed){.reader = zip->reader,
			       .size = member->size,
			       .crc = member->crc,
			       .method = member->method};

	if (member->refused)
		return rg_error_new(rg_refused_code(member->refused), "%s", member->why);
	if (member->folder)
		return rg_error_new(RG_E_USAGE, "it is a folder");
	RG_TRY(rg_reader_read(zip->reader, member->offset, header, sizeof(header)));
	RG_TRY(check_header(member, header, zip->reader, &out->range));
	if (out->range.offset > member->end || out->range.length > member->end - out->range.offset)
		return rg_error_new(RG_E_UNSAFE, "its bytes are also another member's");
	return NULL;
}

rg_error *rg_zip_stored_range(rg_zip *zip, size_t index, rg_range *out)
{
	const rg_zip_member *member = rg_zip_at(zip, index);
	rg_zip_packed packed;

	*out = (rg_range){0};
	if (!member->refused && member->method != 0)
		return rg_error_new(RG_E_USAGE, "it is not stored");
	RG_TRY(rg_zip_locate(zip, index, &packed));
	*out = packed.range;
	return NULL;
}

/* A member on its way out. */
typedef struct {
	const rg_zip_packed *member;
	uint64_t *unpacked;
	rg_range packed; /* what is still to be read */
	rg_zip_sink *sink;
	void *context;
	uint64_t written;
	unsigned long crc;
	unsigned char in[BLOCK], out[BLOCK];
} extraction;

static rg_error *hand_out(extraction *e, const unsigned char *bytes, size_t length)
{
	if (!length)
		return NULL;
	e->crc = crc32_z(e->crc, bytes, length);
	e->written += length;
	*e->unpacked += length;
	return e->sink(e->context, bytes, length);
}

/* Reads the next packed bytes; *length is 0 at their end. */
static rg_error *next_block(extraction *e, size_t *length)
{
	*length = e->packed.length < BLOCK ? (size_t)e->packed.length : BLOCK;
	RG_TRY(rg_cancel_check());
	RG_TRY(rg_reader_read(e->member->reader, e->packed.offset, e->in, *length));
	e->packed.offset += *length;
	e->packed.length -= *length;
	return NULL;
}

/* Inflates what `stream` has, up to the claimed size; one byte more is a lie and ends it. */
static rg_error *inflate_block(extraction *e, z_stream *stream, int *result)
{
	do {
		uint64_t left = e->member->size - e->written;
		uInt room = left < BLOCK ? (uInt)left : BLOCK;

		stream->next_out = e->out;
		stream->avail_out = room ? room : 1;
		*result = inflate(stream, Z_NO_FLUSH);
		if (*result != Z_OK && *result != Z_STREAM_END && *result != Z_BUF_ERROR)
			return rg_error_new(RG_E_PARSE,
					    "its packed bytes are damaged after %" PRIu64
					    " bytes (%s)",
					    e->written, stream->msg ? stream->msg : "zlib");
		if (!room && !stream->avail_out)
			return rg_error_new(RG_E_MISMATCH,
					    "it unpacks to more than the %" PRIu64
					    " bytes that it claims",
					    e->member->size);
		if (room)
			RG_TRY(hand_out(e, e->out, room - stream->avail_out));
	} while (*result == Z_OK && (stream->avail_in || !stream->avail_out));
	return NULL;
}

static void z_stream_release(z_stream *stream)
{
	inflateEnd(stream);
}

static rg_error *inflate_all(extraction *e)
{
	RG_AUTO(z_stream) stream = {0};
	int result = Z_OK;
	size_t length;

	if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
		rg_out_of_memory();
	while (result != Z_STREAM_END) {
		RG_TRY(next_block(e, &length));
		if (!length)
			return rg_error_new(RG_E_PARSE,
					    "its packed bytes end before its contents do");
		stream.next_in = e->in;
		stream.avail_in = (uInt)length;
		RG_TRY(inflate_block(e, &stream, &result));
	}
	if (stream.avail_in || e->packed.length)
		return rg_error_new(RG_E_PARSE, "there is something after its packed bytes");
	return NULL;
}

rg_error *rg_zip_unpack(const rg_zip_packed *packed, uint64_t *unpacked, rg_zip_sink *sink,
			void *context)
{
	RG_AUTO_FREE extraction *e = rg_malloc(sizeof(*e));
	size_t length = 1;

	e->member = packed;
	e->unpacked = unpacked;
	e->packed = packed->range;
	e->sink = sink;
	e->context = context;
	e->written = 0;
	e->crc = crc32_z(0, NULL, 0);
	if (packed->method)
		RG_TRY(inflate_all(e));
	/* Packed and unpacked sizes are the same, or the directory's check refused it. */
	while (!packed->method && length) {
		RG_TRY(next_block(e, &length));
		RG_TRY(hand_out(e, e->in, length));
	}
	if (e->written != packed->size)
		return rg_error_new(RG_E_MISMATCH,
				    "it unpacks to %" PRIu64 " bytes and claims %" PRIu64,
				    e->written, packed->size);
	if (e->crc != packed->crc)
		return rg_error_new(RG_E_MISMATCH,
				    "its CRC-32 is %08lx and should be %08" PRIx32 " (%" PRIu64
				    " bytes)",
				    e->crc, packed->crc, e->written);
	return NULL;
}

rg_error *rg_zip_extract(rg_zip *zip, size_t index, rg_zip_sink *sink, void *context)
{
	rg_zip_packed packed;
	RG_TRY(rg_zip_locate(zip, index, &packed));
	RG_TRY(rg_member_check_room(packed.size, *zip->unpacked, &zip->limits));
	return rg_zip_unpack(&packed, zip->unpacked, sink, context);
}

rg_error *rg_zip_append(void *context, const void *bytes, size_t length)
{
	rg_buf *out = context;
	rg_buf_add(out, bytes, length);
	return rg_buf_check(out, "the member");
}

rg_error *rg_zip_pass_over(void *context, const void *bytes, size_t length)
{
	(void)context;
	(void)bytes;
	(void)length;
	return NULL;
}

bool rg_zip_is_of_member(const rg_error *err)
{
	switch (rg_error_get_code(err)) {
	case RG_E_PARSE:
	case RG_E_LIMIT:
	case RG_E_UNSAFE:
	case RG_E_MISMATCH:
		return true;
	default:
		return false;
	}
}
