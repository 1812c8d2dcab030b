/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/shorten.h"

#include <stdio.h>
#include <string.h>

static const char *shortened(const char *text, size_t width, size_t *took)
{
	static char kept[8192];
	rg_buf out;

	rg_buf_init(&out, sizeof(kept) - 1);
	*took = rg_text_shorten(&out, text, strlen(text), width);
	assert_int_equal(out.state, RG_BUF_FINE);
	snprintf(kept, sizeof(kept), "%s", out.data ? out.data : "");
	rg_buf_release(&out);
	return kept;
}

static void assert_shortened(const char *text, size_t width, const char *expected, size_t columns)
{
	size_t took;

	assert_string_equal(shortened(text, width, &took), expected);
	assert_int_equal(took, columns);
}

static void keeps_the_end(void **state)
{
	const char *path = "tests/functional_tests/gpt/golden_values_dev.json";

	(void)state;
	assert_shortened(path, 49, path, 49);
	assert_shortened(path, 48, "tests/…nctional_tests/gpt/golden_values_dev.json", 48);
	assert_shortened(path, 30, "tests/…/golden_values_dev.json", 30);
	assert_shortened("0123456789abcdef", 9, "01…abcdef", 9);
	assert_shortened("abc", 1, "…", 1);
	assert_shortened("abc", 0, "", 0);
	assert_shortened("", 5, "", 0);
}

/* Columns count, not bytes: wide characters take two, marks none. */
static void counts_columns(void **state)
{
	(void)state;
	assert_shortened("金金金金金金", 12, "金金金金金金", 12);
	assert_shortened("金金金金金金", 9, "金…金金金", 9);
	assert_shortened("金金金金金金", 8, "…金金金", 7);
	/* The acute belongs to the e that is gone. */
	assert_shortened("aaaae\xcc\x81zzz", 5, "a…zzz", 5);
}

/* An escape stays whole, or goes whole. */
static void cuts_no_escape(void **state)
{
	(void)state;
	assert_shortened("\x1b[31mred", 11, "\\x1b[31mred", 11);
	assert_shortened("\x1b[31mred", 10, "…[31mred", 8);
	assert_shortened("abcdefgh\xe2\x80\xaeij", 9, "ab…ij", 5);
}

/* Whatever comes in, no more than the width comes out. */
static void fits_every_width(void **state)
{
	char text[4097];
	size_t width, took, i;

	(void)state;
	for (i = 0; i < sizeof(text) - 1; i++)
		text[i] = "a/\x1b\xe9\x87\x91\xcc\x81\xff"[i % 9];
	text[i] = '\0';
	for (width = 0; width < 300; width++) {
		shortened(text, width, &took);
		assert_true(took <= width);
		assert_true(took + 12 >= width); /* and hardly less */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_end),
		cmocka_unit_test(counts_columns),
		cmocka_unit_test(cuts_no_escape),
		cmocka_unit_test(fits_every_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
