/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/index.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/pattern.h"
#include "worktree/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg_index {
	git_index *index;
	bool is_sparse;
	char own[RG_GIT_PATH_SIZE]; /* a path whose folders are all this repository's own */
};

/* The path of the repository's index; the caller frees it. `index` is NULL if it could not even be
 * opened. */
static char *index_path(const rg_worktree *worktree, const git_index *index)
{
	RG_AUTO(git_buf) path = {0};
	if (worktree->index_path)
		return rg_strdup(worktree->index_path);
	if (index)
		return rg_strdup(git_index_path(index));
	bool known =
		!git_repository_item_path(&path, worktree->repository, GIT_REPOSITORY_ITEM_INDEX);
	return rg_strdup(known ? path.ptr : "");
}

rg_error *rg_git_open_index(rg_worktree *worktree, git_index **out, struct timespec *written)
{
	struct stat st;
	int answer = git_repository_index(out, worktree->repository);

	if (!answer && rg_git_has_full_index(worktree, written))
		return NULL;
	if (!answer && written)
		*written = stat(git_index_path(*out), &st) ? (struct timespec){0} : st.st_mtim;
	if (!answer && !worktree->index_path)
		answer = git_index_read(*out, false);
	if (!answer && !worktree->index_path)
		return NULL;
	const git_error *last = git_error_last();
	bool unknown = answer && last && last->klass == GIT_ERROR_INDEX;
	RG_AUTO_PTR(rg_error) err = answer ? rg_git_error(answer, "index") : NULL;
	RG_AUTO_PTR(git_index) unread = RG_TAKE(*out);
	if (err && !unknown)
		return RG_TAKE(err);
	RG_AUTO_FREE char *path = index_path(worktree, unread);
	RG_TRY(rg_error_wrap(rg_git_read_full_index(worktree, path, out),
			     "libgit2 cannot read this repository's index, nor can git make a full "
			     "copy of it"));
	(void)rg_git_has_full_index(worktree, written);
	return NULL;
}

/* `paths` are all that differ from what is on disk. */
static rg_error *write_index(rg_worktree *worktree, git_index *index, const char *const *paths,
			     size_t count)
{
	if (worktree->index_path)
		return rg_git_write_full_index(worktree, index, paths, count);
	int answer = git_index_write(index);
	return answer ? rg_git_error(answer, "index") : NULL;
}

bool rg_git_is_in_conflict(git_index *index, const char *path)
{
	const git_index_entry *ancestor, *ours, *theirs;
	return !git_index_conflict_get(&ancestor, &ours, &theirs, index, path);
}

const git_index_entry *rg_git_find_in_index(git_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index, path, 0), *ours, *theirs;
	if (entry)
		return rg_git_is_file_mode(entry->mode) &&
				       !(entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD)
			       ? entry
			       : NULL;
	if (git_index_conflict_get(&entry, &ours, &theirs, index, path))
		return NULL;
	return ours ? ours : theirs ? theirs : entry;
}

bool rg_git_ignores_modes(const git_index *index)
{
	return git_index_caps(index) & GIT_INDEX_CAPABILITY_NO_FILEMODE;
}

static bool is_left_out(const git_index_entry *entry)
{
	return entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
}

bool rg_git_may_be_absent(const git_index_entry *entry)
{
	return entry->flags & GIT_INDEX_ENTRY_VALID || is_left_out(entry);
}

bool rg_worktree_is_in_conflict(const rg_worktree *worktree, const char *path)
{
	RG_AUTO_PTR(git_index) index = NULL;
	return !git_repository_index(&index, worktree->repository) &&
	       rg_git_is_in_conflict(index, path);
}

bool rg_worktree_tracks(rg_worktree *worktree, const char *folder, const char *files)
{
	const git_index_entry *entry;
	RG_AUTO_PTR(git_index) index = NULL;
	size_t length = strlen(folder), i;
	bool found = false;

	RG_AUTO_PTR(rg_error) err = rg_git_open_index(worktree, &index, NULL);
	if (!index)
		return false;
	if (git_index_find_prefix(&i, index, folder))
		i = git_index_entrycount(index);
	while (!found && (entry = git_index_get_byindex(index, i++)) != NULL &&
	       !strncmp(entry->path, folder, length))
		found = (!length || entry->path[length] == '/') &&
			(!files || rg_globs_take(files, entry->path));
	return found;
}

