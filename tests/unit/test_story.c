/* SPDX-License-Identifier: Apache-2.0 */
#include "report/test_name.h"
#include "report/story.h"

#include "support/check.h"

#include <math.h>
#include <string.h>

static const rg_column_context context = {
	"root", "{stage}/{test}/{file}", "golden_*.json", NULL, false, false};

static const char *const files[] = {
	"root/t5/a/golden_h100.json", "root/t5/b/golden_h100.json", "root/t5/c/golden_h100.json",
	"root/t5/d/golden_h100.json", "root/t5/e/golden_h100.json", "root/t5/f/golden_h100.json",
	"root/t5/g/golden_h100.json", "root/t5/h/golden_h100.json",
};
enum { FILES = sizeof(files) / sizeof(*files) };

static rg_policy *policy;

/* A series row of the golden at that place. */
static rg_row row_of(size_t file, const char *metric, double avg_rel_diff)
{
	return (rg_row){.file = files[file],
			.old_file = files[file],
			.file_index = file,
			.metric = metric,
			.n_steps = 10,
			.avg_rel_diff = avg_rel_diff,
			.mean_abs_rel = fabs(avg_rel_diff),
			.moved = fabs(avg_rel_diff),
			.max_abs = fabs(avg_rel_diff),
			.identical = avg_rel_diff == 0,
			.values_differ = avg_rel_diff != 0,
			.near_zero = 1e-12,
			.level = fabs(avg_rel_diff) >= 1e-3 ? RG_LEVEL_FLAG : RG_LEVEL_PLAIN,
			.score = fabs(avg_rel_diff),
			.fail_at = NAN};
}

/* A comparison of all files, and its story. */
typedef struct {
	rg_comparison comparison;
	rg_summary summary;
	rg_story story;
} told;

static const rg_story *tell(told *t, rg_row *rows, size_t count)
{
	static rg_file_outcome outcomes[FILES];

	for (size_t i = 0; i < FILES; i++)
		outcomes[i].file = files[i];
	t->comparison = (rg_comparison){.rows = rows,
					.files = outcomes,
					.row_count = count,
					.series_rows = count,
					.compared = FILES,
					.file_count = FILES};
	t->summary = (rg_summary){.comparison = &t->comparison,
				  .policy = policy,
				  .old_side = "HEAD",
				  .new_side = "the working tree",
				  .context = &context};
	no_error(rg_story_make(&t->story, &t->summary));
	return &t->story;
}

static void one_is_apart_from_its_group(void **state)
{
	rg_row rows[FILES];
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	for (i = 0; i < FILES; i++)
		rows[i] = row_of(i, "lm loss", 0.029 + 0.0005 * (double)i);
	rows[3] = row_of(3, "lm loss", -0.217);
	story = tell(&t, rows, FILES);
	assert_int_equal(story->row_count, FILES);
	assert_int_equal(story->apart_count, 1);
	assert_ptr_equal(story->rows[0].row, &rows[3]);
	assert_int_equal(story->group_count, 1);
	assert_int_equal(story->groups[0].kind, RG_GROUP_MIXED);
	assert_int_equal(story->groups[0].n, FILES);
	assert_int_equal(story->groups[0].apart, 1);
	assert_true(story->groups[0].shift.low == rows[3].avg_rel_diff);
	assert_true(story->groups[0].shift.high == rows[7].avg_rel_diff);
	assert_ptr_equal(story->groups[0].worst->row, &rows[3]);
	assert_string_equal(story->lines[RG_LINE_DONE],
			    "8 goldens compared: the working tree against HEAD");
	assert_string_equal(
		story->lines[RG_LINE_LOSSES],
		"lm loss: t5 new is 3.25 % smaller to 21.7 % larger; worst t5/d [h100]: "
		"new is 21.7 % larger");
	/* The median is of the other seven. */
	assert_string_equal(story->lines[RG_LINE_APART],
			    "apart: t5/d [h100] lm loss: new is 21.7 % larger (the median of "
			    "the 7 others of "
			    "its group: new is 3.1 % smaller)");
	assert_string_equal(story->lines[RG_LINE_NEXT],
			    "next: is it intended that lm loss (8 goldens) moved?");
	assert_null(story->lines[RG_LINE_SHAPE]);
	rg_story_release(&t.story);
}

