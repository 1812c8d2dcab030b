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

/* Counts libgit2's users up and down; what is global in it is set by the first. */
RG_CHECKED rg_error *rg_git_acquire(void);
void rg_git_release(void);

/* The commit or tree that a revision names; the caller frees it with git_object_free.
 * RG_E_NOTFOUND, naming the revision, where there is none. */
RG_CHECKED rg_error *rg_git_resolve(rg_worktree *worktree, const char *revision, git_object_t type,
				    git_object **out);

#endif
