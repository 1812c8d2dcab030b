/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/utf8.h"

#include <string.h>

TEST(length)
{
	assert_int_equal(rg_utf8_length("a", 1), 1);
	assert_int_equal(rg_utf8_length("\xc3\xa9", 2), 2);
	assert_int_equal(rg_utf8_length("\xe2\x82\xac", 3), 3);
	assert_int_equal(rg_utf8_length("\xf0\x9f\x98\x80", 4), 4);
	assert_int_equal(rg_utf8_length("", 0), 0);
	assert_int_equal(rg_utf8_length("\xc3", 1), 0);             /* cut off */
	assert_int_equal(rg_utf8_length("\xc0\x80", 2), 0);         /* overlong */
	assert_int_equal(rg_utf8_length("\xe0\x80\x80", 3), 0);     /* overlong */
	assert_int_equal(rg_utf8_length("\xf0\x80\x80\x80", 4), 0); /* overlong */
	assert_int_equal(rg_utf8_length("\xed\xa0\x80", 3), 0);     /* a surrogate */
	assert_int_equal(rg_utf8_length("\xf4\x90\x80\x80", 4), 0); /* past U+10FFFF */
	assert_int_equal(rg_utf8_length("\x80", 1), 0);
	assert_int_equal(rg_utf8_length("\xff", 1), 0);
}

/* The first and the last character of each length and row of Unicode's table 3-7, and what stands
 * beside them. */
TEST(edges)
{
	static const struct {
		const char *text;
		size_t length;
	} cases[] = {
		{"\x7f", 1},
		{"\x80\x80", 0},
		{"\xc1\xbf", 0},
		{"\xc2\x80", 2},
		{"\xc2\x7f", 0},
		{"\xc2\xc0", 0},
		{"\xdf\xbf", 2},
		{"\xe0\x9f\xbf", 0},
		{"\xe0\xa0\x80", 3},
		{"\xe1\x80\x80", 3},
		{"\xe1\x80\x7f", 0},
		{"\xed\x9f\xbf", 3},
		{"\xed\xa0\x80", 0},
		{"\xee\x80\x80", 3},
		{"\xef\xbf\xbf", 3},
		{"\xf0\x8f\xbf\xbf", 0},
		{"\xf0\x90\x80\x80", 4},
		{"\xf1\x80\x80\x80", 4},
		{"\xf1\x80\x80\xc0", 0},
		{"\xf4\x8f\xbf\xbf", 4},
		{"\xf4\x90\x80\x80", 0},
		{"\xf5\x80\x80\x80", 0},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t length = rg_utf8_length(cases[i].text, strlen(cases[i].text));

		if (length != cases[i].length)
			fail_msg("case %zu: %zu, expected %zu", i, length, cases[i].length);
	}
}

TEST(safe)
{
	static const char hostile[] = "a\x1b[2J\xc2\x9b\xff\xc3\xa9\0b\x7f";

	RG_AUTO(rg_buf) buf = rg_buf_of(1000);
	assert_int_equal(rg_utf8_add_safe(&buf, hostile, sizeof(hostile) - 1), 30);
	assert_string_equal(buf.data, "a\\x1b[2J\\xc2\\x9b\\xff\xc3\xa9\\x00b\\x7f");
}

TEST(control)
{
	/* In pairs: a control character, and its neighbour that is none. */
	static const char *const pairs[][2] = {
		{"\x1f", " "},
		{"\x7f", "~"},
		{"\xc2\x9f", "\xc2\xa0"},
		{"\xd8\x9c", "\xd8\x9b"},
		{"\xc2\xad", "\xc2\xae"},         /* U+00AD, a soft hyphen */
		{"\xe1\xa0\x8e", "\xe1\xa0\x90"}, /* U+180E */
		{"\xe2\x80\x8b", "\xe2\x80\x8a"}, /* U+200B, of no width */
		{"\xe2\x80\x8f", "\xe2\x80\x90"}, /* U+200F */
		{"\xe2\x80\xa8", "\xe2\x80\xa7"}, /* U+2028 */
		{"\xe2\x80\xae", "\xe2\x80\xaf"}, /* U+202E */
		{"\xe2\x81\xa0", "\xe2\x81\x9f"}, /* U+2060 */
		{"\xe2\x81\xaf", "\xe2\x81\xb0"}, /* U+206F */
		{"\xef\xbb\xbf", "\xef\xbb\xbe"}, /* U+FEFF */
		{"\xe2\x80\xae", "\xe2\x82\xae"},
		{"\xcd\x8f", "\xcd\x8e"},                 /* U+034F, which joins nothing */
		{"\xe3\x85\xa4", "\xe3\x85\xa5"},         /* U+3164, a filler */
		{"\xef\xbf\xbb", "\xef\xbf\xbc"},         /* U+FFFB, of notes between lines */
		{"\xf3\xa0\x81\x81", "\xf0\x9f\x98\x80"}, /* U+E0041, a tag, and a smiley */
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		assert_true(rg_utf8_is_control(pairs[i][0]));
		assert_false(rg_utf8_is_control(pairs[i][1]));
	}
	RG_AUTO(rg_buf) buf = rg_buf_of(1000);
	rg_utf8_add_safe(&buf, "gnp\xe2\x80\xae.json", 11);
	assert_string_equal(buf.data, "gnp\\xe2\\x80\\xae.json");
}

TEST(valid)
{
	static const char broken[] = "\xffok\xc3";

	RG_AUTO(rg_buf) buf = rg_buf_of(1000);
	rg_utf8_add_valid(&buf, broken, sizeof(broken) - 1);
	assert_string_equal(buf.data, "\xef\xbf\xbdok\xef\xbf\xbd");
}

/* Of a terminal: accents that join the letter before them take none, Chinese and smileys two. */
TEST(columns)
{
	static const struct {
		const char *text;
		size_t columns;
	} cases[] = {
		{"plain \xc3\xa9", 7}, {"e\xcc\x81", 1},         {"\xe6\xa8\xa1\xe5\x9e\x8b", 4},
		{"\xed\x95\x9c!", 3},  {"\xf0\x9f\x98\x80", 2},  {"\xe2\x96\x88\xe2\x80\xa6", 2},
		{"\xef\xbc\xa1", 2},   {"\xef\xbd\xb1", 1}, /* a narrow kana */
		{"\xef\xb8\x8f", 0},   {"\xe2\x80\xae\xff", 16},
	};
	size_t i;

	RG_AUTO(rg_buf) out = rg_buf_of(1024);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rg_utf8_add_safe(&out, cases[i].text, strlen(cases[i].text)),
				 cases[i].columns);
}

/* No two that differ look alike. */
TEST(escapes)
{
	static const uint32_t characters[] = {'a',    '\\',    0,      0xe9,
					      0x20ac, 0x1f600, 0xd800, 0x110000};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	for (size_t i = 0; i < sizeof(characters) / sizeof(*characters); i++)
		rg_utf8_add_character(&out, characters[i]);
	assert_string_equal(out.data, "a\\\\\\U00000000\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
				      "\\U0000d800\\U00110000");
	rg_buf_clear(&out);
	rg_utf8_add_escaped(&out, "a\\\0\xc3\xa9\xc3\xff", 7);
	assert_string_equal(out.data, "a\\\\\\x00\xc3\xa9\\xc3\\xff");
}
