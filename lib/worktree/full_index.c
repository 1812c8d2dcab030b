/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indexes that libgit2 1.5 cannot read: split, sparse, without a checksum. git makes a full copy of
 * one, which stands for it in this handle until it is another file; and git writes what is to
 * change in it.
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "worktree/internal.h"

#include <git2/sys/repository.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const convert[] = {"update-index", "--no-split-index", "--force-write-index",
				      NULL};

bool rg_git_has_full_index(const rg_worktree *worktree, struct timespec *written)
{
	const struct stat *then = &worktree->index_stat;
	struct stat now;
	if (!worktree->index_path || stat(worktree->index_path, &now) ||
	    now.st_ino != then->st_ino || now.st_size != then->st_size ||
	    now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != then->st_mtim.tv_nsec)
		return false;
	if (written)
		*written = now.st_mtim;
	return true;
}

static rg_error *make_copy(rg_worktree *worktree, char **out)
{
	RG_AUTO_FREE char *path = rg_textf("%s/regild-index", rg_temporary_folder());
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_ANY);
	int fd;

	*out = NULL;
	RG_TRY(rg_file_read(&bytes, worktree->index_path));
	RG_TRY(rg_temporary_open(&fd, out, path, 0600));
	rg_error *err = rg_file_replace(*out, bytes.data, bytes.length, 0600);
	close(fd);
	RG_TRY(err);
	return rg_git_run(worktree, *out, convert, NULL);
}

rg_error *rg_git_read_full_index(rg_worktree *worktree, const char *path, git_index **out)
{
	RG_AUTO_FREE char *copy = NULL;

	*out = NULL;
	if (!worktree->index_path)
		worktree->index_path = rg_strdup(path);
	if (stat(worktree->index_path, &worktree->index_stat))
		return rg_error_io(errno, "%s", worktree->index_path);
	rg_error *err = make_copy(worktree, &copy);
	if (!err && (git_index_open(out, copy) || git_index_read(*out, true) ||
		     git_repository_set_index(worktree->repository, *out) ||
		     git_index_set_caps(*out, GIT_INDEX_CAPABILITY_FROM_OWNER)))
		err = rg_git_error(GIT_ERROR, "index");
	if (copy)
		unlink(copy);
	if (err) {
		git_index_free(*out);
		*out = NULL;
	}
	return err;
}

rg_error *rg_git_write_full_index(rg_worktree *worktree, git_index *index, const char *const *paths,
				  size_t count)
{
	static const char *const words[] = {"update-index", "-z", "--index-info", NULL};
	char hex[GIT_OID_HEXSZ + 1] = "0000000000000000000000000000000000000000";
	RG_AUTO(rg_buf) lines = rg_buf_of(RG_BUF_ANY);

	for (size_t i = 0; i < count; i++) {
		const git_index_entry *entry = git_index_get_bypath(index, paths[i], 0);
		if (entry)
			git_oid_tostr(hex, sizeof(hex), &entry->id);
		rg_buf_printf(&lines, "%o %s\t%s", entry ? entry->mode : 0, hex, paths[i]);
		rg_buf_char(&lines, '\0');
	}
	return rg_git_run(worktree, NULL, words, &lines);
}
