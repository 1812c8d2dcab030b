/* SPDX-License-Identifier: Apache-2.0 */
/* Figures in words, and how rows and lines of the table say them. */
#include "unit.h"

#include "hand_made.h"

#include "report/words.h"

static const rg_column_context context = {
	"root", "{stage}/{test}/{file}", "golden_*.json", NULL, false, false};

#define SAYS(wanted, call, ...)                          \
	do {                                             \
		rg_buf said_;                            \
		rg_buf_init(&said_, RG_BUF_TEXT);        \
		rg_buf_str(&said_, "");                  \
		call(&said_, __VA_ARGS__);               \
		assert_string_equal(said_.data, wanted); \
		rg_buf_release(&said_);                  \
	} while (0)

TEST(changes)
{
	SAYS("+21.7 %", rg_say_change, 0.217);
	SAYS("-0.15 %", rg_say_change, -0.0015);
	SAYS("0 %", rg_say_change, 0);
	SAYS("0 %", rg_say_change, -0.0);
	SAYS("+0.00003 %", rg_say_change, 3e-7);
	SAYS("-0.00001 %", rg_say_change, -1.2e-7);
	SAYS("< 0.00001 %", rg_say_change, 9e-8);
	SAYS("< 0.00001 %", rg_say_change, -1e-300);
	SAYS("+0.012 %", rg_say_change, 0.000123456);
	SAYS("+0.0012 %", rg_say_change, 0.0000123456);
	SAYS("+1.87 %", rg_say_change, 0.018749);
	SAYS("-5 %", rg_say_change, -0.05);
	SAYS("+10 %", rg_say_change, 0.09999);
	SAYS("+100 %", rg_say_change, 0.9999);
	SAYS("+6,690 %", rg_say_change, 66.866);
	SAYS("+999 %", rg_say_change, 9.994);
	SAYS("+1,000 %", rg_say_change, 9.996);
	SAYS("-1,230,000 %", rg_say_change, -12345.6);
	SAYS("+over 1,000,000,000 %", rg_say_change, 1e300);
	SAYS("+inf %", rg_say_change, INFINITY);
	SAYS("no percentage", rg_say_change, NAN);
}

TEST(ranges)
{
	SAYS("0 to +3.12 %", rg_say_range, 0, 0.0312);
	SAYS("-1.34 to -0.15 %", rg_say_range, -0.0134, -0.0015);
	SAYS("-10.6 to +7.99 %", rg_say_range, -0.106, 0.0799);
	SAYS("-21.7 %", rg_say_range, -0.217, -0.217);
	SAYS("+5 %", rg_say_range, 0.05, 0.050001);
	SAYS("0 %", rg_say_range, 0, 0);
	/* Two that read alike but for their signs are two. */
	SAYS("-5 to +5 %", rg_say_range, -0.05, 0.05);
}

/* Rounded up, so that it holds. */
TEST(shares)
{
	SAYS("7 %", rg_say_share, 0.07);
	SAYS("7 %", rg_say_share, -0.07);
	SAYS("0.69 %", rg_say_within, 0.00684);
	SAYS("2.8 %", rg_say_within, 0.028);
	SAYS("5 %", rg_say_within, 0.05);
	SAYS("5.1 %", rg_say_within, -0.05001);
	SAYS("130 %", rg_say_within, 1.201);
	SAYS("0 %", rg_say_within, 0);
	SAYS("< 0.00001 %", rg_say_within, 1e-9);
}

TEST(both_values)
{
	SAYS("0 -> 7", rg_say_both, 0, 7);
	SAYS("NaN -> 3.2", rg_say_both, NAN, 3.2);
	SAYS("1e-15 -> 5", rg_say_both, 1e-15, 5);
	SAYS("1.00001 -> 1.00002", rg_say_both, 1.00001, 1.00002);
	SAYS("1.0000000000000002 -> 1", rg_say_both, 1.0000000000000002, 1);
}

TEST(figures)
{
	SAYS("0.217", rg_say_figure, 0.217);
	SAYS("1.2e-05", rg_say_figure, 1.2e-5);
	SAYS("12,300", rg_say_figure, 12345);
	SAYS("-1,000", rg_say_figure, -999.99);
	SAYS("1e+09", rg_say_figure, 1e9);
	SAYS("inf", rg_say_figure, INFINITY);
	SAYS("1 step", rg_say_count, 1, "step");
	SAYS("1,343 rows", rg_say_count, 1343, "row");
	SAYS("0 rows", rg_say_count, 0, "row");
}

/* --- what moved --- */

static const rg_moved moved = {.metric = "m",
			       .class_of = RG_CLASS_VALUE,
			       .goldens = 5,
			       .changed = 5,
			       .rows = 5,
			       .rows_changed = 5,
			       .low = -0.02,
			       .high = 0.01,
			       .median = -0.005};

TEST(lines_of_the_table)
{
	rg_moved m = moved;

	SAYS("-2 to +1 %", rg_moved_say_change, &m);
	SAYS("-0.5 %", rg_moved_say_median, &m);
	assert_true(rg_moved_is_shown(&m));
	m.still = true;
	assert_false(rg_moved_is_shown(&m));
	/* Losses are shown whether they moved or not. */
	m.class_of = RG_CLASS_LOSS;
	m.changed = 0;
	SAYS("equal", rg_moved_say_change, &m);
	SAYS("", rg_moved_say_median, &m);
	assert_true(rg_moved_is_shown(&m));
	/* One figure is its own median. */
	m = moved;
	m.low = m.high = m.median = 0.01;
	SAYS("+1 %", rg_moved_say_change, &m);
	SAYS("", rg_moved_say_median, &m);
	/* All that moved is among the findings. */
	m.low = m.high = m.median = NAN;
	SAYS("-", rg_moved_say_change, &m);
	assert_false(rg_moved_is_shown(&m));
	/* Texts have no level to be within. */
	m.counted = m.still = true;
	m.rows_changed = 2;
	SAYS("2 of 5 differ", rg_moved_say_change, &m);
	SAYS("", rg_moved_say_median, &m);
	assert_true(rg_moved_is_shown(&m));
	m.of_models = true;
	assert_false(rg_moved_is_shown(&m));
}

