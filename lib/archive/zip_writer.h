#ifndef REGILD_ARCHIVE_ZIP_WRITER_H
#define REGILD_ARCHIVE_ZIP_WRITER_H

#include "base/buf.h"

/*
 * Writes a zip into a buffer, the same bytes for the same members every time: no clock, no user, no
 * file mode of the machine. Members are deflated at level 9, dated 1980-01-01, with mode 0644 and
 * names marked as UTF-8. With minizip's zip.h.
 */
typedef struct rg_zip_writer rg_zip_writer;

/* `into` is borrowed until rg_zip_writer_finish or _free, and is the zip after finish. Its maximum
 * holds. */
RG_CHECKED rg_error *rg_zip_writer_new(rg_zip_writer **out, rg_buf *into);
/*
 * Adds a member. Names must come in strictly ascending byte order (strcmp), which is what makes the
 * zip a function of its contents and rules out duplicates: RG_E_USAGE otherwise; RG_E_UNSAFE for a
 * name that rg_path_check refuses.
 */
RG_CHECKED rg_error *rg_zip_writer_add(rg_zip_writer *writer, const char *name, const void *bytes,
				       size_t length);
/* Writes the directory. The writer takes no more members. RG_E_LIMIT where `into` was too small. */
RG_CHECKED rg_error *rg_zip_writer_finish(rg_zip_writer *writer);
void rg_zip_writer_free(rg_zip_writer *writer);

#endif
