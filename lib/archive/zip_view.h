#ifndef REGILD_ARCHIVE_ZIP_VIEW_H
#define REGILD_ARCHIVE_ZIP_VIEW_H

#include "archive/zip.h"

#include <minizip/ioapi.h>

/*
 * What minizip sees of a zip: one member's local header and packed bytes as they are, and behind
 * them a directory of this member alone and end records, written here from checked values. minizip
 * trusts a directory, looks for its end record from the file's end backwards and takes the first
 * that it meets; this way both are always ours. It also spares Debian's minizip (1.1) the zip64
 * fields of a directory, which it cannot read where `long` has 64 bits.
 */
enum { RG_ZIP_VIEW_NAME_MAX = 4096, RG_ZIP_VIEW_TAIL = 46 + RG_ZIP_VIEW_NAME_MAX + 56 + 20 + 22 };

typedef struct {
	const rg_reader *reader;
	uint64_t start;   /* of the local header in the reader */
	uint64_t real;    /* bytes of the reader that are seen */
	uint64_t at;      /* minizip's file position */
	rg_error *err;    /* the first that the reader gave, owned */
	size_t tail_size; /* bytes behind the real ones */
	unsigned char tail[RG_ZIP_VIEW_TAIL];
} rg_zip_view;

/*
 * `data` is where the member's packed bytes lie. RG_E_LIMIT for a name or sizes that do not fit a
 * directory without zip64; directory.c refuses such members before.
 */
RG_CHECKED rg_error *rg_zip_view_init(rg_zip_view *view, const rg_reader *reader,
				      const rg_zip_member *member, rg_range data);
/* Functions for unzOpen2_64 that work on the view, which must outlive what is opened. */
zlib_filefunc64_def rg_zip_view_functions(rg_zip_view *view);

#endif
