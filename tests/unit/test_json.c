/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of Megatron-LM's goldens: series, inference results, and input that is neither. */

#include "unit.h"

#include "base/buf.h"
#include "golden/golden.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_error *read_bytes(rg_golden **out, const char *bytes, size_t size)
{
	rg_input in = {.name = "golden_values_dev.json", .data = bytes, .size = size};

	return rg_golden_read(out, &in, NULL);
}

static rg_golden *read_text(const char *text)
{
	rg_golden *golden;
	rg_error *err = read_bytes(&golden, text, strlen(text));

	if (err)
		fail_msg("%s", rg_error_message(err));
	return golden;
}

static void expect_error(const char *text, const char *message)
{
	rg_golden *golden;
	rg_error *err = read_bytes(&golden, text, strlen(text));

	assert_non_null(err);
	assert_null(golden);
	assert_string_equal(rg_error_message(err), message);
	assert_int_equal(rg_error_get_code(err), RG_E_PARSE);
	rg_error_free(err);
}

static void expect_opaque(const char *text, const char *why)
{
	rg_golden *golden = read_text(text);

	assert_true(rg_golden_is_opaque(golden));
	assert_string_equal(golden->why_opaque, why);
	rg_golden_free(golden);
}

static const rg_metric *find(const rg_golden *golden, const char *name)
{
	const rg_metric *metric = rg_golden_find(golden, name);

	if (!metric)
		fail_msg("no metric '%s'", name);
	return metric;
}

static void expect_series(const rg_metric *metric, size_t count, const int64_t *steps,
			  const double *values)
{
	size_t i;

	assert_int_equal(metric->kind, RG_METRIC_SERIES);
	assert_int_equal(metric->count, count);
	for (i = 0; i < count; i++) {
		assert_int_equal(metric->steps[i], steps[i]);
		if (isnan(values[i]))
			assert_true(isnan(metric->values[i]));
		else
			assert_true(metric->values[i] == values[i]);
	}
}

TEST(block)
{
	rg_golden *golden = read_text(
		"{\"lm loss\": {\"start_step\": 1, \"end_step\": 3, \"step_interval\": 1,"
		" \"values\": {\"1\": 10.5, \"2\": -2, \"3\": 1e-3}}, \"a\": {\"values\": {}}}");
	const rg_metric *loss = find(golden, "lm loss");

	assert_string_equal(golden->format, "json");
	assert_int_equal(golden->count, 2);
	assert_string_equal(golden->metrics[0].name, "a");
	assert_int_equal(golden->metrics[0].count, 0);
	assert_int_equal(golden->metrics[0].step_interval, 0);
	expect_series(loss, 3, (int64_t[]){1, 2, 3}, (double[]){10.5, -2, 1e-3});
	assert_int_equal(loss->start_step, 1);
	assert_int_equal(loss->end_step, 3);
	assert_int_equal(loss->step_interval, 1);
	assert_null(rg_golden_find(golden, "lm"));
	rg_golden_free(golden);
}

TEST(order_and_duplicates)
{
	rg_golden *golden = read_text(
		"{\"m\": {\"values\": {\"1\": 0}}, \"m\": {\"values\": {\"9\": 9},"
		" \"values\": {\"10\": 1, \"9\": 2, \"-1\": 3, \"9\": 4, \"09\": 5, \"7\": 1,"
		" \"7\": null, \"x\": 1, \"1.0\": 1}}}");
	const rg_metric *m = find(golden, "m");

	assert_int_equal(golden->count, 1);
	assert_int_equal(golden->duplicate_keys, 2); /* m, m/values */
	assert_string_equal(golden->duplicate_key, "m");
	expect_series(m, 3, (int64_t[]){-1, 9, 10}, (double[]){3, 5, 1});
	assert_int_equal(m->duplicate_keys, 3); /* 9 twice more, 7 once more */
	assert_int_equal(m->duplicate_step, 7);
	assert_int_equal(m->invalid_values, 3); /* 7's null, "x", "1.0" */
	assert_true(m->has_invalid_step);
	assert_int_equal(m->invalid_step, 7);
	assert_int_equal(m->no_step_keys, 2); /* "x", "1.0" */
	rg_golden_free(golden);
}

TEST(strange_values)
{
	rg_golden *golden = read_text(
		"{\"m\": {\"values\": {\"1\": \"nan\", \"2\": NaN, \"3\": -Infinity,"
		" \"4\": Infinity, \"5\": \"1.5\", \"6\": true, \"7\": false, \"8\": null,"
		" \"9\": {}, \"10\": \"abc\", \"11\": [1], \"12\": \"\", \"13\": \"inf\"}}}");
	const rg_metric *m = find(golden, "m");

	expect_series(m, 8, (int64_t[]){1, 2, 3, 4, 5, 6, 7, 13},
		      (double[]){NAN, NAN, -INFINITY, INFINITY, 1.5, 1, 0, INFINITY});
	assert_int_equal(m->invalid_values, 5);
	rg_golden_free(golden);
}

