/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/range_trailer.h"

#include "base/cancel.h"
#include "worktree/file_commits.h"
#include "worktree/internal.h"

#include <strings.h>

enum { VALUE_MAX = 64 };

static rg_error *says(rg_worktree *worktree, const git_oid *at, const char *key, const char *value,
		      bool *out)
{
	git_commit *commit;
	const char *said;
	rg_arena arena;

	if (git_commit_lookup(&commit, worktree->repository, at) < 0)
		return rg_git_error(-1, "walking history");
	rg_arena_init(&arena);
	rg_error *err = rg_trailer_find(&arena, git_commit_message(commit), key, VALUE_MAX, &said);
	*out = !err && said && !strcasecmp(said, value);
	rg_arena_release(&arena);
	git_commit_free(commit);
	return err;
}

static rg_error *set_end(git_revwalk *walk, rg_worktree *worktree, const char *revision, bool hide)
{
	git_object *object = NULL;
	rg_error *err =
		rg_git_resolve(worktree, revision ? revision : "HEAD", GIT_OBJECT_COMMIT, &object);
	if (!err && (hide ? git_revwalk_hide : git_revwalk_push)(walk, git_object_id(object)) < 0)
		err = rg_git_error(-1, "walking history");
	git_object_free(object);
	return err;
}

rg_error *rg_worktree_range_says(rg_worktree *worktree, const char *base, const char *head,
				 const char *key, const char *value, char id[static 41])
{
	git_revwalk *walk = NULL;
	git_oid at;
	bool found = false;

	id[0] = '\0';
	if (git_revwalk_new(&walk, worktree->repository) < 0)
		return rg_git_error(-1, "walking history");
	git_revwalk_sorting(walk, GIT_SORT_TIME);
	rg_error *err = set_end(walk, worktree, head, false);
	if (!err)
		err = set_end(walk, worktree, base, true);
	while (!err && !found && !git_revwalk_next(&at, walk)) {
		err = rg_cancel_check();
		if (!err)
			err = says(worktree, &at, key, value, &found);
	}
	if (found)
		git_oid_tostr(id, 41, &at);
	git_revwalk_free(walk);
	return err;
}
