/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "compare/compare.h"
#include "update/guard.h"

#include <string.h>

/* Bytes without their NUL. */
#define INPUT(file, text)                                                \
	(rg_input)                                                       \
	{                                                                \
		.name = (file), .data = (text), .size = sizeof(text) - 1 \
	}

#define PNG_2X3 "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\3\x8\2\0\0\0"

static rg_golden *read_golden(rg_input in)
{
	rg_golden *golden;

	assert_success(rg_golden_read(&golden, &in, NULL));
	return golden;
}

TEST(no_reader_takes_it)
{
	const rg_input files[] = {
		INPUT("a.txt", "some words\n"),
		INPUT("a.png", PNG_2X3),
		INPUT("a", "\0\1"),
		INPUT("a.txt", ""),
		INPUT("a", "{ int a; }"),
		INPUT("a.jsonl", "{\"a\"}"),
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		rg_golden *golden = read_golden(files[i]);

		assert_true(rg_golden_is_opaque(golden));
		assert_string_equal(golden->format, "opaque");
		assert_int_equal(golden->count, 1);
		assert_string_equal(golden->metrics->name, "(file)");
		assert_int_equal(golden->metrics->count, files[i].size);
		assert_ptr_equal(golden->metrics->text, files[i].data);
		rg_golden_free(golden);
	}
}

/* A name is a promise. */
TEST(known_formats_are_errors)
{
	const rg_input files[] = {INPUT("a.json", ""), INPUT("a.json", "{"),
				  INPUT("a.npy", "x"), INPUT("a.csv", "a,b\n1,2,3\n"),
				  INPUT("a.pte", "x"), INPUT("a.safetensors", "x")};
	rg_golden *golden;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		rg_error *err = rg_golden_read(&golden, &files[i], NULL);

		assert_non_null(err);
		assert_null(golden);
		rg_error_free(err);
	}
}

/* Compares two files; the comparison is the caller's. */
static const rg_row *compare(rg_comparison *c, rg_input before, rg_input after)
{
	rg_golden *old = read_golden(before), *fresh = read_golden(after);
	const rg_file_name name = {after.name, before.name};

	rg_comparison_init(c);
	assert_success(rg_compare_goldens(c, &name, old, fresh, NULL));
	rg_golden_free(old);
	rg_golden_free(fresh);
	return c->row_count ? c->rows : NULL;
}

TEST(rows)
{
	const rg_row *row;
	rg_comparison c;

	row = compare(&c, INPUT("a.txt", "abc"), INPUT("a.txt", "abX!"));
	assert_int_equal(c.row_count, 1);
	assert_int_equal(c.gap_count, 0);
	assert_string_equal(row->metric, "(file)");
	assert_int_equal(row->kind, RG_ROW_EXACT);
	assert_false(row->identical || row->reshaped);
	assert_int_equal(row->first_diff, 2);
	assert_string_equal(row->old_excerpt, "3 bytes, ba7816bf");
	assert_int_equal(row->opaque->old.kind, RG_OPAQUE_TEXT);
	assert_int_equal(row->opaque->fresh.size, 4);
	assert_string_equal(row->opaque->old.sha256,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	rg_comparison_release(&c);
	row = compare(&c, INPUT("a", ""), INPUT("a", ""));
	assert_true(row->identical && c.files->identical);
	assert_null(row->old_excerpt);
	rg_comparison_release(&c);
	row = compare(&c, INPUT("a.png", PNG_2X3), INPUT("a.png", "\x89PNG\r\n\x1a\n"));
	assert_string_equal(row->old_excerpt, "PNG 2x3, 29 bytes, 1365029f");
	assert_int_equal(row->opaque->fresh.kind, RG_OPAQUE_TEXT);
	rg_comparison_release(&c);
}

/* Its metrics are lost, and the file as a whole is another. */
TEST(readable_before)
{
	const rg_row *row;
	rg_comparison c;

	row = compare(&c, INPUT("a.txt", "1 2.5\n"), INPUT("a.txt", "one two\n"));
	assert_true(row->reshaped);
	assert_string_equal(row->old_excerpt, "step-list, 1 metric");
	assert_int_equal(c.gap_count, 1);
	assert_int_equal(c.gaps->gap, RG_GAP_OLD_ONLY);
	rg_comparison_release(&c);
	row = compare(&c, INPUT("a.txt", "one two\n"), INPUT("a.txt", "1 2.5\n"));
	assert_false(row->reshaped || row->identical);
	assert_int_equal(c.gap_count, 1);
	assert_int_equal(c.gaps->gap, RG_GAP_NEW_ONLY);
	rg_comparison_release(&c);
}

static void expect_guard(rg_input before, rg_input after, unsigned guard, const char *text)
{
	rg_golden *old = read_golden(before), *fresh = read_golden(after);
	rg_findings findings = {0};
	rg_arena arena;

	rg_arena_init(&arena);
	assert_success(rg_guard_goldens(&findings, &arena, old, fresh, NULL, NULL));
	assert_int_equal(findings.count, guard ? 1 : 0);
	if (guard) {
		assert_int_equal(findings.items->guard, guard);
		assert_string_equal(findings.items->text, text);
	}
	rg_findings_release(&findings);
	rg_arena_release(&arena);
	rg_golden_free(old);
	rg_golden_free(fresh);
}

TEST(guards)
{
	expect_guard(INPUT("a.txt", "1 2.5\n"), INPUT("a.txt", "one\n"), RG_GUARD_OPAQUE,
		     "was readable (step-list), no reader takes it now");
	expect_guard(INPUT("a.json", "{\"a\": 1}"), INPUT("a.json", "[]"), RG_GUARD_OPAQUE,
		     "was readable (json), no reader takes it now: not of format 'json': holds a "
		     "list, not an object of metrics");
	expect_guard(INPUT("a.txt", "one\n"), INPUT("a.txt", ""), RG_GUARD_EMPTY, "has no bytes");
	expect_guard(INPUT("a.txt", "one\n"), INPUT("a.txt", "1 2.5\n"), 0, NULL);
	expect_guard(INPUT("a.txt", "one\n"), INPUT("a.txt", "two\n"), 0, NULL);
	assert_int_equal(rg_guard_parse("opaque"), RG_GUARD_OPAQUE);
}
