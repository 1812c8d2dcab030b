/* SPDX-License-Identifier: Apache-2.0 */
/* What revisions name (lib/worktree/resolve.c). */
#include "unit.h"

#include "unit/repository.h"

#include "base/file.h"
#include "base/memory.h"
#include "worktree/worktree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FIXTURE(set_up)
{
	make_repository();
	sh("mkdir -p g/c && echo x >g/c/x && git add -A && git commit -qm one");
	return 0;
}

/* The commit that git finds, too. */
static void expect_as_git(rg_worktree *worktree, const char *revision)
{
	char script[256], id[41];
	char *path;

	assert_true(snprintf(script, sizeof(script), "git rev-parse '%s^{commit}' >.git/found",
			     revision) < (int)sizeof(script));
	sh(script);
	path = rg_textf("%s/.git/found", scratch);
	RG_AUTO(rg_buf) text = rg_buf_of(100);
	assert_success(rg_file_read(&text, path));
	assert_success(rg_worktree_resolve(worktree, revision, id));
	assert_memory_equal(text.data, id, 40);
	free(path);
}

TEST_GROUP(set_up, remove_repository);

TEST(names_of_head)
{
	static const char *const as_git[] = {"HEAD", "@", "@^0", "@~0", "main", "HEAD^{/one}"};
	rg_worktree *worktree;
	char id[41];
	size_t i;

	assert_success(rg_worktree_open(&worktree, scratch));
	for (i = 0; i < sizeof(as_git) / sizeof(*as_git); i++)
		expect_as_git(worktree, as_git[i]);
	assert_error(rg_worktree_resolve(worktree, "main^{tree}", id), RG_E_NOTFOUND,
		     "revision 'main^{tree}': is not a commit");
	rg_worktree_free(worktree);
}

/* HEAD's log has the checkouts, a branch's has not. */
TEST(log_of_head)
{
	static const char *const as_git[] = {
		"HEAD@{0}", "HEAD@{1}", "HEAD@{2}", "HEAD@{01}", "HEAD@{1}~1", "HEAD@{1}^{commit}",
		"@{1}",     "main@{1}", "@{-1}",    "up@{0}",    "HEAD@{3}",
	};
	static const char far[] = "revision 'HEAD@{99}': HEAD's log does not go back that far";
	rg_worktree *worktree;
	char id[41];
	size_t i;

	sh("rm .git/logs/HEAD; git checkout -q -b up && echo up >g/c/x && git commit -qam up\n"
	   "git checkout -q main && echo 1 >g/c/x && git commit -qam here\n"
	   "git checkout -q up && git checkout -q main");
	assert_success(rg_worktree_open(&worktree, scratch));
	for (i = 0; i < sizeof(as_git) / sizeof(*as_git); i++)
		expect_as_git(worktree, as_git[i]);
	assert_error(rg_worktree_resolve(worktree, "HEAD@{99}", id), RG_E_NOTFOUND, far);
	assert_error(rg_worktree_resolve(worktree, "HEAD@{yesterday}", id), RG_E_NOTFOUND,
		     "revision 'HEAD@{yesterday}': libgit2 finds dates in the log of a branch "
		     "only; name that, or HEAD@{N}");
	assert_fails_with(rg_worktree_resolve(worktree, "HEAD@{upstream}", id), RG_E_NOTFOUND);
	assert_fails_with(rg_worktree_resolve(worktree, "HEAD@{1", id), RG_E_NOTFOUND);
	assert_fails_with(rg_worktree_resolve(worktree, "HEAD@{}", id), RG_E_NOTFOUND);
	sh("git checkout -q --detach HEAD");
	expect_as_git(worktree, "HEAD@{1}");
	expect_as_git(worktree, "HEAD@{now}");
	sh("rm .git/logs/HEAD");
	assert_error(rg_worktree_resolve(worktree, "HEAD@{0}", id), RG_E_NOTFOUND,
		     "revision 'HEAD@{0}': HEAD's log does not go back that far");
	sh("test ! -e .git/logs/HEAD");
	rg_worktree_free(worktree);
	sh("git checkout -q main && git reset -q --hard HEAD~1 && git branch -qD up");
}
