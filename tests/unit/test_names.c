#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "update/names.h"

static void test_golden_names(void **state)
{
	static const char files[] = " golden_values*.json\tnested/*.bin zips/*.zip!out_*.bin ";

	(void)state;
	assert_true(rg_is_golden_name(files, "tests/gpt/a/golden_values_dev.json"));
	assert_true(rg_is_golden_name(files, "golden_values.json"));
	assert_true(rg_is_golden_name(files, "tests/nested/x.bin"));
	assert_true(rg_is_golden_name(files, "tests/out_1.bin"));
	assert_false(rg_is_golden_name(files, "tests/other/x.bin"));
	assert_false(rg_is_golden_name(files, "tests/a/my_golden_values.json"));
	assert_false(rg_is_golden_name(files, "tests/golden_values.json/x"));
	assert_false(rg_is_golden_name(files, "zips/a.zip"));
	assert_false(rg_is_golden_name("", "golden_values.json"));
}

static void test_patterns(void **state)
{
	static const char path[] = "tests/cases/gpt/a_1/golden_values.json";

	(void)state;
	assert_true(rg_names_golden("gpt/a_1", "tests/cases", path));
	assert_true(rg_names_golden("a_*", "tests/cases", path));
	assert_true(rg_names_golden("golden_values.json", "tests/cases", path));
	assert_true(rg_names_golden("gpt/**", "tests/cases", path));
	assert_true(rg_names_golden(path, "tests/cases", path));
	assert_false(rg_names_golden("gpt", "tests/cases", path));
	assert_false(rg_names_golden("cases/gpt/a_1", "tests/cases", path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_names),
		cmocka_unit_test(test_patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
