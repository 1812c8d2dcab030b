/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "golden/executorch/formats.h"
#include "golden/executorch/opdiff.h"

#include <math.h>
#include <stdio.h>

#define META(CREATED)                                                                              \
	"{\"type\": \"meta\", \"meta\": {\"format_name\": \"opdiff_run\", \"format_version\": 1, " \
	"\"created_at\": \"" CREATED "\"}}\n"
#define ITEM(ID, BASELINE, BACKENDS)                                                         \
	"{\"type\": \"item\", \"id\": \"" ID "\", \"test_type\": \"single\", \"cases\": []," \
	" \"baseline\": " BASELINE ", \"backends\": [" BACKENDS "]}\n"

static const char two_runs[] = META("first") ITEM(
	"relu", "null",
	"{\"backend\": \"ort\", \"res\": [{\"status\": \"ERROR\", \"ms\": null}]}") META("second")
	ITEM("relu", "{\"backend\": \"torch\", \"status\": \"OK\", \"ms\": 2.0}",
	     "{\"backend\": \"ort\", \"res\": [{\"status\": \"OK\", \"ms\": 3}, "
	     "{\"status\": \"TIMING_FAIL\", \"ms\": null}, {\"status\": \"OK\", \"ms\": 1}], "
	     "\"diff_all\": [{\"ok\": true, \"mse\": 0, \"max_abs\": 1e-3, \"mean_abs\": 1e-4}, "
	     "{\"ok\": false, \"code\": \"NAN_IN_OUTPUT\", \"msg\": \"x\"}, "
	     "{\"ok\": true, \"mse\": 0.5, \"max_abs\": 2e-3, \"mean_abs\": NaN}]}, "
	     "{\"backend\": \"tflite\", \"res\": [{\"status\": \"EXPORT_FAIL\"}], "
	     "\"diff_all\": null}") "\r\n" ITEM("add", "null", "");

static rg_opdiff_run read_run(const char *text, int index)
{
	rg_opdiff_run run;

	assert_success(rg_opdiff_read(&run, text, strlen(text), index));
	return run;
}

static const rg_opdiff_result *result(const rg_opdiff_run *run, const char *id, const char *backend)
{
	const rg_opdiff_item *item = rg_opdiff_find(run, id);

	assert_non_null(item);
	return rg_opdiff_backend(item, backend);
}

TEST(runs_are_merged)
{
	rg_opdiff_run run = read_run(two_runs, -1);
	const rg_opdiff_result *ort = result(&run, "relu", "ort");

	assert_int_equal(run.runs, 2);
	assert_int_equal(run.merged, 2);
	assert_int_equal(run.count, 2);
	assert_int_equal(run.duplicates, 0);
	assert_string_equal(run.items[0].id, "add");
	assert_string_equal(rg_opdiff_find(&run, "relu")->baseline, "torch");
	/* The later run's: the worst of its sides, and no figure, as one repeat has a code. */
	assert_int_equal(ort->status, RG_OPDIFF_TIMING_FAIL);
	assert_int_equal(ort->state, RG_OPDIFF_DIFF_ERR);
	assert_int_equal(ort->code, RG_OPDIFF_NAN_OUTPUT);
	assert_true(isnan(ort->median_max_abs) && isnan(ort->median_mse));
	assert_true(isnan(ort->time));
	assert_string_equal(rg_opdiff_why(ort), "NAN_IN_OUTPUT");
	assert_int_equal(result(&run, "relu", "tflite")->state, RG_OPDIFF_DIFF_MISSING);
	assert_true(result(&run, "relu", "baseline")->time == 2);
	assert_false(result(&run, "relu", "torch")->target);
	assert_null(result(&run, "relu", "none"));
	assert_null(result(&run, "add", "baseline"));
	assert_null(rg_opdiff_find(&run, "none"));
	rg_opdiff_run_release(&run);
}

#define ONE(BACKEND, STATUS, MS, REST)                                                      \
	"{\"backend\": \"" BACKEND "\", \"res\": [{\"status\": \"" STATUS "\", \"ms\": " MS \
	"}]" REST "}"
