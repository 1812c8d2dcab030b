/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "story/golden_name.h"

static const rg_column_context megatron = {
	"tests/cases", "{stage}/{test}/{file}", "golden_values*.json", NULL, false, false};
static const rg_column_context flat = {"",   "{file}", "*.pte zips_*.zip!**/*.bin",
				       NULL, false,    false};

static void is_named(const char *path, const rg_column_context *context, const char *name)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_test_name_add(&text, path, context);
	assert_success(rg_buf_check(&text, "a name"));
	assert_string_equal(text.data, name);
}

TEST(stage_test_and_variant)
{
	is_named("tests/cases/t5/t5_11b/golden_values_dev_dgx_h100.json", &megatron,
		 "t5/t5_11b [dev_dgx_h100]");
	is_named("tests/cases/t5/t5_11b/golden_values.json", &megatron, "t5/t5_11b");
	is_named("tests/cases/t5/t5_11b/other.json", &megatron, "t5/t5_11b");
}

TEST(paths_that_are_laid_out_otherwise)
{
	is_named("elsewhere/golden_values_a.json", &megatron, "elsewhere/golden_values_a.json");
	is_named("tests/cases/golden_values_a.json", &megatron, "golden_values_a.json");
	is_named("flow/model.pte", &flat, "flow/model.pte");
	is_named("", &megatron, "");
}

/* The last part of a glob counts, in a zip or not. */
TEST(variants_of_several_globs)
{
	const rg_column_context context = {"",   "{test}/{file}", "a*b*.json in.zip!x/loss-*.txt",
					   NULL, false,           false};

	is_named("t/loss-h100.txt", &context, "t [h100]");
	is_named("t/a1b2.json", &context, "t");
}

/* torchtitan's lists, of which there are three layouts. */
TEST(names_of_a_pattern)
{
	const rg_column_context context = {
		"losses",
		NULL,
		"**/*.txt",
		"{stage}/{variant}/{test}.txt {stage}/{test}_{tag}.txt {test}_{variant}.txt",
		false,
		false};
	const rg_column_context deep = {"",      "{stage}/{test}/{file}",
					"*.txt", "{stage}/{test}/config/golden_results.txt",
					false,   false};

	is_named("losses/real_pg/a10g/llama3_pp.txt", &context, "real_pg/llama3_pp [a10g]");
	is_named("losses/gb300/deepseek_16gpu.txt", &context, "gb300/deepseek [16gpu]");
	is_named("losses/qwen3_moe_cuda.txt", &context, "qwen3_moe [cuda]");
	is_named("losses/plain.txt", &context, "plain.txt");
	is_named("other/qwen3_moe_cuda.txt", &context, "other/qwen3_moe_cuda.txt");
	is_named("strong/noc/mesh/config/golden_results.txt", &deep, "strong/noc/mesh");
	/* The pattern counts, and not jobs.target. */
	is_named("strong/noc/golden.txt", &deep, "strong/noc/golden.txt");
}

/* In a list the paths stand for names that are one. */
TEST(names_of_a_list)
{
	static const char *const paths[] = {"tests/cases/t5/a/tp1/golden_values_x.json",
					    "tests/cases/t5/a/tp2/golden_values_x.json",
					    "tests/cases/t5/a/tp2/golden_values_y.json"};
	rg_test_names names;
	size_t i;

	rg_test_names_init(&names);
	for (i = 0; i < 6; i++)
		rg_test_names_add(&names, paths[i / 2]);
	rg_test_names_make(&names, &megatron);
	assert_string_equal(rg_test_names_find(&names, paths[0]), "t5/a/tp1/golden_values_x.json");
	assert_string_equal(rg_test_names_find(&names, paths[1]), "t5/a/tp2/golden_values_x.json");
	assert_string_equal(rg_test_names_find(&names, paths[2]), "t5/a [y]");
	rg_test_names_release(&names);
	/* Where all of them are one, what differs says enough. */
	rg_test_names_init(&names);
	for (i = 0; i < 2; i++)
		rg_test_names_add(&names, paths[i]);
	rg_test_names_make(&names, &megatron);
	assert_string_equal(rg_test_names_find(&names, paths[0]), "tp1");
	assert_string_equal(rg_test_names_find(&names, paths[1]), "tp2");
	rg_test_names_release(&names);
}

static void family_is(const char *metric, const char *family)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_family_add(&text, metric);
	assert_string_equal(text.data, family);
}

static void column_is(const char *column, const char *family)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_family_add_column(&text, column);
	assert_string_equal(text.data, family);
}

/* VTR's tables measure dozens of stages in seconds and MiB. */
TEST(families_of_columns)
{
	column_is("crit_path_route_time", "*_time");
	column_is("max_vpr_mem", "*_mem");
	column_is("route_mem (texts)", "route_mem (texts)");
	column_is("vtr_max_mem_stage", "vtr_max_mem_stage");
	column_is("_time", "_time");
	column_is("time", "time");
	column_is("layer3.total", "layer*.total");
}

TEST(families)
{
	family_is("3/routing_indices/12", "*/routing_indices/*");
	family_is("layer12.weight", "layer*.weight");
	family_is("model.layers.3.bias", "model.layers.*.bias");
	family_is("mtp_1 loss", "mtp_1 loss");
	family_is("12", "12");
	family_is("fc1.weight", "fc1.weight");
	family_is("", "");
	assert_true(rg_family_is_of_ids("*/routing_indices/*"));
	assert_false(rg_family_is_of_ids("*/logprobs"));
	assert_false(rg_family_is_of_ids(""));
}
