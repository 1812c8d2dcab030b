/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_INTERNAL_H
#define REGILD_WORKTREE_INTERNAL_H

#include "worktree/worktree.h"

#include <git2.h>

#include <sys/stat.h>
#include <time.h>

/* RG_AUTO_PTR(git_index) and its like, and RG_AUTO(git_buf). */
RG_FREE_AT(git_blob)
RG_FREE_AT(git_commit)
RG_FREE_AT(git_config)
RG_FREE_AT(git_config_iterator)
RG_FREE_AT(git_diff)
RG_FREE_AT(git_filter_list)
RG_FREE_AT(git_index)
RG_FREE_AT(git_object)
RG_FREE_AT(git_odb)
RG_FREE_AT(git_odb_object)
RG_FREE_AT(git_reference)
RG_FREE_AT(git_reflog)
RG_FREE_AT(git_repository)
RG_FREE_AT(git_revwalk)
RG_FREE_AT(git_tree)
RG_FREE_AT(git_tree_entry)
static inline void git_buf_release(git_buf *buf)
{
	git_buf_dispose(buf);
}

/* A repository and its working tree; the files of lib/worktree/ share it. */
struct rg_worktree {
	git_repository *repository;
	git_odb *odb;
	char *index_path; /* of an index that git has made a full copy of; NULL: libgit2 reads it */
	struct stat index_stat; /* … as it was then */
	char *not_fetched; /* why git does not fetch what a partial clone lacks; NULL: it may */
};

/* libgit2's last error with "FORMATTED: " in front: RG_E_NOTFOUND for GIT_ENOTFOUND,
 * RG_E_GIT for the rest. */
RG_CHECKED rg_error *rg_git_error(int answer, const char *format, ...) RG_PRINTF(2, 3);

/* Counts libgit2's users up and down; what is global in it is set by the first. */
RG_CHECKED rg_error *rg_git_acquire(void);
void rg_git_release(void);

/* resolve.c. */

/* The commit or tree that a revision names; the caller frees it with git_object_free.
 * RG_E_NOTFOUND, naming the revision, where there is none. */
RG_CHECKED rg_error *rg_git_resolve(rg_worktree *worktree, const char *revision, git_object_t type,
				    git_object **out);
/* The trees of a query, for the caller to free, also after an error; *to is NULL for the index and
 * the working tree. Notes their ids in the list. */
RG_CHECKED rg_error *rg_git_resolve_sides(rg_worktree *worktree, const rg_change_query *query,
					  git_tree **base, git_tree **to, rg_change_list *list);

/* Regular files; links and submodules are not goldens. */
bool rg_git_is_file_mode(unsigned mode);
/* *mode is 0, and `id` not set, where the tree has no regular file there. RG_E_GONE where the clone
 * lacks a tree on the way to it. */
RG_CHECKED rg_error *rg_git_find_in_tree(const rg_worktree *worktree, git_tree *tree,
					 const char *path, git_oid *id, unsigned *mode);

/* baseline.c. */

/* Puts what a pointer of Git LFS stands for in its place, where the store has it. */
RG_CHECKED rg_error *rg_git_follow_pointer(const rg_worktree *worktree, rg_buf *bytes);

/* Opens the worktree's odb. RG_E_GONE where the clone lacks the blob. Nothing is unpacked. */
RG_CHECKED rg_error *rg_git_blob_size(rg_worktree *worktree, const char *id, size_t *out);

/* index.c. */

/* As it is on disk now; the caller frees it. `written` (may be NULL) is when it was written; one
 * that is replaced meanwhile may be newer. RG_E_GIT, saying what makes it readable, for one that
 * libgit2 cannot read. */
RG_CHECKED rg_error *rg_git_open_index(rg_worktree *worktree, git_index **out,
				       struct timespec *written);
/* The regular file that the index has at a path, one of the sides in a conflict included; NULL
 * where it has none, or was only announced one (git add -N). */
const git_index_entry *rg_git_find_in_index(git_index *index, const char *path);
bool rg_git_is_in_conflict(git_index *index, const char *path);
/* core.fileMode = false. */
bool rg_git_ignores_modes(const git_index *index);
/* Does git not mind that the working tree lacks the file: left out by a sparse checkout, or marked
 * with git update-index --skip-worktree or --assume-unchanged? */
