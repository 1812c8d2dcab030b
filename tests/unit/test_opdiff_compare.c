/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/buf.h"
#include "compare/executorch/opdiff_compare.h"

#include <math.h>
#include <string.h>

TEST(buckets)
{
	static const struct {
		double value;
		size_t bucket;
	} cases[] = {{0, 0},      {5e-324, 1}, {1e-6, 1},     {1.0000001e-6, 2}, {1e-4, 2},
		     {1.1e-4, 3}, {1e-2, 3},   {0.011, 4},    {0.1, 4},          {0.11, 5},
		     {1, 5},      {1.01, 6},   {INFINITY, 6}, {NAN, 8}};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rg_opdiff_bucket(cases[i].value), cases[i].bucket);
}

#define META                                                                                    \
	"{\"type\": \"meta\", \"meta\": {\"format_name\": \"opdiff_run\", \"format_version\": " \
	"1}}\n"
#define ITEM(ID, BASE, BACKEND, STATUS, MS)                                                       \
	"{\"type\": \"item\", \"id\": \"" ID "\", \"baseline\": {\"backend\": \"t\", \"status\":" \
	" \"OK\", \"ms\": " BASE "}, \"backends\": [{\"backend\": \"" BACKEND "\", \"res\": "     \
	"[{\"status\": \"" STATUS "\", \"ms\": " MS "}]}]}\n"

TEST(times_and_statuses)
{
	static const char old_text[] = META ITEM("a", "1", "x", "OK", "2")
		ITEM("b", "1", "x", "OK", "8") ITEM("c", "1", "x", "ERROR", "null")
			ITEM("d", "0", "x", "OK", "1") ITEM("f", "1", "x", "TIMED_ERROR", "3");
	static const char new_text[] = META ITEM("a", "2", "x", "SKIPPED", "null")
		ITEM("b", "1", "x", "OK", "4") ITEM("c", "1", "x", "OK", "0.5")
			ITEM("e", "1", "y", "OK", "1") ITEM("f", "1", "x", "TIMED_ERROR", "3");
	rg_opdiff_run old, fresh;
	const rg_opdiff_column *column;
	rg_opdiff_comparison c;

	assert_success(rg_opdiff_read(&old, old_text, strlen(old_text), -1));
	assert_success(rg_opdiff_read(&fresh, new_text, strlen(new_text), -1));
	rg_opdiff_compare(&c, &old, &fresh, NULL, NULL);
	assert_int_equal(c.column_count, 5);
	assert_string_equal(c.columns[0].backend, "t");
	assert_true(c.columns[0].is_baseline);
	assert_int_equal(c.columns[0].statuses[RG_OPDIFF_OK].n, 5);
	assert_int_equal(c.columns[0].targets, 0);
	assert_true(c.columns[0].to_baseline.median == 1);
	column = &c.columns[2];
	assert_string_equal(column->backend, "x");
	assert_false(column->new_side);
	assert_true(c.columns[3].new_side);
	assert_string_equal(c.columns[4].backend, "y");
	/* 2 and 8; a baseline of no time has no ratio, and neither has what did not succeed. */
	assert_int_equal(column->to_baseline.count, 2);
	assert_true(fabs(column->to_baseline.geometric_mean - 4) < 1e-12);
	assert_true(column->to_baseline.median == 5);
	assert_true(column->to_baseline.p90 == 8); /* the nearest rank */
	assert_true(column->to_baseline.quantiles[0] == 2);
	assert_true(column->to_baseline.faster == 0);
	assert_true(c.columns[3].to_baseline.faster == 50);
	assert_int_equal(column->statuses[RG_OPDIFF_ERROR].n, 1);
	assert_int_equal(column->targets, 5);
	assert_int_equal(column->figures[RG_OPDIFF_MAX_ABS].buckets[8].n, 5);
	assert_int_equal(c.change_count, 2);
	assert_int_equal(c.worse, 1);
	assert_int_equal(c.better, 1);
	assert_string_equal(c.changes[0].id, "a");
	assert_int_equal(c.changes[0].fresh, RG_OPDIFF_SKIPPED);
	/* d and e, of their backend and of the baseline. */
	assert_int_equal(c.old_only, 2);
	assert_int_equal(c.new_only, 2);
	/* b; two times of the baseline say nothing of a backend. */
	assert_int_equal(c.new_to_old.count, 1);
	assert_true(c.new_to_old.median == 0.5);
	rg_opdiff_comparison_release(&c);
	/* One backend against another. */
	rg_opdiff_compare(&c, &fresh, &fresh, "x", "y");
	assert_int_equal(c.column_count, 2);
	assert_int_equal(c.old_only, 4);
	assert_int_equal(c.new_only, 1);
	assert_true(isnan(c.new_to_old.median));
	rg_opdiff_comparison_release(&c);
	rg_opdiff_run_release(&fresh);
	rg_opdiff_run_release(&old);
}

