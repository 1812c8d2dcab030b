/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_TAR_BYTES_H
#define REGILD_ARCHIVE_TAR_BYTES_H

#include "archive/member.h"
#include "base/cleanup.h"
#include "base/reader.h"

/*
 * The bytes of a tar from front to back, unpacked where it is packed. zlib reads gzip, since
 * libarchive does not check its CRC; libarchive reads zstd and xz.
 */
typedef struct rg_tar_bytes rg_tar_bytes;

/* `reader` and `limits` are borrowed. *out is NULL after an error. */
RG_CHECKED rg_error *rg_tar_bytes_open(rg_tar_bytes **out, const rg_reader *reader,
				       const rg_zip_limits *limits);
void rg_tar_bytes_free(rg_tar_bytes *bytes);
RG_FREE_AT(rg_tar_bytes)

/*
 * The next bytes, good until the next call; *length is 0 at the end, which a file that is cut off
 * does not have. RG_E_PARSE for what is damaged or cut off; RG_E_LIMIT where more is unpacked than
 * total_size or ratio allow, half of which holds from 64 MiB on; and what the reader says.
 */
RG_CHECKED rg_error *rg_tar_bytes_next(rg_tar_bytes *bytes, const void **out, size_t *length);

/* Leaves out up to `length` of the next bytes and returns how many: 0 where they must be unpacked
 * to get past them. */
uint64_t rg_tar_bytes_skip(rg_tar_bytes *bytes, uint64_t length);
/* Do bytes that are not read go unchecked? */
bool rg_tar_bytes_is_packed(const rg_tar_bytes *bytes);

#endif
