/* SPDX-License-Identifier: Apache-2.0 */
/* What every store keeps of audits. */
#include "unit.h"

#include "unit/history_store.h"

#include "store/history_merge.h"

typedef struct {
	char text[600];
} seen_reply;

static rg_error *note_columns(void *context, const char *const *names, size_t count)
{
	(void)context;
	(void)names;
	(void)count;
	return NULL;
}

static rg_error *note_reply(void *context, const rg_reply_cell *cells, size_t count)
{
	seen_reply *seen = context;

	for (size_t i = 0; i < count; i++) {
		size_t at = strlen(seen->text);
		if (cells[i].kind == RG_REPLY_REAL)
			snprintf(seen->text + at, sizeof(seen->text) - at, "%g ", cells[i].real);
		else
			snprintf(seen->text + at, sizeof(seen->text) - at, "%s ",
				 cells[i].kind == RG_REPLY_NAN ? "-" : cells[i].text);
	}
	return NULL;
}

static void assert_reply(const char *sql, const char *wanted)
{
	seen_reply seen = {""};
	const rg_reply_taker taker = {note_columns, note_reply, &seen};
	const rg_question question = {.name = "asking", .sql = sql};

	assert_success(rg_history_ask(history, &question, &taker));
	assert_string_equal(seen.text, wanted);
}

TEST_EACH(start, stop);

/* Of each series the last audit's findings count, with the breaks that it found. */
TEST(audits_are_kept)
{
	const rg_history_verdict first[] = {
		{"a", "it's", "all", "broke", 7, 3, 2, 2, 0.5, 0.25},
		{"b", "m", "all", "same", 7, 0, 0, 0, 0, NAN},
	};
	const rg_history_verdict second[] = {{"a", "it's", "all", "broke", 8, 1, 0, 1, NAN, 0.5}};
	const rg_history_break breaks[] = {
		{"a", "it's", "all", 3, "c3", "2026-04-03T10:00:00Z", 2, 5, 1.5, 0.01},
		{"a", "it's", "all", 5, "c5", "2026-04-05T10:00:00Z", 4, 3, -2, NAN},
	};
	rg_history_audit audit = {"github.com/o/r", "2026-05-01T00:00:00Z", first, 2, breaks, 2};

	assert_success(rg_history_keep_audit(history, &audit));
	assert_reply("SELECT file, metric, runs_of, verdict, runs, failed_today, "
		     "failed_recommended, breaks, spread, tolerance FROM last_verdicts ORDER BY "
		     "file",
		     "a it's all broke 7 3 2 2 0.5 0.25 b m all same 7 0 0 0 0 - ");
	assert_reply("SELECT metric, run, \"commit\", when_text, before, after, shift, p FROM "
		     "last_breaks ORDER BY run",
		     "it's 3 c3 2026-04-03T10:00:00Z 2 5 1.5 0.01 "
		     "it's 5 c5 2026-04-05T10:00:00Z 4 3 -2 - ");
	audit = (rg_history_audit){
		"github.com/o/r", "2026-05-02T00:00:00Z", second, 1, breaks + 1, 1};
	assert_success(rg_history_keep_audit(history, &audit));
	assert_reply("SELECT file, runs, spread, tolerance FROM last_verdicts ORDER BY file",
		     "a 8 - 0.5 b 7 0 - ");
	assert_reply("SELECT file, run FROM last_breaks ORDER BY run", "a 5 ");
}

static void keep_merged(rg_history_store *store, const char *file, const char *made, uint64_t runs)
{
	const rg_history_verdict verdict = {file, "m", "all", "broke", runs, 3, 2, 1, 0.5, NAN};
	const rg_history_break found = {file, "m", "all", 3,  "c3", "2026-04-03T10:00:00Z",
					runs, 5,   -1.5,  NAN};
	const rg_history_audit audit = {"github.com/o/merged", made, &verdict, 1, &found, 1};
	assert_success(rg_history_keep_audit(store, &audit));
}

static size_t merge_audits(rg_history_store *into, rg_history_store *from, const char *repository)
{
	const rg_history_merge_options options = {
		.into = into, .from = from, .repository = repository, .bytes_max = 59};
	rg_history_merged out;
	assert_success(rg_history_merge(&out, &options));
	return out.verdicts;
}

/* A merge brings what a later audit found of a series, whichever way it goes, and once. */
TEST(audits_are_merged)
{
	rg_history_store *other, *ours = history;
	char *file = rg_textf("%s/other.db", folder);

	rg_history_open_scratch(&other, file);
	free(file);
	keep_merged(other, "both", "2026-05-02T00:00:00Z", 8);
	keep_merged(other, "theirs", "2026-05-02T00:00:00Z", 8);
	keep_merged(other, "../theirs", "2026-05-02T00:00:00Z", 8);
	keep_merged(history, "both", "2026-05-03T00:00:00Z", 9);
	keep_merged(history, "ours", "2026-05-01T00:00:00Z", 7);
	assert_int_equal(merge_audits(history, other, "o/nobody"), 0);
	assert_int_equal(merge_audits(history, other, "o/merged"), 1);
	assert_int_equal(merge_audits(history, other, "o/merged"), 0);
	assert_int_equal(merge_audits(other, history, "o/merged"), 2);
	assert_int_equal(merge_audits(history, other, "o/merged"), 0);
	/* What an older audit found is no longer put over it. */
	keep_merged(other, "both", "2026-05-01T00:00:00Z", 7);
	for (size_t i = 0; i < 2; i++) {
		history = i ? other : ours;
		assert_reply("SELECT file, made, verdict, runs, failed_today, failed_recommended, "
			     "breaks, spread, tolerance FROM last_verdicts WHERE repository = "
			     "'github.com/o/merged' AND file NOT LIKE '..%' ORDER BY file",
			     "both 2026-05-03T00:00:00Z broke 9 3 2 1 0.5 - "
			     "ours 2026-05-01T00:00:00Z broke 7 3 2 1 0.5 - "
			     "theirs 2026-05-02T00:00:00Z broke 8 3 2 1 0.5 - ");
		assert_reply("SELECT file, run, \"commit\", before, after, shift, p FROM "
			     "last_breaks WHERE repository = 'github.com/o/merged' AND file NOT "
			     "LIKE '..%' ORDER BY file",
			     "both 3 c3 9 5 -1.5 - ours 3 c3 7 5 -1.5 - theirs 3 c3 8 5 -1.5 - ");
	}
	history = ours;
	rg_history_close(other);
}
