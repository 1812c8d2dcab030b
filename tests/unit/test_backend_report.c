/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "base/buf.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/backend_report.h"

#include <math.h>

#define HEADER                                                                                 \
	"Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Delegated,Lower Time (s)," \
	"Output 0 SNR,Error\r\n"

static const char csv[] = HEADER
	"add,Add,0,xnnpack,\"dtype: f32, n: 1\",Pass,,True,0.25,inf,\r\n"
	"add,Add,10,xnnpack,,Fail,Output Mismatch,True,0.5,nan,\"a \"\"b\"\"\r\nc\"\r\n"
	"add,Add,9,xnnpack,,Skip,,,,,\r\n"
	"\r\n"
	"add,Add,0,qnn,,Fail,Lowering Failed,False,1,,boom\r\n";

static const char json[] =
	"{\"created\": 1.5, \"exitcode\": 1, \"tests\": ["
	"{\"nodeid\": \"t.py::add[xnnpack]\", \"outcome\": \"passed\", \"metadata\": "
	"{\"subtests\": "
	"[{\"Test ID\": \"add\", \"Test Case\": \"Add\", \"Subtest\": 0, \"Flow\": \"xnnpack\","
	" \"Params\": null, \"Result\": \"Pass\", \"Result Detail\": \"\", \"Delegated\": true,"
	" \"Delegated Ops\": {\"aten.add\": 2}, \"Output 0 SNR\": \"41.5\", \"Output 0 MAE\": NaN,"
	" \"Output 1 SNR\": null}]}},"
	"{\"nodeid\": \"t.py::mul[xnnpack]\", \"outcome\": \"failed\", \"metadata\": "
	"{\"subtests\": "
	"[{\"Test ID\": \"mul\", \"Flow\": \"xnnpack\", \"Result Detail\": \"Process Crash\"}]}},"
	"{\"nodeid\": \"t.py::sub[xnnpack]\", \"outcome\": \"skipped\"}]}";

static void read_list(rg_case_list *list, const char *text)
{
	*list = (rg_case_list){0};
	assert_success(rg_case_list_add(list, text, strlen(text)));
	rg_case_list_finish(list);
}

static void assert_case(const rg_case *c, const char *flow, const char *id, const char *subtest,
			rg_case_result result, const char *detail)
{
	assert_string_equal(c->flow, flow);
	assert_string_equal(c->test_id, id);
	assert_string_equal(c->subtest, subtest);
	assert_int_equal(c->result, result);
	assert_string_equal(c->detail, detail);
}

TEST(csv_cases)
{
	rg_case_list list;

	read_list(&list, csv);
	assert_int_equal(list.count, 4);
	assert_case(&list.cases[0], "qnn", "add", "0", RG_CASE_FAIL, "Lowering Failed");
	assert_case(&list.cases[1], "xnnpack", "add", "0", RG_CASE_PASS, "");
	assert_string_equal(list.cases[1].params, "dtype: f32, n: 1");
	assert_case(&list.cases[2], "xnnpack", "add", "9", RG_CASE_SKIP, "");
	assert_case(&list.cases[3], "xnnpack", "add", "10", RG_CASE_FAIL, "Output Mismatch");
	assert_int_equal(list.cases[2].field_count, 0);
	assert_int_equal(list.cases[3].field_count, 3);
	rg_case_list_release(&list);
}

TEST(json_cases)
{
	rg_case_list list;

	read_list(&list, json);
	assert_int_equal(list.count, 3);
	assert_case(&list.cases[0], "xnnpack", "add", "0", RG_CASE_PASS, "");
	assert_case(&list.cases[1], "xnnpack", "mul", "", RG_CASE_FAIL, "Process Crash");
	assert_case(&list.cases[2], "xnnpack", "sub[xnnpack]", "", RG_CASE_SKIP, "");
	rg_case_list_release(&list);
}

