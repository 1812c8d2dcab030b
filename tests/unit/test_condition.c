/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions of --fail-on: their names and arguments, and which way each looks. */
#include "unit.h"

#include "base/buf.h"
#include "compare/condition.h"

#include <math.h>

static double never(const rg_condition_subject *subject)
{
	(void)subject;
	return NAN;
}

TEST(condition_names)
{
	static const rg_condition table[] = {{.name = "plain", .help = "", .test = never},
					     {.name = "outside",
					      .takes = RG_ARGUMENT_NAME,
					      .argument = ":METRIC",
					      .help = "",
					      .test = never},
					     {.name = "over",
					      .takes = RG_ARGUMENT_PERCENT,
					      .argument = "=P%",
					      .help = "",
					      .test = never},
					     {.name = "drop",
					      .takes = RG_ARGUMENT_NUMBER,
					      .argument = "=DB",
					      .help = "",
					      .test = never},
					     {0}};
	static const struct {
		const char *text, *message;
	} bad[] = {
		{"plain:x", "'plain:x': plain takes no argument"},
		{"plain=", "'plain=': plain takes no argument"},
		{"outside", "'outside' needs an argument: outside:METRIC"},
		{"outside:", "'outside:' needs an argument: outside:METRIC"},
		{"over", "'over' needs an argument: over=P%"},
		{"over=5", "'over=5' is not over=P% with a number of 0 or more"},
		{"over=%", "'over=%' is not over=P% with a number of 0 or more"},
		{"over=-1%", "'over=-1%' is not over=P% with a number of 0 or more"},
		{"drop=3%", "'drop=3%' is not drop=DB with a number of 0 or more"},
		{"drop=inf", "'drop=inf' is not drop=DB with a number of 0 or more"},
		{"drop=nan", "'drop=nan' is not drop=DB with a number of 0 or more"},
		{"plin", "'plin' is not a condition; there are plain, outside:METRIC, over=P%,"
			 " drop=DB; did you mean 'plain'?"},
	};
	rg_asked_condition found;
	size_t i;

	assert_success(rg_condition_find(&found, table, "plain"));
	assert_ptr_equal(found.condition, &table[0]);
	assert_null(found.argument);
	/* Either sign goes between, and what follows the first one is the argument. */
	assert_success(rg_condition_find(&found, table, "outside:a=b:c"));
	assert_ptr_equal(found.condition, &table[1]);
	assert_string_equal(found.argument, "a=b:c");
	assert_success(rg_condition_find(&found, table, "outside=a"));
	assert_string_equal(found.argument, "a");
	assert_success(rg_condition_find(&found, table, "over=12.5%"));
	assert_true(found.number == 0.125);
	assert_success(rg_condition_find(&found, table, "drop:3"));
	assert_true(found.number == 3);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_error(rg_condition_find(&found, table, bad[i].text), RG_E_USAGE,
			     bad[i].message);
}

/* What holds of a pair of places, or of times: "" where nothing does. */
static void expect_worse(const rg_row *row, const char *conditions)
{
	const rg_condition *condition;
	rg_file_outcome file = {0};
	const rg_condition_subject subject = {.row = row, .file = &file};

	RG_AUTO(rg_buf) held = rg_buf_of(RG_BUF_TEXT);
	for (condition = rg_conditions; condition->name; condition++) {
		const rg_asked_condition asked = {.condition = condition,
						  .number = condition->takes ? 0.5 : 0};

		if (condition->worse && !isnan(rg_condition_test(&asked, &subject)))
			rg_buf_printf(&held, "%s ", condition->name);
	}
	assert_success(rg_buf_check(&held, "conditions"));
	assert_string_equal(held.data, conditions);
}

static rg_row on_scale(rg_scale scale, double old, double fresh)
{
	return (rg_row){.metric = "m", .scale = scale, .old_place = old, .new_place = fresh};
}

/* Which way it went decides. */
TEST(worse_is_not_better)
{
	static const struct {
		rg_scale scale;
		double old, fresh;
		const char *held;
	} rows[] = {
		{RG_SCALE_RESULT, RG_PLACE_PASS, RG_PLACE_FAIL, "newly-failing status-worse "},
		{RG_SCALE_RESULT, RG_PLACE_SKIP, RG_PLACE_FAIL, "newly-failing status-worse "},
		{RG_SCALE_RESULT, RG_PLACE_PASS, RG_PLACE_SKIP, "status-worse "},
		{RG_SCALE_RESULT, RG_PLACE_PASS, RG_PLACE_CRASH,
		 "crash newly-failing status-worse "},
		{RG_SCALE_RESULT, RG_PLACE_FAIL, RG_PLACE_CRASH, "crash status-worse "},
		{RG_SCALE_RESULT, NAN, RG_PLACE_CRASH, "crash "},
		{RG_SCALE_RESULT, NAN, RG_PLACE_FAIL, ""},
		{RG_SCALE_RESULT, RG_PLACE_CRASH, RG_PLACE_CRASH, ""},
		{RG_SCALE_RESULT, RG_PLACE_CRASH, RG_PLACE_FAIL, ""},
		{RG_SCALE_RESULT, RG_PLACE_FAIL, RG_PLACE_PASS, ""},
		{RG_SCALE_RESULT, RG_PLACE_CRASH, NAN, ""},
		{RG_SCALE_STATUS, 0, 6, "status-worse "},
		{RG_SCALE_STATUS, 6, 2, ""},
		{RG_SCALE_DELEGATED, 0, 1, "undelegated "},
		{RG_SCALE_DELEGATED, 1, 0, ""},
		{RG_SCALE_SNR, 40, 39, "snr-drop "},
		{RG_SCALE_SNR, 40, 39.5, ""},
		{RG_SCALE_SNR, 40, 60, ""},
		{RG_SCALE_SNR, INFINITY, 90, "snr-drop "},
		{RG_SCALE_SNR, INFINITY, INFINITY, ""},
		{RG_SCALE_SNR, 40, INFINITY, ""},
		{RG_SCALE_SNR, 40, NAN, "snr-drop "},
		{RG_SCALE_SNR, NAN, 40, ""},
		{RG_SCALE_NONE, NAN, NAN, ""},
	};
	rg_row row;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		row = on_scale(rows[i].scale, rows[i].old, rows[i].fresh);
		expect_worse(&row, rows[i].held);
	}
	row = on_scale(RG_SCALE_SNR, 40, NAN);
	row.gap = RG_GAP_OLD_ONLY;
	expect_worse(&row, "");
}

/* Whatever they are called. */
TEST(durations)
{
	rg_row row = {.metric = "iteration-time", .n_steps = 1, .avg_rel_diff = -0.75};

	expect_worse(&row, "");
	row.measure = RG_MEASURE_RATE;
	expect_worse(&row, "");
	row.metric = "x";
	row.measure = RG_MEASURE_DURATION;
	expect_worse(&row, "slower ");
	row.avg_rel_diff = 0.75;
	expect_worse(&row, "");
	row.avg_rel_diff = -0.25;
	expect_worse(&row, "");
}
