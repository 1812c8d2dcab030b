/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_KIND_H
#define REGILD_ARCHIVE_KIND_H

#include "base/reader.h"

/* The kind of a file by its first bytes. A file that is packed with gzip, zstd or xz may be a tar
 * or anything else: rg_select_tar finds out. */
typedef enum {
	RG_ARCHIVE_NONE = 0,
	RG_ARCHIVE_ZIP,
	RG_ARCHIVE_TAR, /* of any age: the checksum of its first header fits */
	RG_ARCHIVE_GZIP,
	RG_ARCHIVE_ZSTD,
	RG_ARCHIVE_XZ,
} rg_archive_kind;

/* So many bytes are enough to tell. */
#define RG_ARCHIVE_KIND_BYTES 512

rg_archive_kind rg_archive_kind_of(const void *bytes, size_t length);
/* Reads the first bytes. Errors are the reader's. */
RG_CHECKED rg_error *rg_archive_kind_read(rg_archive_kind *out, const rg_reader *reader);

#endif
