/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/pattern.h"

#include <stdlib.h>
#include <string.h>

#define assert_match(pattern, text)    assert_true(rg_glob_match(pattern, text, 0))
#define assert_no_match(pattern, text) assert_false(rg_glob_match(pattern, text, 0))

TEST(plain_and_stars)
{
	assert_match("", "");
	assert_no_match("", "a");
	assert_match("abc", "abc");
	assert_no_match("abc", "ab");
	assert_no_match("abc", "abcd");
	assert_match("golden_values*.json", "golden_values_dev.json");
	assert_match("golden_values*.json", "golden_values.json");
	assert_no_match("golden_values*.json", "golden_values/x.json");
	assert_match("*a*b*", "xxaybbz");
	assert_no_match("*a*b*", "xxbya");
	assert_match("a*bc", "abbc");
	assert_no_match("a*bc", "abxc");
	assert_no_match("a*bcd*d", "abcxd");
	assert_match("*ab?d", "aabababcd");
	assert_match("a?c", "abc");
	assert_no_match("a?c", "a/c");
	assert_no_match("a?", "a");
}

TEST(double_stars)
{
	assert_match("**", "a/b/c");
	assert_match("**/*.bin", "x.bin");
	assert_match("**/*.bin", "a/b/x.bin");
	assert_match("a/**/b", "a/b");
	assert_match("a/**/b", "a/x/y/b");
	assert_no_match("a/**/b", "a/xb");
	assert_no_match("a/**/b", "ab");
	assert_match("a/**", "a/b/c");
	assert_no_match("a/**", "b/c");
	assert_match("a/**/", "a/b/");
	assert_no_match("a/**/", "a/b");
	assert_no_match("**/", "a/b");
	/* No whole path part: an ordinary star. */
	assert_no_match("a**b", "a/b");
	assert_match("a**b", "axxb");
	assert_match("**/x/**/y", "a/x/b/x/c/y");
}

TEST(sets_and_escapes)
{
	assert_match("[abc]", "b");
	assert_match("[a-c]x", "bx");
	assert_no_match("[!a-c]", "b");
	assert_match("[^a-c]", "d");
	assert_match("[]]", "]");
	assert_match("[a-]", "-");
	assert_no_match("[!a]", "/");
	assert_match("[", "[");
	assert_match("test_mm[fp16-True]", "test_mm[fp16-True]");
	assert_match("test_mm[fp16-True]", "test_mmT");
	assert_no_match("test_mm[fp16-True]*", "test_mm[fp16-True]");
	assert_match("[ab", "[ab");
	assert_match("\\*", "*");
	assert_no_match("\\*", "x");
	assert_match("a\\[b", "a[b");
}

TEST(flags)
{
	assert_true(rg_glob_match("LOGS-*", "logs-a", RG_GLOB_IGNORE_CASE));
	assert_true(rg_glob_match("[A-C]", "b", RG_GLOB_IGNORE_CASE));
	assert_true(rg_glob_match("*logprobs", "0/logprobs", RG_GLOB_ANY_SLASH));
	assert_true(rg_glob_match("a?b", "a/b", RG_GLOB_ANY_SLASH));
}

/* An exponential matcher would need longer than the test may take. */
TEST(hostile_pattern_ends)
{
	char text[2001], pattern[401];
	size_t i;

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (i = 0; i + 1 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[sizeof(pattern) - 2] = 'b';
	pattern[sizeof(pattern) - 1] = '\0';
	assert_no_match(pattern, text);
}

/* Were each '[' that nothing closes looked through to the end again, this would take minutes. */
TEST(unclosed_sets_end)
{
	enum { SIZE = 12000 };
	char *text = malloc(SIZE + 1), *pattern = malloc(SIZE / 2 + 2);

	assert_non_null(text);
	assert_non_null(pattern);
	memset(text, '[', SIZE);
	text[SIZE] = '\0';
	memset(pattern, '[', SIZE / 2 + 1);
	pattern[0] = '*';
	pattern[SIZE / 2 + 1] = '\0';
	assert_match(pattern, text);
	pattern[SIZE / 2] = 'x';
	assert_no_match(pattern, text);
	free(pattern);
	free(text);
	/* What closes after an unclosed one is not a set either: "[[]" is a set of '['. */
	assert_match("*[[]x", "a[x");
	assert_match("*[!a\\][", "z[!a][");
	assert_match("*[a][b", "zza[b");
}

TEST(weight)
{
	assert_true(rg_glob_is_literal("lm loss"));
	assert_false(rg_glob_is_literal("mem-*"));
	assert_true(rg_glob_weight("lm loss") > rg_glob_weight("lm los*"));
	assert_true(rg_glob_weight("mem-max-*") > rg_glob_weight("mem-*"));
	assert_int_equal(rg_glob_weight("*"), 0);
	assert_int_equal(rg_glob_weight("[abc]x"), 1);
	assert_int_equal(rg_glob_weight("\\*?"), 1);
	assert_int_equal(rg_glob_weight("\\ab*"), 2);
}

TEST(golden_names)
{
	static const char files[] = " golden_values*.json\tnested/*.bin zips/*.zip!out_*.bin ";

	assert_true(rg_globs_take(files, "tests/gpt/a/golden_values_dev.json"));
	assert_true(rg_globs_take(files, "golden_values.json"));
	assert_true(rg_globs_take(files, "tests/nested/x.bin"));
	assert_true(rg_globs_take(files, "tests/out_1.bin"));
	assert_false(rg_globs_take(files, "tests/other/x.bin"));
	assert_false(rg_globs_take(files, "tests/a/my_golden_values.json"));
	assert_false(rg_globs_take(files, "tests/golden_values.json/x"));
	assert_false(rg_globs_take(files, "zips/a.zip"));
	assert_false(rg_globs_take("", "golden_values.json"));
	assert_false(rg_globs_take("x_*.zip!**/*.bin", "x_1.zip"));
	assert_true(rg_globs_take("x_*.zip!**/*.bin", "goldens/FLOW/m_output.bin"));
	/* Neither a negated set nor a '!' after a backslash ends a zip's name. */
	assert_true(rg_globs_take("a*.zip!golden_[!x]*.json", "t/golden_dev.json"));
	assert_true(rg_globs_take("golden_[!x]*.json", "t/golden_dev.json"));
	assert_false(rg_globs_take("golden_[!x]*.json", "t/golden_x.json"));
	assert_true(rg_globs_take("new\\!*.json", "t/new!dev.json"));
}
