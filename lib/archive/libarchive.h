/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_LIBARCHIVE_H
#define REGILD_ARCHIVE_LIBARCHIVE_H

#include "base/error.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

/*
 * libarchive is loaded when it is first asked for. Its functions have their own names here, and are
 * not to be called before rg_libarchive_load has succeeded.
 */
#ifdef REGILD_STATIC
static inline rg_error *rg_libarchive_load(void)
{
	return NULL;
}
#else
/* clang-format off */
#define RG_LIBARCHIVE_FUNCTIONS(X) \
	X(archive_entry_filetype) X(archive_entry_free) X(archive_entry_hardlink) \
	X(archive_entry_new) X(archive_entry_pathname) X(archive_entry_set_filetype) \
	X(archive_entry_set_pathname) X(archive_entry_size) X(archive_errno) \
	X(archive_error_string) X(archive_filter_bytes) X(archive_format) \
	X(archive_read_append_filter) X(archive_read_data) X(archive_read_data_block) \
	X(archive_read_free) X(archive_read_header_position) X(archive_read_new) \
	X(archive_read_next_header) X(archive_read_open2) X(archive_read_support_format_raw) \
	X(archive_read_support_format_tar) X(archive_write_add_filter_zstd) \
	X(archive_write_close) X(archive_write_data) X(archive_write_fail) \
	X(archive_write_free) X(archive_write_header) X(archive_write_new) \
	X(archive_write_open) X(archive_write_set_bytes_in_last_block) \
	X(archive_write_set_format_raw)
/* clang-format on */

typedef struct {
#define RG_MEMBER(name) __typeof__(name) *name##_;
	RG_LIBARCHIVE_FUNCTIONS(RG_MEMBER)
#undef RG_MEMBER
} rg_libarchive_functions;

extern rg_libarchive_functions rg_libarchive;

/* As rg_library_load. */
RG_CHECKED rg_error *rg_libarchive_load(void);

#define archive_entry_filetype                rg_libarchive.archive_entry_filetype_
#define archive_entry_free                    rg_libarchive.archive_entry_free_
#define archive_entry_hardlink                rg_libarchive.archive_entry_hardlink_
#define archive_entry_new                     rg_libarchive.archive_entry_new_
#define archive_entry_pathname                rg_libarchive.archive_entry_pathname_
#define archive_entry_set_filetype            rg_libarchive.archive_entry_set_filetype_
#define archive_entry_set_pathname            rg_libarchive.archive_entry_set_pathname_
#define archive_entry_size                    rg_libarchive.archive_entry_size_
#define archive_errno                         rg_libarchive.archive_errno_
#define archive_error_string                  rg_libarchive.archive_error_string_
#define archive_filter_bytes                  rg_libarchive.archive_filter_bytes_
#define archive_format                        rg_libarchive.archive_format_
#define archive_read_append_filter            rg_libarchive.archive_read_append_filter_
#define archive_read_data                     rg_libarchive.archive_read_data_
#define archive_read_data_block               rg_libarchive.archive_read_data_block_
#define archive_read_free                     rg_libarchive.archive_read_free_
#define archive_read_header_position          rg_libarchive.archive_read_header_position_
#define archive_read_new                      rg_libarchive.archive_read_new_
#define archive_read_next_header              rg_libarchive.archive_read_next_header_
#define archive_read_open2                    rg_libarchive.archive_read_open2_
#define archive_read_support_format_raw       rg_libarchive.archive_read_support_format_raw_
#define archive_read_support_format_tar       rg_libarchive.archive_read_support_format_tar_
#define archive_write_add_filter_zstd         rg_libarchive.archive_write_add_filter_zstd_
#define archive_write_close                   rg_libarchive.archive_write_close_
#define archive_write_data                    rg_libarchive.archive_write_data_
#define archive_write_fail                    rg_libarchive.archive_write_fail_
#define archive_write_free                    rg_libarchive.archive_write_free_
#define archive_write_header                  rg_libarchive.archive_write_header_
#define archive_write_new                     rg_libarchive.archive_write_new_
#define archive_write_open                    rg_libarchive.archive_write_open_
#define archive_write_set_bytes_in_last_block rg_libarchive.archive_write_set_bytes_in_last_block_
#define archive_write_set_format_raw          rg_libarchive.archive_write_set_format_raw_
#endif

/* libarchive's errors as ours. */

static inline const char *rg_libarchive_text(struct archive *archive)
{
	const char *text = archive_error_string(archive);

	return text ? text : "libarchive";
}

/* RG_E_PARSE "WHAT (libarchive's words)". */
RG_CHECKED RG_NEVER_NULL static inline rg_error *rg_libarchive_error(struct archive *archive,
								     const char *what)
{
	return rg_error_new(RG_E_PARSE, "%s (%s)", what, rg_libarchive_text(archive));
}

#endif