/* A direction is said of durations alone, and a median where there is a trend. */
TEST(durations)
{
	rg_moved m = moved;

	m.class_of = RG_CLASS_TIME;
	m.typical = true;
	m.larger = 3;
	m.smaller = 2;
	SAYS("3 slower, 2 faster (median step), no trend", rg_moved_say_change, &m);
	SAYS("", rg_moved_say_median, &m);
	m.larger = 0;
	m.trend = true;
	SAYS("2 faster (median step)", rg_moved_say_change, &m);
	SAYS("-0.5 %", rg_moved_say_median, &m);
	m.class_of = RG_CLASS_RATE;
	m.typical = false;
	m.larger = 1;
	SAYS("1 larger, 2 smaller", rg_moved_say_change, &m);
	/* One that needs review is shown with all of them. */
	m.still = true;
	assert_false(rg_moved_is_shown(&m));
	m.review = 1;
	assert_true(rg_moved_is_shown(&m));
	m.larger = m.smaller = 0;
	assert_false(rg_moved_is_shown(&m));
}

/* --- rows --- */

/* Wants the words of the only row, and why it needs review. */
static void row_says(hand_made *made, const char *says, const char *why)
{
	rg_metric_policy policy;
	rg_story story;
	const rg_row *row = made->c.rows;

	rg_policy_resolve(made->policy, row->file, row->metric, &policy);
	assert_success(rg_story_make(&story, &made->summary));
	SAYS(says, rg_row_say, row, &policy);
	SAYS(why, rg_row_say_why, &story, row);
	rg_story_release(&story);
	hand_made_release(made);
}

static rg_row *begin(hand_made *made, double change)
{
	hand_made_init(made, &context);
	set_level(made, "*", "flag", "0.01");
	add_golden(made, "root/gpt/a/golden_dev.json");
	return add_row(made, "m", change);
}

TEST(rows)
{
	hand_made made;
	rg_row *row;

	begin(&made, 0);
	row_says(&made, "equal", "");
	begin(&made, 0.005);
	row_says(&made, "+0.5 %", "");
	begin(&made, -0.05);
	row_says(&made, "-5 %", "over its flag level: -5 % (flag level 0.01)");
	row = begin(&made, 0.003);
	row->left_out.new_nonfinite = 1;
	row->nonfinite_steps = "18";
	row->now_nan = true;
	row_says(&made, "now NaN at step 18, +0.3 %",
		 "lost or not finite: now NaN at step 18, +0.3 %");
	row = begin(&made, 0.0001);
	row->mean_abs_rel = 0.02;
	row_says(&made, "+0.01 % (mean; varies by 2 % per step)",
		 "over its flag level, cancels: +0.01 % (mean; varies by 2 % per step)");
	row = begin(&made, 0.02);
	row->median_known = true;
	row->median_rel_diff = 0.001;
	row_says(&made, "+2 % (mean; median step -0.1 %)",
		 "over its flag level: +2 % (mean; median step -0.1 %) (flag level 0.01)");
	row = begin(&made, 0.02);
	row->left_out.old_only = row->lost = 2;
	row->lost_steps = "4..5";
	row->left_out.new_only = 1;
	row->gained_steps = "6";
	row_says(&made, "removed at steps 4..5, added at step 6, +2 %",
		 "over its flag level, lost or not finite: removed at steps 4..5, added at step "
		 "6, +2 % (flag level 0.01)");
	row = begin(&made, 0);
	row->n_steps = 0;
	row->values_differ = true;
	row->identical = false;
	row->from_zero.count = 1;
	row->from_zero.largest = 4;
	row->from_zero.needs_look = true;
	row_says(&made, "0 -> 4", "0 -> 4");
}

TEST(tensors_and_texts)
{
	static const rg_tensor_stats tensor = {
		.snr_db = 41.23, .share_differing = 0.031, .worst_text = "[1, 3]"};
	hand_made made;
	rg_row *row = begin(&made, 0.25);

	row->tensor = &tensor;
	row_says(&made, "max_abs 0.25 at [1, 3], SNR 41.2 dB, 3.1 % of its elements differ",
		 "over its flag level: max_abs 0.25 at [1, 3], SNR 41.2 dB, 3.1 % of its elements "
		 "differ (flag level 0.01)");
	hand_made_init(&made, &context);
	add_golden(&made, "root/gpt/a/golden_dev.json");
	row = add_exact(&made, "m", "a", "b");
	row->first_diff_known = true;
	row->first_diff = 7;
	row_says(&made, "differs from position 7", "differs from position 7");
}

/* --- runs --- */

TEST(runs)
{
	rg_among among = {.take = "median-run", .runs = {.count = 3}};

	SAYS("the middle one of 3 runs", rg_among_say, &among);
	among.runs.count = 2;
	SAYS("one of 2 runs", rg_among_say, &among);
	among.take = "first";
	SAYS("the first of 2 runs", rg_among_say, &among);
	among.take = NULL;
	SAYS("", rg_among_say, &among);
}
