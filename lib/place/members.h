/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_PLACE_MEMBERS_H
#define REGILD_PLACE_MEMBERS_H

#include "archive/kind.h"
#include "archive/select.h"
#include "base/map.h"
#include "golden/format.h"

/*
 * Members of archives: what was selected is remembered and read later. Members of one zip on this
 * machine are read where they are: a stored one, be it in stored zips in the zip, in the zip
 * itself, a deflated one through a file without a name. All others are kept in one file without a
 * name, as are those of zips that are not opened here.
 *
 *	rg_members_init(&members);
 *	rg_members_open(&members, path);	… or not, and another reader is selected from
 *	rg_members_select(&members, …);		… or rg_members_select_all
 *	rg_members_sort(&members);
 *	member = rg_members_find(&members, "FLOW/MODEL.pte");
 *	rg_members_release(&members);		… whatever came back
 */
typedef struct {
	const char *path; /* in the innermost archive */
	const char *via;  /* as rg_selected has it */
	rg_zip_packed packed;
} rg_member;

/* Must not move. */
typedef struct {
	rg_member *items; /* by path, in strcmp's order, when they are sorted */
	size_t count, capacity;
	rg_reader_file file;  /* the archive */
	rg_reader_file spool; /* what is not read where it is */
	/* The files without a name that deflated zips inside it were unpacked into, newest first.
	 */
	struct rg_member_source *inner;
	char *last_via; /* that the newest of them came through */
	rg_arena arena;
} rg_members;

void rg_members_init(rg_members *members);
/* `path` is borrowed. */
RG_CHECKED rg_error *rg_members_open(rg_members *members, const char *path);
/* Adds what patterns ask for, as rg_select_zip and rg_select_tar do; `out` is theirs. */
RG_CHECKED rg_error *rg_members_select(rg_members *members, rg_selection *out,
				       const rg_reader *reader, rg_archive_kind kind,
				       const char *const *patterns, size_t count,
				       const rg_zip_limits *limits);
/* Adds all there is. An archive that holds nothing but one zip is that zip; `out` is of that alone.
 */
RG_CHECKED rg_error *rg_members_select_all(rg_members *members, rg_selection *out,
					   rg_archive_kind kind, const rg_zip_limits *limits);
/* RG_E_CONFLICT where two zips inside the archive have files of one path. */
RG_CHECKED rg_error *rg_members_sort(rg_members *members);
void rg_members_release(rg_members *members);

/* NULL where there is none. */
const rg_member *rg_members_find(const rg_members *members, const char *path);

/* By several threads at once. Errors are those of rg_zip_unpack. */

/* Up to `size` of its first bytes, unchecked; *got says how many. */
RG_CHECKED rg_error *rg_member_start(const rg_member *file, void *out, size_t size, size_t *got);
/* Appends all of it; RG_E_LIMIT where the buffer's maximum is less. */
RG_CHECKED rg_error *rg_member_read(const rg_member *file, rg_buf *out);
RG_CHECKED rg_error *rg_member_map(const rg_member *file, rg_map *out);
/* Maps so much of its beginning as a reader looks at (rg_format.head_size): what is not mapped
 * where it is has a hole in place of the rest. Its CRC-32 is not looked at. */
RG_CHECKED rg_error *rg_member_map_head(const rg_member *file, rg_head_size_fn *size, rg_map *out);

#endif
