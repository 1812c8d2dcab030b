/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict, and the lines that hold for all goldens. */
#include "unit.h"

#include "report/blocks.h"

#include <stdio.h>

typedef void says(rg_buf *out, const rg_blocks *blocks);

static void assert_says(says *say, const rg_blocks *blocks, const char *wanted)
{
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&out, "");
	say(&out, blocks);
	assert_string_equal(out.data, wanted);
}

TEST(sides)
{
	rg_blocks b = {.compared = 1};

	assert_says(rg_blocks_say_verdict, &b, "1 golden compared: nothing to review");
	b.compared = 0;
	assert_says(rg_blocks_say_verdict, &b, "0 goldens compared: nothing to compare");
	b.compared = 1234;
	b.old_side = "the merge base of main";
	b.new_side = "the working tree";
	assert_says(rg_blocks_say_verdict, &b,
		    "1,234 goldens compared, the merge base of main -> the working tree: nothing "
		    "to review");
	/* A name that can move is said with its commit. */
	b.old_commit = "1a2b3c4d5e6f";
	assert_says(rg_blocks_say_verdict, &b,
		    "1,234 goldens compared, the merge base of main (1a2b3c4) -> the working "
		    "tree: nothing to review");
}

TEST(filters)
{
	rg_blocks b = {.compared = 126, .shown = 119, .filter = "rows that fail approximate"};

	assert_says(rg_blocks_say_verdict, &b,
		    "showing rows that fail approximate: 119 of 126 goldens");
	b.shown = 0;
	assert_says(rg_blocks_say_verdict, &b,
		    "showing rows that fail approximate: 0 of 126 goldens: --filter keeps no "
		    "metric");
}

TEST(each_reason)
{
	static const struct {
		rg_found kind;
		size_t goldens, count;
		const char *text;
	} cases[] = {
		{RG_FOUND_NONFINITE, 1, 9, "1 golden has new NaNs"},
		{RG_FOUND_NONFINITE, 6, 9, "6 goldens have new NaNs"},
		{RG_FOUND_VALUES_REMOVED, 2, 9, "values removed from 2 goldens"},
		{RG_FOUND_METRIC_REMOVED, 1, 9, "metrics removed from 1 golden"},
		{RG_FOUND_UNREADABLE, 1, 0, "1 golden unreadable"},
		{RG_FOUND_HELD, 2, 0, "2 goldens held back"},
		{RG_FOUND_MISSING, 1, 0, "1 artifact missing"},
		{RG_FOUND_RECORDS_REMOVED, 2, 9, "records removed"},
		{RG_FOUND_GOLDEN_REMOVED, 2, 0, "2 goldens removed"},
		{RG_FOUND_TESTS, 0, 3, "3 test or operator results worse"},
		{RG_FOUND_RESHAPED, 1, 0, "another kind of values in 1 golden"},
		{RG_FOUND_OUTLIER, 3, 0, "outliers in 3 goldens"},
		{RG_FOUND_MOVED, 1, 0, "1 golden over its flag level"},
		{RG_FOUND_MOVED, 2, 0, "2 goldens over their flag levels"},
		{RG_FOUND_FROM_ZERO, 2, 0, "values that were 0 or tiny in 2 goldens"},
		{RG_FOUND_REPAIRED, 1, 0, "1 golden is finite again"},
		{RG_FOUND_VALUES_ADDED, 1, 0, "values added to 1 golden"},
		{RG_FOUND_CHECK, 5, 0, "5 fail approximate"},
		{RG_FOUND_CHECK, 1, 0, "1 fails approximate"},
		{RG_FOUND_RUN, 0, 0, "the run has changed"},
		{RG_FOUND_METRIC_NEW, 2, 0, "metrics added to 2 goldens"},
		{RG_FOUND_RECORDS_ADDED, 2, 0, "records added"},
		{RG_FOUND_GOLDEN_NEW, 1, 0, "1 new golden"},
		{RG_FOUND_TEXT, 2, 0, "2 goldens differ without a figure"},
		{RG_FOUND_UNREAD, 1, 0, "1 golden partly read"},
	};
	char wanted[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const rg_story_finding finding = {.kind = cases[i].kind,
						  .goldens = cases[i].goldens,
						  .is_nan = true,
						  .text = "approximate"};
		const rg_story_reason reason = {cases[i].kind, cases[i].goldens, cases[i].goldens,
						cases[i].count};
		const rg_blocks b = {.compared = 9,
				     .findings = &finding,
				     .finding_count = 1,
				     .reasons = &reason,
				     .reason_count = 1};
		snprintf(wanted, sizeof(wanted), "9 goldens compared: needs review (%s)",
			 cases[i].text);
		assert_says(rg_blocks_say_verdict, &b, wanted);
	}
}