/* Three losses go from 10 to 27 and seven jitter by 1e-6: nothing of them hides the three. */
static void jitter_hides_no_shift(void **state)
{
	rg_row rows[FILES];
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	for (i = 0; i < FILES; i++) {
		rows[i] = row_of(i, "lm loss", i < 3 ? -1.7 - 0.1 * (double)i : 1e-9);
		rows[i].mean_abs_rel = i < 3 ? 1.9 : 1e-6;
	}
	story = tell(&t, rows, FILES);
	assert_int_equal(story->apart_count, 3);
	assert_string_equal(
		story->lines[RG_LINE_LOSSES],
		"lm loss: t5 new is 1e-07 % smaller to 190 % larger; worst t5/c [h100]: new is "
		"190 % larger");
	rg_story_release(&t.story);
}

/* Rows are apart however many they are, and each is held against the others alone. */
static void many_are_apart(void **state)
{
	static const double diffs[FILES] = {0, 0, 0, 0, 0, 0.01, -0.02, 0.03};
	rg_row rows[FILES];
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	for (i = 0; i < FILES; i++)
		rows[i] = row_of(i, "lm loss", diffs[i]);
	story = tell(&t, rows, FILES);
	assert_int_equal(story->apart_count, 3);
	assert_int_equal(story->looked_at_count, 0);
	assert_int_equal(story->unchanged, 5);
	assert_int_equal(story->groups[0].kind, RG_GROUP_MIXED);
	assert_string_equal(
		story->lines[RG_LINE_APART],
		"apart: t5/h [h100] lm loss: new is 3 % smaller (the median of the "
		"7 others "
		"of its "
		"group: equal on average); t5/g [h100] lm loss: new is 2 % larger (the "
		"median of the 7 others of its group: equal on average); t5/f [h100] lm "
		"loss: new is 1 % smaller (the median of the 7 others of its group: equal "
		"on average)");
	rg_story_release(&t.story);
}

/* Less than a level, or than half of the shift, is not apart, however close the others are. */
static void small_distances_are_not_apart(void **state)
{
	rg_row rows[FILES];
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	for (i = 0; i < FILES; i++)
		rows[i] = row_of(i, "lm loss", i ? 0.03 : 0.04);
	story = tell(&t, rows, FILES);
	assert_int_equal(story->apart_count, 0);
	rg_story_release(&t.story);
	for (i = 0; i < FILES; i++)
		rows[i] = row_of(i, "lm loss", i ? 0 : 0.0009);
	story = tell(&t, rows, FILES);
	assert_int_equal(story->apart_count, 0);
	rg_story_release(&t.story);
}

/* avg_rel_diff is 0 and every step is off by 2 %. */
static void halves_that_cancel_count(void **state)
{
	rg_row rows[1] = {row_of(0, "lm loss", 0)};
	const rg_story *story;
	told t;

	(void)state;
	rows[0].mean_abs_rel = 0.02;
	rows[0].max_abs = 1;
	rows[0].identical = false;
	rows[0].values_differ = true;
	story = tell(&t, rows, 1);
	assert_true(story->rows[0].cancels);
	assert_true(story->rows[0].looked_at);
	assert_int_equal(story->groups[0].kind, RG_GROUP_MIXED);
	assert_string_equal(story->lines[RG_LINE_LOSSES],
			    "lm loss: t5 jitters by 2 % a step, no shift (t5/a [h100])");
	rg_story_release(&t.story);
	/* A shift at its level is said whatever the jitter is. */
	rows[0].avg_rel_diff = -0.002;
	story = tell(&t, rows, 1);
	assert_string_equal(story->lines[RG_LINE_LOSSES],
			    "lm loss: t5 new is 0.2 % larger, jitters by 2 % a step (t5/a [h100])");
	rg_story_release(&t.story);
}

static void members_of_a_family_are_one_row(void **state)
{
	rg_row rows[] = {row_of(0, "layer1.weight", 0.002), row_of(0, "layer2.weight", 0.5),
			 row_of(0, "layer3.weight", 0), row_of(1, "layer1.weight", 0)};
	const rg_story *story;
	told t;

	(void)state;
	story = tell(&t, rows, 4);
	assert_int_equal(story->row_count, 2);
	assert_string_equal(story->rows[0].metric, "layer*.weight");
	assert_ptr_equal(story->rows[0].row, &rows[1]);
	assert_int_equal(story->rows[0].members, 3);
	assert_int_equal(story->rows[0].changed, 2);
	assert_string_equal(story->rows[1].metric, "layer1.weight");
	assert_int_equal(story->groups[0].rows, 4);
	assert_int_equal(story->groups[0].rows_changed, 2);
	rg_story_release(&t.story);
}

