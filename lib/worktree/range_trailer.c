/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/range_trailer.h"

#include "base/cancel.h"
#include "worktree/file_commits.h"
#include "worktree/internal.h"

#include <strings.h>

enum { VALUE_MAX = 64 };

static rg_error *set_end(git_revwalk *walk, rg_worktree *worktree, const char *revision, bool hide)
{
	RG_AUTO_PTR(git_object) object = NULL;
	RG_TRY(rg_git_resolve(worktree, revision ? revision : "HEAD", GIT_OBJECT_COMMIT, &object));
	if ((hide ? git_revwalk_hide : git_revwalk_push)(walk, git_object_id(object)) < 0)
		return rg_git_error(-1, "walking history");
	return NULL;
}

rg_error *rg_worktree_range_says(rg_worktree *worktree, const char *base, const char *head,
				 const char *key, const char *value, char id[static 41])
{
	RG_AUTO_PTR(git_revwalk) walk = NULL;
	git_oid at;

	id[0] = '\0';
	if (git_revwalk_new(&walk, worktree->repository) < 0)
		return rg_git_error(-1, "walking history");
	git_revwalk_sorting(walk, GIT_SORT_TIME);
	RG_TRY(set_end(walk, worktree, head, false));
	RG_TRY(set_end(walk, worktree, base, true));
	while (!*id && !git_revwalk_next(&at, walk)) {
		RG_AUTO_PTR(git_commit) commit = NULL;
		RG_AUTO(rg_arena) arena = {0};
		const char *said;

		RG_TRY(rg_cancel_check());
		if (git_commit_lookup(&commit, worktree->repository, &at) < 0)
			return rg_git_error(-1, "walking history");
		RG_TRY(rg_trailer_find(&arena, git_commit_message(commit), key, VALUE_MAX, &said));
		if (said && !strcasecmp(said, value))
			git_oid_tostr(id, 41, &at);
	}
	return NULL;
}
