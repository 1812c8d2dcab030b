/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "hand_made.h"

#include "report/commit_message.h"
#include "worktree/file_commits.h"

#include <stdlib.h>
#include <string.h>

static const rg_column_context context = {
	"root", "{stage}/{test}/{file}", "golden_*.json", NULL, false, false};

/* A refresh of two goldens, one of them new, and a third one that is somebody's own. */
static void begin(hand_made *made, rg_refresh *refresh, const rg_run_facts *run)
{
	hand_made_init(made, &context);
	set_level(made, "*", "flag", "1e-3");
	add_golden(made, "a.json");
	add_alone(made, RG_FILE_NEW, "b.json");
	add_golden(made, "own.json");
	rg_refresh_init(refresh);
	rg_refresh_add(refresh, RG_REFRESH_UPDATED, "a.json", NULL);
	rg_refresh_add(refresh, RG_REFRESH_NEW, "b.json", NULL);
	rg_refresh_add(refresh, RG_REFRESH_HELD, "own.json", "dirty");
	rg_refresh_sort(refresh);
	made->summary.refresh = refresh;
	made->summary.run = *run;
}

/* Ends both; the text is the caller's to free. */
static char *message_of(hand_made *made, rg_refresh *refresh)
{
	rg_story story;
	rg_buf out;

	rg_buf_init(&out, RG_BUF_TEXT);
	rg_buf_str(&out, "");
	assert_success(rg_story_make(&story, &made->summary));
	assert_success(rg_commit_message_add(&out, &story));
	rg_story_release(&story);
	rg_refresh_release(refresh);
	hand_made_release(made);
	char *text = rg_buf_detach(&out);
	assert_non_null(text);
	return text;
}

static void assert_message(hand_made *made, rg_refresh *refresh, const char *wanted)
{
	char *text = message_of(made, refresh);
	assert_string_equal(text, wanted);
	free(text);
}

static const rg_run_facts plain = {
	.id = "25341543542", .url = "https://x/runs/25341543542", .commit = "abc", .attempt = 2};

/* The blocks without NEXT, in 72 columns. */
TEST(blocks)
{
	rg_refresh refresh;
	hand_made made;

	begin(&made, &refresh, &plain);
	add_row(&made, "lm loss", 0.05);
	add_row(&made, "num-zeros", 0.0002);
	add_row(&made, "mem-max-allocated-bytes", 0.01);
	add_golden(&made, "c.json");
	add_row(&made, "mem-max-allocated-bytes", 0.02);
	assert_message(&made, &refresh,
		       "Refresh 1 golden, add 1 from run 25341543542\n\n"
		       "3 goldens compared, HEAD -> the working tree: needs review (1 golden\n"
		       "    held back; 2 goldens over their flag levels)\n"
		       "\n"
		       "REVIEW\n"
		       "  lm loss                  +5 %    flag level 0.1 %\n"
		       "      own.json\n"
		       "  held back                        dirty\n"
		       "      own.json\n"
		       "  mem-max-allocated-bytes  +2 %    2 goldens over 0.1 %\n"
		       "      c.json and 1 more\n"
		       "  new golden\n"
		       "      b.json\n"
		       "\n"
		       "MOVED                       goldens   change, excluding REVIEW\n"
		       "  mem-max-allocated-bytes       2/2   all: +1 to +2 %\n"
		       "  within their flag levels: num-zeros (0.02 %)\n"
		       "\n"
		       "NOISE   not measured; flag levels come from the settings (regild audit\n"
		       "        measures noise)\n"
		       "\n"
		       "Regild-Run: https://x/runs/25341543542\n"
		       "Regild-Attempt: 2\n"
		       "Regild-Commit: abc\n"
		       "Regild-Scope: all\n");
}

#define BLOCKS                                                                   \
	"2 goldens compared, HEAD -> the working tree: needs review (1 golden\n" \
	"    held back; 1 new golden)\n"                                         \
	"REVIEW\n"                                                               \
	"  held back     dirty   own.json\n"                                     \
	"  new golden            b.json\n"

