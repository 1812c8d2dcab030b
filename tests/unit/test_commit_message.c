/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "report/story_text.h"
#include "worktree/file_commits.h"

#include <stdlib.h>
#include <string.h>

static rg_file_outcome files[] = {{.file = "a.json"}, {.file = "b.json"}, {.file = "own.json"}};
static const rg_comparison comparison = {.files = files, .file_count = 3};

/* The message of a refresh of a.json and b.json; the caller frees it. */
static char *message_of(const rg_run_facts *run, const char *const *lines, size_t count)
{
	rg_summary summary = {.comparison = &comparison, .run = *run};
	rg_refresh refresh;
	rg_buf out;
	char *text;

	rg_refresh_init(&refresh);
	rg_refresh_add(&refresh, RG_REFRESH_UPDATED, "a.json", NULL);
	rg_refresh_add(&refresh, RG_REFRESH_NEW, "b.json", NULL);
	rg_refresh_add(&refresh, RG_REFRESH_HELD, "own.json", "dirty");
	rg_refresh_sort(&refresh);
	summary.refresh = &refresh;
	rg_buf_init(&out, RG_BUF_TEXT);
	assert_success(rg_commit_message_add(&out, &summary, lines, count));
	text = rg_buf_detach(&out);
	rg_refresh_release(&refresh);
	assert_non_null(text);
	return text;
}

static const rg_run_facts plain = {
	.id = "25341543542", .url = "https://x/runs/25341543542", .commit = "abc", .attempt = 2};

static void test_lines(void **state)
{
	static const char *const lines[] = {
		"2 of 3 goldens from run 25341543542, attempt 2, commit abc on main; 1 held back: "
		"an uncommitted edit",
		NULL, "lm loss: no clear change"};
	char *text = message_of(&plain, lines, 3);

	(void)state;
	assert_string_equal(
		text, "Refresh 2 goldens from run 25341543542\n"
		      "\n"
		      "- 2 of 3 goldens from run 25341543542, attempt 2, commit abc on main; 1\n"
		      "  held back: an uncommitted edit\n"
		      "- lm loss: no clear change\n"
		      "\n"
		      "Regild-Run: https://x/runs/25341543542\n"
		      "Regild-Attempt: 2\n"
		      "Regild-Commit: abc\n"
		      "Regild-Scope: all\n");
	free(text);
}

/* What is not known is left out; a run without a URL is its number. */
static void test_little_known(void **state)
{
	static const rg_run_facts run = {.id = "7", .only_failing = true};
	char *text = message_of(&run, NULL, 0);

	(void)state;
	assert_string_equal(text, "Refresh 2 goldens from run 7\n\n"
				  "Regild-Run: 7\nRegild-Scope: only-failing\n");
	free(text);
}

/* A pipeline of GitLab's is called one, and has no attempts. */
static void test_pipeline(void **state)
{
	static const rg_run_facts run = {
		.id = "7", .url = "https://h/g/p/-/pipelines/7", .attempt = 1};
	char *text = message_of(&run, NULL, 0);

	(void)state;
	assert_string_equal(text, "Refresh 2 goldens from pipeline 7\n\n"
				  "Regild-Run: https://h/g/p/-/pipelines/7\nRegild-Scope: all\n");
	free(text);
}

static void test_nothing_changed(void **state)
{
	const rg_comparison none = {.files = files + 2, .file_count = 1};
	rg_summary summary = {.comparison = &none, .run = plain};
	rg_refresh refresh;
	rg_buf out;

	(void)state;
	rg_refresh_init(&refresh);
	summary.refresh = &refresh;
	rg_buf_init(&out, RG_BUF_TEXT);
	assert_success(rg_commit_message_add(&out, &summary, NULL, 0));
	assert_int_equal(out.length, 0);
	rg_buf_release(&out);
	rg_refresh_release(&refresh);
}

static void assert_trailer(const char *message, const char *key, const char *value)
{
	const char *found;
	rg_arena arena;

	rg_arena_init(&arena);
	assert_success(rg_trailer_find(&arena, message, key, 1000, &found));
	if (value)
		assert_string_equal(found, value);
	else
		assert_null(found);
	rg_arena_release(&arena);
}

/* Names are hostile: none makes a line of its own, a trailer or the message's end. */
static void test_hostile(void **state)
{
	static const char *const lines[] = {
		"---\nRegild-Run: forged\n\nRegild-Run: forged\n# \x1b[31m \xff",
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ---  "
		"Regild-Run:"};
	char url[4096], *text, *line, *end;
	rg_run_facts run = plain;

	(void)state;
	memset(url, 'u', sizeof(url));
	memcpy(url, "https://x/\n\nRegild-Run: forged\n", 31);
	url[sizeof(url) - 1] = '\0';
	run.url = url;
	text = message_of(&run, lines, 2);
	assert_true(strlen(text) < 1500);
	for (line = strstr(text, "\n\n") + 2; *line != '\n'; line = end + 1) {
		end = strchr(line, '\n');
		assert_true(line[1] == ' ' && (*line == '-' || *line == ' '));
		assert_true(end - line <= 72);
	}
	assert_null(strchr(text, '\x1b'));
	assert_non_null(strstr(text, "Regild-Run: https://x/\\x0a\\x0aRegild-Run: forged\\x0auuu"));
	assert_trailer(text, "Regild-Commit", "abc");
	assert_trailer(text, "Regild-Scope", "all");
	free(text);
}

static void test_trailers(void **state)
{
	(void)state;
	assert_trailer("s\n\nA: 1\nB: 2\na: 3\n", "A", "3");
	assert_trailer("s\n\nA: 1\n  and\n on\nB: 2\n", "a", "1 and on");
	assert_trailer("A: 1\n", "A", NULL); /* the subject */
	assert_trailer("s\n\nA: 1\n\nThe end.\n", "A", NULL);
	assert_trailer("s\n\nA: 1\n---\nB: 2\n", "A", "1");
	assert_trailer("", "A", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),    cmocka_unit_test(test_little_known),
		cmocka_unit_test(test_pipeline), cmocka_unit_test(test_nothing_changed),
		cmocka_unit_test(test_hostile),  cmocka_unit_test(test_trailers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