/* What an audit has seen between runs needs no look, unless it fails. */
static void measured_noise_needs_no_look(void **state)
{
	rg_row rows[] = {row_of(0, "lm loss", 0.002), row_of(1, "lm loss", 0.002)};
	const rg_story *story;
	told t;

	(void)state;
	rows[0].verdict.kind = rows[1].verdict.kind = RG_VERDICT_WITHIN;
	rows[1].level = RG_LEVEL_FAIL;
	story = tell(&t, rows, 2);
	assert_int_equal(story->looked_at_count, 1);
	assert_ptr_equal(story->rows[0].row, &rows[1]);
	assert_string_equal(story->lines[RG_LINE_MEASURED],
			    "measured noise: 2 of 2 rows within the noise of earlier runs, 0 "
			    "outside");
	rg_story_release(&t.story);
}

static void a_pattern_that_repeats_is_one_change(void **state)
{
	rg_row rows[FILES];
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	for (i = 0; i < FILES; i++) {
		rows[i] = row_of(i, "iteration-time", 0);
		rows[i].left_out.old_only = rows[i].lost = 1;
		rows[i].lost_steps = "1";
	}
	story = tell(&t, rows, FILES);
	assert_int_equal(story->shape_count, 1);
	assert_int_equal(story->shapes[0].goldens, FILES);
	assert_string_equal(story->lines[RG_LINE_SHAPE],
			    "iteration-time: step 1 gone in 8 of 8 goldens; all shared steps "
			    "equal");
	rg_story_release(&t.story);
	/* With other steps in each, it is one line, too. */
	for (i = 0; i < FILES; i++)
		rows[i].lost_steps = files[i] + 5;
	story = tell(&t, rows, FILES);
	assert_int_equal(story->shape_count, 1);
	assert_string_equal(story->shapes[0].text, "iteration-time: some steps gone in 8 of 8 "
						   "goldens; all shared steps equal");
	rg_story_release(&t.story);
}

static void times_are(size_t count, double first, double each, const char *text)
{
	rg_row rows[FILES];
	const rg_story *story;
	told t;
	size_t i;

	for (i = 0; i < count; i++) {
		rows[i] = row_of(i, "step latency", first + each * (double)i);
		rows[i].measure = RG_MEASURE_DURATION;
	}
	story = tell(&t, rows, count);
	assert_string_equal(story->lines[RG_LINE_CHANGED], text);
	rg_story_release(&t.story);
}

/* What was seen, and how much it carries, of any metric that is a duration. */
static void times_are_said_as_they_were_seen(void **state)
{
	(void)state;
	times_are(2, -0.35, -1.2,
		  "step latency: 2 of 2 slower, by 35 to 155 % (too few to tell from noise)");
	times_are(5, -8, 0, "step latency: 5 of 5 slower, by 800 % (too few to tell from noise)");
	times_are(8, 0.01, 0.001,
		  "step latency: 8 of 8 faster, by 1 to 1.7 % (95 % interval of the median: 1 to "
		  "1.7 % faster)");
	times_are(8, -0.025, 0.01,
		  "step latency: 3 of 8 slower, by up to 2.5 %, 5 faster, by up to 4.5 % (the 95 % "
		  "interval of the median includes zero)");
}

/* A larger rate is not slower. */
static void rates_are_not_times(void **state)
{
	rg_row row = row_of(0, "throughput", -0.5);
	told t;

	(void)state;
	row.measure = RG_MEASURE_RATE;
	assert_string_equal(tell(&t, &row, 1)->lines[RG_LINE_CHANGED],
			    "throughput: 1 of 1 larger, by 50 % (too few to tell from noise)");
	rg_story_release(&t.story);
}

