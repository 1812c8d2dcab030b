/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/shorten.h"

#include <stdio.h>
#include <string.h>

static const char *shortened(const char *text, size_t width, size_t *took)
{
	static char kept[8192];

	RG_AUTO(rg_buf) out = rg_buf_of(sizeof(kept) - 1);
	*took = rg_text_shorten(&out, text, strlen(text), width);
	assert_false(out.is_full);
	snprintf(kept, sizeof(kept), "%s", out.data ? out.data : "");
	return kept;
}

static void assert_shortened(const char *text, size_t width, const char *expected, size_t columns)
{
	size_t took;

	assert_string_equal(shortened(text, width, &took), expected);
	assert_int_equal(took, columns);
}

TEST(keeps_the_end)
{
	const char *path = "tests/functional_tests/gpt/golden_values_dev.json";

	assert_shortened(path, 49, path, 49);
	assert_shortened(path, 48, "tests/…nctional_tests/gpt/golden_values_dev.json", 48);
	assert_shortened(path, 30, "tests/…/golden_values_dev.json", 30);
	assert_shortened("0123456789abcdef", 9, "01…abcdef", 9);
	assert_shortened("abc", 1, "…", 1);
	assert_shortened("abc", 0, "", 0);
	assert_shortened("", 5, "", 0);
}

/* Columns count, not bytes: wide characters take two, marks none. */
TEST(counts_columns)
{
	assert_shortened("金金金金金金", 12, "金金金金金金", 12);
	assert_shortened("金金金金金金", 9, "金…金金金", 9);
	assert_shortened("金金金金金金", 8, "…金金金", 7);
	/* The acute belongs to the e that is gone. */
	assert_shortened("aaaae\xcc\x81zzz", 5, "a…zzz", 5);
}

/* An escape stays whole, or goes whole. */
TEST(cuts_no_escape)
{
	assert_shortened("\x1b[31mred", 11, "\\x1b[31mred", 11);
	assert_shortened("\x1b[31mred", 10, "…[31mred", 8);
	assert_shortened("abcdefgh\xe2\x80\xaeij", 9, "ab…ij", 5);
}

/* Whatever comes in, no more than the width comes out. */
TEST(fits_every_width)
{
	char text[4097];
	size_t width, took, i;

	for (i = 0; i < sizeof(text) - 1; i++)
		text[i] = "a/\x1b\xe9\x87\x91\xcc\x81\xff"[i % 9];
	text[i] = '\0';
	for (width = 0; width < 300; width++) {
		shortened(text, width, &took);
		assert_true(took <= width);
		assert_true(took + 12 >= width); /* and hardly less */
	}
}

/* Shows `count` texts in so many columns; the caller releases them. */
static void show_apart(rg_apart *out, const char *const *texts, size_t count, size_t width)
{
	size_t i;

	rg_apart_init(out);
	for (i = 0; i < count; i++)
		rg_apart_add(out, texts[i], strlen(texts[i]));
	rg_apart_sort(out);
	rg_apart_shorten(out, width);
}

static void assert_apart(const char *const *texts, size_t count, size_t width,
			 const char *const *expected)
{
	rg_apart apart;
	size_t i;

	show_apart(&apart, texts, count, width);
	for (i = 0; i < count; i++) {
		const rg_apart_text *found = rg_apart_find(&apart, texts[i], strlen(texts[i]));
		char shown[256];

		assert_non_null(found);
		snprintf(shown, sizeof(shown), "%.*s", (int)found->size,
			 apart.shown.data + found->begin);
		assert_string_equal(shown, expected[i]);
	}
	rg_apart_release(&apart);
}

/* What goldens share goes; what tells them apart stays, wherever it is. */
TEST(shows_what_differs)
{
	static const char *const names[] = {
		"moe/gpt3_moe_mcore_te_tp2_zp_z3_resume_1node [dev_dgx_gb200]",
		"moe/gpt3_moe_mcore_te_ep8_resume_1node [dev_dgx_gb200]",
		"moe/gpt3_moe_mcore_te_ep8_resume_1node [dev_dgx_h100]",
		"gpt/gpt3_345m [dev_dgx_h100]",
	};

	assert_apart(names, 4, 34,
		     (const char *const[]){
			     "moe…tp2…_1node [dev_dgx_gb200]", "moe…ep8…_1node [dev_dgx_gb200]",
			     "moe…ep8…esume_1node [dev_dgx_h100]", "gpt/gpt3_345m [dev_dgx_h100]"});
	assert_apart(names, 4, 14,
		     (const char *const[]){"moe…tp2…gb200]", "moe…ep8…gb200]", "moe…ep8…_h100]",
					   "gpt…_dgx_h100]"});
	assert_apart(names + 1, 2, 3, (const char *const[]){"…g…", "…h…"});
	/* Too narrow for what they differ by. */
	assert_apart(names + 1, 2, 2, names + 1);
}

/* No two are alike, and none is wider than it may be, from the columns on that they need. */
TEST(keeps_all_apart)
{
	static const char *const parts[] = {"gpt", "moe", "a", "b", "tp1", "tp2", "_", "/", " "};
	enum { TEXTS = 200, PIECES = 9, LONGEST = 64 };
	static char texts[TEXTS][LONGEST];
	const char *all[TEXTS];
	size_t width, least, i, k, n = 1;
	rg_apart apart;

	for (i = 0; i < TEXTS; i++) {
		size_t length = 0;

		for (k = 0; k < 12; k++) {
			n = n * 1103515245 + 12345;
			length += (size_t)snprintf(texts[i] + length, LONGEST - length, "%s",
						   parts[(n >> 16) % PIECES]);
		}
		all[i] = texts[i];
	}
	for (width = 1; width < 40; width++) {
		show_apart(&apart, all, TEXTS, width);
		rg_apart_least(&apart, &least);
		for (i = 0; i < apart.count; i++) {
			const rg_apart_text *a = &apart.items[i];

			assert_true(width < least || a->width <= width);
			for (k = 0; k < i; k++) {
				const rg_apart_text *b = &apart.items[k];

				assert_false(a->size == b->size &&
					     !memcmp(apart.shown.data + a->begin,
						     apart.shown.data + b->begin, a->size));
			}
		}
		rg_apart_release(&apart);
	}
}

static void assert_folded(const char *text, size_t width, const char *expected)
{
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_text_fold(&out, text, width);
	assert_string_equal(out.data ? out.data : "", expected);
}

/* Lines are folded at blanks, and only where they are too wide; a word is never cut. */
TEST(folds_wide_lines)
{
	assert_folded("", 10, "");
	assert_folded("one two", 10, "one two\n");
	assert_folded("one two three\n\nfour\n", 10, "one two\n    three\n\nfour\n");
	assert_folded("one two three four five", 9, "one two\n    three\n    four\n    five\n");
	assert_folded("a word_that_is_too_long b", 8, "a\n    word_that_is_too_long\n    b\n");
	assert_folded("a table  of  cells", 0, "a table  of  cells\n");
	assert_folded("\x1b[1ma table  of  cells", 5, "\x1b[1ma table  of  cells\n");
	/* Columns count, not bytes: each of these is one. */
	assert_folded("\u00e9\u00e9 \u00e9\u00e9", 5, "\u00e9\u00e9 \u00e9\u00e9\n");
}

TEST(names_hashes_short)
{
	assert_int_equal(rg_run_name_length("0123456789abcdef0123456789abcdef01234567"), 10);
	assert_int_equal(rg_run_name_length("0123456789abcdef0123456789abcdef0123456g"), 40);
	assert_int_equal(rg_run_name_length("22651183945"), 11);
}