bool rg_worktree_has_folder(rg_worktree *worktree, const char *tree, const char *folder)
{
	RG_AUTO_PTR(git_tree) found = NULL;
	RG_AUTO_PTR(git_tree_entry) entry = NULL;
	git_oid id;

	if (!strcmp(tree, ":"))
		return rg_worktree_tracks(worktree, folder, NULL);
	return !git_oid_fromstr(&id, tree) && !git_tree_lookup(&found, worktree->repository, &id) &&
	       !git_tree_entry_bypath(&entry, found, folder) &&
	       git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

rg_error *rg_index_open(rg_index **out, rg_worktree *worktree)
{
	RG_AUTO_PTR(rg_index) index = rg_calloc(1, sizeof(*index));
	git_repository *repository = worktree->repository;
	RG_AUTO_FREE char *own = rg_path_join(rg_worktree_git_dir(worktree), "config.worktree");
	RG_AUTO_FREE char *common = rg_path_join(git_repository_commondir(repository), "config");
	RG_AUTO_PTR(git_config) config = NULL;
	int sparse = 0;

	*out = NULL;
	/* As a rule git keeps core.sparseCheckout in the working tree's own configuration, which
	 * libgit2 1.5 does not read. */
	index->is_sparse =
		!git_config_new(&config) &&
		!git_config_add_file_ondisk(config, common, GIT_CONFIG_LEVEL_LOCAL, NULL, 0) &&
		!git_config_add_file_ondisk(config, own, GIT_CONFIG_LEVEL_APP, NULL, 0) &&
		!git_config_get_bool(&sparse, config, "core.sparsecheckout") && sparse;
	RG_TRY(rg_git_open_index(worktree, &index->index, NULL));
	*out = RG_TAKE(index);
	return NULL;
}

void rg_index_free(rg_index *index)
{
	if (!index)
		return;
	git_index_free(index->index);
	free(index);
}

bool rg_index_ignores_case(const rg_index *index)
{
	return git_index_caps(index->index) & GIT_INDEX_CAPABILITY_IGNORE_CASE;
}

/* Has the index files in a folder ("a/b/"; "": the top)? *outside: one of them, however deep, is
 * left out; with `is_own`, and none is in the folder itself that is not. */
static bool has_files(git_index *index, const char *folder, bool is_own, bool *outside)
{
	size_t length = strlen(folder), first = 0, i;
	*outside = false;
	if (length && git_index_find_prefix(&first, index, folder))
		return false;
	for (i = first; i < git_index_entrycount(index); i++) {
		const git_index_entry *entry = git_index_get_byindex(index, i);
		if (strncmp(entry->path, folder, length) != 0)
			break;
		if (is_own && !is_left_out(entry) && !strchr(entry->path + length, '/')) {
			*outside = false;
			return true;
		}
		*outside |= is_left_out(entry);
	}
	return i > first;
}

bool rg_index_is_outside(const rg_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index->index, path, 0);
	char folder[RG_GIT_PATH_SIZE];
	bool outside;

	if (entry)
		return is_left_out(entry);
	if (!index->is_sparse || strlen(path) >= sizeof(folder))
		return false;
	/* A file that is not tracked is outside if the tracked files around it are: in its own
	 * folder, or else in the next one above that has any. The patterns themselves are for git
	 * to read. */
	memcpy(folder, path, strlen(path) + 1);
	for (bool is_own = true;; is_own = false) {
		char *slash = strrchr(folder, '/');
		*(slash ? slash + 1 : folder) = '\0';
		if (has_files(index->index, folder, is_own, &outside) || !slash)
			return outside;
		*slash = '\0';
	}
}

const char *rg_index_twin(const rg_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index->index, path, 0);
	return entry && strcmp(entry->path, path) != 0 ? entry->path : NULL;
}

