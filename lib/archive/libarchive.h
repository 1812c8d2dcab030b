/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_LIBARCHIVE_H
#define REGILD_ARCHIVE_LIBARCHIVE_H

#include "base/error.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

/*
 * libarchive, loaded when it is first asked for: libarchive.archive_read_new(...). No call before
 * rg_libarchive_load has succeeded.
 */
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

/* A declaration takes no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
typedef struct {
#define RG_MEMBER(name) __typeof__(name) *name;
	RG_LIBARCHIVE_FUNCTIONS(RG_MEMBER)
#undef RG_MEMBER
} rg_libarchive_functions;
/* NOLINTEND(bugprone-macro-parentheses) */

extern rg_libarchive_functions libarchive;

/* Loads it by rg_library_load(); the static program, which has the library, loads nothing. */
RG_CHECKED rg_error *rg_libarchive_load(void);

/* libarchive's errors as ours. */

static inline const char *rg_libarchive_text(struct archive *archive)
{
	const char *text = libarchive.archive_error_string(archive);

	return text ? text : "libarchive";
}

/* RG_E_PARSE "WHAT (libarchive's words)". */
RG_CHECKED RG_NEVER_NULL static inline rg_error *rg_libarchive_error(struct archive *archive,
								     const char *what)
{
	return rg_error_new(RG_E_PARSE, "%s (%s)", what, rg_libarchive_text(archive));
}

#endif
