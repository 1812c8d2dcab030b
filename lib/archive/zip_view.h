#ifndef REGILD_ARCHIVE_ZIP_VIEW_H
#define REGILD_ARCHIVE_ZIP_VIEW_H

#include "archive/reader.h"

#include <minizip/ioapi.h>

/*
 * What minizip sees of a zip: the file up to the end of its central directory, and behind it end
 * records that were written here from the checked values. minizip looks for an end record from the
 * file's end backwards and believes the first it meets; so it meets ours, and never a fake one.
 */
enum { RG_ZIP_VIEW_END = 56 + 20 + 22 };

typedef struct {
	const rg_reader *reader;
	uint64_t directory_end; /* where the records of ours begin */
	unsigned char end[RG_ZIP_VIEW_END];
	uint64_t at;   /* the file position */
	rg_error *err; /* the first that the reader gave, owned */
} rg_zip_view;

void rg_zip_view_init(rg_zip_view *view, const rg_reader *reader, uint64_t directory_offset,
		      uint64_t directory_size, uint64_t entries);
/* Functions for unzOpen2_64 that work on the view, which must outlive what is opened. */
zlib_filefunc64_def rg_zip_view_functions(rg_zip_view *view);
/* Hands the reader's error over; NULL where there was none. */
RG_CHECKED rg_error *rg_zip_view_take_error(rg_zip_view *view);

#endif
