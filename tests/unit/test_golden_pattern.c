/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "update/reset.h"

TEST(patterns)
{
	static const char layout[] = "{stage}/{test}/{file}";
	static const char path[] = "tests/cases/gpt/a_1/golden_values.json";

	assert_true(rg_names_golden("gpt/a_1", "tests/cases", layout, NULL, path));
	assert_true(rg_names_golden("a_*", "tests/cases", layout, NULL, path));
	assert_true(rg_names_golden("golden_values.json", "tests/cases", layout, NULL, path));
	assert_true(rg_names_golden("gpt/**", "tests/cases", layout, NULL, path));
	assert_true(rg_names_golden(path, "tests/cases", layout, NULL, path));
	assert_false(rg_names_golden("gpt", "tests/cases", layout, NULL, path));
	assert_false(rg_names_golden("cases/gpt/a_1", "tests/cases", layout, NULL, path));
}

TEST(tests_of_other_layouts)
{
	static const char deep[] = "{stage}/{test}/expected/{file}";
	static const char path[] = "cases/gpt/a_1/expected/g.json";

	assert_true(rg_names_golden("a_1", "cases", deep, NULL, path));
	assert_true(rg_names_golden("gpt/a*", "cases", deep, NULL, path));
	assert_true(rg_names_golden("expected", "cases", deep, NULL, path));
	assert_false(rg_names_golden("gpt", "cases", deep, NULL, path));
	assert_false(rg_names_golden("a_1", "cases", "{stage}/x/{test}/{file}", NULL, path));
	assert_true(rg_names_golden("gpt", "cases", "{test}/{file}", NULL, path));
	assert_false(rg_names_golden("a_1", "cases", "{file}", NULL, path));
	assert_false(rg_names_golden("a_1", "cases", "a/b/c/d/e/{test}/{file}", NULL, path));
}

TEST(names)
{
	static const char names[] = "{stage}/{test}/config/golden_results.txt";
	static const char path[] = "cases/strong/noc/mesh/config/golden_results.txt";

	assert_true(rg_names_golden("noc/mesh", "cases", NULL, names, path));
	assert_true(rg_names_golden("strong/noc/mesh", "cases", NULL, names, path));
	assert_true(rg_names_golden("golden_results.txt", "cases", NULL, names, path));
	assert_true(rg_names_golden("config", "cases", NULL, names, path));
	assert_false(rg_names_golden("strong", "cases", NULL, names, path));
	assert_true(rg_names_golden("t", "", NULL, "{test}.txt", "t.txt"));
	assert_false(rg_names_golden("u", "", "{file}", "{test}.csv", "t.txt"));
}
