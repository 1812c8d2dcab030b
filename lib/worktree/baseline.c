/* SPDX-License-Identifier: Apache-2.0 */
/* git's goldens at a revision, in the index, or by the id of their blob. */
#include "base/memory.h"
#include "worktree/index.h"
#include "worktree/internal.h"

#include <stdlib.h>
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
	if (answer == GIT_ENOTFOUND) {
		RG_AUTO_FREE char *subject = rg_textf("blob %s", id);
		return rg_git_lacks_object(worktree, subject, false);
	}
	if (answer < 0)
		return rg_git_error(answer, "blob %s", id);
	return type == GIT_OBJECT_BLOB ? NULL : rg_error_new(RG_E_GIT, "%s: is not a blob", id);
}

/* Finds the size of a blob, which is fetched if a partial clone lacks it. */
static rg_error *reach_blob(rg_worktree *worktree, const char *id, size_t *size)
{
	RG_AUTO_PTR(rg_error) err = rg_git_blob_size(worktree, id, size);
	git_oid oid;

	if (!err || rg_error_get_code(err) != RG_E_GONE || git_oid_fromstr(&oid, id))
		return RG_TAKE(err);
	rg_git_fetch_objects(worktree, &oid, 1);
	return rg_git_blob_size(worktree, id, size);
}

rg_error *rg_blob_open(rg_blob *out, rg_worktree *worktree, const char *id, size_t max)
{
	git_odb_object *object = NULL;
	git_oid oid;
	size_t size;

	*out = (rg_blob){.data = ""};
	RG_TRY(reach_blob(worktree, id, &size));
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
	RG_AUTO(rg_blob) blob = {0};
	RG_TRY(rg_blob_open(&blob, worktree, id, out->max));
	rg_buf_clear(out);
	rg_buf_add(out, blob.data, blob.size);
	return rg_buf_check(out, id);
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
	rg_error *err = rg_worktree_blob(worktree, id, out);
	if (!err)
		err = rg_git_follow_pointer(worktree, out);
	return rg_error_wrap(err, "%s", path);
}

/* RG_E_LIMIT, and nothing is unpacked, for more than `max`. */
static rg_error *check_size(rg_worktree *worktree, const char *id, const char *path, size_t max)
{
	size_t size = 0;
	RG_AUTO_PTR(rg_error) err = reach_blob(worktree, id, &size);

	if (err && rg_error_get_code(err) == RG_E_GONE)
		return rg_error_new(RG_E_GIT,
				    "%s: HEAD's bytes are not in this partial clone; 'git "
				    "checkout HEAD -- FILE' fetches them",
				    path);
	if (err)
		return rg_error_wrap(RG_TAKE(err), "%s: HEAD's version", path);
	return size > max ? rg_error_new(RG_E_LIMIT,
					 "%s: HEAD's version: %zu bytes, more than the limit of "
					 "%zu",
					 path, size, max)
			  : NULL;
}

rg_error *rg_worktree_checkout_bytes(rg_worktree *worktree, const char *path, rg_buf *out,
				     bool *executable)
{
	RG_AUTO_PTR(git_blob) blob = NULL;
	RG_AUTO_PTR(git_filter_list) filters = NULL;
	RG_AUTO(git_buf) bytes = {0};
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
	if (answer)
		return rg_git_error(answer, "%s", path);
	rg_buf_add(out, bytes.ptr, bytes.size);
	return rg_buf_check(out, path);
}