#define TORCH(STATUS, MS) "{\"backend\": \"torch\", \"status\": \"" STATUS "\", \"ms\": " MS "}"
#define DIFF(MAX)         ", \"diff_all\": [{\"ok\": true, \"max_abs\": " MAX "}]"

/* As opdiff's reports have it: what a run has not run stays, and the last of the rest counts. */
TEST(later_lines)
{
	static const char text[] = META("x")
		ITEM("a", TORCH("OK", "2"),
		     ONE("x", "OK", "1", DIFF("0.5")) ", " ONE("y", "OK", "1", DIFF("0.25")))
			META("y") ITEM("a", "null", ONE("x", "ERROR", "null", "")) META("z")
				ITEM("a", TORCH("ERROR", "null"), ONE("z", "OK", "3", ""));
	rg_opdiff_run run = read_run(text, -1);

	assert_int_equal(run.count, 1);
	assert_int_equal(run.items[0].result_count, 4);
	assert_int_equal(result(&run, "a", "x")->status, RG_OPDIFF_ERROR);
	assert_int_equal(result(&run, "a", "x")->state, RG_OPDIFF_DIFF_MISSING);
	assert_true(result(&run, "a", "y")->median_max_abs == 0.25);
	assert_true(result(&run, "a", "z")->time == 3);
	assert_int_equal(result(&run, "a", "baseline")->status, RG_OPDIFF_ERROR);
	rg_opdiff_run_release(&run);
}

/* A backend that is the baseline as well: its status is that of the backend, its time that of
 * either, and a later line as the baseline alone leaves its differences. */
TEST(baseline_and_backend)
{
	static const char line[] = META("x")
		ITEM("a", TORCH("OK", "2"), ONE("torch", "ERROR", "null", DIFF("0.5")));
	static const char later[] = META("x")
		ITEM("a", TORCH("OK", "2"), ONE("torch", "OK", "4", DIFF("0.5")))
			ITEM("a", TORCH("SKIPPED", "null"), "");
	rg_opdiff_run run = read_run(line, -1);
	const rg_opdiff_result *torch = result(&run, "a", "torch");

	assert_int_equal(run.items[0].result_count, 1);
	assert_int_equal(torch->status, RG_OPDIFF_ERROR);
	assert_true(torch->time == 2);
	assert_true(torch->target);
	rg_opdiff_run_release(&run);
	run = read_run(later, -1);
	torch = result(&run, "a", "torch");
	assert_int_equal(torch->status, RG_OPDIFF_SKIPPED);
	assert_true(isnan(torch->time));
	assert_true(torch->target && torch->median_max_abs == 0.5);
	assert_int_equal(run.duplicates, 1);
	rg_opdiff_run_release(&run);
}

#define ERR(TEXT) ", \"err\": " TEXT
#define FAILED(BACKEND, TEXT)                                                  \
	"{\"backend\": \"" BACKEND "\", \"res\": [{\"status\": \"ERROR\"" ERR( \
		TEXT) "}, {\"status\": \"ERROR\"" ERR("null") "}]}"

/* Each line's errors count, but of the baseline the first line's, as in opdiff's own list. */
TEST(errors)
{
	static const char text[] = META("x") ITEM(
		"a", "{\"backend\": \"t\", \"status\": \"ERROR\"" ERR("\"b1\"") "}",
		FAILED("x", "\"e1\"") ", " FAILED("y", "{\"type\": \"T\", \"msg\": \"m\"}"))
		META("y") ITEM("a", "{\"backend\": \"t\", \"status\": \"ERROR\"" ERR("\"b2\"") "}",
			       FAILED("x", "\"e2\"") ", " FAILED("y", "[1]"));
	rg_opdiff_run run = read_run(text, -1);
	const rg_opdiff_item *item = rg_opdiff_find(&run, "a");
	static const char *const expected[] = {"b1", "e1", "T: m", "e2", "[1]"};
	size_t i;

	assert_int_equal(item->err_count, 5);
	for (i = 0; i < 5; i++)
		assert_string_equal(item->errs[i].text, expected[i]);
	assert_string_equal(rg_opdiff_why(result(&run, "a", "x")), "e2");
	assert_string_equal(rg_opdiff_why(result(&run, "a", "t")), "b2");
	rg_opdiff_run_release(&run);
}

