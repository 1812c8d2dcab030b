/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "archive/select.h"

#include "support/memory_reader.h"
#include "support/selected.h"
#include "support/zipmaker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void selects_with(zipmaker *maker, const rg_zip_limits *limits, const char *const *patterns,
			 const char *lines, const char *refusals)
{
	rg_selection selection;
	rg_buf zip, got, refused;
	size_t count = 0;
	rg_reader reader;

	while (patterns[count])
		count++;
	rg_buf_init(&zip, SIZE_MAX / 4);
	rg_buf_init(&got, RG_BUF_TEXT);
	rg_buf_init(&refused, RG_BUF_TEXT);
	zipmaker_write(maker, &zip);
	reader = memory_reader("a.zip", zip.data, zip.length);
	rg_selection_init(&selection);
	assert_success(rg_select_check(patterns, count, 2));
	assert_success(rg_select_zip(&selection, &reader, patterns, count, limits, collect, &got));
	refusals_of(&selection, &refused);
	assert_string_equal(got.data, lines);
	assert_string_equal(refused.data, refusals);
	rg_selection_release(&selection);
	rg_buf_release(&refused);
	rg_buf_release(&got);
	rg_buf_release(&zip);
	zipmaker_release(maker);
}

#define SELECTS(maker, lines, refusals, ...) \
	selects_with(maker, NULL, (const char *const[]){__VA_ARGS__, NULL}, lines, refusals)

TEST(top_level_and_folders)
{
	zipmaker maker;
	int round;

	for (round = 0; round < 3; round++) {
		zipmaker_init(&maker);
		zipmaker_add(&maker, "golden_values_b.json", "1", 1);
		zipmaker_add(&maker, "logs/", "", 0)->attributes = 0;
		zipmaker_add(&maker, "logs/golden_values_c.json", "2", 1);
		zipmaker_add(&maker, "golden_values_a.json", "3", 1)->method = 8;
		zipmaker_add(&maker, "other.json", "4", 1);
		if (round == 0)
			SELECTS(&maker, " golden_values_b.json=1\n golden_values_a.json=3\n", "",
				"golden_values*.json");
		else if (round == 1)
			SELECTS(&maker,
				" golden_values_b.json=1\n logs/golden_values_c.json=2\n "
				"golden_values_a.json=3\n",
				"", "**/golden_values*.json", "*_b.json");
		else
			SELECTS(&maker, "", "", "nothing*");
	}
}

/* A '!' leads into a zip, but not where it is escaped or turns a class round. */
TEST(exclamation_marks_of_names)
{
	zipmaker maker;
	int round;

	for (round = 0; round < 2; round++) {
		zipmaker_init(&maker);
		zipmaker_add(&maker, "a!b.json", "1", 1);
		zipmaker_add(&maker, "a", "2", 1);
		zipmaker_add(&maker, "b.json", "3", 1);
		if (round == 0)
			SELECTS(&maker, " a!b.json=1\n", "", "a\\!b.json");
		else
			SELECTS(&maker, " b.json=3\n", "", "[!a]*.json");
	}
}

static void inner_zip(zipmaker *inner, rg_buf *out, const char *name, const char *bytes)
{
	zipmaker_init(inner);
	zipmaker_add(inner, name, bytes, strlen(bytes));
	zipmaker_add(inner, "add/model.pte", "program", 7)->method = 8;
	rg_buf_init(out, 1 << 20);
	zipmaker_write(inner, out);
	zipmaker_release(inner);
}

TEST(zips_inside)
{
	zipmaker maker, inner;
	rg_buf first, second, third;
	unsigned method;

	for (method = 0; method <= 8; method += 8) {
		inner_zip(&inner, &first, "add/x_input.bin", "one");
		inner_zip(&inner, &second, "mul/x_input.bin", "two");
		zipmaker_init(&maker);
		zipmaker_add(&maker, "golden_artifacts_1.zip", first.data, first.length)->method =
			method;
		zipmaker_add(&maker, "golden_artifacts_2.zip", second.data, second.length)->method =
			method;
		zipmaker_add(&maker, "other.zip", second.data, second.length);
		zipmaker_add(&maker, "golden.json", "{}", 2);
		rg_buf_init(&third, 1 << 20);
		zipmaker_write(&maker, &third);
		SELECTS(&maker,
			"golden_artifacts_1.zip add/x_input.bin=one\n"
			"golden_artifacts_2.zip mul/x_input.bin=two\n golden.json={}\n",
			"", "golden_artifacts_*.zip!**/*.bin", "golden.json");
		zipmaker_init(&maker);
		zipmaker_add(&maker, "outer.zip", third.data, third.length);
		SELECTS(&maker,
			"outer.zip!golden_artifacts_2.zip mul/x_input.bin=two\n"
			"outer.zip!golden_artifacts_2.zip add/model.pte=program\n"
			"outer.zip golden.json={}\n",
			"", "*.zip!*_2.zip!**", "*.zip!golden.json");
		rg_buf_release(&third);
		rg_buf_release(&second);
		rg_buf_release(&first);
	}
}