TEST(lists)
{
	rg_golden *golden = read_text(
		"{\"old\": {\"start_step\": 5, \"step_interval\": 10, \"values\": [1, null, NaN]},"
		" \"bare\": {\"values\": [7, 8]}, \"down\": {\"step_interval\": -1, \"values\": "
		"[1, 2]},"
		" \"throughput\": [107.5, \"2\"], \"scalar\": 0.25, \"none\": null, \"e\": []}");

	expect_series(find(golden, "old"), 2, (int64_t[]){5, 25}, (double[]){1, NAN});
	expect_series(find(golden, "bare"), 2, (int64_t[]){0, 1}, (double[]){7, 8});
	expect_series(find(golden, "down"), 2, (int64_t[]){-1, 0}, (double[]){2, 1});
	expect_series(find(golden, "throughput"), 2, (int64_t[]){0, 1}, (double[]){107.5, 2});
	expect_series(find(golden, "scalar"), 1, (int64_t[]){0}, (double[]){0.25});
	expect_series(find(golden, "e"), 0, NULL, NULL);
	assert_null(rg_golden_find(golden, "none"));
	rg_golden_free(golden);
}

/* The steps that a block says count where it says all three, whichever reader it is for. */
TEST(incomplete_steps)
{
	static const char *const fields[] = {
		"\"start_step\": 3",
		"\"step_interval\": 2",
		"\"start_step\": 3, \"end_step\": 5",
		"\"end_step\": 5, \"step_interval\": 2",
		"\"start_step\": 3, \"step_interval\": 2",
	};
	size_t i;

	for (i = 0; i < 2 * sizeof(fields) / sizeof(fields[0]); i++) {
		char text[128];
		rg_golden *golden;

		snprintf(text, sizeof(text), "{\"m\": {%s, %s\"values\": {\"3\": 1, \"5\": 1}}}",
			 fields[i / 2], i % 2 ? "\"more\": 1, " : "");
		golden = read_text(text);
		assert_int_equal(golden->metrics[0].start_step, 0);
		assert_int_equal(golden->metrics[0].end_step, 0);
		assert_int_equal(golden->metrics[0].step_interval, 0);
		rg_golden_free(golden);
	}
}

TEST(inference)
{
	rg_golden *golden = read_text(
		"{\"0\": {\"input_prompt\": \"a\\u00e9\", \"generated_tokens\": [3, -4],"
		" \"latency\": NaN, \"logprobs\": [-1.5, -2], \"counts\": {\"8\": 2, \"4\": 1},"
		" \"cuda_graph_request_count_map\": null, \"text\": \"nan\", \"prompt_tokens\": "
		"[1.5],"
		" \"nested\": [[1, 2], \"x\"]}}");
	const rg_metric *text = find(golden, "0/input_prompt");
	const rg_metric *tokens = find(golden, "0/generated_tokens");

	assert_int_equal(text->kind, RG_METRIC_TEXT);
	assert_string_equal(text->text, "a\xc3\xa9");
	assert_int_equal(text->count, 3);
	assert_int_equal(tokens->kind, RG_METRIC_TOKENS);
	assert_int_equal(tokens->count, 2);
	assert_int_equal(tokens->tokens[1], -4);
	expect_series(find(golden, "0/latency"), 1, (int64_t[]){0}, (double[]){NAN});
	expect_series(find(golden, "0/logprobs"), 2, (int64_t[]){0, 1}, (double[]){-1.5, -2});
	expect_series(find(golden, "0/counts/4"), 1, (int64_t[]){0}, (double[]){1});
	expect_series(find(golden, "0/counts/8"), 1, (int64_t[]){0}, (double[]){2});
	expect_series(find(golden, "0/prompt_tokens"), 1, (int64_t[]){0}, (double[]){1.5});
	expect_series(find(golden, "0/nested/0"), 2, (int64_t[]){0, 1}, (double[]){1, 2});
	assert_int_equal(find(golden, "0/nested/1")->kind, RG_METRIC_TEXT);
	assert_int_equal(find(golden, "0/text")->kind, RG_METRIC_TEXT);
	assert_int_equal(golden->count, 10);
	rg_golden_free(golden);
}

TEST(hostile_names)
{
	rg_golden *golden = read_text("{\"a|b\": 1, \"\\\"x\\\"\": 2, \"a\\nb\": 3, \"\": 4,"
				      " \"NaN\": {\"values\": {\"1\": \"NaN\"}}}");

	find(golden, "a|b");
	find(golden, "\"x\"");
	find(golden, "a\nb");
	find(golden, "");
	expect_series(find(golden, "NaN"), 1, (int64_t[]){1}, (double[]){NAN});
	rg_golden_free(golden);
	expect_error("{\"0\": {\"x\": 1}, \"0/x\": 2}", "two things in it are both named '0/x'");
}

