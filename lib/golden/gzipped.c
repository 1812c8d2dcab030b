/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/gzipped.h"

#include "base/buf.h"
#include "base/path.h"
#include "golden/format.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, FIRST_BYTES = 64 << 10 };

static bool is_gzip(const rg_input *in)
{
	return in->size > 2 && rg_ends_with(in->name, ".gz") &&
	       !memcmp(in->data, "\x1f\x8b\x08", 3);
}

static char *name_within(const rg_input *in)
{
	return rg_strndup(in->name, strlen(in->name) - 3);
}

static void begin(z_stream *z, const rg_input *in)
{
	*z = (z_stream){.next_in = (Bytef *)(uintptr_t)in->data,
			.avail_in = in->size < UINT_MAX ? (uInt)in->size : UINT_MAX};
	if (inflateInit2(z, GZIP_WINDOW) != Z_OK)
		rg_out_of_memory();
}

bool rg_gzip_probe_open(rg_gzip_probe *out, const rg_input *in)
{
	z_stream z;
	if (!is_gzip(in))
		return false;
	begin(&z, in);
	z.next_out = (Bytef *)out->bytes;
	z.avail_out = sizeof(out->bytes);
	(void)inflate(&z, Z_SYNC_FLUSH); /* what is there is enough */
	inflateEnd(&z);
	out->name = name_within(in);
	out->in = *in;
	out->in.file = 0;
	out->in.name = out->name;
	out->in.data = out->bytes;
	out->in.size = sizeof(out->bytes) - z.avail_out;
	return true;
}

void rg_gzip_probe_release(rg_gzip_probe *probe)
{
	free(probe->name);
}

static void feed(z_stream *z, const rg_input *in)
{
	const Bytef *end = (const Bytef *)in->data + in->size;
	const size_t left = (size_t)(end - z->next_in);
	z->avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
}

/* Unpacks all of it: gzip's files may follow one another. */
static rg_error *inflate_all(z_stream *z, const rg_input *in, rg_buf *out)
{
	size_t room = FIRST_BYTES;
	for (;;) {
		feed(z, in);
		if (!rg_buf_reserve(out, room))
			return rg_buf_check(out, "what it unpacks to");
		z->next_out = (Bytef *)out->data + out->length;
		z->avail_out = (uInt)room;
		const int status = inflate(z, Z_NO_FLUSH);
		out->length += room - z->avail_out;
		if (status == Z_STREAM_END) {
			feed(z, in);
			if (!z->avail_in)
				return NULL;
			inflateReset(z);
		} else if (status == Z_BUF_ERROR && !z->avail_in) {
			return rg_error_new(RG_E_PARSE, "gzip: it is cut off");
		} else if (status != Z_OK && status != Z_BUF_ERROR) {
			return rg_error_new(RG_E_PARSE, "gzip: %s",
					    z->msg ? z->msg : "it is broken");
		}
		room = out->length < (size_t)64 << 20 ? out->length + FIRST_BYTES
						      : (size_t)64 << 20;
		if (room > RG_UNPACKED_MAX - out->length + 1)
			room = RG_UNPACKED_MAX - out->length + 1;
	}
}

rg_error *rg_gzip_unpack(rg_input *out, char **name, char **data, const rg_input *in)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_UNPACKED_MAX);
	z_stream z;

	begin(&z, in);
	rg_error *err = inflate_all(&z, in, &bytes);
	inflateEnd(&z);
	*out = *in;
	out->file = 0; /* which has the packed bytes */
	out->forget = NULL;
	out->name = *name = name_within(in);
	out->size = bytes.length;
	out->data = *data = err ? NULL : rg_buf_detach(&bytes);
	return err;
}
