/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/csv_reader.h"
#include "golden/golden.h"
#include "golden/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rg_golden_options options_of(const rg_table_rule *rule)
{
	return (rg_golden_options){
		.run_index = -1, .table_rules = rule, .table_rule_count = rule ? 1 : 0};
}

/* Reads a text by the registry, as everybody does. */
static rg_error *read_text(rg_golden **out, const char *name, const char *text,
			   const rg_table_rule *rule)
{
	const rg_golden_options options = options_of(rule);
	const rg_input in = {.name = name, .data = text, .size = strlen(text)};

	return rg_golden_read(out, &in, &options);
}

static rg_golden *table_of(const char *name, const char *text, const rg_table_rule *rule)
{
	rg_golden *golden;

	assert_success(read_text(&golden, name, text, rule));
	return golden;
}

static void assert_refused(const char *name, const char *text, const rg_table_rule *rule,
			   const char *message)
{
	rg_golden *golden;

	assert_error(read_text(&golden, name, text, rule), RG_E_PARSE, message);
}

static void assert_value(const rg_golden *golden, const char *metric, const char *record,
			 double value)
{
	const rg_metric *m = rg_golden_find(golden, metric);
	size_t place, i;

	assert_non_null(m);
	assert_true(rg_records_find(m->records, record, &place));
	for (i = 0; i < m->count; i++)
		if (rg_metric_step(m, i) == (int64_t)place) {
			assert_true(m->values[i] == value);
			return;
		}
	fail_msg("%s has no %s", record, metric);
}

/* PyTorch puts three blank lines between records. */
TEST(columns_are_metrics)
{
	rg_golden *g = table_of(
		"x.csv", "name,accuracy,graph_breaks\n\n\n\nb, pass ,3\r\n\n\n\na,fail,0.5\n",
		NULL);
	const rg_metric *m;

	assert_int_equal(g->count, 2);
	assert_string_equal(g->format, "table");
	assert_int_equal(g->records->count, 2);
	assert_string_equal(g->records->names[0], "b");
	assert_string_equal(g->records->names[1], "a");
	m = rg_golden_find(g, "accuracy");
	assert_int_equal(m->kind, RG_METRIC_TEXTS);
	assert_string_equal(m->texts[0].text, "pass");
	assert_value(g, "graph_breaks", "b", 3);
	assert_value(g, "graph_breaks", "a", 0.5);
	rg_golden_free(g);
}

/* VTR: tabs, blanks in front of names, a key of several columns, a mark of -1 among texts. */
TEST(tabs_and_keys)
{
	const char *const keys[] = {"arch, circuit, noc_flow", "arch, circuit"};
	const rg_table_rule rule = {.pattern = "golden_results.txt", .keys = keys, .key_count = 2};
	rg_golden *g = table_of("config/golden_results.txt",
				" arch\t  circuit\t  mem\t  time\t\nk6\ta,b\t-1\t2\t\nk6\t\"c\t9.5 "
				"MiB\t 3 \t\n",
				&rule);
	const rg_metric *m = rg_golden_find(g, "mem");

	assert_int_equal(g->count, 2);
	assert_string_equal(g->records->names[0], "k6,\"a,b\"");
	assert_string_equal(g->records->names[1], "k6,\"\"\"c\"");
	assert_value(g, "time", "k6,\"\"\"c\"", 3);
	assert_int_equal(m->kind, RG_METRIC_SERIES);
	assert_int_equal(m->count, 2);
	assert_true(m->values[1] == 9.5);
	assert_null(m->unit);
	assert_int_equal(m->unit_count, 1);
	assert_int_equal(m->units[0].step, 1);
	assert_string_equal(m->units[0].text, "MiB");
	assert_int_equal(m->text_count, 0);
	rg_golden_free(g);
}

