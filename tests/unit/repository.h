/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_REPOSITORY_H
#define REGILD_TESTS_REPOSITORY_H

/* A scratch repository, with git to work in it. */

#include "unit/unit.h"

#include "base/file.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char scratch[] = "/tmp/regild-repository-XXXXXX";

/* Runs a shell in the scratch repository, where $TOP is the checkout; any command that fails fails
 * the test. */
static void sh(const char *script)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		if (chdir(scratch))
			_exit(99);
		execl("/bin/sh", "sh", "-ec", script, (char *)NULL);
		_exit(99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("failed: %s", script);
}

/* Makes it, on branch main and without a commit; nobody's configuration counts. */
static void make_repository(void)
{
	char top[4096];

	assert_non_null(getcwd(top, sizeof(top)));
	setenv("TOP", top, 1);
	assert_non_null(mkdtemp(scratch));
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("HOME", scratch, 1);
	sh("git init -q -b main . && git config user.name t && git config user.email "
	   "t@example.com && git config core.safecrlf false");
}

FIXTURE(remove_repository)
{
	assert_success(rg_remove_tree(scratch));
	return 0;
}

#endif
