/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/pack.h"

#include "base/memory.h"

#include <minizip/zip.h>
#include <stdlib.h>
#include <string.h>

/* minizip writes through these functions into a growing block of memory. */
struct pack {
	zipFile zip;
	unsigned char *bytes;
	size_t length, capacity, position;
};

static voidpf memory_open(voidpf opaque, const void *name, int mode)
{
	(void)name;
	(void)mode;
	return opaque;
}

static uLong memory_read(voidpf opaque, voidpf stream, void *out, uLong size)
{
	pack *zip = stream;
	size_t left = zip->length - zip->position;

	(void)opaque;
	if (size > left)
		size = (uLong)left;
	memcpy(out, zip->bytes + zip->position, size);
	zip->position += size;
	return size;
}

static uLong memory_write(voidpf opaque, voidpf stream, const void *bytes, uLong size)
{
	pack *zip = stream;
	rg_error *err;

	(void)opaque;
	err = rg_grow(&zip->bytes, &zip->capacity, zip->position + size, 1);
	if (err) {
		rg_error_free(err);
		return 0;
	}
	memcpy(zip->bytes + zip->position, bytes, size);
	zip->position += size;
	if (zip->length < zip->position)
		zip->length = zip->position;
	return size;
}

static ZPOS64_T memory_tell(voidpf opaque, voidpf stream)
{
	const pack *zip = stream;

	(void)opaque;
	return zip->position;
}

static long memory_seek(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
	pack *zip = stream;
	size_t base = origin == ZLIB_FILEFUNC_SEEK_END   ? zip->length
		      : origin == ZLIB_FILEFUNC_SEEK_CUR ? zip->position
							 : 0;

	(void)opaque;
	if (offset > zip->length - base)
		return -1;
	zip->position = base + (size_t)offset;
	return 0;
}

static int memory_close(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

static int memory_error(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

rg_error *pack_new(pack **out)
{
	pack *zip = calloc(1, sizeof(*zip));
	zlib_filefunc64_def functions = {
		.zopen64_file = memory_open,
		.zread_file = memory_read,
		.zwrite_file = memory_write,
		.ztell64_file = memory_tell,
		.zseek64_file = memory_seek,
		.zclose_file = memory_close,
		.zerror_file = memory_error,
	};

	if (!zip)
		return rg_error_nomem();
	functions.opaque = zip;
	zip->zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
	if (!zip->zip) {
		free(zip);
		return rg_error_nomem();
	}
	*out = zip;
	return NULL;
}

rg_error *pack_add(pack *zip, const char *name, const void *bytes, size_t length, bool deflate)
{
	const unsigned char *from = bytes;
	zip_fileinfo info = {
		.tmz_date = {.tm_year = 2026, .tm_mon = 0, .tm_mday = 1, .tm_hour = 12}};
	int status = zipOpenNewFileInZip64(zip->zip, name, &info, NULL, 0, NULL, 0, NULL,
					   deflate ? Z_DEFLATED : 0, Z_DEFAULT_COMPRESSION,
					   length >= 0xffffffffu);

	while (status == ZIP_OK && length) {
		unsigned part = length > (1u << 20) ? 1u << 20 : (unsigned)length;

		status = zipWriteInFileInZip(zip->zip, from, part);
		from += part;
		length -= part;
	}
	if (status == ZIP_OK)
		status = zipCloseFileInZip(zip->zip);
	if (status != ZIP_OK)
		return rg_error_new(RG_E_IO, "%s: minizip cannot pack it (%d)", name, status);
	return NULL;
}

rg_error *pack_finish(pack *zip, unsigned char **bytes, size_t *length)
{
	int status = zipClose(zip->zip, NULL);

	zip->zip = NULL;
	if (status != ZIP_OK)
		return rg_error_new(RG_E_IO, "minizip cannot close the zip (%d)", status);
	*bytes = zip->bytes;
	*length = zip->length;
	zip->bytes = NULL;
	return NULL;
}

void pack_free(pack *zip)
{
	if (!zip)
		return;
	if (zip->zip)
		(void)zipClose(zip->zip, NULL);
	free(zip->bytes);
	free(zip);
}

void filler_fill(unsigned char *out, size_t length)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
	uint64_t state = 0x9e3779b97f4a7c15u; /* xorshift64 */
	unsigned left = 0;

	for (size_t i = 0; i < length; i++) {
		if (left == 0) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			left = 10;
		}
		out[i] = i % 96 == 95 ? '\n'
				      : (unsigned char)digits[state >> (6 * (left - 1)) & 63];
		left--;
	}
}
