#include "archive/zip.h"

#include "archive/directory.h"
#include "archive/zip_view.h"
#include "base/cancel.h"

#include <inttypes.h>
#include <minizip/unzip.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LOCAL_SLACK = 256, PACKED_BLOCK = 64 << 10, NAME_MAX_BYTES = 0xffff };
enum { ENCRYPTED_FLAG = 1 };

struct rg_zip {
	const rg_reader *reader;
	rg_zip_limits limits;
	rg_zip_directory directory;
	uint64_t *unpacked, own_unpacked;
};

rg_zip_limits rg_zip_limits_default(void)
{
	return (rg_zip_limits){.members = 100000,
			       .member_size = (uint64_t)256 << 20,
			       .total_size = (uint64_t)2 << 30,
			       .ratio = 250,
			       .ratio_floor = (uint64_t)1 << 20,
			       .depth = 2};
}

const char *rg_zip_limit_name(const rg_zip_limits *limits, const char *name)
{
	return limits->settings ? name : "";
}

bool rg_zip_recognised(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;

	return length >= 4 &&
	       (rg_le32(p) == RG_ZIP_LOCAL_SIGNATURE || rg_le32(p) == RG_ZIP_END_SIGNATURE);
}

rg_error *rg_zip_open(rg_zip **out, const rg_reader *reader, const rg_zip_limits *limits,
		      uint64_t *unpacked)
{
	rg_zip *zip = calloc(1, sizeof(*zip));
	rg_error *err;

	*out = NULL;
	if (!zip)
		return rg_error_nomem();
	zip->reader = reader;
	zip->limits = limits ? *limits : rg_zip_limits_default();
	zip->unpacked = unpacked ? unpacked : &zip->own_unpacked;
	err = rg_zip_directory_read(&zip->directory, reader, &zip->limits);
	if (err) {
		free(zip);
		return rg_error_get_code(err) == RG_E_PARSE ? rg_error_wrap(err, "no readable zip")
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
	rg_range *ranges = calloc(count ? count : 1, sizeof(*ranges));
	size_t i, kept = 0;
	rg_error *err;

	if (!ranges)
		return rg_error_nomem();
	for (i = 0; i < count; i++) {
		const rg_zip_member *member = rg_zip_at(zip, indices[i]);

		if (!member->refused && !member->folder)
			ranges[kept++] = range_of(member);
	}
	err = rg_reader_prefetch(zip->reader, ranges, kept);
	free(ranges);
	return err;
}

rg_error_code rg_refused_code(rg_refused refused)
{
	switch (refused) {
	case RG_REFUSED_LIMIT:
		return RG_E_LIMIT;
	case RG_REFUSED_ENCRYPTED:
	case RG_REFUSED_METHOD:
	case RG_REFUSED_BROKEN:
		return RG_E_PARSE;
	default:
		return RG_E_UNSAFE;
	}
}

static rg_error *local_differs(const char *what)
{
	return rg_error_new(RG_E_PARSE,
			    "its header and the directory give it different %s; the zip is "
			    "damaged or forged",
			    what);
}

/* minizip compares method, CRC, sizes and the name's length; the rest is here. */
static rg_error *check_header(const rg_zip_member *member, const unsigned char *header,
			      const rg_reader *reader, rg_range *bytes)
{
	size_t length = strlen(member->name), name_length = rg_le16(header + 26);
	char name[NAME_MAX_BYTES];

	if (rg_le32(header) != RG_ZIP_LOCAL_SIGNATURE)
		return rg_error_new(RG_E_PARSE, "there is no header at its place");
	if (rg_le16(header + 8) != member->method)
		return local_differs("methods");
	if ((rg_le16(header + 6) ^ member->flags) & ENCRYPTED_FLAG)
		return local_differs("flags");
	if (name_length != length)
		return local_differs("names");
	RG_TRY(rg_reader_read(reader, member->offset + RG_ZIP_LOCAL_SIZE, name, length));
	if (memcmp(name, member->name, length))
		return local_differs("names");
	bytes->offset = member->offset + RG_ZIP_LOCAL_SIZE + length + rg_le16(header + 28);
	bytes->length = member->packed;
	return NULL;
}

/* Finds a member's packed bytes and checks that they are its own. */
static rg_error *locate(rg_zip *zip, const rg_zip_member *member, rg_range *bytes)
{
	unsigned char header[RG_ZIP_LOCAL_SIZE];

	if (member->refused)
		return rg_error_new(rg_refused_code(member->refused), "%s", member->why);
	if (member->folder)
		return rg_error_new(RG_E_USAGE, "it is a folder");
	RG_TRY(rg_reader_read(zip->reader, member->offset, header, sizeof(header)));
	RG_TRY(check_header(member, header, zip->reader, bytes));
	if (bytes->offset > member->end || bytes->length > member->end - bytes->offset)
		return rg_error_new(RG_E_UNSAFE, "its bytes are also another member's");
	return NULL;
}

rg_error *rg_zip_stored_range(rg_zip *zip, size_t index, rg_range *out)
{
	const rg_zip_member *member = rg_zip_at(zip, index);

	if (!member->refused && member->method != 0)
		return rg_error_new(RG_E_USAGE, "it is not stored");
	return locate(zip, member, out);
}

/* A member on its way out. */
typedef struct {
	rg_zip *zip;
	const rg_zip_member *member;
	rg_buf *out;
	rg_zip_view view;
	unzFile minizip;
	uint64_t written;
	unsigned long crc;
} extraction;

/* What minizip's last call failed with: the reader's own error before its number. */
static rg_error *minizip_error(extraction *e, int result)
{
	rg_error *err = e->view.err;

	e->view.err = NULL;
	if (err)
		return err;
	if (result == UNZ_INTERNALERROR)
		return rg_error_nomem();
	if (result == UNZ_BADZIPFILE)
		return local_differs("sizes or CRCs");
	return rg_error_new(RG_E_PARSE, "minizip cannot read it (%d)", result);
}

/* Makes minizip stand on the member's packed bytes, after its own check of the local header. */
static rg_error *open_raw(extraction *e, rg_range data)
{
	zlib_filefunc64_def functions = rg_zip_view_functions(&e->view);
	int result, method;

	RG_TRY(rg_zip_view_init(&e->view, e->zip->reader, e->member, data));
	e->minizip = unzOpen2_64("", &functions);
	/* The directory is ours: without the reader's fault it can only be memory. */
	if (!e->minizip)
		return minizip_error(e, UNZ_INTERNALERROR);
	result = unzOpenCurrentFile2(e->minizip, &method, NULL, 1);
	return result == UNZ_OK ? NULL : minizip_error(e, result);
}

static void close_raw(extraction *e)
{
	if (e->minizip) {
		unzCloseCurrentFile(e->minizip);
		unzClose(e->minizip);
	}
	rg_error_free(e->view.err);
}

static rg_error *over_claim(const extraction *e)
{
	return rg_error_new(RG_E_MISMATCH,
			    "it unpacks to more than the %" PRIu64 " bytes that it claims",
			    e->member->size);
}

/* Counts what was written behind the end of `out`. */
static void wrote(extraction *e, size_t length)
{
	e->crc = crc32_z(e->crc, (const Bytef *)e->out->data + e->out->length, length);
	e->out->length += length;
	e->out->data[e->out->length] = '\0';
	e->written += length;
	*e->zip->unpacked += length;
}

static rg_error *next_block(extraction *e, unsigned char *block, size_t *length)
{
	int got;

	RG_TRY(rg_cancel_check());
	got = unzReadCurrentFile(e->minizip, block, PACKED_BLOCK);
	if (got < 0 || e->view.err)
		return minizip_error(e, got);
	*length = (size_t)got;
	return NULL;
}

static rg_error *copy_stored(extraction *e, unsigned char *block)
{
	size_t length = 0;

	for (;;) {
		RG_TRY(next_block(e, block, &length));
		if (!length)
			return NULL;
		if (length > e->member->size - e->written)
			return over_claim(e);
		memcpy(e->out->data + e->out->length, block, length);
		wrote(e, length);
	}
}

/* Inflates what `stream` has, up to the claimed size; one byte more is a lie and ends it. */
static rg_error *inflate_block(extraction *e, z_stream *stream, int *result)
{
	do {
		uint64_t left = e->member->size - e->written;
		unsigned char probe;
		uInt room = left > PACKED_BLOCK ? PACKED_BLOCK : (uInt)left;

		stream->next_out = room ? (Bytef *)e->out->data + e->out->length : &probe;
		stream->avail_out = room ? room : 1;
		*result = inflate(stream, Z_NO_FLUSH);
		if (*result == Z_MEM_ERROR)
			return rg_error_nomem();
		if (*result != Z_OK && *result != Z_STREAM_END && *result != Z_BUF_ERROR)
			return rg_error_new(RG_E_PARSE,
					    "its packed bytes are damaged after %" PRIu64
					    " bytes (%s)",
					    e->written, stream->msg ? stream->msg : "zlib");
		if (!room && !stream->avail_out)
			return over_claim(e);
		if (room)
			wrote(e, room - stream->avail_out);
	} while (*result == Z_OK && (stream->avail_in || !stream->avail_out));
	return NULL;
}

static rg_error *inflate_all(extraction *e, unsigned char *block, z_stream *stream)
{
	int result = Z_OK;
	size_t length = 0;

	while (result != Z_STREAM_END) {
		RG_TRY(next_block(e, block, &length));
		if (!length)
			return rg_error_new(RG_E_PARSE,
					    "its packed bytes end before its contents do");
		stream->next_in = block;
		stream->avail_in = (uInt)length;
		RG_TRY(inflate_block(e, stream, &result));
	}
	if (!stream->avail_in)
		RG_TRY(next_block(e, block, &length));
	if (stream->avail_in || length)
		return rg_error_new(RG_E_PARSE, "something stands behind its packed bytes");
	return NULL;
}

static rg_error *inflate_member(extraction *e, unsigned char *block)
{
	z_stream stream = {0};
	rg_error *err;

	if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
		return rg_error_nomem();
	err = inflate_all(e, block, &stream);
	inflateEnd(&stream);
	return err;
}

static rg_error *unpack(extraction *e)
{
	const rg_zip_member *member = e->member;
	unsigned char *block = malloc(PACKED_BLOCK);
	rg_error *err;

	if (!block)
		return rg_error_nomem();
	err = member->method ? inflate_member(e, block) : copy_stored(e, block);
	free(block);
	if (err)
		return err;
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

/* Limits that one member's header cannot tell. */
static rg_error *check_room(const rg_zip *zip, const rg_zip_member *member, const rg_buf *out)
{
	if (member->size > zip->limits.total_size ||
	    *zip->unpacked > zip->limits.total_size - member->size)
		return rg_error_new(RG_E_LIMIT,
				    "with its %" PRIu64
				    " bytes the archive would unpack to more than %" PRIu64 "%s",
				    member->size, zip->limits.total_size,
				    rg_zip_limit_name(&zip->limits, " (regild.maxTotal)"));
	if (out->length > out->max || member->size > out->max - out->length)
		return rg_error_new(RG_E_LIMIT, "%" PRIu64 " bytes are more than fit in %zu",
				    member->size, out->max);
	return NULL;
}

rg_error *rg_zip_extract(rg_zip *zip, size_t index, rg_buf *out)
{
	extraction e = {.zip = zip, .member = rg_zip_at(zip, index), .out = out};
	size_t before = out->length;
	rg_error *err;
	rg_range data;

	RG_TRY(locate(zip, e.member, &data));
	RG_TRY(check_room(zip, e.member, out));
	e.crc = crc32_z(0, NULL, 0);
	err = open_raw(&e, data);
	/* All at once: the ratio limit holds the claim to a multiple of bytes that are there. */
	if (!err && !rg_buf_reserve(out, (size_t)e.member->size))
		err = rg_buf_check(out, e.member->name);
	if (!err)
		err = unpack(&e);
	if (err)
		rg_buf_truncate(out, before);
	close_raw(&e);
	return err;
}
