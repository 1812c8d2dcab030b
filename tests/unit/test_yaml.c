/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "by_step.h"
#include "format_reader.h"

#include "base/buf.h"

#include <math.h>

static const char document_text[] = "# goldens\n"
				    "loss: {1: 2.5, 2: 2.25}\n"
				    "scalars: [1, -1.5e3, 0x1f, 0o17, .inf, -.Inf, .nan, true, ~]\n"
				    "texts:\n"
				    "  quoted: '1'\n"
				    "  version: 1.2.3\n"
				    "  one: \"a\\nb\"\n"
				    "  word: infinity\n"
				    "runs:\n"
				    "  - {step: 1, x: 0.5}\n"
				    "  - {step: 2, x: 0.25}\n"
				    "base: &base [7]\n"
				    "again: *base\n";

TEST(reads_core_schema)
{
	static const double numbers[] = {1, -1500, 31, 15};
	const rg_golden_options options = {.run_index = -1, .yaml_1_2 = true};
	rg_golden *g;

	assert_success(rg_golden_read(
		&g,
		&(rg_input){.name = "a.yaml", .data = document_text, .size = strlen(document_text)},
		&options));
	assert_string_equal(g->format, "yaml");
	assert_true(value_at(g, "loss", 2) == 2.25);
	for (int i = 0; i < 4; i++)
		assert_true(value_at(g, "scalars", i) == numbers[i]);
	assert_true(isinf(value_at(g, "scalars", 4)) && value_at(g, "scalars", 5) < 0);
	assert_true(isnan(value_at(g, "scalars", 6)) && value_at(g, "scalars", 7) == 1);
	assert_int_equal(metric_of(g, "scalars")->count, 8);
	assert_true(value_at(g, "texts/quoted", 0) == 1);
	assert_int_equal(metric_of(g, "texts/quoted")->quoted_count, 1);
	assert_string_equal(metric_of(g, "texts/version")->text, "1.2.3");
	assert_string_equal(metric_of(g, "texts/one")->text, "a\nb");
	assert_string_equal(metric_of(g, "texts/word")->text, "infinity");
	assert_true(value_at(g, "runs/x", 2) == 0.25);
	assert_true(value_at(g, "again", 0) == 7);
	rg_golden_free(g);
}

TEST(reads_as_pyyaml)
{
	const rg_golden_options options = {.run_index = -1, .yaml_1_2 = true};
	const char *text = "a: [1, 12:30, 1_000, 017]\nb: 1e5\nc: 0o17\nd: [1, 2]\n"
			   "whole: 123456789012345678901\noctal: 0123456701234567012345\n";
	rg_golden *g = golden_of("a.yaml", text);

	assert_true(value_at(g, "a", 1) == 750 && value_at(g, "a", 2) == 1000);
	assert_true(value_at(g, "a", 3) == 15);
	/* Texts that are numbers are compared as such, in every format. */
	assert_true(value_at(g, "b", 0) == 1e5 && metric_of(g, "b")->quoted_count == 1);
	assert_string_equal(metric_of(g, "c")->text, "0o17");
	assert_int_equal(metric_of(g, "whole")->digit_count, 1);
	assert_int_equal(metric_of(g, "octal")->digit_count, 0);
	assert_int_equal(g->note_count, 1);
	assert_string_equal(g->notes[0].text,
			    "read as YAML 1.1: '12:30' in line 1 is 750.0, the first value that "
			    "YAML 1.2 reads differently (a text)");
	rg_golden_free(g);
	assert_success(rg_golden_read(
		&g, &(rg_input){.name = "a.yaml", .data = "a: [1, 017]\n", .size = 12}, &options));
	assert_true(value_at(g, "a", 1) == 17 && g->note_count == 1);
	assert_string_equal(g->notes[0].text,
			    "read as YAML 1.2: '017' in line 1 is 17.0, the first value that "
			    "YAML 1.1 reads differently (15.0)");
	rg_golden_free(g);
	/* Both read these alike. */
	g = golden_of("a.yaml", "a: [1.5, -2, .inf, true, ~, '1e5', 1.5e+3]\nb: word\n");
	assert_int_equal(g->note_count, 0);
	rg_golden_free(g);
}

#define TEXT "read as a text with numbers: not of format 'yaml': "

TEST(others_are_texts)
{
	assert_text("a.yml", "a: [1\n", TEXT "not YAML: line 2: did not find expected ',' or ']'");
	assert_text("a.yml", "a: 1\n---\na: 2\n", TEXT "has 2 YAML documents");
	assert_text("a.yml", "1\n", TEXT "is not a YAML mapping or sequence");
	assert_text("a.yml", "[1, 2]: 3\n", TEXT "line 1: a key that is no scalar");
	assert_text("a.yml", "a: &a [*a, 1]\n", TEXT "its aliases make it too deep");
}

/* Ten names of ten names of … */
TEST(aliases_are_bounded)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&text, "a0: &a0 [1]\n");
	for (int i = 1; i < 10; i++) {
		rg_buf_printf(&text, "a%d: &a%d [", i, i);
		for (int k = 0; k < 10; k++)
			rg_buf_printf(&text, "%s*a%d", k ? ", " : "", i - 1);
		rg_buf_str(&text, "]\n");
	}
	assert_text("a.yml", text.data, TEXT "its aliases make too much of it");
	rg_buf_clear(&text);
	for (int i = 0; i < 100; i++)
		rg_buf_char(&text, '[');
	rg_buf_str(&text, "1");
	rg_golden *g;
	assert_error(read_as(&g, "a.yml", text.data, text.length, NULL), RG_E_LIMIT,
		     "is nested deeper than 64 levels");
}

TEST(hostile)
{
	assert_survives(
		&rg_format_yaml,
		(rg_input){.name = "a.yaml", .data = document_text, .size = strlen(document_text)});
}