bool rg_git_may_be_absent(const git_index_entry *entry);
/* As rg_git_find_in_tree, by the name of a revision, or ":" for the index; `id` is "" where there
 * is no file, and for one in conflict. */
RG_CHECKED rg_error *rg_git_find_at(rg_worktree *worktree, const char *revision, const char *path,
				    char id[41], unsigned *mode);

/* files.c. */

enum { RG_GIT_PATH_SIZE = 4097 };

/* Files of the working tree, looked at one after the other: the folders that a path has in common
 * with the last one are not looked at again. */
typedef struct {
	char full[RG_GIT_PATH_SIZE];
	size_t root_length, known; /* how much of `full` is the root; is known to be folders */
} rg_git_files;

/* How many bytes of a path are folders of the other one, too. */
size_t rg_git_shared_folders(const char *path, const char *other);
void rg_git_files_init(rg_git_files *files, const rg_worktree *worktree);
/* Is a regular file at `path`, and no link on the way to it? */
bool rg_git_stat(rg_git_files *files, const char *path, struct stat *st);
/* Would git make the blob of the working tree's file? One that cannot be read: no. */
bool rg_git_has_bytes(const rg_worktree *worktree, const char *path, const char *id);
/* RG_E_GIT where a path has a filter, or an encoding, that libgit2 does not know. */
RG_CHECKED rg_error *rg_git_check_filter(rg_worktree *worktree, const char *path);

/*
 * Is a file that is not tracked ignored? What is in an ignored folder is, whatever a later "!"
 * says: libgit2 looks at the file first, and is asked about each folder, too. `seen` (initialised,
 * empty at first) spares that for files in the folder of the one asked about before.
 */
RG_CHECKED rg_error *rg_git_is_ignored(const rg_worktree *worktree, const char *path, rg_buf *seen,
				       bool *out);

/*
 * git.c: runs git in the repository, with `words` (NULL at their end) and `input` (may be NULL) for
 * it to read; `index` (NULL: its own) is the index that it works on. No hook and no monitor is run,
 * and nothing that a .regild names. RG_E_GIT with the last line of what git says.
 */
RG_CHECKED rg_error *rg_git_run(const rg_worktree *worktree, const char *index,
				const char *const *words, const rg_buf *input);

/* full_index.c, which says what for. Is the copy one of the index as it is now? `written`: see
 * rg_git_open_index. */
bool rg_git_has_full_index(const rg_worktree *worktree, struct timespec *written);
/* `path` is the index's; the caller frees *out. */
RG_CHECKED rg_error *rg_git_read_full_index(rg_worktree *worktree, const char *path,
					    git_index **out);
/* Makes the index have what the copy has of the paths. */
RG_CHECKED rg_error *rg_git_write_full_index(rg_worktree *worktree, git_index *index,
					     const char *const *paths, size_t count);

/* partial.c: has git fetch those that a partial clone lacks, all at once, but where
 * GIT_NO_LAZY_FETCH is set. Who reads them says what is still missing. */
void rg_git_fetch_objects(rg_worktree *worktree, const git_oid *ids, size_t count);
/* Both sides of the changes. */
void rg_git_fetch_changes(rg_worktree *worktree, const rg_change_list *list);
/* RG_E_GONE: what gets the object, and why git did not. */
RG_CHECKED rg_error *rg_git_lacks_object(const rg_worktree *worktree, const char *subject,
					 bool tree);

/* renames.c: makes one change of a removed and a new file that are similar. */
void rg_git_pair_renames(rg_worktree *worktree, rg_change_list *list);

/* revisions.c: when it was committed, "2026-04-02T10:00:00Z"; "" for a time that is none. */
void rg_git_commit_time(const git_commit *commit, char out[static 25]);

/* shallow.c: in a shallow clone, takes their missing parents from the commits where its history
 * ends, for this handle, as git does: libgit2 1.5 stumbles over them. Before any commit is read,
 * which libgit2 would remember with its parents. */
RG_CHECKED rg_error *rg_git_graft_shallow(rg_worktree *worktree);

#endif
