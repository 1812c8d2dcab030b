#ifndef REGILD_WORKTREE_INTERNAL_H
#define REGILD_WORKTREE_INTERNAL_H

#include "worktree/worktree.h"

#include <git2.h>

/* What the files of lib/worktree/ share. */
struct rg_worktree {
	git_repository *repository;
	git_odb *odb;
};

/* libgit2's last error with "FORMATTED: " in front: RG_E_NOTFOUND for GIT_ENOTFOUND, RG_E_NOMEM
 * where memory ran out, RG_E_GIT for the rest. */
RG_CHECKED rg_error *rg_git_error(int answer, const char *format, ...) RG_PRINTF(2, 3);

/* Says what to do where the error, which may be NULL, is of an index that libgit2 cannot read. */
RG_CHECKED rg_error *rg_git_explain_index(rg_error *err);

/* Counts libgit2's users up and down; what is global in it is set by the first. */
RG_CHECKED rg_error *rg_git_acquire(void);
void rg_git_release(void);
/* While libgit2 starts: see certificates.c. */
void rg_git_skip_certificates(bool skip);

/* Does the user trust every repository ("safe.directory = *")? Then libgit2 does, too, from here
 * on; see trust.c. */
bool rg_git_trust_all(void);

/* The commit or tree that a revision names; the caller frees it with git_object_free.
 * RG_E_NOTFOUND, naming the revision, where there is none. */
RG_CHECKED rg_error *rg_git_resolve(rg_worktree *worktree, const char *revision, git_object_t type,
				    git_object **out);

/* Of a shallow clone, the commits where its history ends lose the parents that it does not have,
 * for this handle, as they do for git: libgit2 1.5 stumbles over them. Says whether it is one. */
RG_CHECKED rg_error *rg_git_graft_shallow(rg_worktree *worktree, bool *shallow);

/* The trees of a query; `to` NULL: index or working tree. */
typedef struct {
	git_tree *base, *to;
} rg_git_trees;

/* Notes their ids in the list. RG_E_NOTFOUND for a revision that names nothing. */
RG_CHECKED rg_error *rg_git_resolve_trees(rg_worktree *worktree, const rg_change_query *query,
					  rg_git_trees *out, rg_change_list *list);
void rg_git_trees_release(rg_git_trees *trees);

/* Regular files; links and submodules are no goldens. */
bool rg_git_is_file_mode(unsigned mode);
/* Does a regular file stand at `path`: in a tree, in the index (with its blob's id, all zeros for
 * one in conflict; not with what git add -N only announced), in the working tree? */
RG_CHECKED rg_error *rg_git_find_in_tree(git_tree *tree, const char *path, git_oid *id, bool *out);
RG_CHECKED rg_error *rg_git_find_in_index(rg_worktree *worktree, const char *path, git_oid *id,
					  bool *out);
bool rg_git_is_in_conflict(git_index *index, const char *path);
/* The same of a path that is not in the working tree, by rg_git_may_be_absent; *out is false for
 * all others. */
RG_CHECKED rg_error *rg_git_find_absent(rg_worktree *worktree, const char *path, git_oid *id,
					bool *out);
RG_CHECKED rg_error *rg_git_find_in_files(const rg_worktree *worktree, const char *path, bool *out);

/*
 * Is a file that is not tracked ignored? What is in an ignored folder is, whatever a "!" behind it
 * says: libgit2 looks at the file first, and is asked about each folder, too. `seen` (initialised,
 * empty at first) spares that for files in the folder of the one asked about before.
 */
RG_CHECKED rg_error *rg_git_is_ignored(const rg_worktree *worktree, const char *path, rg_buf *seen,
				       bool *out);

/* Does git not mind that the working tree lacks the file: left out by a sparse checkout, or marked
 * with git update-index --skip-worktree or --assume-unchanged? */
bool rg_git_may_be_absent(const git_index_entry *entry);

/* Pairs what is gone with what is new; there is nothing to pair where one of them is missing. */
RG_CHECKED rg_error *rg_git_find_renames(git_diff *diff);

/* Does the working tree's file hold the old side's bytes after all? It is hashed for that. */
bool rg_git_is_as_in_base(const rg_worktree *worktree, const rg_change *change);
/* In path-component order. */
void rg_git_sort_changes(rg_change_list *list);

/* Adds what differs between `base` and the files of the working tree below `root` (without a '/' at
 * its end; "": all), in the order of bytes, without renames. Adds nothing, and *supported is false,
 * where the index is not in the order of bytes (core.ignorecase). */
RG_CHECKED rg_error *rg_git_changes_in_files(rg_worktree *worktree, const rg_change_query *query,
					     git_tree *base, const char *root, rg_change_list *list,
					     bool *supported);

/* Adds a copy. */
RG_CHECKED rg_error *rg_git_add_change(rg_change_list *list, const rg_change *change);

#endif
