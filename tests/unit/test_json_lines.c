/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "by_step.h"
#include "format_reader.h"

#include "base/buf.h"
#include "golden/records.h"

#include <stdlib.h>
#include <sys/resource.h>

static const char log_text[] = "{\"step\": 1, \"loss\": 8.05, \"phase\": \"train\"}\r\n"
			       "\n"
			       "{\"step\": 2, \"loss\": 7.5, \"phase\": \"train\"}\n"
			       "{\"step\": 2, \"eval_loss\": NaN, \"at\": {\"p\": [1, 2]}}\n"
			       "{\"final\": 3.5}";

/* Training and evaluation write objects of one step. */
TEST(steps)
{
	rg_golden *g = golden_of("log.jsonl", log_text);

	assert_string_equal(g->format, "json-lines");
	assert_true(value_at(g, "loss", 1) == 8.05 && value_at(g, "loss", 2) == 7.5);
	assert_int_equal(metric_of(g, "loss")->count, 2);
	assert_true(value_at(g, "eval_loss", 2) != value_at(g, "eval_loss", 2));
	assert_true(value_at(g, "at/p/1", 2) == 2);
	assert_true(value_at(g, "final", 2) == 3.5);
	assert_string_equal(text_at(g, "phase", 2), "train");
	assert_null(rg_golden_find(g, "step"));
	rg_golden_free(g);
}

/* detectron2 calls such a file metrics.json, and counts iterations; of a step that is written again
 * after a restart the last line counts. */
TEST(any_name)
{
	rg_golden *g = golden_of("metrics.json", "{\"iteration\": 19, \"loss\": 1}\n"
						 "{\"iteration\": 39, \"loss\": 2}\n"
						 "{\"iteration\": 19, \"loss\": \"oom\"}\n"
						 "{\"iteration\": 39, \"loss\": 3}\n");
	const rg_metric *m = metric_of(g, "loss");

	assert_int_equal(m->count, 1);
	assert_true(m->steps[0] == 39 && m->values[0] == 3);
	assert_int_equal(m->duplicate_keys, 2);
	assert_int_equal(m->duplicate_step, 19);
	assert_string_equal(text_at(g, "loss (texts)", 19), "oom");
	rg_golden_free(g);
}

TEST(records)
{
	static const char *const keys[] = {"id,task"};
	static const rg_table_rule rule = {.pattern = "*.jsonl", .keys = keys, .key_count = 1};
	static const char text[] = "{\"id\": 7, \"task\": \"qa\", \"step\": 1, \"score\": 0.5}\n";
	rg_golden *g = golden_of("a.jsonl", "{\"name\": \"qa\", \"score\": 0.5}\n");

	assert_int_equal(metric_of(g, "score")->count, 1);
	assert_non_null(g->records);
	rg_golden_free(g);
	assert_success(read_as(&g, "a.jsonl", text, strlen(text), &rule));
	assert_non_null(g->records);
	assert_non_null(rg_golden_find(g, "step"));
	rg_golden_free(g);
}

TEST(others)
{
	rg_error *err;
	rg_golden *g;

	assert_text("a.jsonl", "[1, 2]\n",
		    "read as a text with numbers: not of format 'json-lines': line 1: is not an "
		    "object");
	assert_text("a.jsonl", "{\"step\": 1, \"loss\": 2}\nsaved 1\n",
		    "read as a text with numbers: not of format 'json-lines': line 2: not JSON: "
		    "line 1, at 'saved 1'");
	assert_text("a.jsonl", "{\"step\": 1, \"a\": 1}\n{\"step\": 2.5, \"a\": 2}\n",
		    "read as a text with numbers: not of format 'json-lines': line 2: 'step' of "
		    "its object 1 is not a step");
	assert_text("a.jsonl", "{\"step\": 1, \"a\": 1, \"a\": 2}\n",
		    "read as a text with numbers: not of format 'json-lines': step 1 has two "
		    "values of 'a'");
	err = read_as(&g, "a.jsonl", "", 0, NULL);
	assert_error(err, RG_E_PARSE, "empty file");
}

/* Objects without a name or a step are records by the fields that tell them apart, or by position.
 */
TEST(nameless)
{
	rg_golden *g = golden_of("a.jsonl", "{\"a\": 1}\n{\"a\": 2}\n");

	assert_string_equal(g->record_key, "");
	assert_true(rg_golden_find(g, "a")->values[1] == 2);
	rg_golden_free(g);
	g = golden_of("a.jsonl", "{\"k\": \"x\", \"a\": 1}\n{\"k\": \"y\", \"a\": 2}\n");
	assert_string_equal(g->record_key, "k");
	rg_golden_free(g);
	/* A name that is there again after the objects that are looked at first. */
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (int i = 0; i < 80; i++)
		rg_buf_printf(&text, "{\"name\": \"r%d\", \"n\": \"x\", \"a\": %d}\n", i, i);
	rg_buf_str(&text, "{\"name\": \"r79\", \"n\": \"y\", \"a\": 5}\n");
	g = golden_of("a.jsonl", text.data);
	assert_string_equal(g->record_key, "name,n");
	assert_int_equal(g->records->count, 81);
	rg_golden_free(g);
}

