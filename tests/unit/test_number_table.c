/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "by_step.h"
#include "format_reader.h"

#include "golden/records.h"
#include "golden/text.h"

static const char table_text[] = "# x energy\n"
				 "0.000e+00 -1.5\n"
				 "\n"
				 "# half way\n"
				 "  0.5\t-1.25D0  \r\n"
				 "nan 9007199254740993";

TEST(reads_savetxt)
{
	rg_golden *g = golden_of("out.dat", table_text);
	const rg_metric *m = metric_of(g, "energy");

	assert_string_equal(g->format, "number-table");
	assert_int_equal(g->count, 2);
	assert_int_equal(m->count, 3);
	assert_true(m->values[0] == -1.5 && m->values[1] == -1.25);
	assert_int_equal(m->digit_count, 1);
	assert_int_equal(m->digits[0].step, 2);
	assert_string_equal(m->digits[0].text, "9007199254740993");
	assert_true(value_at(g, "x", 1) == 0.5);
	rg_golden_free(g);
}

TEST(names)
{
	static const rg_table_rule rule = {.pattern = "*", .names = "a,b", .columns = "b"};
	rg_golden *g = golden_of("x.txt", "# one two three\n1.5\t2\n3.5\t4\n");

	assert_true(value_at(g, "c1", 1) == 3.5 && value_at(g, "c2", 0) == 2);
	rg_golden_free(g);
	assert_success(read_as(&g, "x.dat", "1 2\n", 4, &rule));
	assert_int_equal(g->count, 1);
	assert_true(value_at(g, "b", 0) == 2);
	rg_golden_free(g);
}

static void assert_format(const char *name, const char *text, const char *format)
{
	rg_golden *g = golden_of(name, text);

	assert_string_equal(g->format, format);
	rg_golden_free(g);
}

TEST(others_keep_theirs)
{
	static const rg_text_rule rule = {.pattern = "x.dat"};
	const rg_golden_options options = {.text_rules = &rule, .text_rule_count = 1};
	const rg_input in = {.name = "x.dat", .data = "1.5 2\n", .size = 6};
	rg_golden *g;

	assert_format("x.txt", "1 8.05\n2 7.5\n", "step-list");
	assert_format("x.dat", "1.5 2 eV\n", "text");
	assert_format("x.dat", "1.5\n2.5\n", "text");
	assert_format("x.dat", "1.5 2\n1.5\n", "text");
	assert_text("x.dat", "1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2 3\n",
		    "read as a text with numbers: not of format 'number-table': line 9: is not 2 "
		    "numbers");
	assert_success(rg_golden_read(&g, &in, &options));
	assert_string_equal(g->format, "text");
	rg_golden_free(g);
}

/* A section names the file: it is a table with a key and blanks between its cells. */
TEST(words)
{
	static const rg_table_rule rule = {.pattern = "*.dat"};
	const char *text = "# made so\n#\n# x  y\n1 2\n2 2\n3 2\n4 2\n5 2\n6 2\n7 2\n8 2\n9 N/A";
	rg_golden *g;

	assert_success(read_as(&g, "x.dat", text, strlen(text), &rule));
	assert_string_equal(g->format, "table");
	assert_int_equal(g->count, 1);
	const rg_metric *y = rg_golden_find(g, "y");
	assert_int_equal(y->count, 8);
	assert_string_equal(y->texts[0].text, "N/A");
	assert_string_equal(g->records->names[8], "9");
	rg_golden_free(g);
	assert_success(read_as(&g, "x.dat", "n v\n# r\n\ta 1 \n", 14, &rule));
	assert_string_equal(g->format, "table");
	assert_int_equal(rg_golden_find(g, "v")->count, 1);
	rg_golden_free(g);
	assert_success(read_as(&g, "x.dat", "a 1\nb 2\n", 8, &rule));
	assert_string_equal(g->records->names[0], "a");
	assert_string_equal(g->metrics[0].name, "c2");
	rg_golden_free(g);
	static const char *const others[] = {"n v\na 1 2\n", "n v\na\nb 1\n", "n v\na 1\nb 2\0\n"};
	for (size_t i = 0; i < 3; i++) {
		assert_success(
			read_as(&g, "x.dat", others[i], strlen(others[i]) + (i == 2), &rule));
		assert_string_not_equal(g->format, "table");
		rg_golden_free(g);
	}
}

TEST(hostile)
{
	assert_survives(
		&rg_format_number_table,
		(rg_input){.name = "x.dat", .data = table_text, .size = strlen(table_text)});
}
