/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "compare/executorch/backend_compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEADER "Test ID,Flow,Params,Result,Result Detail\n"

static void read_list(rg_case_list *list, const char *text)
{
	*list = (rg_case_list){0};
	assert_success(rg_case_list_add(list, text, strlen(text)));
	rg_case_list_finish(list);
}

static void assert_change(const rg_case_change *change, rg_case_change_kind kind, const char *id)
{
	assert_int_equal(change->kind, kind);
	assert_string_equal((change->fresh ? change->fresh : change->old)->test_id, id);
}

TEST(every_change)
{
	static const char old_text[] = HEADER
		"a,f,p,Pass,\nb,f,p,Fail,Z\nc,f,p,Fail,Z\nd,f,q,Pass,\ne,f,,Skip,\n"
		"g,f,,Fail,Y\nh,f,,Pass,\ni,f,,Fail,X\nj,f,,Pass,\n";
	static const char new_text[] = HEADER
		"a,f,p,Fail,Z\nb,f,p,Pass,\nc,f,p,Fail,Y\nd,f,q,Pass,\ne,f,,Pass,\n"
		"g,f,,Skip,\nk,f,,Fail,X\nl,g,,Pass,\ni,f,,Fail,X\nj,f,,Fail,A\n";
	rg_case_comparison c;
	rg_case_list old, fresh;

	read_list(&old, old_text);
	read_list(&fresh, new_text);
	rg_cases_compare(&c, &old, &fresh);
	assert_int_equal(c.count, 10);
	/* Detail A comes before Z, X before Y. */
	assert_change(&c.changes[0], RG_CASE_NEWLY_FAILING, "j");
	assert_change(&c.changes[1], RG_CASE_NEWLY_FAILING, "a");
	assert_change(&c.changes[2], RG_CASE_FIXED, "b");
	assert_change(&c.changes[3], RG_CASE_STILL_FAILING, "i");
	assert_change(&c.changes[4], RG_CASE_STILL_FAILING, "c");
	assert_change(&c.changes[5], RG_CASE_NEW, "l");
	assert_change(&c.changes[6], RG_CASE_NEW, "k");
	assert_change(&c.changes[7], RG_CASE_GONE, "h");
	assert_change(&c.changes[8], RG_CASE_OTHER, "e");
	assert_change(&c.changes[9], RG_CASE_OTHER, "g");
	assert_int_equal(c.old.passed, 4);
	assert_int_equal(c.old.failed, 4);
	assert_int_equal(c.old.skipped, 1);
	assert_true(rg_case_pass_rate(&c.old) == 0.5);
	assert_int_equal(c.flow_count, 2);
	assert_string_equal(c.flows[1].name, "g");
	assert_int_equal(c.flows[1].fresh.passed, 1);
	assert_true(isnan(rg_case_pass_rate(&c.flows[1].old)));
	assert_int_equal(c.param_count, 2);
	assert_int_equal(c.params[0].old.failed, 2);
	assert_int_equal(c.params[0].changes[RG_CASE_FIXED], 1);
	/* By detail: A, X, Y, Z; what was fixed counts under how it had failed. */
	assert_int_equal(c.failure_count, 4);
	assert_string_equal(c.failures[3].detail, "Z");
	assert_int_equal(c.failures[3].changes[RG_CASE_FIXED], 1);
	assert_int_equal(c.failures[3].changes[RG_CASE_NEWLY_FAILING], 1);
	rg_case_comparison_release(&c);
	rg_case_list_release(&fresh);
	rg_case_list_release(&old);
}

/* Both pass, and only the first is delegated no more; one that did not pass before was not lost. */
TEST(lost_delegation)
{
	static const char old_text[] = "Test ID,Flow,Result,Delegated\na,f,Pass,True\n"
				       "b,f,Pass,False\nc,f,Fail,True\nd,f,Pass,True\ne,f,Pass,\n";
	static const char new_text[] =
		"Test ID,Flow,Result,Delegated\na,f,Pass,False\n"
		"b,f,Pass,True\nc,f,Pass,False\nd,f,Fail,False\ne,f,Pass,False\n";
	rg_case_comparison c;
	rg_case_list old, fresh;

	read_list(&old, old_text);
	read_list(&fresh, new_text);
	rg_cases_compare(&c, &old, &fresh);
	assert_int_equal(c.undelegated_count, 1);
	assert_string_equal(c.undelegated[0].fresh->test_id, "a");
	assert_int_equal(c.count, 2);
	rg_case_comparison_release(&c);
	rg_case_list_release(&fresh);
	rg_case_list_release(&old);
}

TEST(accuracy_by_flow)
{
	static const char header[] =
		"Test ID,Flow,Result,Output 0 SNR,Output 1 SNR,Output 0 Error Max\n";
	static const char old_text[] = "a,f,Pass,90,inf,1\nb,f,Pass,40,,2\nc,f,Pass,nan,20,\n"
				       "d,g,Pass,inf,,\ne,g,Pass,10,30,\nh,h,Pass,,,3\n";
	static const char new_text[] = "a,f,Pass,80.5,60,9\nb,f,Pass,41,,9\nc,f,Pass,1,nan,\n"
				       "d,g,Pass,inf,,\ne,g,Pass,10,70,\nh,h,Pass,,,9\n";
	static const struct {
		const char *id, *column;
		double drop;
	} wanted[] = {{"a", "Output 1 SNR", INFINITY},
		      {"c", "Output 1 SNR", INFINITY},
		      {"a", "Output 0 SNR", 9.5}};
	char text[2][512];
	rg_case_comparison c;
	rg_case_list old, fresh;
	size_t i;

	snprintf(text[0], sizeof(text[0]), "%s%s", header, old_text);
	snprintf(text[1], sizeof(text[1]), "%s%s", header, new_text);
	read_list(&old, text[0]);
	read_list(&fresh, text[1]);
	rg_cases_compare(&c, &old, &fresh);
	assert_int_equal(c.snr_count, 3);
	for (i = 0; i < 3; i++) {
		assert_string_equal(c.snrs[i].fresh->test_id, wanted[i].id);
		assert_string_equal(c.snrs[i].column, wanted[i].column);
		assert_true(c.snrs[i].drop == wanted[i].drop);
	}
	assert_int_equal(c.flow_count, 3);
	assert_int_equal(c.flows[0].outputs, 5);
	assert_int_equal(c.flows[0].lower, 3);
	assert_int_equal(c.flows[0].from_infinite, 1);
	assert_ptr_equal(c.flows[0].worst, &c.snrs[0]);
	assert_int_equal(c.flows[1].outputs, 3);
	assert_int_equal(c.flows[1].lower, 0);
	assert_null(c.flows[1].worst);
	assert_int_equal(c.flows[2].outputs, 0);
	rg_case_comparison_release(&c);
	rg_case_list_release(&fresh);
	rg_case_list_release(&old);
}

TEST(nothing)
{
	rg_case_list old = {0}, fresh = {0};
	rg_case_comparison c;

	rg_case_list_finish(&old);
	rg_case_list_finish(&fresh);
	rg_cases_compare(&c, &old, &fresh);
	assert_int_equal(c.count, 0);
	assert_int_equal(c.flow_count, 0);
	rg_case_comparison_release(&c);
	rg_case_list_release(&fresh);
	rg_case_list_release(&old);
}
