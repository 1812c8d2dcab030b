/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_FILE_COMMITS_H
#define REGILD_WORKTREE_FILE_COMMITS_H

#include "worktree/worktree.h"

/* The commits that gave one file its bytes, the newest first, and what their messages say. */
typedef struct {
	char id[41];
	char when[25];       /* "2026-04-02T10:00:00Z" */
	const char *subject; /* the first line of its message */
	const char *message;
} rg_file_commit;

/* Looks at a commit, which is there for the call alone; *stop (false) ends the walk. */
typedef rg_error *rg_file_commit_fn(void *context, const rg_file_commit *version, bool *stop);

/*
 * From HEAD backwards along the parent that has the file's bytes, as 'git log' simplifies history;
 * the first parent that has the file where none has these bytes. A file that was renamed is
 * followed along first parents. RG_E_NOTFOUND where HEAD has no such file. *cut: a shallow clone
 * or one without trees ends before the file's history does; the commit where it ends is not
 * visited.
 */
RG_CHECKED rg_error *rg_worktree_file_commits(rg_worktree *worktree, const char *path,
					      rg_file_commit_fn *visit, void *context, bool *cut);

/* Does the working tree's file differ from HEAD's, which is there? */
RG_CHECKED rg_error *rg_worktree_is_changed(rg_worktree *worktree, const char *path, bool *out);

/* The value of the last trailer of that name in a commit's message, as 'git interpret-trailers
 * --parse' finds it, at most `max` bytes of it. NULL where there is none; else in the arena. */
RG_CHECKED rg_error *rg_trailer_find(rg_arena *arena, const char *message, const char *key,
				     size_t max, const char **out);

#endif
