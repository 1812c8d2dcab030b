/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_GOLDEN_SIDE_H
#define REGILD_FLOW_GOLDEN_SIDE_H

#include "archive/zip_files.h"
#include "base/buf.h"
#include "base/map.h"
#include "golden/beside.h"
#include "config/config.h"
#include "worktree/worktree.h"

/*
 * One side of a comparison: reads goldens, and what is beside them, out of a folder, a tree or
 * the index, one after the other into the same memory.
 */
typedef struct {
	rg_worktree **worktree;  /* of trees and the index; NULL for folders only */
	const char *folder;      /* before the paths of files: "" or ending in '/' */
	const rg_zip_files *zip; /* has the paths instead of the folder; may be NULL */
	const char *tree;        /* of the golden at hand: a tree's id, ":", or "" for the folder */
	rg_beside beside;
	rg_buf bytes, name;
	rg_map map;                     /* instead of bytes; size 0 where there is none */
	const rg_zip_file *beside_file; /* in beside_map, if it is a zip's */
	bool beside_is_mapped;
	rg_map beside_map; /* instead of beside's bytes */
	rg_blob blob;      /* instead of bytes, too; released before its worktree */
} rg_golden_side;

/* `max`: the bytes of the largest golden that is taken; one that is read in place may be larger. */
void rg_golden_side_init(rg_golden_side *s, rg_worktree **worktree, uint64_t max);
void rg_golden_side_release(rg_golden_side *s);

/*
 * *out borrows the side until the next call. `tree` is that of the golden's siblings; where it is
 * "", the golden is the file `path` in the folder, else the blob `id`. Errors do not name the path.
 */
RG_CHECKED rg_error *rg_golden_side_read(rg_golden_side *s, const char *path, const char *tree,
					 const char *id, rg_input *out);

/* A golden that the user names is a file: RG_E_USAGE where it is a folder or empty. */
RG_CHECKED rg_error *rg_golden_side_check_name(const char *path);

/* Of a file in Git LFS git has the pointer alone, however much is pulled: RG_E_PARSE, with what
 * prints the file itself. NULL for a side that was not read or is not a blob (`id` is ""). */
RG_CHECKED rg_error *rg_golden_side_refuse_pointer(const rg_input *side, const char *id);

/* Reads what a golden was that is there no more; *out stays empty where that cannot be read, or git
 * has a pointer to it (Git LFS): nothing hangs on it. */
RG_CHECKED rg_error *rg_golden_side_read_removed(rg_golden_side *side, const char *path,
						 const char *tree, const char *id, rg_input *out);

#endif
