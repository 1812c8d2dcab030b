/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_MAP_H
#define REGILD_BASE_MAP_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A file's bytes, mapped read-only: for tensors of gigabytes, which are read once from front to
 * back. Whoever shortens the file meanwhile kills the process (SIGBUS), as with git's packs; files
 * of ordinary size are better read with rg_file_read.
 */
typedef struct {
	const void *data; /* never NULL after open */
	size_t size;
	int file; /* open, where the map is of the whole of it; else 0 */
} rg_map;

/* RG_E_IO with the path; also if it is not a regular file. An empty file maps as no bytes. */
RG_CHECKED rg_error *rg_map_open(rg_map *out, const char *path);
/* The same of an open file; `path` is for messages. The caller closes it, now or later. */
RG_CHECKED rg_error *rg_map_descriptor(rg_map *out, int fd, const char *path);
/* The same of some of its bytes: RG_E_PARSE where the file ends before they do. */
RG_CHECKED rg_error *rg_map_range(rg_map *out, int fd, uint64_t offset, uint64_t size,
				  const char *path);
void rg_map_release(rg_map *map);

/* Gives the memory behind bytes of any map back; they can be read again. Whole pages only: what
 * begins or ends inside a page is kept until its neighbours go. Fits rg_input.forget. */
void rg_map_forget(const void *from, size_t size);

/* Memory in a file without a name in the temporary folder: parts that are forgotten take no memory
 * until they are needed again. NULL if there is no room for such a file. Freed with rg_spill_free,
 * or by the arena that takes it (rg_arena_adopt_map). `file`, which may be NULL, is for
 * rg_spill_write and the caller's to close; -1: it is closed already. */
void *rg_spill_new(size_t size, int *file);
/* Writes bytes into it that are not needed soon: faster than memory whose pages come one by one. */
void rg_spill_write(void *spill, int file, size_t at, const void *bytes, size_t size);
void rg_spill_free(void *memory, size_t size);

#endif
