/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip.h"

#include "base/memory.h"
#include "archive/zip_format.h"
#include "base/bytes.h"
#include "base/cancel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LOCAL_SLACK = 256, BLOCK = 64 << 10, NAME_MAX_BYTES = 0xffff };
enum { ENCRYPTED_FLAG = 1 << 0, SIZES_FOLLOW_FLAG = 1 << 3 };

struct rg_zip {
	const rg_reader *reader;
	rg_zip_limits limits;
	rg_zip_directory directory;
	uint64_t *unpacked, own_unpacked;
};

bool rg_zip_recognised(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	return length >= 4 &&
	       (rg_le32(p) == RG_ZIP_LOCAL_SIGNATURE || rg_le32(p) == RG_ZIP_END_SIGNATURE);
}

rg_error *rg_zip_open(rg_zip **out, const rg_reader *reader, const rg_zip_limits *limits,
		      uint64_t *unpacked)
{
	rg_zip *zip = rg_calloc(1, sizeof(*zip));
	*out = NULL;
	zip->reader = reader;
	zip->limits = limits ? *limits : rg_zip_limits_default();
	zip->unpacked = unpacked ? unpacked : &zip->own_unpacked;
	rg_error *err = rg_zip_directory_read(&zip->directory, reader, &zip->limits);
	if (err) {
		free(zip);
		return rg_error_get_code(err) == RG_E_PARSE
			       ? rg_error_wrap(err, "not a readable zip")
			       : err;
	}
	*out = zip;
	return NULL;
}

void rg_zip_free(rg_zip *zip)
{
	if (!zip)
		return;
	rg_zip_directory_release(&zip->directory);
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

/* Header and bytes of a member. How long the local header's extra field is shows only when it is
 * read: some slack is added, and where the next member is about there, it is the end. */
static rg_range range_of(const rg_zip_member *member)
{
	uint64_t length = RG_ZIP_LOCAL_SIZE + strlen(member->name) + member->packed + LOCAL_SLACK;
	uint64_t most = member->end - member->offset;

	return (rg_range){member->offset, length < most ? length : most};
}

rg_error *rg_zip_prefetch(rg_zip *zip, const size_t *indices, size_t count)
{
	rg_range *ranges = rg_calloc(count ? count : 1, sizeof(*ranges));
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		const rg_zip_member *member = rg_zip_at(zip, indices[i]);
		if (!member->refused && !member->folder)
			ranges[kept++] = range_of(member);
	}
	rg_error *err = rg_reader_prefetch(zip->reader, ranges, kept);
	free(ranges);
	return err;
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

	if (rg_le32(header) != RG_ZIP_LOCAL_SIGNATURE)
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
	RG_TRY(rg_reader_read(reader, member->offset + RG_ZIP_LOCAL_SIZE, name, length));
	if (memcmp(name, member->name, length))
		return local_differs("names");
	packed->offset = member->offset + RG_ZIP_LOCAL_SIZE + length + rg_le16(header + 28);
	packed->length = member->packed;
	return NULL;
}

rg_error *rg_zip_locate(rg_zip *zip, size_t index, rg_zip_packed *out)
{
	const rg_zip_member *member = rg_zip_at(zip, index);
	unsigned char header[RG_ZIP_LOCAL_SIZE];

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

static rg_error *over_claim(const extraction *e)
{
	return rg_error_new(RG_E_MISMATCH,
			    "it unpacks to more than the %" PRIu64 " bytes that it claims",
			    e->member->size);
}

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

/* Packed and unpacked sizes are the same, or the directory's check refused it. */
static rg_error *copy_stored(extraction *e)
{
	size_t length;
	do {
		RG_TRY(next_block(e, &length));
		RG_TRY(hand_out(e, e->in, length));
	} while (length);
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
			return over_claim(e);
		if (room)
			RG_TRY(hand_out(e, e->out, room - stream->avail_out));
	} while (*result == Z_OK && (stream->avail_in || !stream->avail_out));
	return NULL;
}

static rg_error *inflate_all(extraction *e, z_stream *stream)
{
	int result = Z_OK;
	size_t length;

	while (result != Z_STREAM_END) {
		RG_TRY(next_block(e, &length));
		if (!length)
			return rg_error_new(RG_E_PARSE,
					    "its packed bytes end before its contents do");
		stream->next_in = e->in;
		stream->avail_in = (uInt)length;
		RG_TRY(inflate_block(e, stream, &result));
	}
	if (stream->avail_in || e->packed.length)
		return rg_error_new(RG_E_PARSE, "there is something after its packed bytes");
	return NULL;
}

static rg_error *inflate_member(extraction *e)
{
	z_stream stream = {0};
	if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
		rg_out_of_memory();
	rg_error *err = inflate_all(e, &stream);
	inflateEnd(&stream);
	return err;
}

static rg_error *unpack(extraction *e)
{
	const rg_zip_packed *member = e->member;
	e->crc = crc32_z(0, NULL, 0);
	RG_TRY(member->method ? inflate_member(e) : copy_stored(e));
	if (e->written != member->size)
		return rg_error_new(RG_E_MISMATCH,
				    "it unpacks to %" PRIu64 " bytes and claims %" PRIu64,
				    e->written, member->size);
	if (e->crc != member->crc)
		return rg_error_new(RG_E_MISMATCH,
				    "its CRC-32 is %08lx and should be %08" PRIx32 " (%" PRIu64
				    " bytes)",
				    e->crc, member->crc, e->written);
	return NULL;
}

rg_error *rg_zip_unpack(const rg_zip_packed *packed, uint64_t *unpacked, rg_zip_sink *sink,
			void *context)
{
	extraction *e = rg_malloc(sizeof(*e));
	e->member = packed;
	e->unpacked = unpacked;
	e->packed = packed->range;
	e->sink = sink;
	e->context = context;
	e->written = 0;
	rg_error *err = unpack(e);
	free(e);
	return err;
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
