#include "unit.h"

#include "base/file.h"
#include "base/tree.h"

#include <stdlib.h>
#include <unistd.h>

static void touch(const char *root, const char *path)
{
	char *full;

	assert_success(rg_path_join(&full, root, path));
	assert_success(rg_make_parent_dirs(full, 0777));
	assert_success(rg_file_replace(full, "x", 1, 0666));
	free(full);
}

static void test_lists_files(void **state)
{
	char root[] = "/tmp/regild-tree-XXXXXX", *link;
	rg_tree tree;

	(void)state;
	assert_non_null(mkdtemp(root));
	touch(root, "b/c/2");
	touch(root, "b/1");
	touch(root, "a");
	touch(root, "b-c");
	touch(root, ".hidden/3");
	touch(root, "b/.hidden");
	assert_success(rg_path_join(&link, root, "link"));
	assert_int_equal(symlink("/etc", link), 0);
	free(link);
	assert_success(rg_tree_list(&tree, root));
	assert_int_equal(tree.count, 4);
	assert_string_equal(tree.paths[0], "a");
	assert_string_equal(tree.paths[1], "b-c");
	assert_string_equal(tree.paths[2], "b/1");
	assert_string_equal(tree.paths[3], "b/c/2");
	assert_int_equal(tree.links, 1);
	rg_tree_release(&tree);
	assert_success(rg_remove_tree(root));
	assert_error(rg_tree_list(&tree, "no such folder"), RG_E_IO,
		     "no such folder: No such file or directory");
	rg_tree_release(&tree);
}

static void test_depth_is_limited(void **state)
{
	char root[] = "/tmp/regild-tree-XXXXXX";
	rg_tree tree;
	rg_error *err;
	rg_buf path;
	int i;

	(void)state;
	assert_non_null(mkdtemp(root));
	rg_buf_init(&path, RG_BUF_TEXT);
	for (i = 0; i < 70; i++)
		rg_buf_str(&path, "d/");
	rg_buf_str(&path, "f");
	touch(root, path.data);
	rg_buf_release(&path);
	err = rg_tree_list(&tree, root);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_LIMIT);
	rg_error_free(err);
	rg_tree_release(&tree);
	assert_success(rg_remove_tree(root));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists_files),
		cmocka_unit_test(test_depth_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