/* Of all metrics of a golden together, and named in what is next. */
static void what_breaks_and_mends_is_said_by_golden(void **state)
{
	static const char *const metrics[] = {"iteration-time", "lm loss", "num-zeros"};
	static rg_file_outcome outcomes[FILES];
	rg_row rows[6];
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	for (i = 0; i < 6; i++) {
		rows[i] = row_of(i / 3, metrics[i % 3], 0);
		rows[i].values_differ = true;
		rows[i].ends_known = true;
		rows[i].old_end = i < 3 ? 50 : 22;
		rows[i].new_end = i < 3 ? 13 : 50;
		rows[i].left_out.new_nonfinite = i < 3 ? 37 : 0;
		rows[i].nonfinite_steps = i < 3 ? "14..50" : NULL;
		rows[i].repaired = i < 3 ? 0 : 28;
		rows[i].repaired_steps = i < 3 ? NULL : "23..50";
		rows[i].repaired_nan = true;
	}
	story = tell(&t, rows, 6);
	assert_string_equal(story->lines[RG_LINE_SHAPE],
			    "t5/a [h100]: ends at step 13 of 50, not finite after it (lm loss, "
			    "num-zeros and 1 more metric). t5/b [h100]: steps 23..50 were NaN, now "
			    "finite (lm loss, num-zeros and 1 more metric)");
	assert_string_equal(story->lines[RG_LINE_LOSSES],
			    "lm loss: t5 1 of 2 not finite, 1 of 2 finite again; worst t5/a "
			    "[h100]: not finite at steps 14..50");
	rg_story_release(&t.story);
	for (i = 0; i < 2; i++)
		outcomes[i] =
			(rg_file_outcome){.file = files[i], .first_row = 3 * i, .row_count = 3};
	t.comparison.files = outcomes;
	t.comparison.file_count = 2;
	no_error(rg_story_make(&t.story, &t.summary));
	assert_string_equal(t.story.shapes[1].text,
			    "t5/b [h100]: steps 23..50 were NaN, now finite (all 3 metrics)");
	assert_string_equal(t.story.lines[RG_LINE_NEXT],
			    "next: find out why values are not finite in t5/a [h100]; check "
			    "that what is finite again is right in t5/b [h100]");
	rg_story_release(&t.story);
}

static void too_small_is(double old, double fresh, const char *text)
{
	rg_row row = row_of(0, "lm loss", NAN);
	const rg_story *story;
	told t;

	row.n_steps = 0;
	row.moved = old == 0 ? NAN : fabs((old - fresh) / old);
	row.identical = false;
	row.values_differ = true;
	row.level = RG_LEVEL_FLAG;
	row.score = old == 0 ? INFINITY : row.moved;
	row.too_small = (rg_too_small){.count = 1, .old = old, .fresh = fresh, .alone = true};
	(void)tell(&t, NULL, 0);
	rg_story_release(&t.story);
	t.comparison.rows = &row;
	t.comparison.row_count = 1;
	no_error(rg_story_make(&t.story, &t.summary));
	story = &t.story;
	assert_int_equal(story->looked_at_count, 1);
	assert_string_equal(story->lines[RG_LINE_LOSSES], text);
	assert_string_equal(story->lines[RG_LINE_NEXT],
			    "next: is it intended that lm loss (1 golden) moved?");
	rg_story_release(&t.story);
}

/* No step has a relative figure, and yet it is not the same. */
static void what_has_no_figure_is_said(void **state)
{
	(void)state;
	too_small_is(0, 4, "lm loss: t5 from zero: 0 to 4 (t5/a [h100])");
	too_small_is(1e-15, 5, "lm loss: t5 from near zero: 1e-15 to 5 (t5/a [h100])");
	too_small_is(3.5e-20, 9.9e-20, "lm loss: t5 near zero: 3.5e-20 to 9.9e-20 (t5/a [h100])");
}

/* Broken first, then losses, whatever the others' levels are. */
static void rows_come_by_tier_and_class(void **state)
{
	rg_row rows[] = {row_of(0, "mem-x", 0.5),      row_of(1, "iteration-time", 0.4),
			 row_of(2, "num-zeros", 0.3),  row_of(3, "lm loss", 0.002),
			 row_of(4, "lm loss", 0.0001), row_of(5, "num-zeros", 0.01)};
	static const size_t order[] = {5, 3, 2, 1, 0, 4};
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	rows[5].level = RG_LEVEL_FAIL;
	story = tell(&t, rows, 6);
	for (i = 0; i < 6; i++)
		assert_ptr_equal(story->rows[i].row, &rows[order[i]]);
	rg_story_release(&t.story);
}

