/* What the ways of finding what differs share: trees, single files, the list. */
#include "worktree/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

rg_error *rg_git_explain_index(rg_error *err)
{
	if (err && strstr(rg_error_message(err), "mandatory extension: 'sdir'"))
		return rg_error_wrap(err, "libgit2 reads no sparse index; 'git sparse-checkout "
					  "reapply --no-sparse-index' makes it a full one");
	if (err && strstr(rg_error_message(err), "mandatory extension: 'link'"))
		return rg_error_wrap(err, "libgit2 reads no split index; 'git update-index "
					  "--no-split-index' makes it one file");
	if (err && strstr(rg_error_message(err), "index - calculated checksum does not match"))
		return rg_error_wrap(err, "the index is damaged, or without the checksum that "
					  "libgit2 asks for (index.skipHash, feature.manyFiles): "
					  "'git -c index.skipHash=false update-index "
					  "--force-write-index' writes it anew");
	return err;
}

/* The tree of the merge base of two revisions. */
static rg_error *merge_base_tree(rg_worktree *worktree, const char *one, const char *two,
				 git_tree **out)
{
	git_object *a = NULL, *b = NULL;
	git_commit *commit = NULL;
	git_oid id;
	rg_error *err;
	bool shallow;
	int answer;

	err = rg_git_graft_shallow(worktree, &shallow);
	if (!err)
		err = rg_git_resolve(worktree, one, GIT_OBJECT_COMMIT, &a);
	if (!err)
		err = rg_git_resolve(worktree, two, GIT_OBJECT_COMMIT, &b);
	if (err)
		goto done;
	answer = git_merge_base(&id, worktree->repository, git_object_id(a), git_object_id(b));
	if (answer == GIT_ENOTFOUND) {
		err = rg_error_new(RG_E_NOTFOUND, "'%s' and '%s' have no common ancestor%s", one,
				   two,
				   shallow ? " in this shallow clone; 'git fetch --unshallow' gets "
					     "the rest of the history"
					   : "; without --merge-base they are compared themselves");
		goto done;
	}
	if (answer >= 0)
		answer = git_commit_lookup(&commit, worktree->repository, &id);
	if (answer >= 0)
		answer = git_commit_tree(out, commit);
	if (answer < 0)
		err = rg_git_error(answer, "merge base of '%s' and '%s'", one, two);
done:
	git_commit_free(commit);
	git_object_free(b);
	git_object_free(a);
	return err;
}

rg_error *rg_git_resolve_trees(rg_worktree *worktree, const rg_change_query *query,
			       rg_git_trees *out, rg_change_list *list)
{
	const char *base = query->base ? query->base : "HEAD";
	git_object *tree;

	if (!query->base)
		RG_TRY(rg_worktree_require_commit(worktree));
	if (query->merge_base) {
		RG_TRY(merge_base_tree(worktree, base, query->to ? query->to : "HEAD", &out->base));
	} else {
		RG_TRY(rg_git_resolve(worktree, base, GIT_OBJECT_TREE, &tree));
		out->base = (git_tree *)tree;
	}
	git_oid_tostr(list->base_id, sizeof(list->base_id), git_tree_id(out->base));
	if (query->to) {
		RG_TRY(rg_git_resolve(worktree, query->to, GIT_OBJECT_TREE, &tree));
		out->to = (git_tree *)tree;
		git_oid_tostr(list->to_id, sizeof(list->to_id), git_tree_id(out->to));
	} else if (query->staged) {
		list->to_id[0] = ':';
	}
	return NULL;
}

void rg_git_trees_release(rg_git_trees *trees)
{
	git_tree_free(trees->to);
	git_tree_free(trees->base);
	*trees = (rg_git_trees){0};
}

bool rg_git_is_file_mode(unsigned mode)
{
	return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE ||
	       mode == 0100664; /* found in old trees */
}

rg_error *rg_git_find_in_tree(git_tree *tree, const char *path, git_oid *id, bool *out)
{
	git_tree_entry *entry = NULL;
	int answer = git_tree_entry_bypath(&entry, tree, path);

	if (answer < 0 && answer != GIT_ENOTFOUND)
		return rg_git_error(answer, "%s", path);
	*out = entry && rg_git_is_file_mode(git_tree_entry_filemode_raw(entry));
	if (*out)
		git_oid_cpy(id, git_tree_entry_id(entry));
	git_tree_entry_free(entry);
	return NULL;
}

bool rg_git_is_in_conflict(git_index *index, const char *path)
{
	const git_index_entry *ancestor, *ours, *theirs;

	return !git_index_conflict_get(&ancestor, &ours, &theirs, index, path);
}

bool rg_worktree_is_in_conflict(const rg_worktree *worktree, const char *path)
{
	git_index *index = NULL;
	bool found = !git_repository_index(&index, worktree->repository) &&
		     rg_git_is_in_conflict(index, path);

	git_index_free(index);
	return found;
}

