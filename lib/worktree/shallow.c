/* SPDX-License-Identifier: Apache-2.0 */
/* Shallow clones: GITDIR/shallow lists the commits where the history ends, one a line. */
#include "base/file.h"
#include "base/memory.h"
#include "worktree/internal.h"
#include "worktree/revisions.h"

#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>

#include <stdlib.h>
#include <string.h>

/* Reads the list of the repository that a linked worktree belongs to, which libgit2's own question
 * misses. It is empty if the clone is not shallow. */
static rg_error *read_list(const rg_worktree *worktree, rg_buf *list)
{
	const char *folder = git_repository_commondir(worktree->repository);
	RG_AUTO_FREE char *path = rg_textf("%sshallow", folder);
	struct stat st;
	return stat(path, &st) ? NULL : rg_file_read(list, path);
}

bool rg_worktree_is_shallow(const rg_worktree *worktree)
{
	RG_AUTO(rg_buf) list = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO_PTR(rg_error) err = read_list(worktree, &list);
	return list.length > 0;
}

/* Puts the commit into the memory, without its parents. */
static int append_orphan(git_odb_backend *memory, const git_oid *id, const char *commit)
{
	static const char parent[] = "\nparent ";
	const char *parents = strchr(commit, '\n'), *rest = parents; /* after its tree */
	RG_AUTO(rg_buf) orphan = rg_buf_of(RG_BUF_TEXT);

	while (rest && !strncmp(rest, parent, sizeof(parent) - 1))
		rest = strchr(rest + 1, '\n');
	if (!rest)
		return 0;
	rg_buf_add(&orphan, commit, (size_t)(parents - commit));
	rg_buf_str(&orphan, rest);
	if (orphan.is_full)
		return GIT_ERROR;
	return memory->write(memory, id, orphan.data, orphan.length, GIT_OBJECT_COMMIT);
}

/* Reads from `disk`, a database of its own, since the repository's remembers what it has read. */
static int graft_all(git_odb_backend *memory, git_odb *disk, const char *list)
{
	git_oid id;
	int answer = 0;

	for (; !answer && *list; list += strcspn(list, "\n"), list += *list == '\n') {
		RG_AUTO_PTR(git_odb_object) commit = NULL;
		/* git names commits there that it has pruned since. */
		if (!git_oid_fromstr(&id, list) && !git_odb_read(&commit, disk, &id))
			answer = append_orphan(memory, &id, git_odb_object_data(commit));
	}
	return answer;
}

static int graft(git_repository *repository, const char *list)
{
	git_odb_backend *memory = NULL;
	RG_AUTO_PTR(git_odb) odb = NULL;
	RG_AUTO_PTR(git_odb) disk = NULL;
	RG_AUTO(git_buf) path = {0};
	bool failed = git_repository_odb(&odb, repository) ||
		      git_repository_item_path(&path, repository, GIT_REPOSITORY_ITEM_OBJECTS) ||
		      git_odb_open(&disk, path.ptr) || git_mempack_new(&memory) ||
		      graft_all(memory, disk, list);
	if (!failed) {
		memory->write = NULL; /* from here on objects go to the disk */
		failed = git_odb_add_backend(odb, memory, 999); /* before all others */
	}
	if (failed && memory)
		memory->free(memory);
	return failed ? GIT_ERROR : 0;
}

const char *rg_worktree_history_ends(const rg_worktree *worktree)
{
	return rg_worktree_is_shallow(worktree)
		       ? "the clone is shallow, and its history ends here; 'git fetch --unshallow' "
			 "gets the rest"
		       : "the clone has no trees of earlier commits; 'git fetch --refetch "
			 "--filter=blob:none' gets them";
}

rg_error *rg_git_graft_shallow(rg_worktree *worktree)
{
	RG_AUTO(rg_buf) list = rg_buf_of(RG_BUF_TEXT);
	RG_TRY(read_list(worktree, &list));
	int answer = list.length ? graft(worktree->repository, list.data) : 0;
	return answer ? rg_git_error(answer, "where the history ends") : NULL;
}
