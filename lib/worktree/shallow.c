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

/* Of the repository that a linked worktree belongs to, which libgit2's own question misses. Empty
 * where the clone is not shallow. */
static rg_error *read_list(const rg_worktree *worktree, rg_buf *list)
{
	struct stat st;
	char *path = rg_textf("%sshallow", git_repository_commondir(worktree->repository));

	rg_error *err = NULL;
	if (!stat(path, &st))
		err = rg_file_read(list, path);
	free(path);
	return err;
}

bool rg_worktree_is_shallow(const rg_worktree *worktree)
{
	rg_buf list;
	rg_buf_init(&list, RG_BUF_TEXT);
	rg_error_free(read_list(worktree, &list));
	bool shallow = list.length > 0;
	rg_buf_release(&list);
	return shallow;
}

/* Puts the commit into the memory, without its parents. */
static int add_orphan(git_odb_backend *memory, const git_oid *id, const char *commit)
{
	static const char parent[] = "\nparent ";
	const char *parents = strchr(commit, '\n'), *rest = parents; /* after its tree */
	rg_buf orphan;
	int answer = GIT_ERROR;

	while (rest && !strncmp(rest, parent, sizeof(parent) - 1))
		rest = strchr(rest + 1, '\n');
	if (!rest)
		return 0;
	rg_buf_init(&orphan, RG_BUF_TEXT);
	rg_buf_add(&orphan, commit, (size_t)(parents - commit));
	rg_buf_str(&orphan, rest);
	rg_error *err = rg_buf_check(&orphan, "a commit");
	if (!err)
		answer = memory->write(memory, id, orphan.data, orphan.length, GIT_OBJECT_COMMIT);
	rg_error_free(err);
	rg_buf_release(&orphan);
	return answer;
}

/* Reads from `disk`, a database of its own, since the repository's remembers what it has read. */
static int graft_all(git_odb_backend *memory, git_odb *disk, const char *list)
{
	git_odb_object *commit;
	git_oid id;
	int answer = 0;

	for (; !answer && *list; list += strcspn(list, "\n"), list += *list == '\n') {
		/* git names commits there that it has pruned since. */
		if (git_oid_fromstr(&id, list) || git_odb_read(&commit, disk, &id))
			continue;
		answer = add_orphan(memory, &id, git_odb_object_data(commit));
		git_odb_object_free(commit);
	}
	return answer;
}

static int graft(git_repository *repository, const char *list)
{
	git_odb_backend *memory = NULL;
	git_odb *odb = NULL, *disk = NULL;
	git_buf path = {0};
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
	git_odb_free(disk);
	git_odb_free(odb);
	git_buf_dispose(&path);
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
	rg_buf list;
	int answer = 0;

	rg_buf_init(&list, RG_BUF_TEXT);
	rg_error *err = read_list(worktree, &list);
	if (!err && list.length)
		answer = graft(worktree->repository, list.data);
	if (answer)
		err = rg_git_error(answer, "where the history ends");
	rg_buf_release(&list);
	return err;
}
