/* SPDX-License-Identifier: Apache-2.0 */
#include "report/test_name.h"

#include "support/check.h"

static const rg_column_context megatron = {"tests/cases", "{stage}/{test}/{file}",
					   "golden_values*.json"};
static const rg_column_context flat = {"", "{file}", "*.pte zips_*.zip!**/*.bin"};

static void is_named(const char *path, const rg_column_context *context, const char *name)
{
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_test_name_add(&text, path, context);
	no_error(rg_buf_check(&text, "a name"));
	assert_string_equal(text.data, name);
	rg_buf_release(&text);
}

static void stage_test_and_variant(void **state)
{
	(void)state;
	is_named("tests/cases/t5/t5_11b/golden_values_dev_dgx_h100.json", &megatron,
		 "t5/t5_11b [dev_dgx_h100]");
	is_named("tests/cases/t5/t5_11b/golden_values.json", &megatron, "t5/t5_11b");
	is_named("tests/cases/t5/t5_11b/other.json", &megatron, "t5/t5_11b");
}

static void paths_that_are_laid_out_otherwise(void **state)
{
	(void)state;
	is_named("elsewhere/golden_values_a.json", &megatron, "elsewhere/golden_values_a.json");
	is_named("tests/cases/golden_values_a.json", &megatron, "golden_values_a.json");
	is_named("flow/model.pte", &flat, "flow/model.pte");
	is_named("", &megatron, "");
}

/* The last part of a glob counts, in a zip or not. */
static void variants_of_several_globs(void **state)
{
	const rg_column_context context = {"", "{test}/{file}", "a*b*.json in.zip!x/loss-*.txt"};

	(void)state;
	is_named("t/loss-h100.txt", &context, "t [h100]");
	is_named("t/a1b2.json", &context, "t");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stage_test_and_variant),
		cmocka_unit_test(paths_that_are_laid_out_otherwise),
		cmocka_unit_test(variants_of_several_globs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