TEST(good_ones_beside_bad_ones)
{
	zipmaker maker;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "../../golden.json", "evil", 4);
	zipmaker_add(&maker, "golden1.json", "1", 1);
	zipmaker_add(&maker, "golden2.json", "2", 1)->entry.crc = 7;
	maker.members[2].local.crc = 7;
	zipmaker_add(&maker, "golden3.json", "/etc/passwd", 11)->attributes = (uint32_t)0120777
									      << 16;
	zipmaker_add(&maker, "some.link", "/etc", 4)->attributes = (uint32_t)0120777 << 16;
	zipmaker_add(&maker, "golden4.json", "4", 1)->flags = 1;
	zipmaker_add(&maker, "golden5.json", "5", 1);
	zipmaker_add(&maker, "../", "", 0)->attributes = 0;
	zipmaker_add(&maker, "log\x81.txt", "", 0);
	zipmaker_add(&maker, "golden\x81.json", "", 0);
	SELECTS(&maker, " golden1.json=1\n golden5.json=5\n",
		"! ../../golden.json: its name has a '..' part\n"
		"! golden3.json: it is a symbolic link\n"
		"- some.link: it is a symbolic link\n"
		"! golden4.json: it is encrypted\n"
		"- ../: its name has a '..' part\n"
		"- log\x81.txt: its name is not UTF-8\n"
		"! golden\x81.json: its name is not UTF-8\n"
		"! golden2.json: its CRC-32 is 1ad5be0d and should be 00000007 (1 bytes)\n",
		"golden*.json");
}

TEST(inner_zip_that_is_none)
{
	zipmaker maker;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.zip", "<html>", 6);
	zipmaker_add(&maker, "b.zip", "<html><body></body></html>", 26)->method = 8;
	zipmaker_add(&maker, "golden.json", "{}", 2);
	SELECTS(&maker, " golden.json={}\n",
		"! a.zip: not a readable zip: 6 bytes are too few for a zip\n"
		"! b.zip: not a readable zip: there is no end record (cut off, or not a zip)\n",
		"*.zip!**", "golden.json");
}

/* A bomb by nesting: each layer is small, the whole is not. */
TEST(bomb_by_nesting)
{
	static char zeros[200000];
	const char *const patterns[] = {"*.zip!*.zip!*.bin", "*.json", NULL};
	rg_zip_limits limits = rg_zip_limits_default();
	zipmaker maker, inner;
	rg_buf layer[2];
	char name[10][8];
	int i, depth;

	for (depth = 0; depth < 2; depth++) {
		zipmaker_init(&inner);
		for (i = 0; i < 10; i++) {
			snprintf(name[i], sizeof(name[i]), depth ? "%d.zip" : "%d.bin", i);
			zipmaker_add(&inner, name[i], depth ? layer[0].data : zeros,
				     depth ? layer[0].length : sizeof(zeros))
				->method = 8;
		}
		rg_buf_init(&layer[depth], 1 << 20);
		zipmaker_write(&inner, &layer[depth]);
		zipmaker_release(&inner);
	}
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.zip", layer[1].data, layer[1].length)->method = 8;
	zipmaker_add(&maker, "golden.json", "{}", 2);
	limits.total_size = 1000;
	selects_with(&maker, &limits, patterns, " golden.json={}\n",
		     "! a.zip: with its 2742 bytes the archive would unpack to more than 1000 "
		     "(regild.maxTotal)\n");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.zip", layer[1].data, layer[1].length)->method = 8;
	zipmaker_add(&maker, "golden.json", "{}", 2);
	limits = rg_zip_limits_default();
	limits.depth = 1;
	{
		rg_buf expected;

		rg_buf_init(&expected, 10000);
		for (i = 0; i < 10; i++)
			rg_buf_printf(&expected,
				      "! a.zip!%d.zip: it is deeper than the limit of 1 "
				      "(regild.maxDepth)\n",
				      i);
		selects_with(&maker, &limits, patterns, " golden.json={}\n", expected.data);
		rg_buf_release(&expected);
	}
	rg_buf_release(&layer[0]);
	rg_buf_release(&layer[1]);
}

