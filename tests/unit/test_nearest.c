/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/nearest.h"

#include <string.h>

static const char *meant(const char *text)
{
	static const char *const names[] = {"refresh", "reset", "compare", "undo",
					    "unpack",  "init",  "verify",  "verify-outputs"};
	rg_nearest nearest;
	size_t i;

	rg_nearest_init(&nearest, text);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		rg_nearest_offer(&nearest, names[i]);
	return rg_nearest_name(&nearest);
}

TEST(meant)
{
	assert_string_equal(meant("udno"), "undo");
	assert_string_equal(meant("compar"), "compare");
	assert_string_equal(meant("comp"), "compare");
	assert_string_equal(meant("rest"), "reset");
	assert_string_equal(meant("Undo"), "undo");
	assert_string_equal(meant("verfy-ouputs"), "verify-outputs");
	/* The nearer one, whatever the order. */
	assert_string_equal(meant("verify-"), "verify");
	assert_string_equal(meant("verify-o"), "verify-outputs");
}

TEST(abbreviations)
{
	assert_string_equal(meant("cmp"), "compare");
	assert_string_equal(meant("rfsh"), "refresh");
	assert_string_equal(meant("vrfy"), "verify");
	/* Of several, the one with the fewest letters left out; a slip is nearer than any. */
	assert_string_equal(meant("rst"), "reset");
	assert_string_equal(meant("unddo"), "undo");
	/* Whole words are nearer than letters. */
	assert_string_equal(meant("outputs"), "verify-outputs");
	assert_string_equal(meant("verify-all"), "verify");
	assert_string_equal(meant("compare-to"), "compare");
	/* Two letters may stand for anything, and other letters, or another order, are another
	 * word. */
	assert_null(meant("cp"));
	assert_null(meant("cpm"));
	assert_null(meant("mpr"));
	assert_null(meant("cmpx"));
	assert_null(meant("puts"));
}

TEST(nothing_near)
{
	char longest[RG_NEAREST_MAX + 1] = "", longer[RG_NEAREST_MAX + 2] = "";
	rg_nearest nearest;

	assert_null(meant(""));
	assert_null(meant("re"));
	assert_null(meant("status"));
	assert_null(meant("fetch"));
	assert_null(meant("diff"));
	memset(longest, 'x', sizeof(longest) - 1);
	memset(longer, 'x', sizeof(longer) - 1);
	assert_null(meant(longest));
	assert_null(meant(longer));
	rg_nearest_init(&nearest, longest);
	rg_nearest_offer(&nearest, longer);
	assert_null(rg_nearest_name(&nearest));
	rg_nearest_offer(&nearest, longest);
	assert_string_equal(rg_nearest_name(&nearest), longest);
}