/* The first key whose columns are all there: five of VTR's tables have another column. */
TEST(first_key_that_fits)
{
	const char *const keys[] = {"arch,noc_flow", "arch"};
	const rg_table_rule rule = {.pattern = "*.tsv", .keys = keys, .key_count = 2};
	rg_golden *g = table_of("x.tsv", "arch\tnoc_flow\tv\nk\tn\t1\n", &rule);

	assert_string_equal(g->records->names[0], "k,n");
	rg_golden_free(g);
	assert_refused("x.tsv", "circuit\tv\nk\t1\n", &rule,
		       "has no columns 'arch', which [table \"*.tsv\"] has as its key");
}

/* PyTorch's expected_results.csv: no header, a metric a line, each with its own tolerance. */
TEST(long_tables)
{
	const char *const keys[] = {"name"};
	const rg_table_rule rule = {.pattern = "expected_results.csv",
				    .keys = keys,
				    .key_count = 1,
				    .header = RG_HEADER_NO,
				    .names = "name,metric,value,noise",
				    .metric = "metric",
				    .value = "value",
				    .tolerance = "noise"};
	rg_golden *g = table_of("expected_results.csv",
				"add,instructions,3066000000,0.015\n\nsum,instructions,5,0.1\n\n"
				"add,seconds,2,\n",
				&rule);
	const rg_metric *m = rg_golden_find(g, "instructions");

	assert_int_equal(g->count, 2);
	assert_int_equal(g->records->count, 2);
	assert_value(g, "instructions", "add", 3066000000.0);
	assert_value(g, "seconds", "add", 2);
	assert_true(m->tolerances[0] == 0.015 && m->tolerances[1] == 0.1);
	m = rg_golden_find(g, "seconds");
	assert_true(!m->tolerances || isnan(m->tolerances[0]));
	rg_golden_free(g);
	assert_refused("expected_results.csv", "add,m,1,0.1\nadd,m,2,0.1\n", &rule,
		       "record 'add' has two values of 'm'");
	assert_refused("expected_results.csv", "add,m,1,wide\n", &rule,
		       "line 1: 'wide' is not a tolerance");
	assert_refused("expected_results.csv", "add,m,,0.1\n", &rule,
		       "line 1: a record without a value");
}

TEST(chosen_columns)
{
	const rg_table_rule rule = {.pattern = "*.csv", .columns = "time , mem"};
	rg_golden *g = table_of("x.csv", "name,time,host,mem\na,1,box,2\n", &rule);

	assert_int_equal(g->count, 2);
	assert_non_null(rg_golden_find(g, "mem"));
	assert_non_null(rg_golden_find(g, "time"));
	rg_golden_free(g);
}

/* Never a wrong number: what is not one stays a text. */
TEST(what_is_no_number)
{
	rg_golden *g = table_of("x.csv", "name,v\na,1_000\nb,0x10\nc,1e3\nd,nan\n", NULL);
	const rg_metric *m = rg_golden_find(g, "v");

	assert_int_equal(m->count, 2);
	assert_true(m->values[0] == 1000 && isnan(m->values[1]));
	assert_int_equal(m->text_count, 2);
	assert_string_equal(m->texts[0].text, "1_000");
	assert_string_equal(m->texts[1].text, "0x10");
	rg_golden_free(g);
}

TEST(damaged_tables)
{
	const char *const keys[] = {"a"};
	const rg_table_rule rule = {.pattern = "*.csv", .keys = keys, .key_count = 1};
	static const char nul[] = "a,b\nx,1\0002\n";
	const rg_input in = {.name = "x.csv", .data = nul, .size = sizeof(nul) - 1};
	rg_golden *golden;

	assert_refused("x.csv", "a,b\n\nx,1\ny,2,\n", NULL, "line 4: 3 cells under 2 columns");
	assert_refused("x.csv", "a,b\nx,1,2\n", NULL, "line 2: 3 cells under 2 columns");
	assert_refused("x.csv", "a,b\nx,\"1\n", NULL, "csv: record 2: a quote does not close");
	assert_refused("x.csv", "a,b,b\nx,1,2\n", NULL, "two columns are both 'b'");
	assert_refused("x.csv", "a,b\nx,1\nx,2\n", &rule, "two records are both 'x'");
	assert_refused("x.csv", "a,b\n,1\n", &rule,
		       "line 2: a record without a key: nothing is under 'a'");
	assert_refused("x.csv",
		       "\xff\xfe"
		       "a,b",
		       NULL, "a table in UTF-16; save it as UTF-8");
	assert_refused("x.csv", "\n\n", NULL, "a table without a line");
	assert_error(rg_golden_read(&golden, &in, NULL), RG_E_PARSE,
		     "csv: record 2: a NUL in a cell");
}

