/* SPDX-License-Identifier: Apache-2.0 */
/* Git LFS's own store: COMMONDIR/lfs/objects/ab/cd/abcd…, a file for each SHA-256, or where
 * lfs.storage of git's configuration has it. */
#include "base/file.h"
#include "base/lfs.h"
#include "base/memory.h"
#include "worktree/internal.h"

#include <stdlib.h>
#include <sys/stat.h>

static char *storage(git_repository *repository)
{
	RG_AUTO_PTR(git_config) config = NULL;
	RG_AUTO(git_buf) said = {0};
	if (!git_repository_config_snapshot(&config, repository))
		(void)git_config_get_path(&said, config, "lfs.storage");
	const char *path = said.ptr && *said.ptr ? said.ptr : "lfs";
	return rg_textf("%s%s", *path == '/' ? "" : git_repository_commondir(repository), path);
}

char *rg_worktree_lfs_object(const rg_worktree *worktree, const void *pointer, size_t size)
{
	char oid[RG_SHA256_HEX];
	uint64_t length;
	struct stat st;

	if (!rg_lfs_pointer_parse(pointer, size, oid, &length))
		return NULL;
	RG_AUTO_FREE char *folder = storage(worktree->repository);
	RG_AUTO_FREE char *path = rg_textf("%s/objects/%.2s/%.2s/%s", folder, oid, oid + 2, oid);
	bool there = !stat(path, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size == length;
	return there ? RG_TAKE(path) : NULL;
}

rg_error *rg_git_follow_pointer(const rg_worktree *worktree, rg_buf *bytes)
{
	RG_AUTO_FREE char *path = rg_worktree_lfs_object(worktree, bytes->data, bytes->length);
	if (!path)
		return NULL;
	rg_buf_clear(bytes);
	return rg_file_read(bytes, path);
}
