/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "update/golden_pattern.h"

static void test_patterns(void **state)
{
	static const char layout[] = "{stage}/{test}/{file}";
	static const char path[] = "tests/cases/gpt/a_1/golden_values.json";

	(void)state;
	assert_true(rg_names_golden("gpt/a_1", "tests/cases", layout, path));
	assert_true(rg_names_golden("a_*", "tests/cases", layout, path));
	assert_true(rg_names_golden("golden_values.json", "tests/cases", layout, path));
	assert_true(rg_names_golden("gpt/**", "tests/cases", layout, path));
	assert_true(rg_names_golden(path, "tests/cases", layout, path));
	assert_false(rg_names_golden("gpt", "tests/cases", layout, path));
	assert_false(rg_names_golden("cases/gpt/a_1", "tests/cases", layout, path));
}

static void test_tests_of_other_layouts(void **state)
{
	static const char deep[] = "{stage}/{test}/expected/{file}";
	static const char path[] = "cases/gpt/a_1/expected/g.json";

	(void)state;
	assert_true(rg_names_golden("a_1", "cases", deep, path));
	assert_true(rg_names_golden("gpt/a*", "cases", deep, path));
	assert_true(rg_names_golden("expected", "cases", deep, path));
	assert_false(rg_names_golden("gpt", "cases", deep, path));
	assert_false(rg_names_golden("a_1", "cases", "{stage}/x/{test}/{file}", path));
	assert_true(rg_names_golden("gpt", "cases", "{test}/{file}", path));
	assert_false(rg_names_golden("a_1", "cases", "{file}", path));
	assert_false(rg_names_golden("a_1", "cases", "a/b/c/d/e/{test}/{file}", path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_tests_of_other_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
