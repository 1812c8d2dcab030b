#include "base/file.h"
#include "worktree/internal.h"
#include "worktree/versions.h"

#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A commit's bytes without its parents. */
static void add_orphan(rg_buf *out, const char *commit)
{
	static const char parent[] = "parent ";
	const char *rest = strchr(commit, '\n'); /* behind its tree */

	rest = rest ? rest + 1 : commit;
	rg_buf_add(out, commit, (size_t)(rest - commit));
	while (!strncmp(rest, parent, sizeof(parent) - 1) && strchr(rest, '\n'))
		rest = strchr(rest, '\n') + 1;
	rg_buf_str(out, rest);
}

static rg_error *graft(git_odb *odb, git_odb_backend *memory, const git_oid *id)
{
	git_odb_object *commit;
	rg_buf orphan;
	rg_error *err;
	int answer;

	/* Git names commits there that it has pruned since. */
	if (git_odb_read(&commit, odb, id) < 0)
		return NULL;
	rg_buf_init(&orphan, RG_BUF_TEXT);
	add_orphan(&orphan, git_odb_object_data(commit));
	git_odb_object_free(commit);
	err = rg_buf_check(&orphan, "a commit");
	if (!err) {
		answer = memory->write(memory, id, orphan.data, orphan.length, GIT_OBJECT_COMMIT);
		err = answer < 0 ? rg_git_error(answer, "where the history ends") : NULL;
	}
	rg_buf_release(&orphan);
	return err;
}

/* The backend, in front of all others; the repository's database owns it. A libgit2 answer. */
static int add_memory(git_repository *repository, git_odb_backend **out)
{
	git_odb *odb = NULL;
	int answer = git_repository_odb(&odb, repository);

	if (answer >= 0)
		answer = git_mempack_new(out);
	if (answer >= 0) {
		answer = git_odb_add_backend(odb, *out, 999);
		if (answer < 0)
			(*out)->free(*out);
	}
	git_odb_free(odb);
	return answer;
}

/* A database of its own, since what the repository's has read it remembers. A libgit2 answer. */
static int open_objects(git_repository *repository, git_odb **out)
{
	git_buf path = {0};
	int answer = git_repository_item_path(&path, repository, GIT_REPOSITORY_ITEM_OBJECTS);

	if (answer >= 0)
		answer = git_odb_open(out, path.ptr);
	git_buf_dispose(&path);
	return answer;
}

/* `list` is a line for each commit that is the last one. */
static rg_error *graft_all(git_repository *repository, const char *list)
{
	git_odb_backend *memory = NULL;
	git_odb *odb = NULL;
	git_oid id;
	rg_error *err = NULL;
	int answer = open_objects(repository, &odb);

	if (answer >= 0)
		answer = add_memory(repository, &memory);
	if (answer < 0) {
		git_odb_free(odb);
		return rg_git_error(answer, "object database");
	}
	while (!err && list) {
		if (!git_oid_fromstr(&id, list))
			err = graft(odb, memory, &id);
		list = strchr(list, '\n');
		list = list ? list + 1 : NULL;
	}
	git_odb_free(odb);
	return err;
}

/* Of the repository that a linked worktree belongs to, which libgit2's own question misses. */
static rg_error *read_list(const rg_worktree *worktree, rg_buf *list)
{
	struct stat st;
	char *path;
	rg_error *err = NULL;

	RG_TRY(rg_textf(&path, "%sshallow", git_repository_commondir(worktree->repository)));
	if (!stat(path, &st))
		err = rg_file_read(list, path);
	free(path);
	return err;
}

bool rg_worktree_is_shallow(const rg_worktree *worktree)
{
	bool shallow;
	rg_buf list;

	rg_buf_init(&list, RG_BUF_TEXT);
	rg_error_free(read_list(worktree, &list));
	shallow = list.length > 0;
	rg_buf_release(&list);
	return shallow;
}

rg_error *rg_git_graft_shallow(rg_worktree *worktree, bool *shallow)
{
	rg_buf list;
	rg_error *err;

	rg_buf_init(&list, RG_BUF_TEXT);
	err = read_list(worktree, &list);
	*shallow = list.length > 0;
	if (!err && *shallow)
		err = graft_all(worktree->repository, list.data);
	rg_buf_release(&list);
	return err;
}
