/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZIP_DIRECTORY_H
#define REGILD_ARCHIVE_ZIP_DIRECTORY_H

#include "archive/member.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	const char *name;      /* as the directory has it, NUL-terminated; escape when shown */
	uint64_t packed, size; /* bytes, as the directory claims */
	uint64_t offset;       /* of the local header */
	uint64_t end;          /* where the next member or the directory begins */
	uint64_t record;       /* of its entry in the central directory */
	uint32_t crc;
	uint16_t method, flags;
	bool folder; /* ends in '/': nothing to extract */
	rg_refused refused;
	const char *why; /* a sentence on `refused` ("it is encrypted"), or NULL */
} rg_zip_member;

/* A zip's central directory, found, read and checked. Layouts are APPNOTE.TXT's 4.3.12 (entry) and
 * 4.5.3 (zip64 extra field). */
typedef struct {
	rg_zip_member *members; /* in the directory's order */
	size_t count;
	uint64_t offset, size; /* where it is in the file */
	rg_arena arena;        /* owns members and their texts */
} rg_zip_directory;

/* As rg_zip_open. `out` needs no release after an error. */
RG_CHECKED rg_error *rg_zip_directory_read(rg_zip_directory *out, const rg_reader *reader,
					   const rg_zip_limits *limits);
void rg_zip_directory_release(rg_zip_directory *directory);

#endif
