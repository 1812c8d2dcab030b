/* SPDX-License-Identifier: Apache-2.0 */
/* git's goldens at a revision, in the index, or by the id of their blob. */
#include "worktree/index.h"
#include "worktree/internal.h"

#include <string.h>

static rg_error *parse_id(const char *text, git_oid *out)
{
	int answer = git_oid_fromstr(out, text);
	return answer < 0 ? rg_git_error(answer, "blob '%s'", text) : NULL;
}

rg_error *rg_git_blob_size(rg_worktree *worktree, const char *id, size_t *out)
{
	git_object_t type = GIT_OBJECT_BLOB;
	git_oid oid;
	int answer = 0;

	*out = 0;
	RG_TRY(parse_id(id, &oid));
	if (!worktree->odb)
		answer = git_repository_odb(&worktree->odb, worktree->repository);
	if (answer >= 0)
		answer = git_odb_read_header(out, &type, worktree->odb, &oid);
	if (answer == GIT_ENOTFOUND)
		return rg_error_new(RG_E_NOTFOUND,
				    "blob %s: is not in this clone; if it is a partial clone, "
				    "'git diff' with the revision fetches what is missing",
				    id);
	if (answer < 0)
		return rg_git_error(answer, "blob %s", id);
	return type == GIT_OBJECT_BLOB ? NULL : rg_error_new(RG_E_GIT, "%s: is not a blob", id);
}

rg_error *rg_blob_open(rg_blob *out, rg_worktree *worktree, const char *id, size_t max)
{
	git_odb_object *object = NULL;
	git_oid oid;
	size_t size;

	*out = (rg_blob){.data = ""};
	RG_TRY(rg_git_blob_size(worktree, id, &size));
	if (size > max)
		return rg_error_new(RG_E_LIMIT, "%zu bytes, more than the limit of %zu", size, max);
	RG_TRY(parse_id(id, &oid));
	int answer = git_odb_read(&object, worktree->odb, &oid);
	if (answer < 0)
		return rg_git_error(answer, "blob %s", id);
	*out = (rg_blob){
		.data = git_odb_object_data(object),
		.size = git_odb_object_size(object),
		.owner = object,
	};
	return NULL;
}

void rg_blob_release(rg_blob *blob)
{
	git_odb_object_free(blob->owner);
	*blob = (rg_blob){.data = ""};
}

rg_error *rg_worktree_blob(rg_worktree *worktree, const char *id, rg_buf *out)
{
	rg_blob blob;
	RG_TRY(rg_blob_open(&blob, worktree, id, out->max));
	rg_buf_clear(out);
	rg_buf_add(out, blob.data, blob.size);
	rg_blob_release(&blob);
	return rg_buf_check(out, id);
}

bool rg_git_is_file_mode(unsigned mode)
{
	return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE ||
	       mode == 0100664; /* found in old trees */
}

rg_error *rg_git_find_in_tree(git_tree *tree, const char *path, git_oid *id, unsigned *mode)
{
	git_tree_entry *entry = NULL;
	int answer = git_tree_entry_bypath(&entry, tree, path);

	if (answer < 0 && answer != GIT_ENOTFOUND)
		return rg_git_error(answer, "%s", path);
	*mode = entry ? git_tree_entry_filemode_raw(entry) : 0;
	if (!rg_git_is_file_mode(*mode))
		*mode = 0;
	if (*mode)
		git_oid_cpy(id, git_tree_entry_id(entry));
	git_tree_entry_free(entry);
	return NULL;
}

rg_error *rg_git_find_at(rg_worktree *worktree, const char *revision, const char *path, char id[41],
			 unsigned *mode)
{
	const git_index_entry *entry;
	git_index *index;
	git_object *tree;
	rg_error *err = NULL;
	git_oid oid;

	id[0] = '\0';
	*mode = 0;
	if (!strcmp(revision, ":")) {
		RG_TRY(rg_git_open_index(worktree, &index, NULL));
		entry = rg_git_find_in_index(index, path);
		*mode = entry ? entry->mode : 0;
		if (entry && !git_index_entry_stage(entry))
			git_oid_tostr(id, 41, &entry->id);
		git_index_free(index);
	} else {
		RG_TRY(rg_git_resolve(worktree, revision, GIT_OBJECT_TREE, &tree));
		err = rg_git_find_in_tree((git_tree *)tree, path, &oid, mode);
		if (!err && *mode)
			git_oid_tostr(id, 41, &oid);
		git_object_free(tree);
	}
	return err;
}

static rg_error *find_file(rg_worktree *worktree, const char *revision, const char *path,
			   char id[41], unsigned *mode)
{
	RG_TRY(rg_git_find_at(worktree, revision, path, id, mode));
	return *mode ? NULL : rg_error_new(RG_E_NOTFOUND, "%s: is not in '%s'", path, revision);
}

rg_error *rg_worktree_file_at(rg_worktree *worktree, const char *revision, const char *path,
			      rg_buf *out)
{
	unsigned mode;
	char id[41];

	RG_TRY(find_file(worktree, revision, path, id, &mode));
	if (!*id)
		return rg_error_new(RG_E_CONFLICT, "%s: " RG_UNMERGED, path);
	return rg_error_wrap(rg_worktree_blob(worktree, id, out), "%s", path);
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

/* RG_E_LIMIT, and nothing is unpacked, for more than `max`. */
static rg_error *check_size(rg_worktree *worktree, const char *id, const char *path, size_t max)
{
	size_t size = 0;
	rg_error *err = rg_git_blob_size(worktree, id, &size);

	if (err && rg_error_get_code(err) == RG_E_NOTFOUND) {
		rg_error_free(err);
		return rg_error_new(RG_E_GIT,
				    "%s: HEAD's bytes are not in this partial clone; 'git "
				    "checkout HEAD -- FILE' fetches them",
				    path);
	}
	RG_TRY(rg_error_wrap(err, "%s: HEAD's version", path));
	return size > max ? rg_error_new(RG_E_LIMIT,
					 "%s: HEAD's version: %zu bytes, more than the limit of "
					 "%zu",
					 path, size, max)
			  : NULL;
}

rg_error *rg_worktree_checkout_bytes(rg_worktree *worktree, const char *path, rg_buf *out,
				     bool *executable)
{
	git_filter_list *filters = NULL;
	git_buf bytes = {0};
	git_blob *blob = NULL;
	rg_error *err = NULL;
	unsigned mode;
	git_oid oid;
	char id[41];

	RG_TRY(rg_git_check_filter(worktree, path));
	RG_TRY(find_file(worktree, "HEAD", path, id, &mode));
	RG_TRY(check_size(worktree, id, path, out->max));
	RG_TRY(parse_id(id, &oid));
	*executable = mode == GIT_FILEMODE_BLOB_EXECUTABLE;
	int answer = git_blob_lookup(&blob, worktree->repository, &oid);
	if (!answer)
		answer = git_filter_list_load(&filters, worktree->repository, blob, path,
					      GIT_FILTER_TO_WORKTREE, GIT_FILTER_DEFAULT);
	if (!answer)
		answer = git_filter_list_apply_to_blob(&bytes, filters, blob);
	if (answer) {
		err = rg_git_error(answer, "%s", path);
	} else {
		rg_buf_add(out, bytes.ptr, bytes.size);
		err = rg_buf_check(out, path);
	}
	git_buf_dispose(&bytes);
	git_filter_list_free(filters);
	git_blob_free(blob);
	return err;
}
