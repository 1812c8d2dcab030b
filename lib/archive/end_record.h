#ifndef REGILD_ARCHIVE_END_RECORD_H
#define REGILD_ARCHIVE_END_RECORD_H

#include "archive/reader.h"

/* What a zip's end records say of its directory; for directory.c. */
typedef struct {
	uint64_t entries;      /* members that the directory should hold */
	uint64_t offset, size; /* of the directory; offset + size == at */
	uint64_t at;           /* where the end records begin */
} rg_zip_end;

/* Reads the file's tail, once. RG_E_PARSE, without the file's name in front, where there is no end
 * record, two, or one that cannot be true. */
RG_CHECKED rg_error *rg_zip_end_find(rg_zip_end *out, const rg_reader *reader);

#endif
