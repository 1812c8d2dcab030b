/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/file.h"
#include "update/safe_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char top[] = "build/tree-XXXXXX";
static int tree;

static void write_file(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	assert_null(rg_make_parent_dirs(path, 0777));
	assert_null(rg_file_replace(path, text, strlen(text), 0644));
}

static void link_to(const char *target, const char *name)
{
	assert_int_equal(symlinkat(target, tree, name), 0);
}

FIXTURE(set_up)
{
	if (!mkdtemp(top) || rg_tree_open(&tree, top))
		return -1;
	write_file("root/a/file", "hello");
	link_to("a", "root/link");
	link_to("file", "root/a/link");
	link_to("nowhere", "root/a/dangling");
	return mkfifoat(tree, "root/pipe", 0600);
}

FIXTURE(tear_down)
{
	rg_error *err = rg_remove_tree(top);

	close(tree);
	rg_error_free(err);
	return err ? -1 : 0;
}

TEST_GROUP(set_up, tear_down);

TEST(check)
{
	static const struct {
		const char *path, *message; /* NULL: fine */
	} cases[] = {
		{"root/a/file", NULL},
		{"root/a/other", NULL},
		{"root/not/there", NULL},
		{"root/../x", "'..' part"},
		{"/elsewhere/a", "absolute"},
		{"rooted/a", "not below 'root'"},
		{"other/a", "not below 'root'"},
		{"root", "not below 'root'"},
		{"root/.git/x", "'.git' part"},
		{"root/.GiT", "'.git' part"},
		{"root/git~1/x", "'.git' part"},
		{"root/.github/x", NULL},
		{"root/link/file", "symbolic link on its way"},
		{"root/a/link", "is a symbolic link"},
		{"root/a/dangling", "is a symbolic link"},
		{"root/a/file/x", "needs a folder"},
		{"root/a", "not a regular file"},
		{"root/pipe", "not a regular file"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_error *err = rg_tree_check(tree, "root", cases[i].path);

		if (!err != !cases[i].message ||
		    (err && (rg_error_get_code(err) != RG_E_UNSAFE ||
			     !strstr(rg_error_message(err), cases[i].message))))
			fail_msg("%s: %s", cases[i].path, err ? rg_error_message(err) : "fine");
		rg_error_free(err);
	}
	assert_null(rg_tree_check(tree, "", "anywhere/x"));
	assert_null(rg_tree_check(tree, "root/", "root/a/file"));
}

TEST(read)
{
	rg_side file;
	rg_error *err;

	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	assert_null(rg_tree_read(tree, "root/a/file", &bytes, &file));
	assert_true(file.exists);
	assert_string_equal(bytes.data, "hello");
	assert_int_equal(file.size, 5);
	assert_string_equal(file.sha256,
			    "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
	assert_null(rg_tree_read(tree, "root/not/there", &bytes, &file));
	assert_false(file.exists);
	assert_int_equal(bytes.length, 0);
	err = rg_tree_read(tree, "root/link/file", &bytes, &file);
	assert_non_null(err);
	rg_error_free(err);
	/* A pipe without a writer must not hang. */
	err = rg_tree_read(tree, "root/pipe", &bytes, &file);
	assert_non_null(err);
	rg_error_free(err);
}

TEST(untouched)
{
	static const char changed[] = "root/t: changed while it was looked at; try again";
	rg_side file;

	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	write_file("root/t", "one");
	assert_success(rg_tree_read(tree, "root/t", &bytes, &file));
	assert_success(rg_tree_check_untouched(tree, "root/t", &file));
	assert_success(rg_tree_read_again(tree, "root/t", &bytes, &file));
	assert_string_equal(bytes.data, "one");
	write_file("root/t", "three");
	assert_error(rg_tree_check_untouched(tree, "root/t", &file), RG_E_CONFLICT, changed);
	assert_error(rg_tree_read_again(tree, "root/t", &bytes, &file), RG_E_CONFLICT, changed);
	assert_success(rg_tree_read(tree, "root/none", &bytes, &file));
	assert_success(rg_tree_check_untouched(tree, "root/none", &file));
	assert_error(rg_tree_check_untouched(tree, "root/t", &file), RG_E_CONFLICT, changed);
}

TEST(folder)
{
	const char *name;
	int folder;

	assert_null(rg_tree_folder(tree, "root/new/deep/file", false, &folder, &name));
	assert_int_equal(folder, -1);
	assert_null(rg_tree_folder(tree, "root/new/deep/file", true, &folder, &name));
	assert_true(folder >= 0);
	assert_string_equal(name, "file");
	assert_int_equal(faccessat(tree, "root/new/deep", R_OK, 0), 0);
	close(folder);
}
