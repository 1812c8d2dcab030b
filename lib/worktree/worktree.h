/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_WORKTREE_H
#define REGILD_WORKTREE_WORKTREE_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The repository, through libgit2. One handle is for one thread; another thread opens another with
 * rg_worktree_open_again, which is cheap.
 */
typedef struct rg_worktree rg_worktree;

/*
 * Finds the repository from `start` (NULL: the current folder) upwards, as git does: subfolders,
 * linked worktrees and a detached HEAD work, GIT_DIR and friends are respected. RG_E_NOTFOUND
 * outside a repository; RG_E_GIT for a bare one. A repository without a commit opens; what needs a
 * commit says so.
 */
RG_CHECKED rg_error *rg_worktree_open(rg_worktree **out, const char *start);
/* The same repository and working tree once more. */
RG_CHECKED rg_error *rg_worktree_open_again(rg_worktree **out, const rg_worktree *other);
void rg_worktree_free(rg_worktree *worktree);
RG_FREE_AT(rg_worktree)

/* Absolute, ends in '/'. */
const char *rg_worktree_root(const rg_worktree *worktree);
/* This worktree's own git directory (of a linked one: .git/worktrees/NAME), absolute, ends in '/'.
 * regild keeps its state in GITDIR/regild/. */
const char *rg_worktree_git_dir(const rg_worktree *worktree);
/* RG_E_GIT where there is no commit yet ("… has no commit yet; commit the goldens first"). */
RG_CHECKED rg_error *rg_worktree_require_commit(rg_worktree *worktree);
/* The branch that is checked out; *out NULL where HEAD is on none, else the caller's to free. */
RG_CHECKED rg_error *rg_worktree_branch(rg_worktree *worktree, char **out);
/* The URL of a remote; *out NULL where there is none, else the caller's to free. */
RG_CHECKED rg_error *rg_worktree_remote_url(rg_worktree *worktree, const char *remote, char **out);

typedef enum {
	RG_CHANGE_MODIFIED,
	RG_CHANGE_NEW,     /* only on the new side; untracked and not ignored counts */
	RG_CHANGE_REMOVED, /* only on the old side */
	RG_CHANGE_RENAMED,
	RG_CHANGE_NONE, /* rg_worktree_named only: on neither side */
} rg_change_kind;

typedef struct {
	rg_change_kind kind;
	const char *path; /* from the repository's root, of the new side (old side if removed) */
	const char *old_path; /* of the old side; equals path but for renames; NULL if new */
	/* Blob ids as 40 hexadecimal digits; new_id is "" where the new side is the working tree,
	 * but for a query's `as_in_index`. */
	char old_id[41], new_id[41];
	/* Only with a query's `unsure`: the file may hold the old side's bytes after all. */
	bool unsure;
	/* The new side is the index, or the working tree, and a merge left the file in conflict
	 * there: the index has no bytes (new_id is ""), and the working tree may hold both sides'
	 * between markers. */
	bool unmerged;
} rg_change;

typedef struct {
	rg_change *items; /* in path-component order of `path` */
	size_t count, capacity;
	/* The trees that were compared, for rg_worktree_file_at; to_id is "" where the new side is
	 * the working tree, ":" where it is the index. */
	char base_id[41], to_id[41];
	rg_arena arena;
} rg_change_list;

typedef struct {
	const char *base; /* a revision; NULL: HEAD */
	const char *to;   /* a revision; NULL: the working tree */
	bool staged;      /* the index instead of the working tree */
	/* The merge base of `base` and HEAD (or `to`) instead of `base`; RG_E_GIT where a
	 * shallow clone does not show it. */
	bool merge_base;
	bool no_renames;
	const char *root;  /* only paths below it, from the repository's root; NULL or "": all */
	const char *files; /* only paths that these globs take (rg_globs_take); NULL: all */
	/* Files that git does not look for in the working tree (a sparse checkout leaves them out)
	 * count as the index has them, with its new_id. Else they are left out. */
	bool as_in_index;
	/* The caller reads both sides anyway and sees whether they are the same: files of the
	 * working tree need not be hashed to find that out. */
	bool unsure;
	/* The caller reads what differs: what a partial clone lacks of it is fetched, all at once.
	 */
	bool fetch;
	/* Another executable bit counts as a change, too (but see core.fileMode). */
	bool modes;
} rg_change_query;

