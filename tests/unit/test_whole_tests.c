/* SPDX-License-Identifier: Apache-2.0 */
/* Results of tests as a whole, compared with those of their subtests. */
#include "unit.h"

#include "compare/align.h"

#include <string.h>

#define HEADER "Test ID,Subtest,Flow,Result,Result Detail\n"

static rg_golden *read_report(const char *text)
{
	rg_input in = {.name = "report.csv", .data = text, .size = strlen(text)};
	rg_golden *golden;

	assert_success(rg_golden_read(&golden, &in, NULL));
	return golden;
}

static void assert_results(const rg_golden *golden, const char *const *results, size_t count)
{
	size_t i;

	assert_int_equal(golden->count, count);
	for (i = 0; i < count; i++) {
		assert_string_equal(golden->metrics[i].name, results[2 * i]);
		assert_string_equal(golden->metrics[i].text, results[2 * i + 1]);
	}
}

TEST(a_crash_is_of_every_subtest)
{
	static const char *const wanted[] = {
		"f/add/0/Result", "Fail: Process Crash", "f/add/1/Result", "Pass",
		"f/add/2/Result", "Fail: Process Crash", "f/add2/Result",  "Fail: Process Crash",
		"f/mul/Result",   "Fail: Process Crash"};
	rg_golden *old = read_report(HEADER "add,0,f,Pass,\nadd,1,f,Pass,\nadd,2,f,Pass,\n"
					    "add+,0,f,Pass,\nmul,,f,Pass,\nadd/x,0,f,Pass,\n");
	rg_golden *fresh = read_report(HEADER "add,,f,Fail,Process Crash\nadd,1,f,Pass,\n"
					      "add2,,f,Fail,Process Crash\n"
					      "mul,,f,Fail,Process Crash\n");

	assert_success(rg_goldens_align(old, fresh));
	assert_results(fresh, wanted, 5);
	assert_int_equal(fresh->metrics[0].place, RG_PLACE_CRASH);
	assert_int_equal(old->count, 6);
	rg_golden_free(fresh);
	rg_golden_free(old);
}

/* It was one on the old side, and is mended. */
TEST(the_other_way_round)
{
	static const char *const wanted[] = {"f/add/0/Result", "Skip", "f/add/1/Result", "Skip"};
	rg_golden *old = read_report(HEADER "add,,f,Skip,\n");
	rg_golden *fresh = read_report(HEADER "add,0,f,Pass,\nadd,1,f,Fail,\n");

	assert_success(rg_goldens_align(old, fresh));
	assert_results(old, wanted, 2);
	assert_success(rg_goldens_align(old, NULL));
	assert_success(rg_goldens_align(NULL, fresh));
	rg_golden_free(fresh);
	rg_golden_free(old);
}