const char *rg_index_why_outside(const rg_index *index, const char *path)
{
	if (!rg_index_is_outside(index, path))
		return NULL;
	return index->is_sparse
		       ? "is outside the sparse checkout; 'git sparse-checkout add' takes it in"
		       : "is marked skip-worktree; 'git update-index --no-skip-worktree' "
			 "takes the mark off";
}

/* A submodule need not be there, and a repository need not be a submodule. */
static bool is_repository(const rg_index *index, const rg_worktree *worktree, const char *folder)
{
	const git_index_entry *entry = git_index_get_bypath(index->index, folder, 0);
	char full[RG_GIT_PATH_SIZE];
	struct stat st;

	if (entry && entry->mode == GIT_FILEMODE_COMMIT)
		return true;
	int length = snprintf(full, sizeof(full), "%s%s/.git", rg_worktree_root(worktree), folder);
	return length > 0 && (size_t)length < sizeof(full) && !lstat(full, &st);
}

size_t rg_index_inner_repository(rg_index *index, const rg_worktree *worktree, const char *path)
{
	size_t known = rg_git_shared_folders(path, index->own), i;
	for (i = 0; path[i] && i + 1 < sizeof(index->own); i++) {
		index->own[i] = '\0';
		if (path[i] == '/' && i >= known && is_repository(index, worktree, index->own)) {
			index->own[0] = '\0';
			return i;
		}
		index->own[i] = path[i];
	}
	index->own[i] = '\0';
	return 0;
}

/* The path's own entry, not a twin's. */
static const git_index_entry *find_entry(const rg_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index->index, path, 0);
	return entry && !strcmp(entry->path, path) ? entry : NULL;
}

rg_error *rg_index_hidden_work(const rg_index *index, rg_worktree *worktree, const char *path,
			       char id[41])
{
	const git_index_entry *entry = find_entry(index, path);
	char head[41], staged[41];
	unsigned mode;

	id[0] = '\0';
	if (!entry || entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD)
		return NULL;
	git_oid_tostr(staged, sizeof(staged), &entry->id);
	RG_TRY(rg_git_find_at(worktree, "HEAD", path, head, &mode));
	if (strcmp(head, staged) != 0 && !rg_git_has_bytes(worktree, path, staged))
		memcpy(id, staged, sizeof(staged));
	return NULL;
}

rg_error *rg_index_overlooks_work(const rg_index *index, rg_worktree *worktree, const char *path,
				  bool *out)
{
	const git_index_entry *entry = find_entry(index, path);
	char head[41];
	unsigned mode;

	*out = false;
	if (entry && !rg_git_may_be_absent(entry))
		return NULL;
	RG_TRY(rg_git_find_at(worktree, "HEAD", path, head, &mode));
	*out = !*head || rg_git_is_in_conflict(index->index, path) ||
	       !rg_git_has_bytes(worktree, path, head);
	return NULL;
}

rg_error *rg_index_hides(const rg_index *index, rg_worktree *worktree, const char *path, bool *out)
{
	RG_AUTO(rg_buf) seen = rg_buf_of(RG_BUF_TEXT);
	*out = false;
	return find_entry(index, path) ? NULL : rg_git_is_ignored(worktree, path, &seen, out);
}

rg_error *rg_worktree_stage(rg_worktree *worktree, const char *const *paths, size_t count)
{
	RG_AUTO_PTR(git_index) index = NULL;

	for (size_t i = 0; i < count; i++)
		RG_TRY(rg_git_check_filter(worktree, paths[i]));
	RG_TRY(rg_git_open_index(worktree, &index, NULL));
	for (size_t i = 0; i < count; i++) {
		int answer = git_index_add_bypath(index, paths[i]);
		if (answer)
			return rg_git_error(answer, "%s", paths[i]);
	}
	return write_index(worktree, index, paths, count);
}

/* Makes the index's entry what `to` says, out of a conflict too; the user's marks on it stay. */
static int set_entry(git_index *index, const char *path, const rg_index_side *to)
{
	const git_index_entry *before = git_index_get_bypath(index, path, 0);
	git_index_entry entry = {.path = path, .mode = to->mode};

	if (before) {
		entry.flags = before->flags & GIT_INDEX_ENTRY_VALID;
		entry.flags_extended = before->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
	}
	int answer = git_index_conflict_remove(index, path);
	if (answer && answer != GIT_ENOTFOUND)
		return answer;
	if (*to->id) {
		answer = git_oid_fromstr(&entry.id, to->id);
		return answer ? answer : git_index_add(index, &entry);
	}
	answer = git_index_remove(index, path, 0);
	return answer == GIT_ENOTFOUND ? 0 : answer;
}