/* The tree without files, as a revision: what differs from it is every file there is. */
#define RG_EMPTY_TREE "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

/* Lists the files that differ. RG_E_NOTFOUND for a revision that names nothing. */
RG_CHECKED rg_error *rg_worktree_changes(rg_worktree *worktree, const rg_change_query *query,
					 rg_change_list *out);
/*
 * The given files (paths from the repository's root, in any order), whether they differ or not;
 * root and no_renames of the query do not matter. A file that is on neither side comes as
 * RG_CHANGE_NONE with old_path NULL. Kinds are by presence: a file on both sides is
 * RG_CHANGE_MODIFIED.
 */
RG_CHECKED rg_error *rg_worktree_named(rg_worktree *worktree, const rg_change_query *query,
				       const char *const *paths, size_t path_count,
				       rg_change_list *out);
/* Is a change that is `unsure` no change for git? Needs the bytes of both sides; where only their
 * line ends seem to differ (core.autocrlf), the file is hashed as git would store it. */
bool rg_change_is_none(const rg_worktree *worktree, const rg_change *change, const char *before,
		       size_t before_size, const char *after, size_t after_size);
/* Is the path in conflict in the index? In one that cannot be read, none is. */
bool rg_worktree_is_in_conflict(const rg_worktree *worktree, const char *path);
/* The message about such a file. */
#define RG_UNMERGED "a merge left it in conflict; resolve that, then 'git add' it"
/* Does the index have a file below the folder ("": anywhere) that the globs `files` take (NULL:
 * any)? One that cannot be read has no files. */
bool rg_worktree_tracks(rg_worktree *worktree, const char *folder, const char *files);
/* Has a tree, by its id, such a folder, or the index (":") a file below it? */
bool rg_worktree_has_folder(rg_worktree *worktree, const char *tree, const char *folder);
/* Adds a copy at the end. */
void rg_change_list_add(rg_change_list *list, const rg_change *change);
/* Is a path among them? */
bool rg_change_list_has(const rg_change_list *list, const char *path);
void rg_change_list_release(rg_change_list *list);

/* The path of the file in Git LFS's store that a pointer stands for, the caller's to free; NULL
 * where the store has none of that size, or it is no pointer. */
char *rg_worktree_lfs_object(const rg_worktree *worktree, const void *pointer, size_t size);
/* Do two files that differ in their line ends alone make the same blob at a path (core.autocrlf,
 * text, eol)? */
bool rg_worktree_converts_alike(const rg_worktree *worktree, const char *path, const rg_buf *a,
				const rg_buf *b);
#define RG_BEHIND_FILTER "behind the filter '%s'"
/* The filter that .gitattributes has for a path ("lfs"), the caller's to free; NULL for none. */
char *rg_worktree_filter(const rg_worktree *worktree, const char *path);

/* A blob's bytes by its id, or a file's at a revision, ":" for the index (RG_E_NOTFOUND where it
 * has none). Of a file that is a pointer of Git LFS it is what that stands for, where the store has
 * it.
 */
RG_CHECKED rg_error *rg_worktree_blob(rg_worktree *worktree, const char *id, rg_buf *out);
RG_CHECKED rg_error *rg_worktree_file_at(rg_worktree *worktree, const char *revision,
					 const char *path, rg_buf *out);
/* A blob's bytes where libgit2 has them, until it is released; before the worktree is. RG_E_LIMIT,
 * and nothing is unpacked, where they are more than `max`. */
typedef struct {
	const char *data;
	size_t size;
	void *owner; /* NULL where there is nothing to release */
} rg_blob;
RG_CHECKED rg_error *rg_blob_open(rg_blob *out, rg_worktree *worktree, const char *id, size_t max);
void rg_blob_release(rg_blob *blob);
/* A revision as 40 hexadecimal digits. */
RG_CHECKED rg_error *rg_worktree_resolve(rg_worktree *worktree, const char *revision, char out[41]);
/* RG_E_NOTFOUND for what names neither a commit nor a tree. */
RG_CHECKED rg_error *rg_worktree_check_revision(rg_worktree *worktree, const char *revision);

#endif
