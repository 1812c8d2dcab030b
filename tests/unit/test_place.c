/* SPDX-License-Identifier: Apache-2.0 */
/* lib/place: what kinds of places list, how two of them are paired, and what members hold. */
#include "unit/unit.h"

#include "base/file.h"
#include "place/place.h"
#include "support/zipmaker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char top[] = "build/place-XXXXXX";

static const char *in_top(const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "%s/%s", top, name);
	return path;
}

static void put(const char *name, const char *text)
{
	assert_success(rg_make_parent_dirs(in_top(name), 0777));
	assert_success(rg_file_replace(in_top(name), text, strlen(text), 0666));
}

FIXTURE(set_up)
{
	memcpy(top + strlen(top) - 6, "XXXXXX", 6);
	return mkdtemp(top) ? 0 : -1;
}

FIXTURE(tear_down)
{
	assert_success(rg_remove_tree(top));
	return 0;
}

/* "KEY=BYTES\n" of each file. */
static void assert_place(const rg_place *place, const char *wanted)
{
	rg_place_reader reader;
	rg_input in;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_place_reader_init(&reader, NULL, 100);
	reader.place = place;
	for (size_t i = 0; i < place->count; i++) {
		assert_success(rg_place_read(&reader, &place->items[i], &in));
		rg_buf_printf(&text, "%s=%.*s\n", place->items[i].key, (int)in.size,
			      (const char *)in.data);
	}
	rg_place_reader_release(&reader);
	assert_string_equal(text.data ? text.data : "", wanted);
}

static void open_folder(rg_place *place, const char *below)
{
	rg_place_init(place);
	rg_place_open_folder(place, in_top("f"));
	assert_success(rg_place_list(place, below));
}

static void open_archive(rg_place *place, const char *path, const char *below)
{
	static const char *const all[] = {"**"};
	rg_selection selection;

	rg_place_init(place);
	place->archive = calloc(1, sizeof(*place->archive));
	assert_non_null(place->archive);
	rg_members_init(place->archive);
	assert_success(rg_members_open(place->archive, path));
	rg_selection_init(&selection);
	assert_success(rg_members_select(place->archive, &selection, &place->archive->file.reader,
					 RG_ARCHIVE_ZIP, all, 1, NULL));
	rg_selection_release(&selection);
	assert_success(rg_members_sort(place->archive));
	assert_success(rg_place_list(place, below));
}

static void put_zip(const char *path)
{
	zipmaker maker;
	rg_buf bytes;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "root/a-b/x", "1", 1);
	zipmaker_add(&maker, "root/a/x", "22", 2)->method = 8;
	zipmaker_add(&maker, "other", "333", 3);
	rg_buf_init(&bytes, RG_BUF_TEXT);
	zipmaker_write(&maker, &bytes);
	assert_success(rg_file_replace(path, bytes.data, bytes.length, 0666));
	rg_buf_release(&bytes);
	zipmaker_release(&maker);
}

TEST_EACH(set_up, tear_down);

TEST(lists_a_folder_and_an_archive_alike)
{
	static const char all[] = "other=333\nroot/a/x=22\nroot/a-b/x=1\n";
	static const char below[] = "a/x=22\na-b/x=1\n";
	char path[256];
	rg_place place;

	put("f/root/a-b/x", "1");
	put("f/root/a/x", "22");
	put("f/other", "333");
	put("f/.hidden", "never");
	snprintf(path, sizeof(path), "%s", in_top("a.zip"));
	put_zip(path);
	for (int archive = 0; archive < 2; archive++) {
		static const struct {
			const char *below, *wanted;
			bool whole;
		} cases[] = {{"", all, false}, {"root", below, true}, {"none", all, false}};

		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			if (archive)
				open_archive(&place, path, cases[i].below);
			else
				open_folder(&place, cases[i].below);
			assert_place(&place, cases[i].wanted);
			assert_int_equal(place.whole, cases[i].whole);
			rg_place_release(&place);
		}
	}
}

/* "OLD NEW\n" of each pair. */
static void assert_pairs(const rg_place *old, const rg_place *fresh, const char *wanted)
{
	rg_place_pairs pairs;

	rg_place_pairs_make(&pairs, old, fresh);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (size_t i = 0; i < pairs.count; i++) {
		const rg_place_pair *pair = &pairs.items[i];
		rg_buf_printf(&text, "%s %s\n", pair->old.path ? pair->old.path : "-",
			      pair->fresh.path ? pair->fresh.path : "-");
		assert_string_equal(pair->name, pair->fresh.key ? pair->fresh.key : pair->old.key);
	}
	assert_string_equal(text.data, wanted);
	rg_place_pairs_release(&pairs);
}

static void fill(rg_place *place, const char *side, const char *const *keys)
{
	rg_place_init(place);
	for (; *keys; keys++) {
		rg_place_file file = {.key = *keys};
		file.path = rg_arena_path(&place->arena, side, *keys);
		rg_place_add(place, &file);
	}
	rg_place_sort(place);
}

TEST(pairs_have_each_key_once)
{
	static const char *const old_keys[] = {"b", "a-b/x", "a/x", NULL};
	static const char *const new_keys[] = {"a/x", "c", NULL};
	rg_place old, fresh;

	fill(&old, "o", old_keys);
	fill(&fresh, "n", new_keys);
	assert_pairs(&old, &fresh, "o/a/x n/a/x\no/a-b/x -\no/b -\n- n/c\n");
	/* What a part of all goldens lacks is not gone, nor new. */
	old.whole = true;
	assert_pairs(&old, &fresh, "o/a/x n/a/x\n- n/c\n");
	fresh.whole = true;
	assert_pairs(&old, &fresh, "o/a/x n/a/x\no/a-b/x -\no/b -\n- n/c\n");
	old.whole = false;
	assert_pairs(&old, &fresh, "o/a/x n/a/x\no/a-b/x -\no/b -\n");
	rg_place_release(&fresh);
	rg_place_release(&old);
}

/* What is selected of readers that are not kept open is kept itself, of one after the other. */
TEST(members_outlive_their_archives)
{
	static const char *const wanted[] = {"root/**"};
	const rg_member *found;
	rg_members members;

	put_zip(in_top("a.zip"));
	rg_members_init(&members);
	for (int i = 0; i < 2; i++) {
		rg_reader_file file;
		rg_selection selection;
		rg_selection_init(&selection);
		assert_success(rg_reader_file_open(&file, in_top("a.zip")));
		assert_success(rg_members_select(&members, &selection, &file.reader, RG_ARCHIVE_ZIP,
						 wanted, 1, NULL));
		rg_reader_file_release(&file);
		rg_selection_release(&selection);
	}
	assert_int_equal(unlink(in_top("a.zip")), 0);
	assert_int_equal(members.count, 4);
	RG_AUTO(rg_buf) text = rg_buf_of(2);
	for (size_t i = 0; i < members.count; i++) {
		rg_buf_clear(&text);
		assert_success(rg_member_read(&members.items[i], &text));
		assert_string_equal(text.data, i % 2 ? "22" : "1");
	}
	assert_error(rg_members_sort(&members), RG_E_CONFLICT,
		     "two zips in it both have a file 'root/a-b/x'; unpack the one that is meant");
	found = rg_members_find(&members, "root/a/x");
	assert_non_null(found);
	assert_int_equal(found->packed.size, 2);
	assert_null(rg_members_find(&members, "other"));
	rg_members_release(&members);
}
