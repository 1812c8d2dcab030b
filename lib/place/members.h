/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_PLACE_MEMBERS_H
#define REGILD_PLACE_MEMBERS_H

#include "archive/select.h"
#include "base/map.h"

/*
 * What was selected of a zip, remembered and read later where it is: a stored member, be it in
 *stored zips in the zip, in the zip itself, a deflated one through a file without a name. Nothing
 *of it is unpacked twice at once, nor held.
 *
 *	rg_members_open(&files, path);
 *	rg_select_zip(…, rg_members_reader(&files), …);	… with rg_members_take
 *	rg_members_sort(&files);
 *	file = rg_members_find(&files, "FLOW/MODEL.pte");
 */
typedef struct {
	const char *path; /* in the innermost zip */
	rg_zip_packed packed;
} rg_member;

typedef struct {
	rg_member *items; /* by path, in strcmp's order, when they are sorted */
	size_t count, capacity;
	/* The zip, and the files without a name that deflated zips inside it were unpacked into. */
	struct rg_member_source *sources;
	char *last_via; /* that the newest of the sources came through */
	rg_arena arena;
} rg_members;

/* `path` is borrowed. Released whatever comes back. */
RG_CHECKED rg_error *rg_members_open(rg_members *out, const char *path);
const rg_reader *rg_members_reader(const rg_members *files);
/* An rg_selected_fn, whose context is the files. */
RG_CHECKED rg_error *rg_members_take(void *files, const rg_selected *selected);
/* RG_E_CONFLICT where two zips inside the zip have files of one path. */
RG_CHECKED rg_error *rg_members_sort(rg_members *files);
void rg_members_release(rg_members *files);

/* NULL where there is none. */
const rg_member *rg_members_find(const rg_members *files, const char *path);

/* By several threads at once. Errors are those of rg_zip_unpack. */

/* Up to `size` of its first bytes, unchecked; *got says how many. */
RG_CHECKED rg_error *rg_member_start(const rg_member *file, void *out, size_t size, size_t *got);
/* Appends all of it; RG_E_LIMIT where the buffer's maximum is less. */
RG_CHECKED rg_error *rg_member_read(const rg_member *file, rg_buf *out);
RG_CHECKED rg_error *rg_member_map(const rg_member *file, rg_map *out);

#endif
