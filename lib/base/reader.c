/* SPDX-License-Identifier: Apache-2.0 */
#include "base/reader.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/file.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 64 << 10 };

rg_error *rg_reader_read(const rg_reader *reader, uint64_t offset, void *buffer, size_t length)
{
	if (offset > reader->size || length > reader->size - offset)
		return rg_error_new(RG_E_PARSE,
				    "%s: ends too early: %zu bytes at %" PRIu64
				    " are wanted of %" PRIu64,
				    reader->name, length, offset, reader->size);
	return length ? reader->read_at(reader->context, offset, buffer, length) : NULL;
}

rg_error *rg_reader_pass(const rg_reader *reader, rg_reader_sink *sink, void *context)
{
	unsigned char block[BLOCK];
	size_t part;

	for (uint64_t at = 0; at < reader->size; at += part) {
		part = reader->size - at < BLOCK ? (size_t)(reader->size - at) : BLOCK;
		RG_TRY(rg_cancel_check());
		RG_TRY(rg_reader_read(reader, at, block, part));
		RG_TRY(sink(context, block, part));
	}
	return NULL;
}

static rg_error *hash_block(void *context, const void *bytes, size_t length)
{
	return rg_sha256_add(context, bytes, length);
}

rg_error *rg_reader_sha256(const rg_reader *reader, char out[static RG_SHA256_HEX])
{
	RG_AUTO_PTR(rg_sha256) hash = NULL;
	RG_TRY(rg_sha256_new(&hash));
	RG_TRY(rg_reader_pass(reader, hash_block, hash));
	return rg_sha256_finish(hash, out);
}

rg_error *rg_reader_prefetch(const rg_reader *reader, const rg_range *ranges, size_t count)
{
	return reader->prefetch && count ? reader->prefetch(reader->context, ranges, count) : NULL;
}

static rg_error *file_read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_reader_file *file = context;
	return rg_read_at(file->fd, offset, buffer, length, file->reader.name);
}

void rg_reader_file_init(rg_reader_file *out, int fd, const char *name, uint64_t size)
{
	out->fd = fd;
	out->reader =
		(rg_reader){.name = name, .size = size, .read_at = file_read_at, .context = out};
}

rg_error *rg_reader_file_open(rg_reader_file *out, const char *path)
{
	struct stat st;
	int fd;

	*out = (rg_reader_file){0};
	RG_TRY(rg_file_open(&fd, path, 0));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return rg_error_new(RG_E_IO, "%s: is not a regular file", path);
	}
	rg_reader_file_init(out, fd, path, (uint64_t)st.st_size);
	return NULL;
}

void rg_reader_file_release(rg_reader_file *file)
{
	if (file->reader.read_at)
		close(file->fd); /* only read here: nothing can be lost */
	*file = (rg_reader_file){0};
}

static rg_error *part_read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_reader_part *part = context;
	return rg_reader_read(part->below, part->start + offset, buffer, length);
}

static rg_error *part_prefetch(void *context, const rg_range *ranges, size_t count)
{
	const rg_reader_part *part = context;
	RG_AUTO_FREE rg_range *moved = rg_calloc(count, sizeof(*moved));
	for (size_t i = 0; i < count; i++)
		moved[i] = (rg_range){part->start + ranges[i].offset, ranges[i].length};
	return rg_reader_prefetch(part->below, moved, count);
}

void rg_reader_part_init(rg_reader_part *out, const rg_reader *below, const char *name,
			 rg_range range)
{
	out->below = below;
	out->start = range.offset;
	out->reader = (rg_reader){.name = name,
				  .size = range.length,
				  .read_at = part_read_at,
				  .prefetch = part_prefetch,
				  .context = out};
}

int rg_reader_descriptor(const rg_reader *reader, uint64_t *start)
{
	*start = 0;
	while (reader->read_at == part_read_at) {
		const rg_reader_part *part = reader->context;
		*start += part->start;
		reader = part->below;
	}
	return reader->read_at == file_read_at ? ((const rg_reader_file *)reader->context)->fd : -1;
}

RG_ORDER(by_offset, rg_range, RG_RISING(offset));

size_t rg_ranges_join(rg_range *ranges, size_t count, uint64_t gap)
{
	size_t kept = 0;
	if (count)
		qsort(ranges, count, sizeof(*ranges), by_offset);
	for (size_t i = 0; i < count; i++) {
		rg_range *last = kept ? &ranges[kept - 1] : NULL;
		uint64_t end = last ? last->offset + last->length : 0;

		if (!last || (ranges[i].offset > end && ranges[i].offset - end > gap))
			ranges[kept++] = ranges[i];
		else if (ranges[i].offset + ranges[i].length > end)
			last->length = ranges[i].offset + ranges[i].length - last->offset;
	}
	return kept;
}