TEST(no_golden)
{
	static const char nul[] = "{\"a\": \0 1}";
	rg_golden *golden;
	rg_error *err;

	expect_error("", "empty file");
	expect_error("  \n", "not JSON: it ends too early, in line 2");
	expect_opaque("\"a text\"",
		      "not of format 'json': holds a string, not an object of metrics");
	expect_opaque("[]", "not of format 'json': holds a list, not an object of metrics");
	expect_opaque("null", "not of format 'json': holds null, not an object of metrics");
	expect_error("{\"a\": 1,\n}", "not JSON: line 2, at '}'");
	expect_error("{\"a\": 1} x", "not JSON: line 1, at ' x'");
	expect_error("{\"a\": {\"values\": {\"1\": 1.5", "not JSON: it ends too early, in line 1");
	expect_error("{NaN: 1}", "not JSON: line 1, at 'aN: 1}'");
	expect_error("{\"a\": NaNs}", "not JSON: line 1, at 's}'");
	expect_error("{\"a\\u0000b\": 1}", "a string has a NUL in it (byte 3)");
	expect_error("{\"a\": \"\\u0001NaN\", \"b\": NaN}",
		     "bare NaN beside a string with the control character 0x01");
	expect_error("{\"a\xff\": 1}", "not UTF-8: byte 3 is 0xff");
	expect_error("version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
		     "a Git LFS pointer, not the file itself; 'git lfs pull' fetches it");
	err = read_bytes(&golden, nul, sizeof(nul) - 1);
	assert_non_null(err);
	assert_string_equal(rg_error_message(err), "byte 6 is a NUL");
	rg_error_free(err);
	golden = read_text("{}");
	assert_int_equal(golden->count, 0);
	assert_null(rg_golden_find(golden, "a"));
	rg_golden_free(golden);
	rg_golden_free(NULL);
}

static char *nested(size_t depth)
{
	static const char start[] = "{\"a\": ";
	size_t length = sizeof(start) - 1;
	char *text = calloc(1, length + 2 * depth + 2);

	assert_non_null(text);
	memcpy(text, start, length);
	memset(text + length, '[', depth);
	memset(text + length + depth, ']', depth);
	text[length + 2 * depth] = '}';
	return text;
}

TEST(depth)
{
	char *deep = nested(255), *deeper = nested(256), *hostile = nested(1000000);

	rg_golden_free(read_text(deep));
	expect_error(deeper, "nested deeper than 256 (byte 261)");
	expect_error(hostile, "nested deeper than 256 (byte 261)");
	free(deep);
	free(deeper);
	free(hostile);
}

/* A long name over many small fields would make names of far more bytes than the file has. */
TEST(names_are_bounded)
{
	enum { NAME = 60000, FIELDS = 400 };
	char name[NAME + 1];
	rg_golden *golden;
	rg_error *err;
	size_t i;

	memset(name, 'n', NAME);
	name[NAME] = '\0';
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_buf_printf(&text, "{\"%s\": {", name);
	for (i = 0; i < FIELDS; i++)
		rg_buf_printf(&text, "%s\"f%zu\": 1", i ? ", " : "", i);
	rg_buf_str(&text, "}}");
	err = read_bytes(&golden, text.data, text.length);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_LIMIT);
	assert_string_equal(rg_error_message(err), "the names of its metrics are too long");
	rg_error_free(err);
}

/* A file is read as JSON for its name or for its bytes; where only the bytes spoke for it, one that
 * is not JSON after all is opaque. */
TEST(bids)
{
	const struct {
		const char *name, *data, *format;
	} files[] = {
		{"a.json", " {}", "json"}, {"a.json", "x", NULL},   {"a", "\xef\xbb\xbf{}", "json"},
		{"a", "{x", "opaque"},     {"a.json", "{x", NULL},  {"a.txt", "x", "opaque"},
		{"a.json", "[", NULL},     {"a.json", "7", "text"},
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		const rg_input in = {.name = files[i].name,
				     .data = files[i].data,
				     .size = strlen(files[i].data)};
		rg_golden *golden;
		rg_error *err = rg_golden_read(&golden, &in, NULL);

		if (files[i].format) {
			assert_null(err);
			assert_string_equal(golden->format, files[i].format);
			rg_golden_free(golden);
		} else {
			assert_int_equal(rg_error_get_code(err), RG_E_PARSE);
			rg_error_free(err);
		}
	}
}

TEST(metric_read)
{
	rg_golden *golden = read_text("{\"a\": [1, 2, 3], \"t\": \"x\"}");
	double values[3] = {0};
	rg_error *err;

	assert_null(rg_metric_read(find(golden, "a"), 1, 2, values));
	assert_true(values[0] == 2 && values[1] == 3);
	assert_null(rg_metric_read(find(golden, "a"), 3, 0, values));
	err = rg_metric_read(find(golden, "a"), 2, 2, values);
	assert_non_null(err);
	rg_error_free(err);
	err = rg_metric_read(find(golden, "t"), 0, 1, values);
	assert_non_null(err);
	rg_error_free(err);
	rg_golden_free(golden);
}
