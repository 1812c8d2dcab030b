/* SPDX-License-Identifier: Apache-2.0 */
/* What killed processes left is swept, what living ones have is not. */
#include "unit/unit.h"

#include "base/file.h"
#include "store/scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char top[64], folder[96];

FIXTURE(start)
{
	snprintf(top, sizeof(top), "/tmp/regild-scratch-XXXXXX");
	if (!mkdtemp(top))
		return -1;
	snprintf(folder, sizeof(folder), "%s/a/b", top);
	return 0;
}

FIXTURE(stop)
{
	rg_error_free(rg_remove_tree(top));
	return 0;
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static void put(const char *path)
{
	assert_success(rg_make_parent_dirs(path, 0777));
	assert_success(rg_file_replace(path, "x", 1, 0666));
}

TEST_EACH(start, stop);

TEST(one_is_made)
{
	char *scratch, *other, *file;
	struct stat st;

	assert_success(rg_scratch_make(&scratch, folder));
	assert_int_equal(stat(scratch, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	file = rg_path_join(scratch, "7/files/x");
	put(file);
	/* Another process's stays. */
	assert_success(rg_scratch_make(&other, folder));
	assert_true(exists(file));
	assert_string_not_equal(scratch, other);
	free(file);
	free(other);
	free(scratch);
}

TEST(what_dead_ones_left_goes)
{
	const time_t now = time(NULL);
	const struct timespec old[] = {{now - 90000, 0}, {now - 90000, 0}};
	char *left, *scratch, target[256], link[256];

	assert_success(rg_scratch_make(&left, folder));
	snprintf(target, sizeof(target), "%s/x", left);
	put(target);
	assert_int_equal(utimensat(AT_FDCWD, left, old, 0), 0);
	/* A link is not followed. */
	snprintf(target, sizeof(target), "%s/elsewhere/x", top);
	put(target);
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(symlink("../../elsewhere", link), 0);
	assert_int_equal(utimensat(AT_FDCWD, link, old, AT_SYMLINK_NOFOLLOW), 0);
	assert_success(rg_scratch_make(&scratch, folder));
	assert_false(exists(left));
	assert_false(exists(link));
	assert_true(exists(target));
	free(scratch);
	free(left);
}

TEST(no_folder)
{
	char *scratch;

	assert_fails_with(rg_scratch_make(&scratch, "/dev/null/none"), RG_E_IO);
	assert_null(scratch);
}
