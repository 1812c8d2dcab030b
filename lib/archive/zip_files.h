/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZIP_FILES_H
#define REGILD_ARCHIVE_ZIP_FILES_H

#include "archive/select.h"
#include "base/map.h"

/*
 * What was selected of a zip, remembered and read later where it is: a stored member, be it in
 *stored zips in the zip, in the zip itself, a deflated one through a file without a name. Nothing
 *of it is unpacked twice at once, nor held.
 *
 *	rg_zip_files_open(&files, path);
 *	rg_select_zip(…, rg_zip_files_reader(&files), …);	… with rg_zip_files_take
 *	rg_zip_files_sort(&files);
 *	file = rg_zip_files_find(&files, "FLOW/MODEL.pte");
 */
typedef struct {
	const char *path; /* in the innermost zip */
	rg_zip_packed packed;
} rg_zip_file;

typedef struct {
	rg_zip_file *items; /* by path, in strcmp's order, when they are sorted */
	size_t count, capacity;
	/* The zip, and the files without a name that deflated zips inside it were unpacked into. */
	struct rg_zip_source *sources;
	char *last_via; /* that the newest of the sources came through */
	rg_arena arena;
} rg_zip_files;

/* `path` is borrowed. Released whatever comes back. */
RG_CHECKED rg_error *rg_zip_files_open(rg_zip_files *out, const char *path);
const rg_reader *rg_zip_files_reader(const rg_zip_files *files);
/* An rg_selected_fn, whose context is the files. */
RG_CHECKED rg_error *rg_zip_files_take(void *files, const rg_selected *selected);
/* RG_E_CONFLICT where two zips inside the zip have files of one path. */
RG_CHECKED rg_error *rg_zip_files_sort(rg_zip_files *files);
void rg_zip_files_release(rg_zip_files *files);

/* NULL where there is none. */
const rg_zip_file *rg_zip_files_find(const rg_zip_files *files, const char *path);

/* By several threads at once. Errors are those of rg_zip_unpack. */

/* Up to `size` of its first bytes, unchecked; *got says how many. */
RG_CHECKED rg_error *rg_zip_file_start(const rg_zip_file *file, void *out, size_t size,
				       size_t *got);
/* Appends all of it; RG_E_LIMIT where the buffer's maximum is less. */
RG_CHECKED rg_error *rg_zip_file_read(const rg_zip_file *file, rg_buf *out);
RG_CHECKED rg_error *rg_zip_file_map(const rg_zip_file *file, rg_map *out);

#endif
