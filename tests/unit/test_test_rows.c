/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of tests are counted, and their rows left out. */
#include "unit.h"

#include "compare/compare.h"
#include "story/summary.h"

#include <string.h>

static void add(rg_comparison *out, const char *file, const char *old_text, const char *new_text)
{
	rg_input sides[2] = {{.name = file, .data = old_text, .size = strlen(old_text)},
			     {.name = file, .data = new_text, .size = strlen(new_text)}};
	rg_file_name name = {file, NULL};
	rg_golden *old, *fresh;

	assert_success(rg_golden_read(&old, &sides[0], NULL));
	assert_success(rg_golden_read(&fresh, &sides[1], NULL));
	assert_success(rg_compare_goldens(out, &name, old, fresh, NULL));
	rg_golden_free(old);
	rg_golden_free(fresh);
}

static const char old_report[] = "Test ID,Flow,Result,Result Detail,Delegated,Output 0 SNR\n"
				 "a,f,Pass,,True,9\nb,f,Fail,,,\nc,f,Pass,,True,9\nd,f,Pass,,,\n"
				 "e,f,Pass,,,\n";
static const char new_report[] = "Test ID,Flow,Result,Result Detail,Delegated,Output 0 SNR\n"
				 "a,f,Pass,,False,8\nb,f,Pass,,,\nc,f,Fail,,,\n"
				 "d,f,Fail,Process Crash,,\n";

static rg_test_counts count(const rg_comparison *c)
{
	rg_test_counts counts;
	rg_test_rows_count(&counts, c);
	return counts;
}

TEST(what_is_counted)
{
	rg_comparison c;

	rg_comparison_init(&c);
	add(&c, "x.json", "{\"a\": [1]}", "{\"a\": [2]}");
	assert_false(count(&c).any);
	add(&c, "same.csv", new_report, new_report);
	assert_true(count(&c).any);
	assert_int_equal(count(&c).newly_failing, 0);
	add(&c, "report.csv", old_report, new_report);
	const rg_test_counts counts = count(&c);
	assert_int_equal(counts.newly_failing, 2);
	assert_int_equal(counts.crashed, 1);
	assert_int_equal(counts.gone, 1);
	assert_int_equal(counts.undelegated, 1);
	assert_int_equal(counts.lower_snr, 1);
	assert_int_equal(counts.worse, 0);
	rg_comparison_release(&c);
}

/* The others keep their rows and gaps, in their order. */
TEST(rows_are_left_out)
{
	rg_comparison c, told;
	size_t i;

	rg_comparison_init(&c);
	add(&c, "one.json", "{\"a\": [1], \"gone\": [1], \"t\": \"x\"}",
	    "{\"a\": [2], \"t\": \"y\"}");
	add(&c, "report.csv", old_report, new_report);
	add(&c, "two.json", "{\"b\": [1]}", "{\"b\": [2], \"new\": [1]}");
	rg_without_test_rows(&told, &c);
	assert_int_equal(told.file_count, 3);
	assert_int_equal(told.compared, 3);
	assert_int_equal(told.row_count, 3);
	assert_int_equal(told.series_rows, 2);
	assert_int_equal(told.gap_count, 2);
	assert_int_equal(told.files[1].row_count, 0);
	assert_int_equal(told.files[2].first_row, 2);
	assert_int_equal(told.files[2].first_gap, 1);
	assert_string_equal(told.rows[2].metric, "b");
	assert_string_equal(told.gaps[1].metric, "new");
	for (i = 0; i < c.row_count; i++)
		assert_int_equal(rg_is_test_row(&c, &c.rows[i]), c.rows[i].file_index == 1);
	rg_without_test_rows_release(&told);
	rg_comparison_release(&c);
}
