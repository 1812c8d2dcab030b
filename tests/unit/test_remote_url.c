/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/file.h"
#include "worktree/worktree.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/regild-test-XXXXXX";

/* An empty repository; no configuration but its own. */
FIXTURE(make_repository)
{
	git_repository *repository = NULL;

	if (!mkdtemp(folder) || setenv("HOME", folder, 1) || setenv("GIT_CONFIG_NOSYSTEM", "1", 1))
		return -1;
	git_libgit2_init();
	if (git_repository_init(&repository, folder, 0))
		return -1;
	git_repository_free(repository);
	git_libgit2_shutdown();
	return chdir(folder);
}

FIXTURE(remove_repository)
{
	rg_error *err;

	err = chdir("/") ? NULL : rg_remove_tree(folder);
	rg_error_free(err);
	return err ? -1 : 0;
}

static void assert_url(const char *config, const char *remote, const char *wanted)
{
	rg_worktree *worktree;
	char *url;

	assert_success(rg_file_replace(".git/config", config, strlen(config), 0644));
	assert_success(rg_worktree_open(&worktree, NULL));
	assert_success(rg_worktree_remote_url(worktree, remote, &url));
	if (wanted)
		assert_string_equal(url, wanted);
	else
		assert_null(url);
	free(url);
	rg_worktree_free(worktree);
}

TEST_GROUP(make_repository, remove_repository);

TEST(url)
{
	assert_url("[core]\n\tbare = false\n", "origin", NULL);
	assert_url("[remote \"origin\"]\n\turl = https://github.com/a/b\n", "origin",
		   "https://github.com/a/b");
	assert_url("[remote \"origin\"]\n\turl = https://github.com/a/b\n", "other", NULL);
	assert_url("[remote \"origin\"]\n\turl = x\n", "no such\nname", NULL);
}

TEST(longest_instead_of_counts)
{
	static const char config[] = "[remote \"origin\"]\n\turl = gh:a/b\n"
				     "[url \"ssh://wrong/\"]\n\tinsteadOf = g\n"
				     "[url \"https://github.com/\"]\n\tinsteadOf = gh:\n"
				     "[url \"ssh://other/\"]\n\tinsteadOf = gl:\n"
				     "[url \"ssh://valueless/\"]\n\tinsteadOf\n";

	assert_url(config, "origin", "https://github.com/a/b");
}
