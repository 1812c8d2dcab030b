/* SPDX-License-Identifier: Apache-2.0 */
#include "format_reader.h"

#include "golden/opdiff.h"

#include <math.h>

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

static void test_last_run(void **state)
{
	rg_opdiff_run run = read_run(two_runs, -1);
	const rg_opdiff_item *relu = rg_opdiff_find(&run, "relu");
	const rg_opdiff_result *ort;

	(void)state;
	assert_int_equal(run.runs, 2);
	assert_int_equal(run.count, 2);
	assert_string_equal(run.created_at, "second");
	assert_string_equal(run.items[0].id, "add");
	assert_true(relu->has_baseline);
	ort = rg_opdiff_backend(relu, "ort");
	/* The worst of the repeats, and the median of what there is. */
	assert_int_equal(ort->status, RG_OPDIFF_TIMING_FAIL);
	assert_true(ort->median_ms == 2);
	assert_true(ort->median_max_abs == 1.5e-3);
	assert_true(ort->median_mse == 0.25);
	assert_true(ort->median_mean_abs == 1e-4);
	assert_int_equal(ort->diffs[1].code, RG_OPDIFF_NAN_OUTPUT);
	assert_true(isnan(rg_opdiff_backend(relu, "tflite")->median_ms));
	assert_true(rg_opdiff_backend(relu, "baseline")->median_ms == 2);
	assert_null(rg_opdiff_backend(relu, "none"));
	assert_null(rg_opdiff_backend(&run.items[0], "baseline"));
	assert_null(rg_opdiff_find(&run, "none"));
	rg_opdiff_release(&run);
}

/* In whatever order the repeats came, the middle one. */
static void test_medians(void **state)
{
	static const char text[] = META("x")
		ITEM("relu", "null",
		     "{\"backend\": \"ort\", \"res\": [{\"status\": \"OK\", \"ms\": 1}, "
		     "{\"status\": \"OK\", \"ms\": 5}, {\"status\": \"OK\", \"ms\": 9}, "
		     "{\"status\": \"OK\", \"ms\": 3}, {\"status\": \"OK\", \"ms\": 2}]}");
	rg_opdiff_run run = read_run(text, -1);

	(void)state;
	assert_true(rg_opdiff_backend(&run.items[0], "ort")->median_ms == 3);
	rg_opdiff_release(&run);
}

static void test_run_index(void **state)
{
	rg_opdiff_run run = read_run(two_runs, 0);

	(void)state;
	assert_string_equal(run.created_at, "first");
	assert_int_equal(run.count, 1);
	assert_int_equal(rg_opdiff_backend(&run.items[0], "ort")->status, RG_OPDIFF_ERROR);
	rg_opdiff_release(&run);
	run = read_run(two_runs, 1);
	assert_string_equal(run.created_at, "second");
	rg_opdiff_release(&run);
	assert_error(rg_opdiff_read(&run, two_runs, strlen(two_runs), 2), RG_E_USAGE,
		     "run 2 was asked for, but it holds 2 (from 0)");
	rg_opdiff_release(&run);
}

/* Blank lines are none, in front, between and after. */
static void test_blank_lines(void **state)
{
	static const char text[] = "\n \r\n" META("x") "\t\n" ITEM("a", "null", "") "  \n\n ";
	rg_opdiff_run run = read_run(text, -1);

	(void)state;
	assert_int_equal(run.count, 1);
	rg_opdiff_release(&run);
	assert_true(rg_opdiff_recognised(text, strlen(text)));
	assert_false(rg_opdiff_recognised(" \n", 2));
}

static void test_same_id_twice(void **state)
{
	static const char text[] = META("x") ITEM("a", "null", "")
		ITEM("a", "{\"backend\": \"b\", \"status\": \"OK\", \"ms\": 1}", "");
	rg_opdiff_run run = read_run(text, -1);

	(void)state;
	assert_int_equal(run.count, 1);
	assert_int_equal(run.duplicates, 1);
	assert_true(run.items[0].has_baseline);
	rg_opdiff_release(&run);
}

static rg_input input(const char *text)
{
	return (rg_input){.name = "run.jsonl", .data = text, .size = strlen(text)};
}

static void test_as_golden(void **state)
{
	const rg_golden_options one = {.run_index = -1, .backend = "ort"};
	const rg_golden_options none = {.run_index = -1, .backend = "nobody"};
	const rg_metric *m;
	format_reading r;

	(void)state;
	read_format(&r, &rg_format_opdiff, input(two_runs), NULL);
	assert_success(r.err);
	assert_string_equal(find_metric(&r, "relu/ort/status")->text, "TIMING_FAIL");
	assert_string_equal(find_metric(&r, "relu/ort/code")->text, "NAN_IN_OUTPUT");
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
static void test_backend_without_repeats(void **state)
{
	static const char text[] = META("x")
		ITEM("relu", "{\"backend\": \"torch\", \"status\": \"OK\", \"ms\": 2.0}",
		     "{\"backend\": \"ort\", \"res\": [], \"times_all\": [], \"diff_all\": []}, "
		     "{\"backend\": \"tflite\", \"res\": [{\"status\": \"OK\", \"ms\": 1}]}");
	rg_opdiff_run run = read_run(text, -1);
	const rg_opdiff_result *ort = rg_opdiff_backend(&run.items[0], "ort");
	format_reading r;

	(void)state;
	assert_int_equal(ort->status, RG_OPDIFF_ERROR);
	assert_int_equal(ort->ms_count + ort->diff_count, 0);
	assert_true(isnan(ort->median_ms) && isnan(ort->median_max_abs));
	assert_int_equal(rg_opdiff_backend(&run.items[0], "tflite")->status, RG_OPDIFF_OK);
	rg_opdiff_release(&run);
	read_format(&r, &rg_format_opdiff, input(text), NULL);
	assert_success(r.err);
	assert_string_equal(find_metric(&r, "relu/ort/status")->text, "ERROR");
	assert_int_equal(r.golden.count, 5); /* two of torch, two of tflite */
	release_reading(&r);
}

static void test_refused(void **state)
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

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(&rg_format_opdiff, input(cases[i].text), RG_E_PARSE,
			       cases[i].message);
}

static void test_hostile_bytes(void **state)
{
	(void)state;
	assert_survives(&rg_format_opdiff, input(two_runs));
}

static void test_bids(void **state)
{
	rg_input in = input(two_runs), other = input("{\"a\": 1}\n\"opdiff_run\"");

	(void)state;
	assert_int_equal(rg_format_opdiff.bid(&in), 110);
	in.name = "run";
	assert_int_equal(rg_format_opdiff.bid(&in), 110);
	/* Its name alone says nothing: any JSON Lines are called so. */
	assert_int_equal(rg_format_opdiff.bid(&other), 0);
	other.size = 0;
	assert_int_equal(rg_format_opdiff.bid(&other), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_run),
		cmocka_unit_test(test_medians),
		cmocka_unit_test(test_run_index),
		cmocka_unit_test(test_same_id_twice),
		cmocka_unit_test(test_blank_lines),
		cmocka_unit_test(test_as_golden),
		cmocka_unit_test(test_backend_without_repeats),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_hostile_bytes),
		cmocka_unit_test(test_bids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
