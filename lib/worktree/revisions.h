/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_REVISIONS_H
#define REGILD_WORKTREE_REVISIONS_H

#include "worktree/worktree.h"

/*
 * The versions that git has of each golden: one walk over the commits of a range, with a diff of
 * each against its first parent, whatever the number of files. A merge counts only for files that
 * differ from those of all its parents. A golden that is renamed keeps its versions, by git's own
 * likeness of at least a half, unless there was one of its new name already; a commit that renames
 * it and changes no byte is no version.
 */
typedef struct {
	char id[41];
	char when[25];       /* of the commit: "2026-04-02T10:00:00Z" */
	const char *subject; /* first line of its message */
} rg_revisions_commit;

typedef struct {
	size_t commit; /* into rg_revisions.commits */
	char blob[41];
	const char *path; /* at that commit */
} rg_baseline;

typedef struct {
	const char *path;      /* from the repository's root, the newest */
	rg_baseline *versions; /* by commit */
	size_t count, capacity;
} rg_revisions_file;

typedef struct {
	rg_revisions_commit *commits; /* that touch a file; parents before children */
	size_t commit_count, commit_capacity;
	rg_revisions_file *files; /* in path-component order */
	size_t file_count, file_capacity;
	rg_arena arena;
} rg_revisions;

/*
 * `range` is "OLD..NEW" (commits that NEW has and OLD has not) or one revision (all that it has).
 * Only files below `root` (NULL or "": all) that `pattern` takes (rg_globs_take) count.
 * RG_E_NOTFOUND for a revision that names nothing, RG_E_USAGE for what is not a range.
 */
RG_CHECKED rg_error *rg_revisions_read(rg_worktree *worktree, const char *range, const char *root,
				       const char *pattern, rg_revisions *out);
void rg_revisions_release(rg_revisions *history);

typedef enum {
	RG_IN_HISTORY,
	RG_NOT_IN_HISTORY,
	RG_HISTORY_NOT_KNOWN, /* it is cut off before that commit would show */
} rg_ancestry;

/* Is HEAD that commit (a whole SHA), or does it come from it? */
RG_CHECKED rg_error *rg_worktree_ancestry(rg_worktree *worktree, const char *commit,
					  rg_ancestry *out);

/* Is the history cut off (git clone --depth)? */
bool rg_worktree_is_shallow(const rg_worktree *worktree);
/* Says why a file's history is cut off, and what gets the rest. */
const char *rg_worktree_history_ends(const rg_worktree *worktree);

/* The commit where two revisions parted, as 40 hexadecimal digits. RG_E_NOTFOUND where they have no
 * common ancestor, RG_E_GIT where a shallow clone does not show it. */
RG_CHECKED rg_error *rg_worktree_merge_base(rg_worktree *worktree, const char *one, const char *two,
					    char out[41]);

#endif