#define DIFFERENT(ID, BACKEND, STATUS, ERR, DIFF)                                                \
	"{\"type\": \"item\", \"id\": \"" ID "\", \"backends\": [{\"backend\": \"" BACKEND "\"," \
	" \"res\": [{\"status\": \"" STATUS "\", \"err\": " ERR "}], \"diff_all\": " DIFF "}]}\n"
#define OK(MAX)      "{\"ok\": true, \"mse\": 0, \"max_abs\": " MAX "}"
#define NOT_OK(CODE) "{\"ok\": false, \"code\": \"" CODE "\"}"

/* Each operator is in one bucket: by its median, for a code, or for nothing. */
TEST(differences)
{
	static const char text[] = META DIFFERENT("a", "x", "OK", "null", "[" OK("0.5") "]")
		DIFFERENT("b", "x", "OK", "null", "[" OK("0") ", " NOT_OK("NAN_IN_OUTPUT") "]")
			DIFFERENT("c", "x", "OK", "null", "[]")
				DIFFERENT("d", "x", "OK", "null", "[" NOT_OK("NEW") "]")
					DIFFERENT("e", "x", "OK", "null", "[" OK("0") "]");
	rg_opdiff_comparison c;
	rg_opdiff_run run;

	assert_success(rg_opdiff_read(&run, text, strlen(text), -1));
	rg_opdiff_compare(&c, NULL, &run, NULL, NULL);
	assert_true(c.alone);
	assert_int_equal(c.column_count, 1);
	assert_int_equal(c.columns[0].figures[RG_OPDIFF_MAX_ABS].buckets[0].n, 1);
	assert_int_equal(c.columns[0].figures[RG_OPDIFF_MAX_ABS].buckets[5].n, 1);
	assert_int_equal(c.columns[0].figures[RG_OPDIFF_MAX_ABS].buckets[7].n, 2);
	assert_int_equal(c.columns[0].figures[RG_OPDIFF_MAX_ABS].buckets[8].n, 1);
	/* A figure that is not there is missing where another one is. */
	assert_int_equal(c.columns[0].figures[RG_OPDIFF_MEAN_ABS].buckets[8].n, 3);
	assert_int_equal(c.columns[0].codes[RG_OPDIFF_NAN_OUTPUT].n, 1);
	assert_int_equal(c.columns[0].codes[RG_OPDIFF_OTHER].n, 1);
	assert_int_equal(c.columns[0].max_abs.count, 2);
	assert_true(c.columns[0].max_abs.median == 0.25 && c.columns[0].max_abs.p99 == 0.5);
	rg_opdiff_comparison_release(&c);
	rg_opdiff_run_release(&run);
}

/* The same status for another reason is a change, and worse where it had none. */
TEST(another_error)
{
	static const char old_text[] = META DIFFERENT("a", "x", "ERROR", "\"E: 1\"", "null")
		DIFFERENT("b", "x", "OK", "null", "[" OK("0") "]")
			DIFFERENT("c", "x", "ERROR", "\"E: 1\"", "null");
	static const char new_text[] = META DIFFERENT("a", "x", "ERROR", "\"E: 2\"", "null")
		DIFFERENT("b", "x", "OK", "null", "[" NOT_OK("NAN_IN_OUTPUT") "]")
			DIFFERENT("c", "x", "SKIPPED", "null", "null");
	rg_opdiff_run old, fresh;
	rg_opdiff_comparison c;

	assert_success(rg_opdiff_read(&old, old_text, strlen(old_text), -1));
	assert_success(rg_opdiff_read(&fresh, new_text, strlen(new_text), -1));
	rg_opdiff_compare(&c, &old, &fresh, NULL, NULL);
	assert_int_equal(c.worse, 1);
	assert_int_equal(c.better, 1);
	assert_int_equal(c.other, 1);
	assert_string_equal(c.changes[0].why, "NAN_IN_OUTPUT");
	assert_string_equal(c.changes[1].id, "c");
	assert_string_equal(c.changes[2].old_why, "E: 1");
	assert_string_equal(c.changes[2].why, "E: 2");
	assert_int_equal(c.errors.count, 2);
	assert_string_equal(c.errors.items[0].group, "E: 2");
	assert_int_equal(c.errors.items[0].old, 0);
	assert_int_equal(c.errors.items[0].fresh, 1);
	assert_int_equal(c.errors.items[1].old, 2);
	rg_opdiff_comparison_release(&c);
	rg_opdiff_run_release(&fresh);
	rg_opdiff_run_release(&old);
}