TEST(long_lines_are_refused)
{
	size_t size = RG_CSV_RECORD_MAX + 8;
	char *text = malloc(size);
	const rg_input in = {.name = "x.csv", .data = text, .size = size};
	rg_golden *golden;

	assert_non_null(text);
	memset(text, 'x', size);
	assert_error(rg_golden_read(&golden, &in, NULL), RG_E_LIMIT,
		     "csv: record 1: more than 16777216 bytes");
	free(text);
}

/* torchtitan's losses. */
TEST(step_lists)
{
	const rg_table_rule rule = {.pattern = "losses/*.txt", .value = "lm loss"};
	rg_golden *g = table_of("losses/a.txt", "1 8.25\n\n3\t 7.5 \r\n", NULL);
	const rg_metric *m = rg_golden_find(g, "value");

	assert_string_equal(g->format, "step-list");
	assert_int_equal(m->count, 2);
	assert_int_equal(m->steps[1], 3);
	assert_true(m->values[1] == 7.5);
	rg_golden_free(g);
	g = table_of("tests/losses/a.txt", "1 8.25\n", &rule);
	assert_non_null(rg_golden_find(g, "lm loss"));
	rg_golden_free(g);
	assert_refused("a.txt", "1 8.25\n2 1_000\n", NULL,
		       "line 2: '2 1_000' is not a step and its value");
	assert_refused("a.txt", "1 8.25\n1 8.5\n", NULL, "step 1 has two values");
}

/* torchtitan's, since they have a norm, too. */
TEST(step_lists_with_columns)
{
	static const char list[] = "# config: llama3\n# ngpu: 8\n# step loss grad_norm\n"
				   "1 8.25 1.5\n# step x\n2\t8.5  3e+17 \r\n";
	const rg_table_rule rule = {.pattern = "*.txt", .value = "lm loss"};
	rg_golden *g = table_of("a.txt", list, NULL);
	const rg_metric *m = rg_golden_find(g, "grad_norm");

	assert_string_equal(g->format, "step-list");
	assert_int_equal(m->count, 2);
	assert_int_equal(m->steps[1], 2);
	assert_true(m->values[1] == 3e17);
	m = rg_golden_find(g, "loss");
	assert_true(m->values[0] == 8.25 && m->values[1] == 8.5);
	rg_golden_free(g);
	g = table_of("a.txt", "# only losses\n# steps\n1 8.25\n", &rule);
	assert_true(rg_golden_find(g, "lm loss")->values[0] == 8.25);
	rg_golden_free(g);
	assert_refused("a.txt", "# step loss grad_norm\n1 8.25 1\n2 8.5\n", NULL,
		       "line 3: '2 8.5' is not a step and its values");
	assert_refused("a.txt", "# step loss\n1 8.25\n2 8.5 1\n", NULL,
		       "line 3: '2 8.5 1' is not a step and its value");
	assert_refused("a.txt", "# step loss loss\n1 8.25 1\n", NULL,
		       "two columns are called 'loss'");
	assert_refused("a.txt", "# step a b\n1 1 1\n2 1 1_0\n", NULL,
		       "line 3: '2 1 1_0' is not a step and its values");
	assert_refused("a.txt", "# step a b\n1 1 1\n1 1 1\n", NULL, "step 1 has two values");
}

/* A file that could be anything is a golden where it is named, not wherever it is found. */
TEST(is_not_recognised)
{
	const rg_input csv = {.name = "x.csv", .data = "a,b\n", .size = 4};
	const rg_input list = {.name = "x.txt", .data = "1 2\n", .size = 4};

	assert_false(rg_golden_recognised(&csv, false));
	assert_false(rg_golden_recognised(&list, false));
}
