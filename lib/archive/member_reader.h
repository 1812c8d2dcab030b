/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_MEMBER_READER_H
#define REGILD_ARCHIVE_MEMBER_READER_H

#include "archive/zip.h"

/* The bytes of a zip's member as a reader, for a zip inside a zip: where they lie where it is
 * stored, so that only what is read of it moves; else unpacked into a file without a name, in
 * rg_temporary_folder. It points into itself and must not move. */
typedef struct {
	const rg_reader *reader;
	rg_reader_part stored;
	rg_reader_file unpacked;
} rg_member_reader;

/* Errors are those of rg_zip_stored_range and rg_zip_extract. Released whatever comes back. */
RG_CHECKED rg_error *rg_member_reader_open(rg_member_reader *out, rg_zip *zip, size_t index);
void rg_member_reader_release(rg_member_reader *member);

#endif