/* What no column says is in the test's name, as pytest has it. */
TEST(names_of_pytest)
{
	static const char text[] =
		"{\"exitcode\": 1, \"tests\": ["
		"{\"nodeid\": \"::add[qnn-f32-2]\", \"outcome\": \"passed\", \"metadata\": "
		"{\"subtests\": [{\"Test ID\": \"add[qnn-f32-2]\", \"Test Case\": \"add\","
		" \"Subtest\": 0, \"Flow\": \"qnn\", \"Result\": \"Pass\"}]}},"
		"{\"nodeid\": \"a/t.py::T::mul[qnn-a::b]\", \"outcome\": \"failed\", \"???\": "
		"{\"longrepr\": \"worker 'gw1' crashed\"}, \"metadata\": {\"subtests\": []}},"
		"{\"nodeid\": \"::neg[qnn]\", \"outcome\": \"failed\", \"setup\": "
		"{\"longrepr\": \"no device\"}},"
		"{\"nodeid\": \"::sub[other-f16]\", \"outcome\": \"failed\", \"metadata\": "
		"{\"subtests\": [{\"Test ID\": \"sub[other-f16]\", \"Flow\": \"qnn\","
		" \"Result\": \"Fail\", \"Error\": \"line 1\\nline 2\"}]}},"
		"{\"nodeid\": \"t.py::plain\", \"outcome\": \"error\"}]}";
	static const char *const params[] = {"", "f32-2", "a::b", "", "other-f16"};
	static const char *const errors[] = {"", "", "worker 'gw1' crashed", "no device",
					     "line 1\nline 2"};
	rg_case_list list;
	size_t i;

	read_list(&list, text);
	assert_int_equal(list.count, 5);
	assert_case(&list.cases[0], "", "plain", "", RG_CASE_FAIL, "");
	assert_case(&list.cases[1], "qnn", "add[qnn-f32-2]", "0", RG_CASE_PASS, "");
	assert_case(&list.cases[2], "qnn", "mul[qnn-a::b]", "", RG_CASE_FAIL, "Process Crash");
	assert_case(&list.cases[3], "qnn", "neg[qnn]", "", RG_CASE_FAIL, "");
	assert_case(&list.cases[4], "qnn", "sub[other-f16]", "", RG_CASE_FAIL, "");
	for (i = 0; i < 5; i++) {
		assert_string_equal(list.cases[i].params, params[i]);
		assert_string_equal(list.cases[i].error, errors[i]);
	}
	rg_case_list_release(&list);
}

/* A crash is recorded without subtests: it is the result of each that the other report has, and
 * this one lacks. */
TEST(crashes_are_of_all_subtests)
{
	static const char with[] = "Test ID,Subtest,Flow,Result,Result Detail\n"
				   "add,0,f,Pass,\nadd,1,f,Pass,\nadd,10,f,Pass,\n"
				   "mul,0,f,Pass,\nadd,0,g,Pass,\nsub,,f,Pass,\n";
	static const char crashed[] = "Test ID,Subtest,Flow,Result,Result Detail\n"
				      "add,,f,Fail,Process Crash\nadd,1,f,Pass,\n"
				      "neg,,f,Fail,Process Crash\nsub,,f,Fail,Process Crash\n";
	rg_case_list old, fresh;

	read_list(&old, with);
	read_list(&fresh, crashed);
	rg_case_list_spread(&fresh, &old);
	assert_int_equal(fresh.count, 5);
	assert_case(&fresh.cases[0], "f", "add", "0", RG_CASE_FAIL, "Process Crash");
	assert_case(&fresh.cases[1], "f", "add", "1", RG_CASE_PASS, "");
	assert_case(&fresh.cases[2], "f", "add", "10", RG_CASE_FAIL, "Process Crash");
	assert_case(&fresh.cases[3], "f", "neg", "", RG_CASE_FAIL, "Process Crash");
	assert_case(&fresh.cases[4], "f", "sub", "", RG_CASE_FAIL, "Process Crash");
	rg_case_list_spread(&old, &fresh);
	assert_int_equal(old.count, 6);
	rg_case_list_release(&fresh);
	rg_case_list_release(&old);
}

/* One file a flow, in either form, makes one list; a case that comes again replaces the first. */
TEST(several_files)
{
	static const char again[] = HEADER "add,Add,0,xnnpack,,Fail,PTE Run Failed,,,,\n";
	rg_case_list list = {0};

	assert_success(rg_case_list_add(&list, json, strlen(json)));
	assert_success(rg_case_list_add(&list, csv, strlen(csv)));
	assert_success(rg_case_list_add(&list, again, strlen(again)));
	rg_case_list_finish(&list);
	assert_int_equal(list.count, 6);
	assert_int_equal(list.duplicates, 2);
	assert_case(&list.cases[1], "xnnpack", "add", "0", RG_CASE_FAIL, "PTE Run Failed");
	rg_case_list_release(&list);
}

static rg_input input(const char *text)
{
	return (rg_input){.name = "report", .data = text, .size = strlen(text)};
}