rg_error *rg_worktree_unstage(rg_worktree *worktree, const char *const *paths, size_t count)
{
	RG_AUTO_PTR(git_object) tree = NULL;
	RG_AUTO_PTR(git_index) index = NULL;

	RG_TRY(rg_git_resolve(worktree, "HEAD", GIT_OBJECT_TREE, &tree));
	RG_TRY(rg_git_open_index(worktree, &index, NULL));
	for (size_t i = 0; i < count; i++) {
		rg_index_side to = {0};
		git_oid id;

		RG_TRY(rg_git_find_in_tree(worktree, (git_tree *)tree, paths[i], &id, &to.mode));
		if (to.mode)
			git_oid_tostr(to.id, sizeof(to.id), &id);
		int answer = set_entry(index, paths[i], &to);
		if (answer)
			return rg_git_error(answer, "index");
	}
	return write_index(worktree, index, paths, count);
}

/* An entry that git add -N announced has no bytes yet: it counts as none. */
static rg_index_side look(git_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index, path, 0);
	rg_index_side side = {.known = !rg_git_is_in_conflict(index, path)};

	if (!side.known || !entry || strcmp(entry->path, path) != 0 ||
	    entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD)
		return side;
	side.mode = entry->mode;
	git_oid_tostr(side.id, sizeof(side.id), &entry->id);
	return side;
}

rg_index_side rg_index_look(const rg_index *index, const char *path)
{
	return look(index->index, path);
}

bool rg_index_is_as_file(const rg_index *index, const rg_worktree *worktree, const char *path)
{
	rg_index_side side = rg_index_look(index, path);
	rg_git_files files;
	struct stat st;

	rg_git_files_init(&files, worktree);
	return side.known && (*side.id ? rg_git_has_bytes(worktree, path, side.id)
				       : !rg_git_stat(&files, path, &st));
}

rg_error *rg_worktree_restage(rg_worktree *worktree, const rg_index_change *changes, size_t count,
			      size_t *done)
{
	RG_AUTO_FREE const char **paths = rg_calloc(count + 1, sizeof(*paths));
	RG_AUTO_PTR(git_index) index = NULL;
	size_t set = 0;

	*done = 0;
	RG_TRY(rg_git_open_index(worktree, &index, NULL));
	for (size_t i = 0; i < count; i++) {
		rg_index_side now = look(index, changes[i].path);
		if (!now.known || now.mode != changes[i].from.mode ||
		    strcmp(now.id, changes[i].from.id) != 0)
			continue;
		int answer = set_entry(index, changes[i].path, &changes[i].to);
		if (answer)
			return rg_git_error(answer, "index");
		paths[set++] = changes[i].path;
	}
	if (set)
		RG_TRY(write_index(worktree, index, paths, set));
	*done = set;
	return NULL;
}

rg_error *rg_git_find_at(rg_worktree *worktree, const char *revision, const char *path, char id[41],
			 unsigned *mode)
{
	RG_AUTO_PTR(git_index) index = NULL;
	RG_AUTO_PTR(git_object) tree = NULL;
	git_oid oid;

	id[0] = '\0';
	*mode = 0;
	if (!strcmp(revision, ":")) {
		RG_TRY(rg_git_open_index(worktree, &index, NULL));
		const git_index_entry *entry = rg_git_find_in_index(index, path);
		*mode = entry ? entry->mode : 0;
		if (entry && !git_index_entry_stage(entry))
			git_oid_tostr(id, 41, &entry->id);
		return NULL;
	}
	RG_TRY(rg_git_resolve(worktree, revision, GIT_OBJECT_TREE, &tree));
	RG_TRY(rg_git_find_in_tree(worktree, (git_tree *)tree, path, &oid, mode));
	if (*mode)
		git_oid_tostr(id, 41, &oid);
	return NULL;
}