/* A figure that is missing, negative or not finite is none of the known codes'. */
TEST(figures_that_are_none)
{
	static const char *const figures[] = {"null", "-1", "NaN", "Infinity", "\"1\""};
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		char text[1000];
		rg_opdiff_run run;

		snprintf(text, sizeof(text),
			 META("x") ITEM("a", "null", ONE("x", "OK", "1", DIFF("%s"))), figures[i]);
		run = read_run(text, -1);
		assert_int_equal(result(&run, "a", "x")->state, RG_OPDIFF_DIFF_ERR);
		assert_int_equal(result(&run, "a", "x")->code, RG_OPDIFF_NONFINITE);
		rg_opdiff_run_release(&run);
	}
}

/* In whatever order the repeats came, the middle one. */
TEST(medians)
{
	static const char text[] = META("x")
		ITEM("relu", "null",
		     "{\"backend\": \"ort\", \"res\": [{\"status\": \"OK\", \"ms\": 1}, "
		     "{\"status\": \"OK\", \"ms\": 5}, {\"status\": \"OK\", \"ms\": 9}, "
		     "{\"status\": \"OK\", \"ms\": 3}, {\"status\": \"OK\", \"ms\": 2}]}");
	rg_opdiff_run run = read_run(text, -1);

	assert_true(rg_opdiff_backend(&run.items[0], "ort")->time == 3);
	rg_opdiff_run_release(&run);
}

TEST(run_index)
{
	rg_opdiff_run run = read_run(two_runs, 0);

	assert_int_equal(run.count, 1);
	assert_int_equal(run.merged, 1);
	assert_int_equal(rg_opdiff_backend(&run.items[0], "ort")->status, RG_OPDIFF_ERROR);
	rg_opdiff_run_release(&run);
	run = read_run(two_runs, 1);
	assert_int_equal(run.count, 2);
	rg_opdiff_run_release(&run);
	assert_error(rg_opdiff_read(&run, two_runs, strlen(two_runs), 2), RG_E_USAGE,
		     "run 2 was asked for, but it holds 2 (from 0)");
	rg_opdiff_run_release(&run);
}

/* Blank lines are none, in front, between and after. */
TEST(blank_lines)
{
	static const char text[] = "\n \r\n" META("x") "\t\n" ITEM("a", "null", "") "  \n\n ";
	rg_opdiff_run run = read_run(text, -1);

	assert_int_equal(run.count, 1);
	rg_opdiff_run_release(&run);
	assert_true(rg_opdiff_recognised(text, strlen(text)));
	assert_false(rg_opdiff_recognised(" \n", 2));
}

TEST(same_id_twice)
{
	static const char text[] = META("x") ITEM("a", "null", "")
		ITEM("a", "{\"backend\": \"b\", \"status\": \"OK\", \"ms\": 1}", "");
	rg_opdiff_run run = read_run(text, -1);

	assert_int_equal(run.count, 1);
	assert_int_equal(run.duplicates, 1);
	assert_string_equal(run.items[0].baseline, "b");
	rg_opdiff_run_release(&run);
}

static rg_input input(const char *text)
{
	return (rg_input){.name = "run.jsonl", .data = text, .size = strlen(text)};
}

TEST(as_golden)
{
	const rg_golden_options one = {.run_index = -1, .part = "ort"};
	const rg_golden_options none = {.run_index = -1, .part = "nobody"};
	const rg_metric *m;
	format_reading r;

	read_format(&r, &rg_format_opdiff, input(two_runs), NULL);
	assert_success(r.err);
	assert_string_equal(find_metric(&r, "relu/ort/status")->text, "TIMING_FAIL");
	assert_string_equal(find_metric(&r, "relu/ort/code")->text, "NAN_IN_OUTPUT");
	assert_string_equal(find_metric(&r, "relu/ort/err")->text, "");
	assert_string_equal(find_metric(&r, "relu/tflite/code")->text, "");
	assert_string_equal(find_metric(&r, "relu/tflite/status")->text, "EXPORT_FAIL");
	assert_true(find_metric(&r, "relu/baseline/ms")->values[0] == 2);
	m = find_metric(&r, "relu/ort/max_abs");
	assert_int_equal(m->count, 2);
	assert_int_equal(m->steps[1], 2);
	assert_true(m->values[1] == 2e-3);
	release_reading(&r);
	read_format(&r, &rg_format_opdiff, input(two_runs), &one);
	assert_success(r.err);
	assert_string_equal(find_metric(&r, "relu/status")->text, "TIMING_FAIL");
	release_reading(&r);
	read_format(&r, &rg_format_opdiff, input(two_runs), &none);
	assert_error(r.err, RG_E_USAGE, "no backend 'nobody' in it");
	r.err = NULL;
	release_reading(&r);
}

