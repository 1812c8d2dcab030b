/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/base64.h"
#include "worktree/text_diff.h"

#include <stdlib.h>
#include <string.h>

/* The diff of two texts, its lines joined by '|'. */
static void expect_diff(const char *old, const char *fresh, const char *expected)
{
	rg_text_diff diff;
	rg_arena arena;
	size_t i;

	rg_arena_init(&arena);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_text_diff_make(&diff, &arena, old, strlen(old), fresh, strlen(fresh)));
	for (i = 0; i < diff.count; i++)
		rg_buf_printf(&text, "%s%s", i ? "|" : "", diff.lines[i]);
	assert_string_equal(text.length ? text.data : "", expected);
	assert_int_equal(diff.more, 0);
	rg_arena_release(&arena);
}

TEST(lines)
{
	expect_diff("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@| a|-b|+c");
	expect_diff("a\n", "a\n", "");
	expect_diff("", "a\n", "@@ -0,0 +1 @@|+a");
	expect_diff("a\n", "", "@@ -1 +0,0 @@|-a");
	expect_diff("a\n", "a", "@@ -1 +1 @@|-a|+a|\\ No newline at end of file");
}

/* Nothing in a line does anything. */
TEST(hostile_bytes)
{
	expect_diff("a\r\n", "\x1b[2J\xff\t\xe2\x80\xae\n",
		    "@@ -1 +1 @@|-a\\x0d|+\\x1b[2J\\xff\\t\\xe2\\x80\\xae");
}

TEST(bounds)
{
	enum { LINES = 5000, WIDTH = 5000 };
	char *lines = malloc((size_t)LINES * 2), *wide = malloc(WIDTH * 2);
	rg_text_diff diff;
	rg_arena arena;
	size_t i;

	assert_non_null(lines);
	assert_non_null(wide);
	for (i = 0; i < LINES; i++)
		memcpy(lines + 2 * i, "x\n", 2);
	for (i = 0; i < WIDTH; i++)
		memcpy(wide + 2 * i, "\xc3\xa4", 2);
	rg_arena_init(&arena);
	assert_success(rg_text_diff_make(&diff, &arena, "", 0, lines, (size_t)LINES * 2));
	assert_int_equal(diff.count, RG_TEXT_DIFF_LINES);
	assert_int_equal(diff.more, LINES + 1 - RG_TEXT_DIFF_LINES);
	assert_success(rg_text_diff_make(&diff, &arena, "", 0, wide, WIDTH * 2));
	assert_int_equal(diff.count, 3);
	assert_int_equal(strlen(diff.lines[1]), 1 + RG_TEXT_DIFF_WIDTH + strlen("…"));
	rg_arena_release(&arena);
	free(lines);
	free(wide);
}

static void expect_base64(const char *bytes, const char *expected)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_base64_add(&text, (const unsigned char *)bytes, strlen(bytes));
	assert_string_equal(text.length ? text.data : "", expected);
}

/* RFC 4648, section 10; and more than one block of them. */
TEST(base64)
{
	char bytes[2000], text[2800];
	size_t i;

	expect_base64("", "");
	expect_base64("f", "Zg==");
	expect_base64("foobar", "Zm9vYmFy");
	memset(bytes, 0, sizeof(bytes));
	memset(text, 0, sizeof(text));
	for (i = 0; i < 600; i++) {
		memcpy(bytes + 3 * i, "foo", 3);
		memcpy(text + 4 * i, "Zm9v", 4);
	}
	expect_base64(bytes, text);
}
