/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "report/workflow_command.h"

#include <stdio.h>
#include <string.h>

/* In pieces of every size, and each as often as it fits: the guard sees no borders. */
static void assert_guarded(const char *text, bool commands, const char *expected)
{
	size_t length = strlen(text), size, at;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	for (size = 1; size <= length; size++) {
		rg_workflow_guard guard = {.commands = commands};

		rg_buf_clear(&out);
		for (at = 0; at < length; at += size)
			rg_workflow_guard_add(&guard, &out, text + at,
					      length - at < size ? length - at : size);
		assert_string_equal(out.data, expected);
	}
}

TEST(line_start)
{
	/* All that .NET trims, and what it does not compare. */
	static const char *const blanks[] = {"",
					     "\t",
					     "\v",
					     "\f",
					     " ",
					     "\xc2\x85",
					     "\xc2\xa0",
					     "\xe1\x9a\x80",
					     "\xe2\x80\x80",
					     "\xe2\x80\x8a",
					     "\xe2\x80\xa8",
					     "\xe2\x80\xa9",
					     "\xe2\x80\xaf",
					     "\xe2\x81\x9f",
					     "\xe3\x80\x80",
					     "\xe2\x80\x8b",
					     "\xef\xbb\xbf",
					     "\xc2\xad",
					     "\xcc\x81",
					     "\x01",
					     " \t\xc2\xa0 ",
					     "\xef\xbb\xbf "};
	static const char *const ends[] = {"\n", "\r", "\r\n"};
	char text[64], expected[64];
	size_t i, k;

	for (i = 0; i < sizeof(blanks) / sizeof(*blanks); i++)
		for (k = 0; k < sizeof(ends) / sizeof(*ends); k++) {
			snprintf(text, sizeof(text), "x%s%s::error::x", ends[k], blanks[i]);
			snprintf(expected, sizeof(expected), "x%s%s:\\x3aerror::x", ends[k],
				 blanks[i]);
			assert_guarded(text, false, expected);
			assert_guarded(text, true, text);
		}
	assert_guarded(":\xe2\x80\x8b:error::", false,
		       ":\xe2\x80\x8b\\x3a"
		       "error::");
	assert_guarded("x::error::", false, "x::error::");
	assert_guarded("\xff::error::", false, "\xff::error::");
	assert_guarded(": :error::\n:\n:", false, ": :error::\n:\n:");
	assert_guarded(" \x1b[31m::error::", false, " \x1b[31m::error::");
}

TEST(anywhere)
{
	assert_guarded("a ##[set-env]\n###[x]", false, "a ##\\x5bset-env]\n###\\x5bx]");
	assert_guarded("::error::##[x]", true, "::error::##\\x5bx]");
	assert_guarded("#\xe2\x80\x8b#\xc2\xad[x]", false, "#\xe2\x80\x8b#\xc2\xad\\x5bx]");
	assert_guarded("#[x] # #[x] ##\n[x] ##\x1b[0m]", false, "#[x] # #[x] ##\n[x] ##\x1b[0m]");
}

TEST(json)
{
	static const char text[] = "{\"a:b\": [\"#\\\"#\\\\\", 1, \":\"]}";

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_workflow_add_json(&out, text, strlen(text));
	assert_string_equal(out.data,
			    "{\"a\\u003ab\": [\"\\u0023\\\"\\u0023\\\\\", 1, \"\\u003a\"]}");
}
