/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_RESET_H
#define REGILD_UPDATE_RESET_H

#include "update/update_log.h"

#include <stdbool.h>

/*
 * Goldens back to HEAD: changed and removed ones are restored, untracked ones removed, and all that
 * goes is kept for undo. A file that is not a golden is never touched.
 */

typedef struct {
	const char *path;
	const char *why;       /* NULL: it is reset; else why it is left alone */
	rg_side old, new_side; /* `new_side` does not exist for a golden that HEAD does not have */
} rg_reset_item;

typedef struct {
	rg_reset_item *items; /* in path-component order */
	size_t count, capacity;
	size_t left_alone;
	rg_worktree *worktree;
	rg_index *index;
	rg_update_log update_log; /* what of the index is an update's own */
	rg_arena arena;
} rg_reset;

typedef struct {
	const char *root, *files, *target; /* regild.root, regild.files, jobs.target */
	const char *names;                 /* names.test; NULL: not set */
	const char *pattern;               /* rg_names_golden; NULL: all */
} rg_reset_options;

/* Looks at what would be done, and touches nothing. `out` starts all zero. RG_E_USAGE for a pattern
 * that matches nothing that differs from HEAD. */
RG_CHECKED rg_error *rg_reset_plan(rg_reset *out, rg_worktree *worktree, rg_journal *journal,
				   const rg_reset_options *options);
void rg_reset_release(rg_reset *reset);

/* Does it in the tree; the caller holds the lock. `done` (initialised) gets what was done. */
RG_CHECKED rg_error *rg_reset_apply(rg_reset *reset, rg_journal *journal, rg_record *done);
/* Does it in the index, where the tree has it. */
RG_CHECKED rg_error *rg_reset_index(rg_worktree *worktree, const rg_record *done);

/* Does a person's pattern name the golden at `path`, which is below `root`: the path with or
 * without root, the file's name, or the folder that it is in, or that is its test's ("STAGE/TEST"
 * or "TEST") by `target`, jobs.target, or by `names`, names.test, which counts in its place
 * where it is not NULL? */
bool rg_names_golden(const char *pattern, const char *root, const char *target, const char *names,
		     const char *path);

#endif