/* The two worst, whatever their order. */
TEST(two_reasons)
{
	static const rg_story_finding findings[] = {
		{.kind = RG_FOUND_OUTLIER, .goldens = 2},
		{.kind = RG_FOUND_NONFINITE, .goldens = 1, .is_inf = true},
		{.kind = RG_FOUND_GOLDEN_NEW, .goldens = 3}};
	static const rg_story_reason reasons[] = {{RG_FOUND_GOLDEN_NEW, 3, 0, 0},
						  {RG_FOUND_OUTLIER, 2, 2, 0},
						  {RG_FOUND_NONFINITE, 1, 0, 1}};
	const rg_blocks b = {.compared = 9,
			     .findings = findings,
			     .finding_count = 3,
			     .reasons = reasons,
			     .reason_count = 3};

	assert_says(rg_blocks_say_verdict, &b,
		    "9 goldens compared: needs review (1 golden has new infinite values; "
		    "outliers in 2 goldens)");
}

TEST(facts)
{
	static const rg_story_rename renames[] = {
		{"a", "b"}, {"c", "d\ne"}, {"f", "g"}, {"h", "i"}, {"j", "k"}};
	rg_blocks b = {.compared = 3, .rows = 1343};

	assert_says(rg_blocks_say_facts, &b, "values are equal (1,343 rows)");
	b.columns = 1;
	b.finding_count = 1;
	assert_says(rg_blocks_say_facts, &b, "everything else is equal (1 column)");
	b.rows = 0;
	b.facts = (rg_story_facts){.placeholders = 2, .formatted = 1, .unshown = 1, .variants = 3};
	assert_says(rg_blocks_say_facts, &b,
		    "NaN placeholders removed from 2 goldens\n"
		    "same values, different formatting in 1 golden\n"
		    "same values, other differences that no row shows in 1 golden\n"
		    "compared with the nearest accepted variant: 3 goldens");
	b.facts = (rg_story_facts){0};
	b.renames = renames;
	b.rename_count = 5;
	assert_says(rg_blocks_say_facts, &b,
		    "renamed: a -> b\nrenamed: c -> d\\x0ae\nrenamed: f -> g\nrenamed: 2 more");
}

TEST(checks)
{
	static rg_story_failure failures[] = {{"a", 9}, {"b", 8}, {"c", 7}, {"d", 6}};
	rg_story_check list[] = {{.name = "approximate",
				  .goldens = 9,
				  .passes = 0,
				  .fails = 9,
				  .unchecked = 1,
				  .failures = failures,
				  .failure_count = 4},
				 {.name = "exact",
				  .exact = true,
				  .goldens = 5,
				  .passes = 2,
				  .fails = 3,
				  .failures = failures,
				  .failure_count = 1},
				 {.name = "other", .goldens = 1, .passes = 1}};
	rg_blocks b = {.checks = list, .check_count = 2};

	assert_says(rg_blocks_say_checks, &b,
		    "approximate: 0 of 9 pass (failures: a 9, b 8, c 7 and 1 more), 1 "
		    "could not be checked; exact: 2 of 5 pass");
	b.check_count = 3;
	b.checks = list;
	list[0].failure_count = 1;
	list[0].unchecked = 0;
	assert_says(rg_blocks_say_checks, &b,
		    "approximate: 0 of 9 pass (failures: a 9)\nexact: 2 of 5 pass\nother: 1 of 1 "
		    "pass");
}

/* Six are named, and nothing that the table has. */
TEST(quiet_metrics)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	rg_moved moved[10];
	rg_blocks b = {.moved = moved};

	for (size_t i = 0; i < 8; i++)
		moved[i] = (rg_moved){.metric = names[i],
				      .class_of = RG_CLASS_VALUE,
				      .changed = 1,
				      .low = -0.01 * (double)(8 - i),
				      .high = 0,
				      .still = true};
	moved[8] = moved[9] = moved[7];
	moved[8].still = false;
	moved[9].changed = 0;
	b.moved_count = 10;
	assert_says(rg_blocks_say_quiet, &b,
		    "within their flag levels: a (8 %), b (7 %), c (6 %), d (5 %), e (4 %), f (3 "
		    "%) and 2 more");
	b.moved_count = 1;
	assert_true(rg_blocks_have_moved(&b));
	moved[0].changed = 0;
	assert_says(rg_blocks_say_quiet, &b, "");
	assert_false(rg_blocks_have_moved(&b));
}
