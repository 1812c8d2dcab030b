/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/pack.h"

#include "hub/memory_file.h"

#include <minizip/zip.h>
#include <stdlib.h>
#include <string.h>

struct pack {
	zipFile zip;
	memory_file file;
};

void pack_new(pack **out)
{
	pack *zip = calloc(1, sizeof(*zip));
	zlib_filefunc64_def functions;
	functions = memory_file_functions(&zip->file);
	zip->zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
	*out = zip;
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
	*bytes = zip->file.bytes;
	*length = zip->file.length;
	zip->file.bytes = NULL;
	return NULL;
}

void pack_free(pack *zip)
{
	if (!zip)
		return;
	if (zip->zip)
		(void)zipClose(zip->zip, NULL);
	free(zip->file.bytes);
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
