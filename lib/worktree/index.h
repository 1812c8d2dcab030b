/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_INDEX_H
#define REGILD_WORKTREE_INDEX_H

#include "base/cleanup.h"
#include "worktree/worktree.h"

/*
 * The index as writers of goldens need it: what a path is to it, adding files, and the bytes that a
 * checkout would write.
 */
typedef struct rg_index rg_index;

/* Reads the index; the worktree must outlive it. */
RG_CHECKED rg_error *rg_index_open(rg_index **out, rg_worktree *worktree);
void rg_index_free(rg_index *index);
RG_FREE_AT(rg_index)

/* core.ignorecase: names that differ only in case are one file to the file system. */
bool rg_index_ignores_case(const rg_index *index);

/* Is the path left out of a sparse checkout: tracked with its skip-worktree bit set, or untracked
 * where the tracked files around it are left out? */
bool rg_index_is_outside(const rg_index *index, const char *path);

/* With core.ignorecase, the tracked path that differs from this one only in case; else NULL. Owned
 * by the index. */
const char *rg_index_twin(const rg_index *index, const char *path);

/* A message that says why the path is outside (the sparse checkout, or a mark in the index) and how
 * to take it in; NULL for one that is not outside. */
const char *rg_index_why_outside(const rg_index *index, const char *path);

/* How many bytes of the path name the submodule, or the other repository, that it is in; 0 for a
 * path of this repository. Folders that a path shares with the last one are not looked at again. */
size_t rg_index_inner_repository(rg_index *index, const rg_worktree *worktree, const char *path);

/* Work that would be lost if the path's entry were replaced: `id` gets the blob, as 40 hexadecimal
 * digits, that the index holds and neither HEAD nor the working tree does; "" where there is none.
 */
RG_CHECKED rg_error *rg_index_hidden_work(const rg_index *index, rg_worktree *worktree,
					  const char *path, char id[41]);

/* Does the path's file differ from HEAD's although rg_worktree_changes does not list it: is it
 * ignored, or marked in the index as one that git should not look at? Or is it HEAD's, in a
 * conflict that is still to be resolved? */
RG_CHECKED rg_error *rg_index_overlooks_work(const rg_index *index, rg_worktree *worktree,
					     const char *path, bool *out);

/* Does git leave the path out of everything it shows: ignored, and not tracked? */
RG_CHECKED rg_error *rg_index_hides(const rg_index *index, rg_worktree *worktree, const char *path,
				    bool *out);

/*
 * Adds the files as they are in the working tree, through git's own filters, and writes the index
 * once; nothing else in it changes. RG_E_GIT, before anything is added, for a path with a filter
 * that only git can run (filter=lfs, working-tree-encoding).
 */
RG_CHECKED rg_error *rg_worktree_stage(rg_worktree *worktree, const char *const *paths,
				       size_t count);

/* Puts paths back in the index as HEAD has them (removed where it has none), out of a conflict too;
 * nothing else. */
RG_CHECKED rg_error *rg_worktree_unstage(rg_worktree *worktree, const char *const *paths,
					 size_t count);

/* A path in the index. */
typedef struct {
	bool known;    /* false: nobody looked, or it is in conflict */
	unsigned mode; /* as git writes it, 0100644; 0 where there is no entry */
	char id[41];   /* of the blob; "" where there is no entry */
} rg_index_side;

rg_index_side rg_index_look(const rg_index *index, const char *path);
/* Is that what 'git add' would make of the file as it is now, or are both missing? */
bool rg_index_is_as_file(const rg_index *index, const rg_worktree *worktree, const char *path);

typedef struct {
	const char *path;
	rg_index_side from, to;
} rg_index_change;

/* Puts `to` into the index for each path that still has `from` there, and writes it once; *done
 * says for how many. */
RG_CHECKED rg_error *rg_worktree_restage(rg_worktree *worktree, const rg_index_change *changes,
					 size_t count, size_t *done);

/* The bytes that a checkout of HEAD would write at `path`, line ends and all. *executable: its
 * mode. RG_E_NOTFOUND where HEAD has no such file, RG_E_GIT for a filter that only git can run and
 * for bytes that a partial clone lacks, RG_E_LIMIT for a blob that is more than `out` takes: that
 * one is not unpacked. */
RG_CHECKED rg_error *rg_worktree_checkout_bytes(rg_worktree *worktree, const char *path,
						rg_buf *out, bool *executable);

#endif