static void a_refresh_says_what_became_of_all(void **state)
{
	static const char *const uncommitted = "uncommitted edit";
	rg_file_outcome outcomes[2] = {{.file = files[0]}, {.file = files[1]}};
	rg_comparison c = {.files = outcomes, .compared = 2, .file_count = 2};
	rg_summary summary = {.comparison = &c, .context = &context};
	rg_refresh refresh;
	rg_story story;

	(void)state;
	rg_refresh_init(&refresh);
	rg_refresh_add(&refresh, RG_REFRESH_UPDATED, files[0], NULL);
	rg_refresh_add(&refresh, RG_REFRESH_NEW, files[1], NULL);
	rg_refresh_add(&refresh, RG_REFRESH_HELD, files[2], uncommitted);
	rg_refresh_add(&refresh, RG_REFRESH_HELD, files[3], uncommitted);
	rg_refresh_add(&refresh, RG_REFRESH_HELD, files[4], "not finite");
	rg_refresh_add(&refresh, RG_REFRESH_MISSING, "gpt/x - latest", "expired");
	rg_refresh_sort(&refresh);
	summary.refresh = &refresh;
	summary.run = (rg_run_facts){
		.id = "42", .commit = "abc123456789", .branch = "main", .attempt = 2};
	no_error(rg_story_make(&story, &summary));
	assert_string_equal(story.lines[RG_LINE_DONE],
			    "2 of 6 goldens from run 42, attempt 2, commit abc1234 on main; 1 of "
			    "them new; 3 held back: uncommitted edit (2), not finite (1); 1 "
			    "missing: expired");
	rg_story_release(&story);
	rg_refresh_release(&refresh);
}

static void family_is(const char *metric, const char *family)
{
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_family_add(&text, metric);
	assert_string_equal(text.data, family);
	rg_buf_release(&text);
}

static void column_is(const char *column, const char *family)
{
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_family_add_column(&text, column);
	assert_string_equal(text.data, family);
	rg_buf_release(&text);
}

/* VTR's tables measure dozens of stages in seconds and MiB. */
static void families_of_columns(void **state)
{
	(void)state;
	column_is("crit_path_route_time", "*_time");
	column_is("max_vpr_mem", "*_mem");
	column_is("route_mem (texts)", "route_mem (texts)");
	column_is("vtr_max_mem_stage", "vtr_max_mem_stage");
	column_is("_time", "_time");
	column_is("time", "time");
	column_is("layer3.total", "layer*.total");
}

static void families(void **state)
{
	(void)state;
	family_is("3/routing_indices/12", "*/routing_indices/*");
	family_is("layer12.weight", "layer*.weight");
	family_is("model.layers.3.bias", "model.layers.*.bias");
	family_is("mtp_1 loss", "mtp_1 loss");
	family_is("12", "12");
	family_is("fc1.weight", "fc1.weight");
	family_is("", "");
	assert_true(rg_family_is_of_ids("*/routing_indices/*"));
	assert_false(rg_family_is_of_ids("*/logprobs"));
	assert_false(rg_family_is_of_ids(""));
}

static void words_are(double low, double high, const char *words)
{
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_story_say_range(&text, low, high);
	assert_string_equal(text.data, words);
	rg_buf_release(&text);
}

/* Positive is smaller. */
static void ranges_in_words(void **state)
{
	(void)state;
	words_are(-0.028, -0.02, "new is 2 to 2.8 % larger");
	words_are(0.02, 0.028, "new is 2 to 2.8 % smaller");
	words_are(-0.02, 0.01, "new is 1 % smaller to 2 % larger");
	words_are(-0.02, 0, "new is up to 2 % larger");
	words_are(-0.02, 1e-6, "new is 0.0001 % smaller to 2 % larger");
	words_are(-0.02, -1e-6, "new is up to 2 % larger");
	words_are(-0.217, -0.217, "new is 21.7 % larger");
	words_are(-66.866, -66.866, "new is 6,690 % larger");
	words_are(0, 0, "equal on average");
	words_are(-0.05001, -0.05, "new is 5 % larger");
}

static int set_up(void **state)
{
	(void)state;
	policy = rg_policy_new();
	no_error(rg_policy_set(policy, "*", "flag", "1e-3"));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rg_policy_free(policy);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_is_apart_from_its_group),
		cmocka_unit_test(jitter_hides_no_shift),
		cmocka_unit_test(many_are_apart),
		cmocka_unit_test(small_distances_are_not_apart),
		cmocka_unit_test(halves_that_cancel_count),
		cmocka_unit_test(members_of_a_family_are_one_row),
		cmocka_unit_test(measured_noise_needs_no_look),
		cmocka_unit_test(a_pattern_that_repeats_is_one_change),
		cmocka_unit_test(times_are_said_as_they_were_seen),
		cmocka_unit_test(rates_are_not_times),
		cmocka_unit_test(what_breaks_and_mends_is_said_by_golden),
		cmocka_unit_test(what_has_no_figure_is_said),
		cmocka_unit_test(rows_come_by_tier_and_class),
		cmocka_unit_test(a_refresh_says_what_became_of_all),
		cmocka_unit_test(families),
		cmocka_unit_test(families_of_columns),
		cmocka_unit_test(ranges_in_words),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
