/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZIP_END_RECORD_H
#define REGILD_ARCHIVE_ZIP_END_RECORD_H

#include "base/reader.h"

/* How much of a file's end is read, in one go, to find the directory. One of some 600 members is
 * inside it; more is read only where it does not, or before a comment of nearly 64 KiB. */
#define RG_ZIP_TAIL ((size_t)64 << 10)

/* What a zip's end records say of its directory (APPNOTE.TXT 4.3.14 to 4.3.16). */
typedef struct {
	uint64_t entries;      /* members that the directory should hold */
	uint64_t offset, size; /* of the directory; offset + size == at */
	uint64_t at;           /* where the end records begin */
} rg_zip_end;

/* Reads the file's tail, once. RG_E_PARSE, without the file's name in front, where there is no end
 * record, two, or one that cannot be true. */
RG_CHECKED rg_error *rg_zip_end_find(rg_zip_end *out, const rg_reader *reader);

#endif
