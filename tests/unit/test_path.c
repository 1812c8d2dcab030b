/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(path_join)
{
	char *path;

	path = rg_path_join("a", "b");
	assert_string_equal(path, "a/b");
	free(path);
	path = rg_path_join("a/", "b");
	assert_string_equal(path, "a/b");
	free(path);
	path = rg_path_join("", "b");
	assert_string_equal(path, "b");
	free(path);
}

TEST(path_sibling)
{
	char *path;

	path = rg_path_sibling("a/b/c", "d");
	assert_string_equal(path, "a/b/d");
	free(path);
	path = rg_path_sibling("c", "d");
	assert_string_equal(path, "d");
	free(path);
	path = rg_path_sibling("/c", "d");
	assert_string_equal(path, "/d");
	free(path);
}

TEST(parts)
{
	assert_string_equal(rg_path_name("a/b/c"), "c");
	assert_string_equal(rg_path_name("c"), "c");
	assert_string_equal(rg_path_name("a/"), "");
	assert_true(rg_path_is_below("a/b", "a/b/c/d"));
	assert_false(rg_path_is_below("a/b", "a/b"));
	assert_false(rg_path_is_below("a/b", "a/bc/d"));
	assert_false(rg_path_is_below("a/b", "a"));
	assert_true(rg_ends_with("a.json", ".json"));
	assert_true(rg_ends_with(".json", ".json"));
	assert_false(rg_ends_with("json", ".json"));
	assert_false(rg_ends_with("a.jsonl", ".json"));
}

TEST(path_check)
{
	static const struct {
		const char *path, *fault;
	} bad[] = {
		{"", "is empty"},
		{"/etc/passwd", "is absolute"},
		{"../x", "has a '..' part"},
		{"a/../x", "has a '..' part"},
		{"a/..", "has a '..' part"},
		{"./a", "has a '.' part"},
		{"a//b", "has an empty part"},
		{"a/", "has an empty part"},
		{"a\\b", "has a backslash"},
		{"a\nb", "has a control character"},
		{"a\x7f", "has a control character"},
		{"a\xc2\x9b"
		 "2Jb",
		 "has a control character"}, /* C1's CSI, as terminals read it */
		{"a\xe2\x80\xae"
		 "b",
		 "has a control character"}, /* turns what follows around */
	};
	char message[200], name[5000];
	size_t i;

	assert_success(rg_path_check("a/b.json"));
	assert_success(rg_path_check("..a/b..c/...."));
	assert_success(rg_path_check("gr\xc3\xbc\xc3\x9f"));
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(message, sizeof(message), "unsafe name '%s': it %s", bad[i].path,
			 bad[i].fault);
		assert_error(rg_path_check(bad[i].path), RG_E_UNSAFE, message);
	}
	memset(name, 'n', sizeof(name));
	name[255] = '\0';
	assert_success(rg_path_check(name));
	name[255] = 'n';
	name[256] = '\0';
	assert_string_equal(rg_path_fault(name), "has a part of over 255 bytes");
	for (i = 0; i < 4100; i++)
		name[i] = i % 100 == 99 ? '/' : 'a';
	name[4096] = '\0';
	assert_success(rg_path_check(name));
	memcpy(name + 4096, "b", 2);
	assert_string_equal(rg_path_fault(name), "is too long");
	name[4000] = '\0';
	assert_string_equal(rg_path_fault(name), "has an empty part");
	for (i = 0; i < 300; i += 2)
		memcpy(name + i, "a/", 2);
	name[257] = '\0';
	assert_success(rg_path_check(name));
	memcpy(name + 257, "/b", 3);
	assert_string_equal(rg_path_fault(name), "is over 128 folders deep");
}

TEST(spellings_of_git)
{
	static const char *const bad[] = {".git",
					  "a/.git/b",
					  "a/.GIT",
					  "git~1",
					  "Git~1/x",
					  ".git ",
					  ".git. ./x",
					  ".git::$INDEX_ALLOCATION/x",
					  "git~1.",
					  ".g\xe2\x80\x8cit/x",
					  "\xef\xbb\xbf.git",
					  ".git\xe2\x81\xaf",
					  "a/.gi\xe2\x80\xaet"};
	static const char *const fine[] = {"git",          "a.git",  ".gitignore", ".gi",
					   "git~10",       ".gitx/", "a/.g/it",    "",
					   ".g\xe2\x80it", ".git-x"};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!rg_path_has_git(bad[i]))
			fail_msg("'%s' is not seen", bad[i]);
	for (i = 0; i < sizeof(fine) / sizeof(*fine); i++)
		if (rg_path_has_git(fine[i]))
			fail_msg("'%s' is none", fine[i]);
}

TEST(order)
{
	const char *paths[] = {"b", "a-b/x", "a/x", "b", "a-b/x"};

	assert_true(rg_path_compare("a/x", "a-b/x") < 0);
	assert_true(rg_path_compare("a-b/x", "a/x") > 0);
	assert_true(rg_path_compare("a", "a/x") < 0);
	assert_true(rg_path_compare("a\x01", "a/x") > 0);
	assert_true(rg_path_compare("a/x", "a/x") == 0);
	assert_true(rg_path_compare("a/x", "a/\xc3\xa9") < 0);
	assert_int_equal(rg_path_sort_unique(paths, 5), 3);
	assert_string_equal(paths[0], "a/x");
	assert_string_equal(paths[1], "a-b/x");
	assert_string_equal(paths[2], "b");
	assert_int_equal(rg_path_sort_unique(NULL, 0), 0);
}
