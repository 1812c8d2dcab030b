/* SPDX-License-Identifier: Apache-2.0 */
/* Members that a caller lists, and reads one by one. */
#include "unit.h"

#include "support/selected.h"
#include "support/zipmaker.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *name, *bytes;
	uint64_t size; /* as listed; UINT64_MAX: the truth */
	rg_error_code fails;
	bool folder;
} file;

typedef struct {
	const file *files;
	size_t reads;
} source;

static rg_error *read_one(void *context, size_t index, rg_zip_sink *sink, void *sink_context)
{
	source *s = context;
	const file *f = &s->files[index];
	size_t length = strlen(f->bytes), half = length / 2;

	s->reads++;
	if (f->fails)
		return rg_error_new(f->fails, "the server says no");
	RG_TRY(sink(sink_context, f->bytes, half));
	return sink(sink_context, f->bytes + half, length - half);
}

typedef struct {
	rg_selection selection;
	rg_buf lines, refused;
	source from;
} outcome;

static rg_error *run(outcome *out, const file *files, const rg_zip_limits *limits)
{
	static const char *const patterns[] = {"**/golden*.json", "*.zip!*.bin"};
	rg_listed members[16] = {0};
	rg_error *err;
	size_t count;

	for (count = 0; files[count].name; count++) {
		members[count].name = files[count].name;
		members[count].folder = files[count].folder;
		members[count].size = files[count].size == UINT64_MAX ? strlen(files[count].bytes)
								      : files[count].size;
	}
	out->from = (source){.files = files};
	rg_selection_init(&out->selection);
	rg_buf_init(&out->lines, RG_BUF_TEXT);
	rg_buf_init(&out->refused, RG_BUF_TEXT);
	err = rg_select_list(&out->selection, members, count, read_one, &out->from, patterns, 2,
			     limits, collect, &out->lines);
	refusals_of(&out->selection, &out->refused);
	return err;
}

static void release(outcome *out)
{
	rg_buf_release(&out->refused);
	rg_buf_release(&out->lines);
	rg_selection_release(&out->selection);
}

#define FILE_OF(name, bytes)                      \
	{                                         \
		name, bytes, UINT64_MAX, 0, false \
	}

TEST(only_what_is_asked_for_is_read)
{
	static const file files[] = {{"logs/", "", 0, 0, true},
				     FILE_OF("logs/1/log.txt", "long"),
				     FILE_OF("logs/1/golden_b.json", "{\"b\"}"),
				     FILE_OF("golden_a.json", "a"),
				     FILE_OF("golden_empty.json", ""),
				     {0}};
	outcome out;

	assert_success(run(&out, files, NULL));
	assert_string_equal(out.lines.data, " logs/1/golden_b.json={\"b\"}\n golden_a.json=a\n"
					    " golden_empty.json=\n");
	assert_string_equal(out.refused.data, "");
	assert_int_equal(out.from.reads, 3);
	assert_int_equal(out.selection.taken, 3);
	assert_int_equal(out.selection.unpacked, 6);
	release(&out);
}

TEST(names_are_refused_and_not_repaired)
{
	static const file files[] = {
		FILE_OF("../golden.json", "a"),  FILE_OF("/etc/golden.json", "b"),
		FILE_OF("./golden.json", "c"),   FILE_OF("a\\golden.json", "d"),
		FILE_OF("golden\xff.json", "e"), FILE_OF("golden.json", "f"),
		FILE_OF("x/golden.json", "g"),   FILE_OF("golden.json", "h"),
		FILE_OF("x/log", "i"),           FILE_OF("x/log", "j"),
		{"a//", "", 0, 0, true},         {0}};
	outcome out;

	assert_success(run(&out, files, NULL));
	assert_string_equal(out.lines.data, " x/golden.json=g\n");
	assert_string_equal(out.refused.data, "! ../golden.json: its name has a '..' part\n"
					      "! /etc/golden.json: its name is absolute\n"
					      "! ./golden.json: its name has a '.' part\n"
					      "! a\\golden.json: its name has a backslash\n"
					      "! golden\xff.json: its name is not UTF-8\n"
					      "! golden.json: its name appears twice\n"
					      "- x/log: its name appears twice\n"
					      "- a//: its name has an empty part\n");
	release(&out);
}

