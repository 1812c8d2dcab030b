/* SPDX-License-Identifier: Apache-2.0 */
#include "report/family.h"
#include "report/story.h"

#include "support/check.h"

#include <math.h>
#include <string.h>

static const rg_column_context context = {"root", "{stage}/{test}/{file}", "golden_*.json", NULL,
					  false};

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
			.max_abs = fabs(avg_rel_diff),
			.identical = avg_rel_diff == 0,
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

static void one_is_apart_from_its_cohort(void **state)
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
	assert_int_equal(story->cohort_count, 1);
	assert_int_equal(story->cohorts[0].kind, RG_COHORT_SMALLER);
	assert_int_equal(story->cohorts[0].n, FILES);
	assert_int_equal(story->cohorts[0].apart, 1);
	assert_true(story->cohorts[0].low == rows[0].avg_rel_diff);
	assert_true(story->cohorts[0].high == rows[7].avg_rel_diff);
	assert_string_equal(story->lines[RG_LINE_DONE],
			    "8 goldens compared: the working tree against HEAD");
	assert_string_equal(story->lines[RG_LINE_CHANGED],
			    "lm loss: t5 new is 2.9 to 3.25 % smaller");
	assert_string_equal(story->lines[RG_LINE_APART],
			    "t5/d [h100] lm loss: new is 21.7 % larger (its cohort: new is 3.05 % "
			    "smaller)");
	assert_null(story->lines[RG_LINE_SHAPE]);
	rg_story_release(&t.story);
}

/* Rows that go each their own way are no cohort with many strangers. */
static void a_wide_spread_has_nobody_apart(void **state)
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
	assert_int_equal(story->apart_count, 0);
	assert_int_equal(story->looked_at_count, 3);
	assert_int_equal(story->unchanged, 5);
	assert_int_equal(story->cohorts[0].kind, RG_COHORT_MIXED);
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
	story = tell(&t, rows, 1);
	assert_true(story->rows[0].cancels);
	assert_true(story->rows[0].looked_at);
	assert_int_equal(story->cohorts[0].kind, RG_COHORT_MIXED);
	assert_string_equal(story->lines[RG_LINE_CHANGED],
			    "lm loss: t5 2 % off step by step, in both directions");
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
	assert_int_equal(story->cohorts[0].rows, 4);
	assert_int_equal(story->cohorts[0].rows_changed, 2);
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
			    "measured noise: 2 of 2 rows inside the range of earlier runs, 0 "
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
		rows[i].lost_nonfinite = true;
	}
	story = tell(&t, rows, FILES);
	assert_int_equal(story->shape_count, 1);
	assert_int_equal(story->shapes[0].goldens, FILES);
	assert_string_equal(story->lines[RG_LINE_SHAPE],
			    "iteration-time: step 1 gone in 8 of 8 goldens, not finite before; all "
			    "shared steps equal");
	rg_story_release(&t.story);
	/* With other steps in each, it is one line, too. */
	for (i = 0; i < FILES; i++) {
		rows[i].lost_steps = files[i] + 5;
		rows[i].lost_nonfinite = i > 0;
	}
	story = tell(&t, rows, FILES);
	assert_int_equal(story->shape_count, 1);
	assert_string_equal(story->shapes[0].text, "iteration-time: some steps gone in 8 of 8 "
						   "goldens; all shared steps equal");
	rg_story_release(&t.story);
}

/* "faster" only where an interval leaves zero out. */
static void times_are_faster_where_an_interval_says_so(void **state)
{
	rg_row rows[FILES];
	const rg_story *story;
	told t;
	size_t i;

	(void)state;
	for (i = 0; i < FILES; i++)
		rows[i] = row_of(i, "iteration-time", i % 2 ? 0.01 : -0.01);
	story = tell(&t, rows, FILES);
	assert_string_equal(story->lines[RG_LINE_CHANGED], "iteration-time: no clear change");
	rg_story_release(&t.story);
	for (i = 0; i < FILES; i++)
		rows[i] = row_of(i, "iteration-time", 0.01 + 0.001 * (double)i);
	story = tell(&t, rows, FILES);
	assert_string_equal(story->lines[RG_LINE_CHANGED],
			    "iteration-time: faster by 1 to 1.7 % (95 % interval of the median of "
			    "8 goldens)");
	rg_story_release(&t.story);
}

static void a_refresh_says_what_became_of_all(void **state)
{
	static const char *const uncommitted = "uncommitted edit";
	rg_file_outcome outcomes[2] = {{0}};
	rg_comparison c = {.files = outcomes, .compared = 2, .file_count = 2};
	rg_summary summary = {.comparison = &c, .context = &context};
	rg_refresh refresh;
	rg_story story;

	(void)state;
	rg_refresh_init(&refresh);
	no_error(rg_refresh_add(&refresh, RG_REFRESH_UPDATED, files[0], NULL));
	no_error(rg_refresh_add(&refresh, RG_REFRESH_NEW, files[1], NULL));
	no_error(rg_refresh_add(&refresh, RG_REFRESH_HELD, files[2], uncommitted));
	no_error(rg_refresh_add(&refresh, RG_REFRESH_HELD, files[3], uncommitted));
	no_error(rg_refresh_add(&refresh, RG_REFRESH_HELD, files[4], "not finite"));
	no_error(rg_refresh_add(&refresh, RG_REFRESH_MISSING, "gpt/x - latest", "expired"));
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
	words_are(-0.02, 1e-6, "new is up to 2 % larger");
	words_are(-0.217, -0.217, "new is 21.7 % larger");
	words_are(-66.866, -66.866, "new is 6,690 % larger");
	words_are(0, 0, "equal on average");
}

static int set_up(void **state)
{
	(void)state;
	no_error(rg_policy_new(&policy));
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
		cmocka_unit_test(one_is_apart_from_its_cohort),
		cmocka_unit_test(a_wide_spread_has_nobody_apart),
		cmocka_unit_test(small_distances_are_not_apart),
		cmocka_unit_test(halves_that_cancel_count),
		cmocka_unit_test(members_of_a_family_are_one_row),
		cmocka_unit_test(measured_noise_needs_no_look),
		cmocka_unit_test(a_pattern_that_repeats_is_one_change),
		cmocka_unit_test(times_are_faster_where_an_interval_says_so),
		cmocka_unit_test(a_refresh_says_what_became_of_all),
		cmocka_unit_test(families),
		cmocka_unit_test(families_of_columns),
		cmocka_unit_test(ranges_in_words),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
