/* SPDX-License-Identifier: Apache-2.0 */
/* libgit2 without memory: it is said, whatever libgit2 makes of it. */
#include "unit.h"

#include "worktree/internal.h"

static void test_failure_is_noted(void **state)
{
	git_buf buf = {0};

	(void)state;
	assert_success(rg_git_acquire());
	assert_false(rg_git_memory_failed());
	assert_true(git_buf_grow(&buf, SIZE_MAX / 4) < 0);
	git_error_set_str(GIT_ERROR_ODB, "object not found");
	assert_error(rg_git_error(GIT_ENOTFOUND, "blob"), RG_E_NOMEM, "out of memory");
	/* Once. */
	git_error_set_str(GIT_ERROR_ODB, "object not found");
	assert_error(rg_git_error(GIT_ENOTFOUND, "blob"), RG_E_NOTFOUND, "blob: object not found");
	git_buf_dispose(&buf);
	rg_git_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failure_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