TEST(hostile)
{
	assert_survives(&rg_format_json_lines,
			(rg_input){.name = "a.jsonl", .data = log_text, .size = strlen(log_text)});
}

/* Hugging Face's trainer_state.json, and a list of numbers. */
TEST(lists_in_json)
{
	rg_golden *g = golden_of("trainer_state.json",
				 "{\"best_metric\": null, \"global_step\": 20, \"log_history\": ["
				 "{\"epoch\": 0.5, \"step\": 10, \"loss\": 2.5},"
				 "{\"epoch\": 1.0, \"step\": 20, \"loss\": 2.25},"
				 "{\"epoch\": 1.0, \"step\": 20, \"eval_loss\": 2}]}");

	assert_string_equal(g->format, "json");
	assert_true(value_at(g, "log_history/loss", 20) == 2.25);
	assert_true(value_at(g, "log_history/eval_loss", 20) == 2);
	assert_true(value_at(g, "global_step", 0) == 20);
	assert_null(rg_golden_find(g, "log_history/step"));
	rg_golden_free(g);
	g = golden_of("a.json", "[1, 2.5, null, \"nan\"]");
	assert_int_equal(metric_of(g, "value")->count, 3);
	assert_true(value_at(g, "value", 1) == 2.5);
	rg_golden_free(g);
	g = golden_of("a.json", "[[1, 2], {\"b\": 3}, \"x\"]");
	assert_true(value_at(g, "0", 1) == 2 && value_at(g, "1/b", 0) == 3);
	assert_string_equal(metric_of(g, "2")->text, "x");
	rg_golden_free(g);
}

static const char *forgotten; /* up to here */

static void forget(const void *from, size_t size)
{
	forgotten = (const char *)from + size;
}

/* Records are read one by one, what was read is forgotten, and names that another golden has, too,
 * are not copied. */
static void assert_in_order(const char *name, const char *const pieces[5], const char *metric)
{
	rg_golden_options options = {.run_index = -1};
	rg_golden *first, *g;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&text, pieces[0]);
	for (int i = 0; i < 100000; i++)
		rg_buf_printf(&text, "%s%d%s%d%s", pieces[1], i, pieces[2], i, pieces[3]);
	text.length -= strlen(pieces[4]) ? 2 : 0;
	rg_buf_str(&text, pieces[4]);
	rg_input in = {.name = name, .data = text.data, .size = text.length, .forget = forget};
	forgotten = text.data;
	assert_success(rg_golden_read(&first, &in, NULL));
	assert_int_equal(first->records->count, 100000);
	const rg_metric *values = metric_of(first, metric);
	assert_int_equal(values->count, 100000);
	rg_metric_forget(values);
	for (size_t i = 0; i < 100000; i++)
		assert_true(values->values[i] == (double)i);
	assert_true(forgotten > text.data + text.length / 2 && forgotten < text.data + text.length);
	options.like = first->records;
	assert_success(rg_golden_read(&g, &in, &options));
	assert_ptr_equal(g->records->names, first->records->names);
	rg_golden_free(g);
	strstr(text.data, "_99999")[1] = 'x';
	assert_success(rg_golden_read(&g, &in, &options));
	assert_ptr_equal(g->records->names[7], first->records->names[7]);
	assert_string_equal(g->records->names[99999], "record_x9999");
	rg_golden_free(g);
	rg_golden_free(first);
}

TEST(large_lists)
{
	static const char *const json[] = {"[", "{\"name\": \"record_",
					   "\", \"a\\\"}\": ", ", \"b\": {\"c\": []}},\n",
					   "\n] \n"};
	static const char *const csv[] = {"name,value,more\n", "record_", ",",
					  ",2.5000000000000000\n", ""};

	assert_in_order("a.json", json, "a\"}");
	assert_in_order("a.csv", csv, "value");
	/* Without a folder to put values in, or leave to, they stay in memory. */
	struct rlimit limit, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = (struct rlimit){4096, limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_in_order("a.csv", csv, "value");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(setenv("TMPDIR", "/nonexistent", 1), 0);
	assert_in_order("a.csv", csv, "value");
}

static void assert_json_error(const char *text, const char *message)
{
	rg_golden *g;

	assert_error(read_as(&g, "a.json", text, strlen(text), NULL), RG_E_PARSE, message);
}

/* What is broken is said as of any other JSON. */
TEST(broken_lists)
{
	rg_golden *g;

	assert_json_error("[{\"name\": \"a\"},\n]", "not JSON: line 2, at ']'");
	assert_json_error("[{\"name\": \"a\"}\n", "not JSON: it ends too early, in line 2");
	assert_json_error("[{\"name\": \"a\"},\n{\"name\": 1 2}]", "not JSON: line 2, at '2}]'");
	assert_json_error("[{\"name\": \"a\"}] x", "not JSON: line 1, at ' x'");
	g = golden_of("a.json", "[{\"b\": 2}, 3]");
	assert_true(value_at(g, "0/b", 0) == 2 && value_at(g, "1", 0) == 3);
	rg_golden_free(g);
	assert_survives(&rg_format_json,
			(rg_input){.name = "a.json",
				   .data = "[{\"step\": 1, \"a\": \"\\\"}\"}, {\"b\": [{}]}]",
				   .size = 38});
}
