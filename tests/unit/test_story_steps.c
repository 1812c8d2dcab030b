/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "story/parts.h"

#include <string.h>

static void hold(const char *first, const char *second, bool by_record, const char *expected)
{
	const char *const texts[] = {first, second};

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_story_join_steps(&text, texts, 2, by_record);
	assert_string_equal(text.data, expected);
}

TEST(joins)
{
	hold("18, 20", "32", false, "18, 20, 32");
	hold("20", "18, 20", false, "18, 20");
	hold(NULL, "7", false, "7");
	hold(NULL, NULL, false, "");
	/* A range has the steps that are inside it, and grows by those that go on. */
	hold("14..50", "23..50", false, "14..50");
	hold("50, 60..100", "50..100, 100", false, "50..100");
	hold("1..10, 30", "5..20", false, "1..20, 30");
	hold("1, 5..15", "9", false, "1, 5..15");
	hold("-3..2", "0", false, "-3..2");
	/* A text that was cut off is no range. */
	hold("1..9 and 3 more", "4", false, "1..9 and 3 more, 4");
	/* Records have names, in the order of the file. */
	hold("resnet, alexnet", NULL, true, "resnet, alexnet");
	hold("1..9", "4", true, "1..9, 4");
}

TEST(is_bounded)
{
	RG_AUTO(rg_buf) many = rg_buf_of(RG_BUF_ANY);
	for (int i = 0; i < 30; i++)
		rg_buf_printf(&many, "%s%d", i ? ", " : "", 2 * i);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_story_join_steps(&text, (const char *const[]){many.data}, 1, false);
	assert_non_null(strstr(text.data, "44, 46, …"));
	assert_null(strstr(text.data, "48"));
}