/* It began and no repeat came: an error of this backend alone. */
TEST(backend_without_repeats)
{
	static const char text[] = META("x")
		ITEM("relu", "{\"backend\": \"torch\", \"status\": \"OK\", \"ms\": 2.0}",
		     "{\"backend\": \"ort\", \"res\": [], \"times_all\": [], \"diff_all\": []}, "
		     "{\"backend\": \"tflite\", \"res\": [{\"status\": \"OK\", \"ms\": 1}]}");
	rg_opdiff_run run = read_run(text, -1);
	const rg_opdiff_result *ort = rg_opdiff_backend(&run.items[0], "ort");
	format_reading r;

	assert_int_equal(ort->status, RG_OPDIFF_ERROR);
	assert_int_equal(ort->ms_count + ort->diff_count, 0);
	assert_true(isnan(ort->time) && isnan(ort->median_max_abs));
	assert_int_equal(rg_opdiff_backend(&run.items[0], "tflite")->status, RG_OPDIFF_OK);
	rg_opdiff_run_release(&run);
	read_format(&r, &rg_format_opdiff, input(text), NULL);
	assert_success(r.err);
	assert_string_equal(find_metric(&r, "relu/ort/status")->text, "ERROR");
	assert_int_equal(r.golden.count, 10); /* three each, and two times */
	release_reading(&r);
}

TEST(refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"\n\n", "not results of opdiff: no meta line"},
		{"{\"type\": \"item\"}", "line 1: an item before the first meta line"},
		{"{\"type\": \"meta\"}", "line 1: its format_name is not 'opdiff_run'"},
		{"{\"type\": \"meta\", \"meta\": {\"format_name\": \"opdiff_run\", "
		 "\"format_version\": 2}}",
		 "line 1: its format_version is not 1"},
		{META("x") "{\"type\": \"other\"}",
		 "line 2: 'type' is 'other', which is not known"},
		{META("x") "{\"type\": \"item\", \"id\": 5}", "line 2: 'id' is not a text"},
		{META("x") ITEM("a", "{\"backend\": \"b\", \"status\": \"FINE\"}", ""),
		 "line 2: 'baseline.status' is 'FINE', which is not known"},
		{META("x") ITEM("a", "null", "{\"backend\": \"b\"}"),
		 "line 2: 'backends[0].res' is missing"},
		{META("x") ITEM("a", "null", "{\"res\": []}"),
		 "line 2: 'backends[0].backend' is missing"},
		{META("x") ITEM("a", "null",
				"{\"backend\": \"b\", \"res\": [{\"status\": \"OK\"}], "
				"\"diff_all\": [{\"mse\": 1}]}"),
		 "line 2: 'backends[0].diff_all[0].ok' is missing"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(&rg_format_opdiff, input(cases[i].text), RG_E_PARSE,
			       cases[i].message);
}

TEST(hostile_bytes)
{
	assert_survives(&rg_format_opdiff, input(two_runs));
}

TEST(bids)
{
	rg_input in = input(two_runs), other = input("{\"a\": 1}\n\"opdiff_run\"");

	assert_int_equal(rg_format_opdiff.bid(&in), 110);
	in.name = "run";
	assert_int_equal(rg_format_opdiff.bid(&in), 110);
	/* Its name alone says nothing: any JSON Lines are called so. */
	assert_int_equal(rg_format_opdiff.bid(&other), 0);
	other.size = 0;
	assert_int_equal(rg_format_opdiff.bid(&other), 0);
}
