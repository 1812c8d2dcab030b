#ifndef REGILD_WORKTREE_STAGE_H
#define REGILD_WORKTREE_STAGE_H

#include "worktree/worktree.h"

/*
 * The index as writers of goldens need it: what a path is to it, adding files, and the bytes that a
 * checkout would write.
 */
typedef struct rg_index rg_index;

/* Reads the index and the sparse checkout's patterns; the worktree must outlive it. */
RG_CHECKED rg_error *rg_index_open(rg_index **out, rg_worktree *worktree);
void rg_index_free(rg_index *index);

/* core.ignorecase: the file system takes names that differ in case alone for one. */
bool rg_index_ignores_case(const rg_index *index);

/* Is the path left out of a sparse checkout: tracked with its skip-worktree bit set, or untracked
 * and outside the patterns? */
bool rg_index_is_outside(const rg_index *index, const char *path);

/* Where names are taken without their case: the tracked path that differs from this one in case
 * alone; else NULL. Owned by the index. */
const char *rg_index_twin(const rg_index *index, const char *path);

/* What is said of a path that is outside, by the sparse checkout or by a mark in the index alone,
 * and how to take it in; NULL for one that is not. */
const char *rg_index_why_outside(const rg_index *index, const char *path);

/* How many bytes of the path name the submodule, or the other repository, that it lies in; 0 where
 * it is this repository's own. Folders that a path has in common with the last one are not looked
 * at again. */
size_t rg_index_inner_repository(rg_index *index, const rg_worktree *worktree, const char *path);

/* Work that would be lost if the path's entry were replaced: `id` gets the blob, as 40 hexadecimal
 * digits, that the index holds and neither HEAD nor the working tree does; "" where there is none.
 */
RG_CHECKED rg_error *rg_index_hidden_work(const rg_index *index, rg_worktree *worktree,
					  const char *path, char id[41]);

/* Is the path's file other than HEAD's without rg_worktree_changes saying so: ignored, or marked in
 * the index as one that git should not look at? Or HEAD's in a conflict that is to be decided? */
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

/* Tracked files below `root` that have another executable bit than in HEAD, in the index or
 * (core.fileMode) in the working tree, be their bytes HEAD's or not. */
RG_CHECKED rg_error *rg_worktree_mode_changes(rg_worktree *worktree, const char *root,
					      rg_change_list *out);

/* What a checkout of HEAD would write at `path`, line ends and all. *executable: its mode.
 * RG_E_NOTFOUND where HEAD has no such file, RG_E_GIT for a filter that only git can run and for
 * bytes that a partial clone lacks. */
RG_CHECKED rg_error *rg_worktree_checkout_bytes(rg_worktree *worktree, const char *path,
						rg_buf *out, bool *executable);

#endif
