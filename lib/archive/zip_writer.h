/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZIP_WRITER_H
#define REGILD_ARCHIVE_ZIP_WRITER_H

#include "base/cleanup.h"
#include "base/reader.h"

/*
 * Writes a zip into a file as it comes, the same bytes for the same members every time: no clock,
 * no user, no file mode of the machine. Members are deflated at level 9, dated 1980-01-01, with
 * mode 0644 and names marked as UTF-8. With minizip's zip.h.
 */
typedef struct rg_zip_writer rg_zip_writer;

/* `fd` is an empty file that can be written anywhere; `name` is for messages. Both are borrowed. */
rg_zip_writer *rg_zip_writer_new(int fd, const char *name);
/*
 * Adds a member: all that `contents` reads. Names must come in strictly ascending byte order
 * (strcmp), which is what makes the zip a function of its contents and rules out duplicates:
 * RG_E_USAGE otherwise; RG_E_UNSAFE for a name that rg_path_check refuses.
 */
RG_CHECKED rg_error *rg_zip_writer_add(rg_zip_writer *writer, const char *name,
				       const rg_reader *contents);
/* Writes the directory; *size is the zip's, which may be NULL. The writer takes no more members. */
RG_CHECKED rg_error *rg_zip_writer_finish(rg_zip_writer *writer, uint64_t *size);
void rg_zip_writer_free(rg_zip_writer *writer);
RG_FREE_AT(rg_zip_writer)

#endif
