#ifndef REGILD_WORKTREE_HISTORY_H
#define REGILD_WORKTREE_HISTORY_H

#include "worktree/worktree.h"

/*
 * The versions that git has of each golden: one walk over the commits of a range, with a diff of
 * each against its first parent, whatever the number of files. A merge counts only for files that
 * it has otherwise than all its parents. Renames are not followed.
 */
typedef struct {
	char id[41];
	char when[25];       /* of the commit: "2026-04-02T10:00:00Z" */
	const char *subject; /* first line of its message */
} rg_history_commit;

typedef struct {
	size_t commit; /* into rg_history.commits */
	char blob[41];
} rg_history_version;

typedef struct {
	const char *path;             /* from the repository's root */
	rg_history_version *versions; /* by commit */
	size_t count, capacity;
} rg_history_file;

typedef struct {
	rg_history_commit *commits; /* that touch a file; parents before children */
	size_t commit_count, commit_capacity;
	rg_history_file *files; /* in path-component order */
	size_t file_count, file_capacity;
	rg_arena arena;
} rg_history;

/*
 * `range` is "OLD..NEW" (commits that NEW has and OLD has not) or one revision (all that it has).
 * Only files below `root` (NULL or "": all) whose last part matches `pattern` count. RG_E_NOTFOUND
 * for a revision that names nothing.
 */
RG_CHECKED rg_error *rg_worktree_history(rg_worktree *worktree, const char *range, const char *root,
					 const char *pattern, rg_history *out);
void rg_history_release(rg_history *history);

#endif