TEST(kinds_of_errors)
{
	static const struct {
		const char *text, *kind;
	} cases[] = {
		{"", ""},
		{" \n", ""},
		{"NotImplementedError: The operator 'aten::x' is not currently implemented for the "
		 "MPS "
		 "device. See",
		 "NotImplementedError: The operator * is not currently implemented for the MPS "
		 "device"},
		{"NotImplementedError: no", "NotImplementedError:"},
		{"A NotImplementedError: no", "A NotImplementedError: no"},
		{"X: ConversionError: Failed to convert the exported program to an ONNX model 7",
		 "ConversionError: Failed to convert the exported program to an ONNX model"},
		{"ValueError: Torch var a not", "ValueError: Torch var a not"},
		{"Fail: [ONNXRuntimeError] : 1", "Fail: [ONNXRuntimeError]"},
		{"\t\x1b[1mE: a \r\nb", "[1mE: a"},
	};
	char text[400];
	const char *kind;
	rg_arena arena;
	size_t i;

	rg_arena_init(&arena);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		kind = rg_opdiff_error_kind(&arena, cases[i].text);
		assert_string_equal(kind, cases[i].kind);
	}
	/* 140 characters, not bytes. */
	for (i = 0; i < 141; i++)
		memcpy(text + 2 * i, "é", 3);
	kind = rg_opdiff_error_kind(&arena, text);
	assert_int_equal(strlen(kind), 280 + strlen("…"));
	text[280] = '\0';
	kind = rg_opdiff_error_kind(&arena, text);
	assert_string_equal(kind, text);
	rg_arena_release(&arena);
}

/* Of several baselines the one of most operators counts for times. */
TEST(baselines)
{
	static const char text[] = META ITEM("a", "1", "x", "OK", "2") ITEM(
		"b", "1", "x", "OK",
		"2") "{\"type\": \"item\", \"id\": \"c\", \"baseline\": {\"backend\": \"s\", "
		     "\"status\": \"OK\", \"ms\": 1}, \"backends\": [{\"backend\": \"x\", \"res\": "
		     "[{\"status\": \"OK\", \"ms\": 7}]}]}\n";
	rg_opdiff_comparison c;
	rg_opdiff_run run;

	assert_success(rg_opdiff_read(&run, text, strlen(text), -1));
	rg_opdiff_compare(&c, NULL, &run, NULL, NULL);
	assert_string_equal(c.new_baseline.backend, "t");
	assert_int_equal(c.new_baseline.others, 1);
	assert_int_equal(c.columns[2].to_baseline.count, 2);
	/* a and b have both of t and x, c has x and s. */
	assert_int_equal(c.overview.backend_count, 3);
	assert_int_equal(c.overview.overlaps[1 * 3 + 2].seen, 2);
	assert_int_equal(c.overview.overlaps[0 * 3 + 1].seen, 0);
	assert_int_equal(c.overview.problem_count, 0);
	rg_opdiff_comparison_release(&c);
	rg_opdiff_run_release(&run);
}

TEST(many_backends)
{
	rg_opdiff_comparison c;
	rg_opdiff_run run;
	size_t i;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&text, META);
	for (i = 0; i < 257; i++)
		rg_buf_printf(&text,
			      "{\"type\": \"item\", \"id\": \"%zu\", \"backends\": "
			      "[{\"backend\": \"b%zu\", \"res\": [{\"status\": \"OK\"}]}]}\n",
			      i, i);
	assert_success(rg_buf_check(&text, "results"));
	assert_success(rg_opdiff_read(&run, text.data, text.length, -1));
	rg_opdiff_compare(&c, &run, &run, NULL, NULL);
	assert_int_equal(c.column_count, 2 * 256);
	assert_int_equal(c.columns_left_out, 2);
	assert_int_equal(c.overview.backend_count, 64);
	assert_int_equal(c.overview.left_out, 256 - 64);
	rg_opdiff_comparison_release(&c);
	rg_opdiff_compare(&c, &run, &run, "b0", "b1");
	assert_int_equal(c.columns_left_out, 0);
	rg_opdiff_comparison_release(&c);
	rg_opdiff_run_release(&run);
}
