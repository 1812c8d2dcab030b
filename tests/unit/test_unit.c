/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/unit.h"

#include <string.h>

static const char *of_name(const char *name)
{
	return rg_unit_of_name(name, strlen(name));
}

TEST(whole_texts_are_units)
{
	assert_string_equal(rg_unit_find("ms", 2), "ms");
	assert_ptr_equal(rg_unit_find("ms", 2), rg_unit_find("msx", 2));
	assert_null(rg_unit_find("m", 1));
	assert_null(rg_unit_find("msx", 3));
	assert_null(rg_unit_find("", 0));
	assert_null(rg_unit_find("s\0s", 3));
}

TEST(a_name_ends_with_its_unit)
{
	assert_string_equal(of_name("Lower Time (s)"), "s");
	assert_string_equal(of_name("size [MiB]"), "MiB");
	assert_null(of_name("error(s)"));
	assert_null(of_name("Params (count)"));
	assert_null(of_name("s)"));
	assert_null(of_name("(s)"));
	assert_null(of_name(" ()"));
	assert_null(of_name(""));
}

TEST(durations)
{
	static const char *const others[] = {"%", "B", "KiB", "Hz", "eV", "K", "MB/s"};
	static const char *const times[] = {"s",         "ms",        "us",  "ns",
					    "\xc2\xb5s", "\xce\xbcs", "min", "h"};
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		assert_true(rg_unit_is_duration(rg_unit_find(times[i], strlen(times[i]))));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(rg_unit_is_duration(rg_unit_find(others[i], strlen(others[i]))));
	assert_false(rg_unit_is_duration(NULL));
}