TEST(bytes_are_held_against_the_list)
{
	static const file files[] = {{"golden_1.json", "12345", 4, 0, false},
				     {"golden_2.json", "12345", 6, 0, false},
				     {"golden_3.json", "", 0, RG_E_NOTFOUND, false},
				     {"golden_4.json", "", 0, RG_E_MISMATCH, false},
				     FILE_OF("golden_5.json", "12345"),
				     {0}};
	outcome out;

	assert_success(run(&out, files, NULL));
	assert_string_equal(out.lines.data, " golden_5.json=12345\n");
	assert_string_equal(out.refused.data,
			    "! golden_1.json: it has more than the 4 bytes that are listed\n"
			    "! golden_2.json: it has 5 bytes and 6 are listed\n"
			    "! golden_3.json: the server says no\n"
			    "! golden_4.json: the server says no\n");
	release(&out);
}

TEST(an_error_of_the_source_ends_it)
{
	static const file files[] = {FILE_OF("golden_1.json", "1"),
				     {"golden_2.json", "", 0, RG_E_NET, false},
				     FILE_OF("golden_3.json", "3"),
				     {0}};
	outcome out;

	assert_error(run(&out, files, NULL), RG_E_NET, "the server says no");
	assert_string_equal(out.lines.data, " golden_1.json=1\n");
	assert_int_equal(out.selection.taken, 1);
	release(&out);
}

TEST(limits_hold)
{
	static const file files[] = {
		FILE_OF("golden_1.json", "123"), FILE_OF("golden_2.json", "12345"),
		{"log", "", 1 << 20, 0, false},  FILE_OF("golden_3.json", "1234"),
		FILE_OF("golden_4.json", "12"),  {0}};
	rg_zip_limits limits = rg_zip_limits_default();
	outcome out;

	limits.member_size = 4;
	limits.total_size = 6;
	assert_success(run(&out, files, &limits));
	assert_string_equal(out.lines.data, " golden_1.json=123\n golden_4.json=12\n");
	assert_string_equal(
		out.refused.data,
		"! golden_2.json: 5 bytes are more than the limit of 4 (regild.maxFile)\n"
		"! golden_3.json: with its 4 bytes the archive would unpack to more than 6 "
		"(regild.maxTotal)\n");
	release(&out);
	limits.members = 4;
	assert_error(run(&out, files, &limits), RG_E_LIMIT,
		     "5 members are more than the limit of 4 (regild.maxMembers)");
	assert_int_equal(out.from.reads, 0);
	release(&out);
}

/* A source that reads members in one piece has its zips put into a file. */
static rg_error *read_zip(void *context, size_t index, rg_zip_sink *sink, void *sink_context)
{
	const rg_buf *zip = context;

	(void)index;
	return sink(sink_context, zip->data, zip->length);
}

TEST(zips_in_a_list)
{
	static const char *const patterns[] = {"*.zip", "*.zip!*.bin"};
	rg_listed member = {.name = "a.zip"};
	rg_zip_limits limits = rg_zip_limits_default();
	rg_selection selection;
	zipmaker maker;

	RG_AUTO(rg_buf) zip = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) lines = rg_buf_of(RG_BUF_TEXT);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "x.bin", "one", 3)->method = 8;
	zipmaker_write(&maker, &zip);
	zipmaker_release(&maker);
	member.size = zip.length;
	rg_selection_init(&selection);
	assert_success(rg_select_list(&selection, &member, 1, read_zip, &zip, patterns + 1, 1, NULL,
				      collect, &lines));
	assert_string_equal(lines.data, "a.zip x.bin=one\n");
	assert_success(rg_select_list(&selection, &member, 1, read_zip, &zip, patterns, 2, NULL,
				      collect, &lines));
	assert_int_equal(selection.taken, 3);
	assert_int_equal(selection.bytes, zip.length + 6);
	limits.member_size = 1;
	assert_success(rg_select_list(&selection, &member, 1, read_zip, &zip, patterns + 1, 1,
				      &limits, collect, &lines));
	assert_int_equal(selection.taken, 3);
	assert_int_equal(selection.wanted, 1);
	rg_selection_release(&selection);
}