/* Unknown facts are left out; a run without a URL is its number. */
TEST(little_known)
{
	static const rg_run_facts run = {.id = "7", .only_failing = true};
	rg_refresh refresh;
	hand_made made;

	begin(&made, &refresh, &run);
	assert_message(&made, &refresh,
		       "Refresh 1 golden, add 1 from run 7\n\n" BLOCKS
		       "\nRegild-Run: 7\nRegild-Scope: only-failing\n");
}

/* A pipeline of GitLab's is called one, and has no attempts. */
TEST(pipeline)
{
	static const rg_run_facts run = {
		.id = "7", .url = "https://h/g/p/-/pipelines/7", .attempt = 1};
	rg_refresh refresh;
	hand_made made;

	begin(&made, &refresh, &run);
	assert_message(&made, &refresh,
		       "Refresh 1 golden, add 1 from pipeline 7\n\n" BLOCKS
		       "\nRegild-Run: https://h/g/p/-/pipelines/7\nRegild-Scope: all\n");
}

TEST(nothing_changed)
{
	rg_refresh refresh;
	hand_made made;

	hand_made_init(&made, &context);
	add_golden(&made, "own.json");
	made.summary.run = plain;
	rg_refresh_init(&refresh);
	made.summary.refresh = &refresh;
	assert_message(&made, &refresh, "");
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

static size_t columns_of(const char *line, const char *end)
{
	size_t columns = 0;
	for (; line < end; line++)
		columns += ((unsigned char)*line & 0xc0) != 0x80;
	return columns;
}

/* Names are hostile: none makes a line of its own, a trailer or the message's end. */
TEST(hostile)
{
	static const char hostile[] =
		"---\nRegild-Run: forged\n\nRegild-Run: forged\n# \x1b[31m \xff";
	char url[4096], *text, *line, *end;
	rg_run_facts run = plain;
	rg_refresh refresh;
	hand_made made;

	memset(url, 'u', sizeof(url));
	memcpy(url, "https://x/\n\nRegild-Run: forged\n", 31);
	url[sizeof(url) - 1] = '\0';
	run.url = url;
	begin(&made, &refresh, &run);
	add_row(&made, hostile, 0.05);
	add_row(&made,
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ---  "
		"Regild-Run: forged",
		0.0002);
	add_exact(&made, "text", hostile, "b");
	add_golden(&made, hostile)->old_file = hostile + 3;
	add_gap(&made, RG_GAP_OLD_ONLY, "x");
	made.summary.old_side = hostile;
	text = message_of(&made, &refresh);
	for (line = strstr(text, "\n\n") + 2; strncmp(line, "Regild-", 7) != 0; line = end + 1) {
		end = strchr(line, '\n');
		assert_int_not_equal(*line, '-');
		assert_int_not_equal(*line, '#');
		if (columns_of(line, end) > 72)
			fail_msg("too long: %.*s", (int)(end - line), line);
	}
	assert_int_equal(line[-2], '\n');
	assert_null(strchr(text, '\x1b'));
	assert_true(
		!strncmp(line, "Regild-Run: https://x/\\x0a\\x0aRegild-Run: forged\\x0auuu", 55));
	assert_trailer(text, "Regild-Commit", "abc");
	assert_trailer(text, "Regild-Scope", "all");
	free(text);
}

TEST(trailers)
{
	assert_trailer("s\n\nA: 1\nB: 2\na: 3\n", "A", "3");
	assert_trailer("s\n\nA: 1\n  and\n on\nB: 2\n", "a", "1 and on");
	assert_trailer("A: 1\n", "A", NULL); /* the subject */
	assert_trailer("s\n\nA: 1\n\nThe end.\n", "A", NULL);
	assert_trailer("s\n\nA: 1\n---\nB: 2\n", "A", "1");
	assert_trailer("", "A", NULL);
}
