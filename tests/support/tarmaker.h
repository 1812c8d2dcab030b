/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_TARMAKER_H
#define REGILD_TESTS_TARMAKER_H

/* Writes tars header by header (POSIX.1-2017, pax, "ustar Interchange Format"), honest or not, and
 * packs them. */

#include "base/buf.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARMAKER_BLOCK = 512 };

/* Puts the right sum into a header. */
static inline void tarmaker_sum(char header[static TARMAKER_BLOCK])
{
	unsigned sum = 0;
	size_t i;

	memset(header + 148, ' ', 8);
	for (i = 0; i < TARMAKER_BLOCK; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
}

/* A header alone; `type` is '0' a file, '1' a hard link, '2' a symbolic one, '5' a folder, … */
static inline void tarmaker_header(rg_buf *tar, const char *name, char type, size_t size)
{
	char header[TARMAKER_BLOCK] = {0};

	memcpy(header, name, strlen(name));
	memcpy(header + 100,
	       "0000644\0"
	       "0000000\0"
	       "0000000",
	       23);
	snprintf(header + 124, 12, "%011o", (unsigned)size);
	memcpy(header + 136, "00000000000", 11);
	header[156] = type;
	if (type == '1' || type == '2')
		memcpy(header + 157, "/etc/passwd", 11);
	memcpy(header + 257,
	       "ustar\0"
	       "00",
	       8);
	tarmaker_sum(header);
	rg_buf_add(tar, header, sizeof(header));
}

static inline void tarmaker_add(rg_buf *tar, const char *name, char type, const char *bytes)
{
	static const char zeros[TARMAKER_BLOCK];
	size_t length = strlen(bytes);

	tarmaker_header(tar, name, type, length);
	rg_buf_add(tar, bytes, length);
	rg_buf_add(tar, zeros, (TARMAKER_BLOCK - length % TARMAKER_BLOCK) % TARMAKER_BLOCK);
}

static inline void tarmaker_end(rg_buf *tar)
{
	static const char zeros[2 * TARMAKER_BLOCK];

	rg_buf_add(tar, zeros, sizeof(zeros));
}

/* Appends `bytes` to `out` as ARCHIVE_FILTER_GZIP, _ZSTD or _XZ packs them. */
static inline void tarmaker_pack(rg_buf *out, int filter, const void *bytes, size_t length)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	size_t room = length + (1 << 20), used = 0;
	char *packed = malloc(room);

	archive_entry_set_filetype(entry, AE_IFREG);
	if (archive_write_add_filter(archive, filter) != ARCHIVE_OK ||
	    archive_write_set_format_raw(archive) != ARCHIVE_OK ||
	    archive_write_set_bytes_per_block(archive, 0) != ARCHIVE_OK ||
	    archive_write_open_memory(archive, packed, room, &used) != ARCHIVE_OK ||
	    archive_write_header(archive, entry) != ARCHIVE_OK ||
	    archive_write_data(archive, bytes, length) != (la_ssize_t)length ||
	    archive_write_close(archive) != ARCHIVE_OK)
		abort();
	rg_buf_add(out, packed, used);
	archive_entry_free(entry);
	archive_write_free(archive);
	free(packed);
}

#endif
