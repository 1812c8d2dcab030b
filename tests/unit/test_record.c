/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "update/record.h"

#include <stdlib.h>
#include <string.h>

static const char sha[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

static void fill(rg_record *record)
{
	rg_entry *entry;

	rg_record_init(record);
	record->id = 12;
	record->kind = RG_RECORD_UNDO;
	record->time = 1700000000;
	record->of = 11;
	record->about = "run 7";
	entry = rg_record_add(record, "a/b");
	entry->old = (rg_side){.exists = true, .mode = 0755, .size = 3, .offset = 40};
	memcpy(entry->old.sha256, sha, sizeof(sha));
	entry = rg_record_add(record, "a/c");
	entry->new_side = entry[-1].old;
	entry->index = (rg_index_side){.known = true};
	entry[-1].index = (rg_index_side){.known = true, .mode = 0100644};
	memcpy(entry[-1].index.id, sha, 40);
}

static char *written(void)
{
	rg_record record;
	rg_buf text;
	char *copy;

	fill(&record);
	rg_buf_init(&text, RG_BUF_TEXT);
	assert_null(rg_record_write(&record, &text));
	copy = rg_buf_detach(&text);
	rg_record_release(&record);
	return copy;
}

TEST(round_trip)
{
	char *text = written();
	rg_record record;

	rg_record_init(&record);
	assert_null(rg_record_parse(&record, text, strlen(text)));
	assert_int_equal(record.id, 12);
	assert_int_equal(record.kind, RG_RECORD_UNDO);
	assert_int_equal(record.time, 1700000000);
	assert_int_equal(record.of, 11);
	assert_string_equal(record.about, "run 7");
	assert_int_equal(record.count, 2);
	assert_string_equal(record.entries[1].path, "a/c");
	assert_true(record.entries[0].index.known && record.entries[1].index.known);
	assert_int_equal(record.entries[0].index.mode, 0100644);
	assert_memory_equal(record.entries[0].index.id, sha, 40);
	assert_string_equal(record.entries[1].index.id, "");
	assert_false(record.entries[1].old.exists);
	assert_int_equal(record.entries[1].new_side.mode, 0755);
	assert_int_equal(record.entries[0].old.offset, 40);
	assert_string_equal(record.entries[0].old.sha256, sha);
	rg_record_release(&record);
	free(text);
}

TEST(truncated)
{
	char *text = written();
	size_t length = strlen(text) - 2, cut;

	for (cut = 0; cut <= length; cut++) {
		rg_record record;
		rg_error *err;

		rg_record_init(&record);
		err = rg_record_parse(&record, text, cut);
		assert_non_null(err);
		rg_error_free(err);
		rg_record_release(&record);
	}
	free(text);
}

TEST(hostile)
{
	static const char *const texts[] = {
		"{\"schema\": \"regild-update-log\", \"version\": 2}",
		"{\"schema\": \"regild-update-log\", \"version\": 1, \"id\": 1, \"kind\": \"x\", "
		"\"time\": 0, \"of\": 0, \"entries\": "
		"[]}",
		"{\"schema\": \"regild-update-log\", \"version\": 1, \"id\": 1, \"kind\": "
		"\"update\", \"time\": 0, \"of\": 0, "
		"\"entries\": [{\"path\": \"../x\"}]}",
		"{\"schema\": \"regild-update-log\", \"version\": 1, \"id\": 1, \"kind\": "
		"\"update\", \"time\": 0, \"of\": 0, "
		"\"entries\": [{\"path\": \"x\", \"old\": {\"mode\": 70000}}]}",
		"[]",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		rg_record record;
		rg_error *err;

		rg_record_init(&record);
		err = rg_record_parse(&record, texts[i], strlen(texts[i]));
		if (!err)
			fail_msg("taken: %s", texts[i]);
		rg_error_free(err);
		rg_record_release(&record);
	}
}

TEST(sides)
{
	rg_side a = {.exists = true, .mode = 0644, .size = 3}, b = a, none = {0};

	memcpy(a.sha256, sha, sizeof(sha));
	b = a;
	b.mode = 0600; /* only the executable bit counts */
	assert_true(rg_side_equal(&a, &b));
	b.mode = 0744;
	assert_false(rg_side_equal(&a, &b));
	b = a;
	b.sha256[0] = 'f';
	assert_false(rg_side_equal(&a, &b));
	assert_false(rg_side_equal(&a, &none));
	assert_true(rg_side_equal(&none, &none));
}
