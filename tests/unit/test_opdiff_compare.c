/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/buf.h"
#include "compare/opdiff_compare.h"

#include <math.h>
#include <string.h>

static void test_buckets(void **state)
{
	static const struct {
		double value;
		size_t bucket;
	} cases[] = {{0, 0},      {5e-324, 1}, {1e-6, 1},    {1.0000001e-6, 2}, {1e-4, 2},
		     {1.1e-4, 3}, {1e-2, 3},   {0.011, 4},   {0.1, 4},          {0.11, 5},
		     {1, 5},      {1.01, 6},   {INFINITY, 6}};
	size_t i;

	(void)state;
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

static void test_times_and_statuses(void **state)
{
	static const char old_text[] = META ITEM("a", "1", "x", "OK", "2")
		ITEM("b", "1", "x", "OK", "8") ITEM("c", "1", "x", "ERROR", "null")
			ITEM("d", "0", "x", "OK", "1") ITEM("f", "1", "x", "TIMED_ERROR", "3");
	static const char new_text[] = META ITEM("a", "2", "x", "SKIPPED", "null")
		ITEM("b", "1", "x", "OK", "4") ITEM("c", "1", "x", "OK", "0.5")
			ITEM("e", "1", "y", "OK", "1") ITEM("f", "1", "x", "TIMED_ERROR", "3");
	rg_opdiff_run old, fresh;
	rg_opdiff_comparison c;

	(void)state;
	assert_success(rg_opdiff_read(&old, old_text, strlen(old_text), -1));
	assert_success(rg_opdiff_read(&fresh, new_text, strlen(new_text), -1));
	assert_success(rg_opdiff_compare(&c, &old, &fresh, NULL, NULL));
	assert_int_equal(c.column_count, 3);
	assert_string_equal(c.columns[0].backend, "x");
	assert_false(c.columns[0].new_side);
	assert_true(c.columns[1].new_side);
	assert_string_equal(c.columns[2].backend, "y");
	/* 2 and 8; a baseline of no time has no ratio, and neither has what did not succeed. */
	assert_int_equal(c.columns[0].to_baseline.count, 2);
	assert_true(fabs(c.columns[0].to_baseline.geometric_mean - 4) < 1e-12);
	assert_true(c.columns[0].to_baseline.median == 5);
	assert_true(fabs(c.columns[0].to_baseline.p90 - 7.4) < 1e-12);
	assert_true(c.columns[0].to_baseline.share_faster == 0);
	assert_true(c.columns[1].to_baseline.share_faster == 0.5);
	assert_int_equal(c.columns[0].statuses[RG_OPDIFF_ERROR], 1);
	assert_int_equal(c.change_count, 2);
	assert_int_equal(c.worse, 1);
	assert_int_equal(c.better, 1);
	assert_string_equal(c.changes[0].id, "a");
	assert_int_equal(c.changes[0].fresh, RG_OPDIFF_SKIPPED);
	assert_int_equal(c.old_only, 1);
	assert_int_equal(c.new_only, 1);
	assert_int_equal(c.new_to_old.count, 1);
	assert_true(c.new_to_old.median == 0.5);
	rg_opdiff_comparison_release(&c);
	/* One backend against another. */
	assert_success(rg_opdiff_compare(&c, &fresh, &fresh, "x", "y"));
	assert_int_equal(c.column_count, 2);
	assert_int_equal(c.old_only, 4);
	assert_int_equal(c.new_only, 1);
	assert_true(isnan(c.new_to_old.median));
	rg_opdiff_comparison_release(&c);
	rg_opdiff_release(&fresh);
	rg_opdiff_release(&old);
}

static void test_many_backends(void **state)
{
	rg_opdiff_comparison c;
	rg_opdiff_run run;
	rg_buf text;
	size_t i;

	(void)state;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_str(&text, META);
	for (i = 0; i < 257; i++)
		rg_buf_printf(&text,
			      "{\"type\": \"item\", \"id\": \"%zu\", \"backends\": "
			      "[{\"backend\": \"b%zu\", \"res\": [{\"status\": \"OK\"}]}]}\n",
			      i, i);
	assert_success(rg_buf_check(&text, "results"));
	assert_success(rg_opdiff_read(&run, text.data, text.length, -1));
	assert_success(rg_opdiff_compare(&c, &run, &run, NULL, NULL));
	assert_int_equal(c.column_count, 2 * 256);
	assert_int_equal(c.columns_left_out, 2);
	rg_opdiff_comparison_release(&c);
	assert_success(rg_opdiff_compare(&c, &run, &run, "b0", "b1"));
	assert_int_equal(c.columns_left_out, 0);
	rg_opdiff_comparison_release(&c);
	rg_opdiff_release(&run);
	rg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_times_and_statuses),
		cmocka_unit_test(test_many_backends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
