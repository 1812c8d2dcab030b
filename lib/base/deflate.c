/* SPDX-License-Identifier: Apache-2.0 */
#include "base/deflate.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

static voidpf allocate(voidpf nothing, uInt count, uInt size)
{
	(void)nothing;
	return rg_calloc(count, size);
}

static void give_back(voidpf nothing, voidpf memory)
{
	(void)nothing;
	free(memory);
}

void rg_deflate_begin(rg_deflater *deflater, rg_buf *out)
{
	*deflater = (rg_deflater){.stream = {.zalloc = allocate, .zfree = give_back}, .out = out};
	/* It fails for a zlib alone that was built otherwise: then there is no stream, and what is
	 * added is empty. */
	(void)deflateInit(&deflater->stream, Z_BEST_COMPRESSION);
}

static void work(rg_deflater *deflater, int flush)
{
	enum { ROOM = 1 << 16 };
	z_stream *stream = &deflater->stream;
	do {
		if (!rg_buf_reserve(deflater->out, ROOM))
			return;
		stream->next_out = (Bytef *)deflater->out->data + deflater->out->length;
		stream->avail_out = ROOM;
		if (deflate(stream, flush) == Z_STREAM_ERROR)
			return;
		deflater->out->length += ROOM - stream->avail_out;
	} while (!stream->avail_out);
}

rg_error *rg_deflate_add(void *deflater, const void *bytes, size_t size)
{
	enum { MOST = 1 << 30 };
	rg_deflater *d = deflater;
	const char *from = bytes;
	while (size) {
		const size_t part = size < MOST ? size : MOST;
		d->stream.next_in = (unsigned char *)(uintptr_t)from;
		d->stream.avail_in = (uInt)part;
		work(d, Z_NO_FLUSH);
		from += part;
		size -= part;
	}
	return NULL;
}

void rg_deflate_end(rg_deflater *deflater)
{
	deflater->stream.avail_in = 0;
	work(deflater, Z_FINISH);
	deflateEnd(&deflater->stream);
}
