#ifndef REGILD_WORKTREE_VERSIONS_H
#define REGILD_WORKTREE_VERSIONS_H

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
} rg_versions_commit;

typedef struct {
	size_t commit; /* into rg_versions.commits */
	char blob[41];
} rg_version;

typedef struct {
	const char *path;     /* from the repository's root */
	rg_version *versions; /* by commit */
	size_t count, capacity;
} rg_versions_file;

typedef struct {
	rg_versions_commit *commits; /* that touch a file; parents before children */
	size_t commit_count, commit_capacity;
	rg_versions_file *files; /* in path-component order */
	size_t file_count, file_capacity;
	rg_arena arena;
} rg_versions;

/*
 * `range` is "OLD..NEW" (commits that NEW has and OLD has not) or one revision (all that it has).
 * Only files below `root` (NULL or "": all) that `pattern` takes (rg_glob_takes_name) count.
 * RG_E_NOTFOUND for a revision that names nothing, RG_E_USAGE for what is no range.
 */
RG_CHECKED rg_error *rg_worktree_versions(rg_worktree *worktree, const char *range,
					  const char *root, const char *pattern, rg_versions *out);
void rg_versions_release(rg_versions *history);

/* Is the history cut off (git clone --depth)? */
bool rg_worktree_is_shallow(const rg_worktree *worktree);

#endif