TEST(csv_as_golden)
{
	format_reading r;

	read_format(&r, &rg_format_backend_csv, input(csv), NULL);
	assert_success(r.err);
	assert_string_equal(find_metric(&r, "xnnpack/add/0/Result")->text, "Pass");
	assert_string_equal(find_metric(&r, "xnnpack/add/10/Result")->text,
			    "Fail: Output Mismatch");
	assert_string_equal(find_metric(&r, "qnn/add/0/Delegated")->text, "False");
	assert_true(find_metric(&r, "qnn/add/0/Lower Time (s)")->values[0] == 1);
	assert_true(isinf(find_metric(&r, "xnnpack/add/0/Output 0 SNR")->values[0]));
	assert_true(isnan(find_metric(&r, "xnnpack/add/10/Output 0 SNR")->values[0]));
	release_reading(&r);
}

TEST(json_as_golden)
{
	format_reading r;

	read_format(&r, &rg_format_backend_json, input(json), NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.count, 7);
	assert_true(find_metric(&r, "xnnpack/add/0/Delegated Ops/aten.add")->values[0] == 2);
	assert_true(find_metric(&r, "xnnpack/add/0/Output 0 SNR")->values[0] == 41.5);
	assert_true(isnan(find_metric(&r, "xnnpack/add/0/Output 0 MAE")->values[0]));
	assert_string_equal(find_metric(&r, "xnnpack/add/0/Delegated")->text, "True");
	assert_string_equal(find_metric(&r, "xnnpack/mul/Result")->text, "Fail: Process Crash");
	assert_string_equal(find_metric(&r, "xnnpack/sub[xnnpack]/Result")->text, "Skip");
	release_reading(&r);
}

TEST(refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"a,b\n", "not a report of backend tests: no column 'Test ID'"},
		{"Test ID,b\n", "not a report of backend tests: no column 'Result'"},
		{"Test ID,Result,Result\n", "column 'Result' appears twice"},
		{"Test ID,Result\nx,Maybe\n",
		 "record 2: result 'Maybe' is not one of Pass, Skip, Fail"},
		{"Test ID,Result\nx\n", "record 2: 1 cells under 2 columns"},
		{"Test ID,Result\nx,Pass,y\n", "record 2: 3 cells under 2 columns"},
		{"Test ID,Result\n,Pass\n", "record 2: an empty 'Test ID'"},
		{"Test ID,Result\n\"x,Pass\n", "csv: record 2: a quote does not close"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(&rg_format_backend_csv, input(cases[i].text), RG_E_PARSE,
			       cases[i].message);
	assert_refused(&rg_format_backend_json, input("{\"exitcode\": 1, \"tests\": 5}"),
		       RG_E_PARSE, "not a report of backend tests: no list 'tests'");
	assert_refused(&rg_format_backend_json, input("{\"exitcode\": 1, \"tests\": [5]}"),
		       RG_E_PARSE, "a test without nodeid, or a broken subtest");
	assert_refused(&rg_format_backend_json,
		       input("{\"tests\": [{\"nodeid\": \"x\", \"metadata\": {\"subtests\": "
			     "[{\"Result\": \"Odd\"}]}}]}"),
		       RG_E_PARSE, "test 'x': result 'Odd' is not one of Pass, Skip, Fail");
}

/* A test's name is part of each of its metrics' names: a long one must not be in memory again
 * for each of many columns. */
TEST(long_names)
{
	size_t i;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&text, "Test ID,Result");
	for (i = 0; i < 300; i++)
		rg_buf_printf(&text, ",c%zu", i);
	rg_buf_char(&text, '\n');
	for (i = 0; i < 100000; i++)
		rg_buf_char(&text, 'a');
	rg_buf_str(&text, ",Pass");
	for (i = 0; i < 300; i++)
		rg_buf_str(&text, ",1");
	rg_buf_char(&text, '\n');
	assert_success(rg_buf_check(&text, "report"));
	assert_refused(&rg_format_backend_csv, input(text.data), RG_E_LIMIT,
		       "the names of its metrics are too long");
}

TEST(hostile_bytes)
{
	assert_survives(&rg_format_backend_csv, input(csv));
	assert_survives(&rg_format_backend_json, input(json));
}

TEST(bids)
{
	rg_input in = input(csv), other = input("{\"lm loss\": {\"values\": {}}}");

	assert_int_equal(rg_format_backend_csv.bid(&in), 50);
	assert_int_equal(rg_format_backend_json.bid(&in), 0);
	in = input(json);
	assert_int_equal(rg_format_backend_csv.bid(&in), 0);
	assert_int_equal(rg_format_backend_json.bid(&in), 110);
	assert_int_equal(rg_format_backend_json.bid(&other), 0);
	other.size = 0;
	assert_int_equal(rg_format_backend_json.bid(&other), 0);
	assert_int_equal(rg_format_backend_csv.bid(&other), 0);
}
