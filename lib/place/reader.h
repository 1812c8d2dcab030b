/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_PLACE_READER_H
#define REGILD_PLACE_READER_H

#include "base/buf.h"
#include "base/map.h"
#include "golden/beside.h"
#include "place/place.h"

/* Reads goldens of a place, and what is beside them, one after the other into the same memory. */
typedef struct {
	const rg_place *place;  /* the caller sets it, before it reads */
	rg_worktree **worktree; /* of trees and the index; NULL: the place has none */
	const char *tree;       /* of the golden at hand; "" for the folder or the archive */
	rg_beside beside;
	rg_buf bytes, name;
	rg_map map;                   /* instead of bytes; size 0 where there is none */
	const rg_member *beside_file; /* in beside_map, if it is an archive's */
	bool beside_is_mapped;
	rg_map beside_map; /* instead of beside's bytes */
	rg_blob blob;      /* instead of bytes, too; released before its worktree */
} rg_place_reader;

/* `max`: the bytes of the largest golden that is taken; one that is read in place may be larger. */
void rg_place_reader_init(rg_place_reader *r, rg_worktree **worktree, uint64_t max);
void rg_place_reader_release(rg_place_reader *r);

/* *out borrows the reader until the next call. Errors do not name the path. */
RG_CHECKED rg_error *rg_place_read(rg_place_reader *r, const rg_place_file *file, rg_input *out);

/* Reads what a golden was that is there no more; *out stays empty where that cannot be read, or git
 * has a pointer to it (Git LFS): nothing hangs on it. */
RG_CHECKED rg_error *rg_place_read_removed(rg_place_reader *r, const rg_place_file *file,
					   rg_input *out);

/* Of a file in Git LFS git has the pointer alone, however much is pulled: RG_E_PARSE, with what
 * prints the file itself. NULL for a side that was not read or is not a blob. */
RG_CHECKED rg_error *rg_place_refuse_pointer(const rg_place_file *file, const rg_input *side);

/* Does a file of the folder or archive begin like a golden? One that cannot be read does: whoever
 * reads it says why. */
bool rg_place_begins_like_golden(const rg_place *place, const char *path);

/* A golden that the user names is a file: RG_E_USAGE where it is a folder or empty. */
RG_CHECKED rg_error *rg_place_check_name(const char *path);

#endif
