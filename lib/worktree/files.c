/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the working tree. */
#include "worktree/internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void rg_git_files_init(rg_git_files *files, const rg_worktree *worktree)
{
	const char *root = rg_worktree_root(worktree);
	files->root_length = strlen(root);
	if (files->root_length >= sizeof(files->full))
		files->root_length = 0; /* then no path fits, either */
	memcpy(files->full, root, files->root_length);
	files->full[files->root_length] = '\0';
	files->known = files->root_length;
}

size_t rg_git_shared_folders(const char *path, const char *other)
{
	size_t length = 0;
	for (size_t i = 0; path[i] && path[i] == other[i]; i++)
		if (path[i] == '/')
			length = i + 1;
	return length;
}

bool rg_git_stat(rg_git_files *files, const char *path, struct stat *st)
{
	char *own = files->full + files->root_length, *slash;
	size_t shared = rg_git_shared_folders(path, own), length = strlen(path);

	if (!files->root_length || files->root_length + length >= sizeof(files->full))
		return false;
	if (files->known > files->root_length + shared)
		files->known = files->root_length + shared;
	memcpy(own, path, length + 1);
	/* Files beyond a link to a folder are not git's. */
	while ((slash = strchr(files->full + files->known, '/')) != NULL) {
		*slash = '\0';
		bool is_folder = !lstat(files->full, st) && S_ISDIR(st->st_mode);
		*slash = '/';
		if (!is_folder)
			return false;
		files->known = (size_t)(slash - files->full) + 1;
	}
	return !lstat(files->full, st) && S_ISREG(st->st_mode);
}

bool rg_git_has_bytes(const rg_worktree *worktree, const char *path, const char *id)
{
	git_oid now;
	return !git_repository_hashfile(&now, worktree->repository, path, GIT_OBJECT_BLOB, NULL) &&
	       !git_oid_strcmp(&now, id);
}

static rg_error *ask(const rg_worktree *worktree, const char *path, bool *out)
{
	int ignored = 0, answer = git_ignore_path_is_ignored(&ignored, worktree->repository, path);
	*out = ignored;
	return answer < 0 ? rg_git_error(answer, "%s", path) : NULL;
}

rg_error *rg_git_is_ignored(const rg_worktree *worktree, const char *path, rg_buf *seen, bool *out)
{
	const char *slash;

	RG_TRY(ask(worktree, path, out));
	for (slash = strchr(path, '/'); slash && !*out; slash = strchr(slash + 1, '/')) {
		size_t length = (size_t)(slash - path);
		if (!strncmp(seen->data, path, length + 1))
			continue;
		RG_AUTO_FREE char *folder = rg_strndup(path, length);
		RG_TRY(ask(worktree, folder, out));
	}
	if (*out || !(slash = strrchr(path, '/')))
		return NULL;
	rg_buf_clear(seen);
	rg_buf_add(seen, path, (size_t)(slash - path) + 1);
	return rg_buf_check(seen, "a path");
}

bool rg_worktree_converts_alike(const rg_worktree *worktree, const char *path, const rg_buf *a,
				const rg_buf *b)
{
	RG_AUTO_PTR(git_filter_list) list = NULL;
	RG_AUTO(git_buf) from_a = {0}, from_b = {0};

	if (!memchr(a->data, '\r', a->length) && !memchr(b->data, '\r', b->length))
		return false;
	return !git_filter_list_load(&list, worktree->repository, NULL, path, GIT_FILTER_TO_ODB,
				     GIT_FILTER_ALLOW_UNSAFE) &&
	       list && !git_filter_list_apply_to_buffer(&from_a, list, a->data, a->length) &&
	       !git_filter_list_apply_to_buffer(&from_b, list, b->data, b->length) &&
	       from_a.size == from_b.size && !memcmp(from_a.ptr, from_b.ptr, from_a.size);
}

char *rg_worktree_filter(const rg_worktree *worktree, const char *path)
{
	const char *value = NULL;
	bool has = !git_attr_get(&value, worktree->repository, 0, path, "filter") &&
		   git_attr_value(value) == GIT_ATTR_VALUE_STRING;
	return has ? rg_strdup(value) : NULL;
}

rg_error *rg_git_check_filter(rg_worktree *worktree, const char *path)
{
	static const char *names[] = {"filter", "working-tree-encoding"};
	const char *values[2] = {NULL, NULL};
	int answer = git_attr_get_many(values, worktree->repository, 0, path, 2, names);

	if (answer)
		return rg_git_error(answer, "%s", path);
	for (size_t i = 0; i < 2; i++)
		if (git_attr_value(values[i]) == GIT_ATTR_VALUE_STRING)
			return rg_error_new(RG_E_GIT, "%s: only git can run its %s '%s'", path,
					    names[i], values[i]);
	return NULL;
}
