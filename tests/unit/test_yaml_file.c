/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a project's tests: what is found in them, and the limits of what is read. */
#include "unit.h"

#include "base/buf.h"
#include "base/yaml.h"
#include "config/yaml_file.h"

#include <string.h>

static rg_yaml_file *parse(const char *text)
{
	rg_yaml_file *file;

	assert_success(rg_yaml_file_parse(&file, text, strlen(text)));
	return file;
}

TEST(variables)
{
	rg_yaml_file *file = parse("ENV_VARS:\n  A: 1\n  B: '1'\n  C: [1]\n  TOP: 2\n  A: 3\n"
				   "TOP: 1\nNOTHING:\n");

	assert_string_equal(rg_yaml_file_variable(file, "A"), "3"); /* the last counts */
	assert_string_equal(rg_yaml_file_variable(file, "B"), "1");
	assert_string_equal(rg_yaml_file_variable(file, "TOP"), "1");
	assert_string_equal(rg_yaml_file_variable(file, "NOTHING"), "");
	assert_null(rg_yaml_file_variable(file, "C"));
	assert_null(rg_yaml_file_variable(file, "ENV_VARS"));
	assert_null(rg_yaml_file_variable(file, "D"));
	rg_yaml_file_free(file);
	file = parse("ENV_VARS: text\n");
	assert_null(rg_yaml_file_variable(file, "text"));
	rg_yaml_file_free(file);
}

TEST(lists)
{
	rg_yaml_file *file = parse("METRICS:\n  - \"lm loss\"\n  - num-zeros\nEMPTY: []\n"
				   "TEXT: lm loss\nNESTED: [[a]]\nALIAS: &a [x]\nSAME: *a\n");
	const char *const *names;
	size_t count;

	assert_success(rg_yaml_file_list(file, "METRICS", &names, &count));
	assert_int_equal(count, 2);
	assert_string_equal(names[0], "lm loss");
	assert_string_equal(names[1], "num-zeros");
	assert_success(rg_yaml_file_list(file, "SAME", &names, &count));
	assert_int_equal(count, 1);
	assert_string_equal(names[0], "x");
	assert_success(rg_yaml_file_list(file, "EMPTY", &names, &count));
	assert_non_null(names);
	assert_int_equal(count, 0);
	assert_success(rg_yaml_file_list(file, "NONE", &names, &count));
	assert_null(names);
	assert_error(rg_yaml_file_list(file, "TEXT", &names, &count), RG_E_PARSE,
		     "its TEXT is not a list of names");
	assert_error(rg_yaml_file_list(file, "NESTED", &names, &count), RG_E_PARSE,
		     "its NESTED is not a list of names");
	rg_yaml_file_free(file);
}

TEST(limits)
{
	rg_yaml_file *file;
	int i;

	RG_AUTO(rg_buf) text = rg_buf_of((size_t)RG_YAML_BYTES_MAX * 2);
	rg_buf_str(&text, "a: ");
	for (i = 1; i < RG_YAML_DEPTH_MAX; i++)
		rg_buf_char(&text, '[');
	for (i = 1; i < RG_YAML_DEPTH_MAX; i++)
		rg_buf_char(&text, ']');
	assert_success(rg_yaml_file_parse(&file, text.data, text.length));
	rg_yaml_file_free(file);
	rg_buf_clear(&text);
	for (i = 0; i <= RG_YAML_DEPTH_MAX; i++)
		rg_buf_char(&text, '[');
	assert_error(rg_yaml_file_parse(&file, text.data, text.length), RG_E_LIMIT,
		     "is nested deeper than 64 levels");
	rg_buf_clear(&text);
	rg_buf_str(&text, "a: &a 1\n");
	for (i = 1; i < RG_YAML_ALIASES_MAX; i++)
		rg_buf_printf(&text, "k%d: *a\n", i);
	assert_success(rg_yaml_file_parse(&file, text.data, text.length));
	rg_yaml_file_free(file);
	rg_buf_str(&text, "more: *a\n");
	assert_error(rg_yaml_file_parse(&file, text.data, text.length), RG_E_LIMIT,
		     "has more than 1000 anchors and aliases");
	rg_buf_clear(&text);
	for (i = 0; i <= RG_YAML_BYTES_MAX; i++)
		rg_buf_char(&text, ' ');
	assert_error(rg_yaml_file_parse(&file, text.data, text.length), RG_E_LIMIT,
		     "is larger than 1048576 bytes");
}

TEST(broken)
{
	rg_yaml_file *file;

	assert_error(rg_yaml_file_parse(&file, "- a\n", 4), RG_E_PARSE, "is not a YAML mapping");
	assert_error(rg_yaml_file_parse(&file, "", 0), RG_E_PARSE, "is not a YAML mapping");
	assert_fails_with(rg_yaml_file_parse(&file, "a: [\nb", 6), RG_E_PARSE);
	assert_fails_with(rg_yaml_file_parse(&file, "a: *b\n", 6), RG_E_PARSE);
	assert_fails_with(rg_yaml_file_parse(&file, "a: \xff\n", 5), RG_E_PARSE);
	rg_yaml_file_free(NULL);
}
