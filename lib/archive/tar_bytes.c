/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/tar_bytes.h"

#include "base/memory.h"
#include "archive/kind.h"
#include "archive/libarchive.h"
#include "base/cancel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

enum { BLOCK = 64 << 10, GZIP_BITS = MAX_WBITS + 16 };
/* One member may be nothing but zeros, which gzip packs into a 1030th; so much of a whole tar is
 * not. */
enum { WHOLE_FLOOR = 64 << 20 };

struct rg_tar_bytes {
	const rg_reader *reader;
	const rg_zip_limits *limits;
	uint64_t position, unpacked;
	z_stream gzip;
	bool gzip_open, in_gzip; /* between a header and its trailer */
	struct archive *filter;  /* of zstd and xz */
	rg_error *failed;        /* of the reader, on its way through libarchive */
	unsigned char in[BLOCK], out[BLOCK];
};

/* The file's own bytes, into `in`. */
static rg_error *read_packed(rg_tar_bytes *b, size_t *length)
{
	uint64_t left = b->reader->size - b->position;
	*length = left < BLOCK ? (size_t)left : BLOCK;
	RG_TRY(rg_cancel_check());
	RG_TRY(rg_reader_read(b->reader, b->position, b->in, *length));
	b->position += *length;
	return NULL;
}

/* Unpacks into `out`: some bytes, or none at the end. One file may be several streams. */
static rg_error *next_gzip(rg_tar_bytes *b, size_t *length)
{
	z_stream *stream = &b->gzip;
	size_t packed;
	int result;

	*length = 0;
	while (!*length) {
		if (!stream->avail_in) {
			RG_TRY(read_packed(b, &packed));
			stream->next_in = b->in;
			stream->avail_in = (uInt)packed;
			if (!packed && b->in_gzip)
				return rg_error_new(RG_E_PARSE,
						    "it is cut off: it ends after %" PRIu64
						    " bytes",
						    b->reader->size);
			if (!packed)
				return NULL;
		}
		if (!b->in_gzip)
			inflateReset(stream);
		b->in_gzip = true;
		stream->next_out = b->out;
		stream->avail_out = BLOCK;
		result = inflate(stream, Z_NO_FLUSH);
		if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
			return rg_error_new(RG_E_PARSE,
					    "its gzip is damaged after %" PRIu64
					    " unpacked bytes (%s)",
					    b->unpacked + BLOCK - stream->avail_out,
					    stream->msg ? stream->msg : "zlib");
		b->in_gzip = result != Z_STREAM_END;
		*length = BLOCK - stream->avail_out;
	}
	return NULL;
}

static la_ssize_t feed_filter(struct archive *archive, void *context, const void **out)
{
	rg_tar_bytes *b = context;
	size_t length;

	(void)archive;
	*out = b->in;
	b->failed = rg_error_first(b->failed, read_packed(b, &length));
	return b->failed ? ARCHIVE_FATAL : (la_ssize_t)length;
}

/* The reason for which libarchive failed. */
static rg_error *filter_error(rg_tar_bytes *b)
{
	rg_error *failed = b->failed;
	b->failed = NULL;
	if (failed)
		return failed;
	if (b->position == b->reader->size && libarchive.archive_errno(b->filter) != ENOMEM)
		return rg_error_new(RG_E_PARSE, "it is cut off or damaged (%s)",
				    rg_libarchive_text(b->filter));
	return rg_libarchive_error(b->filter, "it is damaged");
}

/* The filter is named, not found out: else a packed file inside would be unpacked as well. */
static rg_error *open_filter(rg_tar_bytes *b, int code)
{
	struct archive_entry *entry;
	RG_TRY(rg_libarchive_load());
	b->filter = libarchive.archive_read_new();
	if (!b->filter)
		rg_out_of_memory();
	int result = libarchive.archive_read_append_filter(b->filter, code);
	if (result == ARCHIVE_OK)
		result = libarchive.archive_read_support_format_raw(b->filter);
	/* A warning: it would run a program of that name. */
	if (result != ARCHIVE_OK)
		return rg_libarchive_error(b->filter, "libarchive cannot unpack it");
	if (libarchive.archive_read_open2(b->filter, b, NULL, feed_filter, NULL, NULL) !=
		    ARCHIVE_OK ||
	    libarchive.archive_read_next_header(b->filter, &entry) != ARCHIVE_OK)
		return filter_error(b);
	return NULL;
}

rg_error *rg_tar_bytes_open(rg_tar_bytes **out, const rg_reader *reader,
			    const rg_zip_limits *limits)
{
	RG_AUTO_PTR(rg_tar_bytes) b = rg_calloc(1, sizeof(*b));
	rg_archive_kind kind;

	*out = NULL;
	b->reader = reader;
	b->limits = limits;
	RG_TRY(rg_archive_kind_read(&kind, reader));
	if (kind == RG_ARCHIVE_GZIP) {
		b->gzip_open = inflateInit2(&b->gzip, GZIP_BITS) == Z_OK;
		if (!b->gzip_open)
			rg_out_of_memory();
	} else if (kind == RG_ARCHIVE_ZSTD || kind == RG_ARCHIVE_XZ) {
		RG_TRY(open_filter(b, kind == RG_ARCHIVE_XZ ? ARCHIVE_FILTER_XZ
							    : ARCHIVE_FILTER_ZSTD));
	}
	*out = RG_TAKE(b);
	return NULL;
}

void rg_tar_bytes_free(rg_tar_bytes *b)
{
	if (!b)
		return;
	if (b->gzip_open)
		inflateEnd(&b->gzip);
	if (b->filter)
		libarchive.archive_read_free(b->filter);
	rg_error_free(b->failed);
	free(b);
}

bool rg_tar_bytes_is_packed(const rg_tar_bytes *b)
{
	return b->gzip_open || b->filter;
}

rg_error *rg_tar_bytes_next(rg_tar_bytes *b, const void **out, size_t *length)
{
	*length = 0;
	*out = b->in;
	if (!rg_tar_bytes_is_packed(b))
		return read_packed(b, length);
	*out = b->out;
	if (b->filter) {
		la_int64_t offset;
		int result = libarchive.archive_read_data_block(b->filter, out, length, &offset);
		if (result != ARCHIVE_OK)
			*length = 0;
		if (result != ARCHIVE_OK && result != ARCHIVE_EOF)
			return filter_error(b);
	} else {
		RG_TRY(next_gzip(b, length));
	}
	b->unpacked += *length;
	if (b->unpacked > b->limits->total_size)
		return rg_error_new(RG_E_LIMIT,
				    "it unpacks to more than %" PRIu64 " bytes (regild.maxTotal)",
				    b->limits->total_size);
	rg_zip_limits whole = *b->limits;
	if (b->unpacked > WHOLE_FLOOR)
		whole.ratio /= 2;
	return rg_member_check_ratio(b->unpacked, b->position, &whole);
}

uint64_t rg_tar_bytes_skip(rg_tar_bytes *b, uint64_t length)
{
	uint64_t left = b->reader->size - b->position;
	if (rg_tar_bytes_is_packed(b))
		return 0;
	length = length < left ? length : left;
	b->position += length;
	return length;
}