bool rg_worktree_tracks(const rg_worktree *worktree, const char *folder)
{
	git_index *index = NULL;
	char *prefix = NULL;
	bool found = false;

	if (!git_repository_index(&index, worktree->repository)) {
		rg_error_free(rg_textf(&prefix, "%s/", folder));
		found = prefix && !git_index_find_prefix(NULL, index, prefix);
	}
	free(prefix);
	git_index_free(index);
	return found;
}

/* *entry is NULL where the index does not have it; *index is the caller's to free. */
static rg_error *look_up(const rg_worktree *worktree, const char *path, git_index **index,
			 const git_index_entry **entry)
{
	int answer = git_repository_index(index, worktree->repository);

	if (answer < 0)
		return rg_git_error(answer, "index");
	*entry = git_index_get_bypath(*index, path, 0);
	return NULL;
}

rg_error *rg_git_find_in_index(rg_worktree *worktree, const char *path, git_oid *id, bool *out)
{
	const git_index_entry *entry = NULL;
	git_index *index = NULL;

	RG_TRY(look_up(worktree, path, &index, &entry));
	*out = entry && rg_git_is_file_mode(entry->mode) &&
	       !(entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD);
	if (*out) {
		git_oid_cpy(id, &entry->id);
	} else if (!entry && rg_git_is_in_conflict(index, path)) {
		*out = true;
		memset(id, 0, sizeof(*id));
	}
	git_index_free(index);
	return NULL;
}

rg_error *rg_git_find_absent(rg_worktree *worktree, const char *path, git_oid *id, bool *out)
{
	const git_index_entry *entry = NULL;
	git_index *index = NULL;

	RG_TRY(look_up(worktree, path, &index, &entry));
	*out = entry && rg_git_may_be_absent(entry) && rg_git_is_file_mode(entry->mode);
	if (*out)
		git_oid_cpy(id, &entry->id);
	git_index_free(index);
	return NULL;
}

rg_error *rg_git_find_in_files(const rg_worktree *worktree, const char *path, bool *out)
{
	const char *root = rg_worktree_root(worktree);
	struct stat st;
	char *full, *p;

	RG_TRY(rg_textf(&full, "%s%s", root, path));
	*out = !lstat(full, &st) && S_ISREG(st.st_mode);
	/* What is behind a link to a folder is not git's. */
	for (p = full + strlen(root); *out && (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		*out = !lstat(full, &st) && S_ISDIR(st.st_mode);
	}
	free(full);
	return NULL;
}

bool rg_git_may_be_absent(const git_index_entry *entry)
{
	return entry->flags & GIT_INDEX_ENTRY_VALID ||
	       entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
}

bool rg_git_is_as_in_base(const rg_worktree *worktree, const rg_change *change)
{
	git_oid id;
	char hex[41];

	if (git_repository_hashfile(&id, worktree->repository, change->path, GIT_OBJECT_BLOB,
				    NULL) < 0)
		return false; /* whoever reads it will say why */
	git_oid_tostr(hex, sizeof(hex), &id);
	return !strcmp(hex, change->old_id);
}

/* The first line ends in LF on the old side and in CR LF on the new one. */
static bool has_gained_cr(const char *old, size_t old_size, const char *new, size_t new_size)
{
	const char *newline = old_size ? memchr(old, '\n', old_size) : NULL;
	size_t line = newline ? (size_t)(newline - old) : 0;

	return newline && new_size > old_size && new[line] == '\r' && new[line + 1] == '\n' &&
	       !memcmp(old, new, line);
}

bool rg_change_is_none(const rg_worktree *worktree, const rg_change *change, const char *old,
		       size_t old_size, const char *new, size_t new_size)
{
	if (!change->unsure || change->kind != RG_CHANGE_MODIFIED)
		return false;
	if (old_size == new_size && !memcmp(old, new, old_size))
		return true;
	return has_gained_cr(old, old_size, new, new_size) &&
	       rg_git_is_as_in_base(worktree, change);
}

static int compare_changes(const void *a, const void *b)
{
	const rg_change *x = a, *y = b;

	return rg_path_compare(x->path, y->path);
}

void rg_git_sort_changes(rg_change_list *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare_changes);
}

rg_error *rg_git_add_change(rg_change_list *list, const rg_change *change)
{
	rg_change *copy;

	RG_TRY(rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items)));
	copy = &list->items[list->count];
	*copy = *change;
	copy->path = rg_arena_copy(&list->arena, change->path, strlen(change->path));
	if (change->old_path)
		copy->old_path = !strcmp(change->path, change->old_path)
					 ? copy->path
					 : rg_arena_copy(&list->arena, change->old_path,
							 strlen(change->old_path));
	if (!copy->path || (change->old_path && !copy->old_path))
		return rg_error_nomem();
	list->count++;
	return NULL;
}

static int compare_to_path(const void *path, const void *change)
{
	return rg_path_compare(path, ((const rg_change *)change)->path);
}

bool rg_change_list_has(const rg_change_list *list, const char *path)
{
	return list->count &&
	       bsearch(path, list->items, list->count, sizeof(*list->items), compare_to_path);
}

void rg_change_list_release(rg_change_list *list)
{
	free(list->items);
	rg_arena_release(&list->arena);
	*list = (rg_change_list){0};
}
