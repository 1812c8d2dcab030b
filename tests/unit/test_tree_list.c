/* SPDX-License-Identifier: Apache-2.0 */
/* lib/base/tree.c: the files below a folder. (test_tree.c is about lib/update/safe_tree.c.) */
#include "unit/unit.h"

#include "base/file.h"
#include "base/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "build/tree-list-XXXXXX";

static void put(const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	assert_success(rg_make_parent_dirs(path, 0777));
	assert_success(rg_file_replace(path, "", 0, 0666));
}

FIXTURE(set_up)
{
	memcpy(top + strlen(top) - 6, "XXXXXX", 6);
	return mkdtemp(top) ? 0 : -1;
}

FIXTURE(tear_down)
{
	assert_success(rg_remove_tree(top));
	return 0;
}

TEST_EACH(set_up, tear_down);

TEST(lists_regular_files_alone)
{
	static const char *const wanted[] = {"a", "b-c/x", "b/x", "b/y/z", "new\nline", "\xff"};
	char link[256], pipe[256];
	rg_tree tree;
	size_t i;

	for (i = sizeof(wanted) / sizeof(*wanted); i-- > 0;)
		put(wanted[i]);
	put(".hidden");
	put(".git/config");
	put("b/.x");
	snprintf(link, sizeof(link), "%s/b/loop", top);
	assert_int_equal(symlink("..", link), 0);
	snprintf(link, sizeof(link), "%s/dangling", top);
	assert_int_equal(symlink("nothing", link), 0);
	snprintf(link, sizeof(link), "%s/.dotted", top);
	assert_int_equal(symlink("a", link), 0);
	snprintf(pipe, sizeof(pipe), "%s/pipe", top);
	assert_int_equal(mkfifo(pipe, 0666), 0);
	assert_success(rg_tree_list(&tree, top));
	assert_int_equal(tree.count, sizeof(wanted) / sizeof(*wanted));
	for (i = 0; i < tree.count; i++)
		assert_string_equal(tree.paths[i], wanted[i]);
	/* A link is counted unless its name is one that is left out anyway. */
	assert_int_equal(tree.links, 2);
	rg_tree_release(&tree);
	assert_null(tree.paths);
}

TEST(an_empty_folder_holds_nothing)
{
	rg_tree tree;

	assert_success(rg_tree_list(&tree, top));
	assert_int_equal(tree.count, 0);
	assert_int_equal(tree.links, 0);
	rg_tree_release(&tree);
}

TEST(names_what_it_cannot_read)
{
	char path[256], message[512];
	rg_tree tree;

	snprintf(path, sizeof(path), "%s/nothing", top);
	snprintf(message, sizeof(message), "%s: No such file or directory", path);
	assert_error(rg_tree_list(&tree, path), RG_E_IO, message);
	rg_tree_release(&tree);
	put("file");
	snprintf(path, sizeof(path), "%s/file", top);
	snprintf(message, sizeof(message), "%s: Not a directory", path);
	assert_error(rg_tree_list(&tree, path), RG_E_IO, message);
	rg_tree_release(&tree);
	if (!geteuid())
		return; /* root reads everything */
	put("closed/x");
	snprintf(path, sizeof(path), "%s/closed", top);
	assert_int_equal(chmod(path, 0), 0);
	snprintf(message, sizeof(message), "%s: Permission denied", path);
	assert_error(rg_tree_list(&tree, top), RG_E_IO, message);
	assert_int_equal(chmod(path, 0777), 0);
	rg_tree_release(&tree);
}

/* 63 folders in the folder are read, 64 are not. */
TEST(ends_at_its_depth)
{
	char path[512] = "", message[512];
	rg_tree tree;
	size_t i;

	for (i = 0; i < 63; i++)
		memcpy(path + 2 * i, "d/x", 4);
	put(path);
	assert_success(rg_tree_list(&tree, top));
	assert_int_equal(tree.count, 1);
	assert_string_equal(tree.paths[0], path);
	rg_tree_release(&tree);
	memcpy(path + 126, "d/x", 4);
	put(path);
	snprintf(message, sizeof(message), "%s: nested deeper than 64", top);
	assert_error(rg_tree_list(&tree, top), RG_E_LIMIT, message);
	rg_tree_release(&tree);
}
