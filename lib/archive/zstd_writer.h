/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZSTD_WRITER_H
#define REGILD_ARCHIVE_ZSTD_WRITER_H

#include "base/error.h"

#include <stddef.h>

/*
 * Packs a stream of bytes into a file with zstd, by libarchive:
 *
 *	rg_zstd_writer_open(&writer, fd, path);
 *	rg_zstd_writer_add(writer, …), as often as there is something
 *	rg_zstd_writer_close(writer, err);
 *
 * The same bytes in, in whatever pieces, are the same bytes out.
 */
typedef struct rg_zstd_writer rg_zstd_writer;

/* `fd` and `path`, for messages, are borrowed. *out is NULL after an error. */
RG_CHECKED rg_error *rg_zstd_writer_open(rg_zstd_writer **out, int fd, const char *path);
RG_CHECKED rg_error *rg_zstd_writer_add(rg_zstd_writer *writer, const void *bytes, size_t length);
/* Frees the writer in any case, which may be NULL. Where `err`, what writing came to, is set, it is
 * returned, and the file is not made whole. */
RG_CHECKED rg_error *rg_zstd_writer_close(rg_zstd_writer *writer, rg_error *err);

#endif