/* Each of the zips inside is within the limit, all of them are not. */
TEST(bomb_by_members)
{
	const char *const patterns[] = {"*.zip!*.bin", "*.json", NULL};
	rg_zip_limits limits = rg_zip_limits_default();
	zipmaker maker, inner;
	rg_buf bytes;
	char name[4][8];
	unsigned method;
	int i;

	inner_zip(&inner, &bytes, "x.bin", "one");
	limits.members = 5;
	for (method = 0; method <= 8; method += 8) {
		zipmaker_init(&maker);
		for (i = 0; i < 4; i++) {
			snprintf(name[i], sizeof(name[i]), "%d.zip", i);
			zipmaker_add(&maker, name[i], bytes.data, bytes.length)->method = method;
		}
		zipmaker_add(&maker, "golden.json", "{}", 2);
		selects_with(&maker, &limits, patterns,
			     "0.zip x.bin=one\n1.zip x.bin=one\n golden.json={}\n",
			     "! 2.zip: with its 2 members the zips inside the archive would have "
			     "more than 5 (regild.maxMembers)\n"
			     "! 3.zip: with its 2 members the zips inside the archive would have "
			     "more than 5 (regild.maxMembers)\n");
	}
	rg_buf_release(&bytes);
}

/* Overlapped files (as in «A better zip bomb»): many entries, one kernel. */
TEST(bomb_by_overlap)
{
	static char zeros[1 << 20];
	zipmaker maker;
	char name[100][16];
	int i;

	RG_AUTO(rg_buf) expected = rg_buf_of(1 << 16);
	zipmaker_init(&maker);
	for (i = 0; i < 100; i++) {
		zipmaker_member *member;

		snprintf(name[i], sizeof(name[i]), "golden%02d.json", i);
		member = zipmaker_add(&maker, name[i], zeros, sizeof(zeros));
		member->method = 8;
		member->no_local = i > 0;
		member->offset = 0;
		rg_buf_printf(&expected, "! golden%02d.json: its bytes are also another member's\n",
			      i);
	}
	zipmaker_add(&maker, "golden.json", "{}", 2);
	SELECTS(&maker, " golden.json={}\n", expected.data, "golden*.json");
}

static rg_error *stop(void *context, const rg_selected *selected)
{
	(void)context;
	return rg_error_new(RG_E_PARSE, "%s: not what I want", selected->path);
}

/* An error of the caller's own function is the caller's, also from inside an inner zip. */
TEST(stops_where_told)
{
	const char *const patterns[] = {"*.zip!**", "*.json"};
	rg_selection selection;
	zipmaker maker, inner;
	rg_buf bytes, outer;
	rg_reader reader;

	inner_zip(&inner, &bytes, "x", "one");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.zip", bytes.data, bytes.length);
	rg_buf_init(&outer, 1 << 20);
	zipmaker_write(&maker, &outer);
	reader = memory_reader("outer.zip", outer.data, outer.length);
	rg_selection_init(&selection);
	assert_error(rg_select_zip(&selection, &reader, patterns, 2, NULL, stop, NULL), RG_E_PARSE,
		     "x: not what I want");
	assert_int_equal(selection.taken, 0);
	rg_selection_release(&selection);
	rg_buf_release(&outer);
	rg_buf_release(&bytes);
	zipmaker_release(&maker);
}

TEST(one_file_as_it_is)
{
	const char *const patterns[] = {"golden*.json", "*.zip!**.bin"};
	rg_zip_limits limits = rg_zip_limits_default();
	rg_selection selection;
	zipmaker inner;
	rg_buf bytes;
	rg_reader reader;

	RG_AUTO(rg_buf) lines = rg_buf_of(RG_BUF_TEXT);
	rg_selection_init(&selection);
	reader = memory_reader("golden.json", "{}", 2);
	assert_success(rg_select_file(&selection, &reader, "golden.json", patterns, 2, NULL,
				      collect, &lines));
	assert_success(rg_select_file(&selection, &reader, "other.json", patterns, 2, NULL, collect,
				      &lines));
	assert_success(rg_select_file(&selection, &reader, "../golden.json", patterns, 2, NULL,
				      collect, &lines));
	inner_zip(&inner, &bytes, "x.bin", "one");
	reader = memory_reader("a.zip", bytes.data, bytes.length);
	assert_success(
		rg_select_file(&selection, &reader, "a.zip", patterns, 2, NULL, collect, &lines));
	assert_string_equal(lines.data, " golden.json={}\na.zip x.bin=one\n");
	reader = memory_reader("golden.json", "{}", 2);
	limits.total_size = 1;
	assert_success(rg_select_file(&selection, &reader, "golden.json", patterns, 2, &limits,
				      collect, &lines));
	limits.member_size = 1;
	assert_success(rg_select_file(&selection, &reader, "golden.json", patterns, 2, &limits,
				      collect, &lines));
	assert_int_equal(selection.count, 3);
	assert_string_equal(rg_error_message(selection.refusals[1].err),
			    "with its 2 bytes the archive would unpack to more than 1 "
			    "(regild.maxTotal)");
	assert_string_equal(rg_error_message(selection.refusals[2].err),
			    "2 bytes are more than the limit of 1 (regild.maxFile)");
	assert_string_equal(rg_error_message(selection.refusals[0].err),
			    "its name has a '..' part");
	assert_int_equal(selection.taken, 2);
	assert_int_equal(selection.bytes, 5);
	rg_selection_release(&selection);
	rg_buf_release(&bytes);
}

