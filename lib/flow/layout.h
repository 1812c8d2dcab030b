/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_LAYOUT_H
#define REGILD_FLOW_LAYOUT_H

#include "base/buf.h"
#include "base/memory.h"
#include "worktree/worktree.h"

/*
 * Goldens of no layout that regild knows, by the names of folders and files: golden, expected,
 * baseline, snapshot and others like them, and test_x/ beside test_x.py, where pytest-regressions
 * keeps its own. Code and documents are none. Where a name may mean something else ("reference")
 * the files must be some that regild reads.
 */
typedef struct {
	const char *path; /* of a folder: "tests/golden" */
	const char *name; /* the part of it that says so; NULL: its files' names do */
	const char *word; /* that they have */
	size_t goldens;
} rg_golden_folder;

/* Folders that have the same name, or whose files have the same word in theirs. */
typedef struct {
	const char *kind;        /* that name or word; "test_*" */
	rg_golden_folder *items; /* most goldens first */
	size_t count, capacity;
	size_t goldens; /* in all */
	rg_arena arena;
} rg_golden_folders;

/* Layouts of goldens that regild knows: one is looked for, and a .regild written for it. */
typedef struct {
	const char *name;          /* "megatron"; NULL: nothing was found or wanted */
	const char *golden;        /* what its goldens are called, a glob */
	const char *holds;         /* what is in them, or NULL */
	char *root;                /* that most of its goldens have; NULL: none was found */
	size_t goldens;            /* below the root */
	rg_golden_folders folders; /* of goldens of no layout that regild knows, of one kind */
	/* Several kinds; most goldens first. None of them is taken: `name` is NULL. */
	rg_golden_folders *kinds;
	size_t kind_count;
	rg_buf levels; /* lines that propose some for their metrics; maybe empty */
} rg_found_layout;

/* The layout that most goldens in the worktree have, else the folders that say that goldens are in
 * them, or `wanted` (a preset of
 * config/presets.h) where it is not NULL. Released whatever comes back. */
RG_CHECKED rg_error *rg_layout_find(rg_found_layout *out, rg_worktree *worktree,
				    const char *wanted);
void rg_found_layout_release(rg_found_layout *found);

/* Writes its commented .regild to `path`, over what is there. */
RG_CHECKED rg_error *rg_layout_write(const rg_found_layout *found, const char *path);

/* The settings of one of several kinds alone, without comments. */
RG_CHECKED rg_error *rg_layout_lines(rg_buf *out, const rg_found_layout *found, size_t kind);

#endif