TEST(patterns_that_are_wrong)
{
	const char *good[] = {"a", "a!b", "a!b!c", "[!a]*", "a\\!b!c", "*.zip![!x]*"};

	assert_success(rg_select_check(good, 6, 2));
	assert_error(rg_select_check((const char *const[]){""}, 1, 2), RG_E_USAGE,
		     "pattern '': there is nothing before or after a '!'");
	assert_error(rg_select_check((const char *const[]){"a", "!b"}, 2, 2), RG_E_USAGE,
		     "pattern '!b': there is nothing before or after a '!'");
	assert_error(rg_select_check((const char *const[]){"a!"}, 1, 2), RG_E_USAGE,
		     "pattern 'a!': there is nothing before or after a '!'");
	assert_error(rg_select_check((const char *const[]){"a!!b"}, 1, 2), RG_E_USAGE,
		     "pattern 'a!!b': there is nothing before or after a '!'");
	assert_error(rg_select_check((const char *const[]){"a!b!c!d"}, 1, 2), RG_E_USAGE,
		     "pattern 'a!b!c!d': zips are opened at most 2 deep (regild.maxDepth)");
	assert_success(rg_select_check((const char *const[]){"a!b!c!d"}, 1, 3));
	assert_error(rg_select_check((const char *const[]){"a!b"}, 1, 0), RG_E_USAGE,
		     "pattern 'a!b': zips are opened at most 0 deep (regild.maxDepth)");
}

/* What a ranged reader is asked for: tail, then the goldens in one piece. */
typedef struct {
	const rg_buf *bytes;
	size_t reads;
	uint64_t moved;
} counted;

static rg_error *count_read(void *context, uint64_t offset, void *buffer, size_t length)
{
	counted *c = context;

	c->reads++;
	c->moved += length;
	memcpy(buffer, c->bytes->data + offset, length);
	return NULL;
}

TEST(few_requests)
{
	const char *const patterns[] = {"golden*.json"};
	static char log[3 << 20], golden[60000];
	rg_selection selection;
	rg_reader_cache *cache;
	rg_buf zip, lines;
	rg_reader reader;
	zipmaker maker;
	counted c = {&zip, 0, 0};
	size_t i;

	for (i = 0; i < sizeof(golden); i++)
		golden[i] = (char)(i * 2654435761u >> 15);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.log", log, sizeof(log));
	zipmaker_add(&maker, "golden1.json", golden, sizeof(golden))->local_extra = 40;
	zipmaker_add(&maker, "golden2.json", golden, 100)->descriptor = true;
	zipmaker_add(&maker, "b.log", log, sizeof(log));
	zipmaker_add(&maker, "golden3.json", golden, 100);
	zipmaker_add(&maker, "c.log", log, sizeof(log));
	rg_buf_init(&zip, SIZE_MAX / 4);
	rg_buf_init(&lines, RG_BUF_TEXT);
	zipmaker_write(&maker, &zip);
	reader = (rg_reader){
		.name = "a.zip", .size = zip.length, .read_at = count_read, .context = &c};
	cache = rg_reader_cache_new(&reader, NULL);
	rg_selection_init(&selection);
	assert_success(rg_select_zip(&selection, rg_reader_cache_reader(cache), patterns, 1, NULL,
				     collect, &lines));
	assert_int_equal(selection.taken, 3);
	assert_int_equal(c.reads, 3); /* the redirect is the fourth */
	assert_true(c.moved < (64 << 10) + sizeof(golden) + 2000);
	rg_selection_release(&selection);
	rg_reader_cache_free(cache);
	rg_buf_release(&lines);
	rg_buf_release(&zip);
	zipmaker_release(&maker);
}
