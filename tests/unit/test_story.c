/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a story, their order and marks; what moved; facts and commands. The findings are
 * tested in test_findings.c. */
#include "unit.h"

#include "hand_made.h"

#include "compare/checks.h"

#include <stdio.h>

static const rg_column_context context = {
	"root", "{stage}/{test}/{file}", "golden_*.json", NULL, false, false};

enum { FILES = 8 };

static rg_file_outcome *add(hand_made *made, const char *stage, size_t number)
{
	char path[128];
	snprintf(path, sizeof(path), "root/%s/%zu/golden_h100.json", stage, number);
	return add_golden(made, path);
}

static void begin(hand_made *made)
{
	hand_made_init(made, &context);
	set_level(made, "*", "flag", "1e-3");
}

/* One metric in goldens of one stage, which changed by so much. */
static void add_all(hand_made *made, const char *stage, const char *metric, const double *changes,
		    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		add(made, stage, i);
		add_row(made, metric, changes[i]);
	}
}

static void tell(rg_story *story, const hand_made *made)
{
	assert_success(rg_story_make(story, &made->summary));
}

static void end(rg_story *story, hand_made *made)
{
	rg_story_release(story);
	hand_made_release(made);
}

static size_t count_outliers(const rg_story *story)
{
	size_t count = 0;
	for (size_t i = 0; i < story->row_count; i++)
		count += story->rows[i].outlier;
	return count;
}

static bool is_near(double value, double wanted)
{
	return fabs(value - wanted) <= 1e-12;
}

/* --- outliers --- */

TEST(one_is_an_outlier_of_its_group)
{
	static const double changes[FILES] = {-0.029, -0.0295, -0.03,  0.217,
					      -0.031, -0.0315, -0.032, -0.0325};
	hand_made made;
	rg_story story;

	begin(&made);
	add_all(&made, "t5", "lm loss", changes, FILES);
	tell(&story, &made);
	assert_int_equal(story.row_count, FILES);
	assert_int_equal(count_outliers(&story), 1);
	assert_ptr_equal(story.rows[0].row, &made.c.rows[3]);
	assert_true(story.rows[0].outlier && !story.rows[0].of_stage);
	/* The median is of the other seven. */
	assert_int_equal(story.rows[0].others, 7);
	assert_true(is_near(story.rows[0].others_median, -0.031));
	assert_true(story.rows[0].distance >= 6);
	assert_int_equal(story.places[3].marks, RG_MARK_OUTLIER | RG_MARK_LEVEL);
	end(&story, &made);
}

/* Three losses go from 10 to 27 and the others jitter: nothing of them hides the three. */
TEST(jitter_hides_no_shift)
{
	static const double changes[FILES] = {1.7, 1.8, 1.9, -1e-9, -1e-9, -1e-9, -1e-9, -1e-9};
	hand_made made;
	rg_story story;

	begin(&made);
	add_all(&made, "t5", "lm loss", changes, FILES);
	for (size_t i = 3; i < FILES; i++)
		made.c.rows[i].mean_abs_rel = 1e-6;
	tell(&story, &made);
	assert_int_equal(count_outliers(&story), 3);
	assert_int_equal(story.finding_count, 1);
	assert_int_equal(story.findings[0].goldens, 3);
	assert_int_equal(story.findings[0].others, 5);
	end(&story, &made);
}

/* Less than a level, or than half of the shift, is no outlier, however close the others are. */
TEST(small_distances_are_none)
{
	static const double shifted[FILES] = {0.04, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03};
	static const double still[FILES] = {0.0009};
	hand_made made;
	rg_story story;

	begin(&made);
	add_all(&made, "t5", "lm loss", shifted, FILES);
	tell(&story, &made);
	assert_int_equal(count_outliers(&story), 0);
	end(&story, &made);
	begin(&made);
	add_all(&made, "t5", "lm loss", still, FILES);
	tell(&story, &made);
	assert_int_equal(count_outliers(&story), 0);
	assert_int_equal(story.unchanged, 7);
	assert_int_equal(story.review, 0);
	end(&story, &made);
}

/* Four have no spread to compare one of them with. */
TEST(few_have_no_outlier)
{
	static const double changes[] = {0, 0, 0, 0.5};
	hand_made made;
	rg_story story;

	begin(&made);
	add_all(&made, "t5", "lm loss", changes, 4);
	tell(&story, &made);
	assert_int_equal(count_outliers(&story), 0);
	assert_int_equal(story.findings[0].kind, RG_FOUND_MOVED);
	end(&story, &made);
}

/* --- rows --- */

/* avg_rel_diff is 0 and every step is off by 2 %. */
TEST(halves_that_cancel_count)
{
	hand_made made;
	rg_story story;
	rg_row *row;

	begin(&made);
	add(&made, "t5", 0);
	row = add_row(&made, "lm loss", 0);
	row->mean_abs_rel = 0.02;
	row->identical = false;
	row->values_differ = true;
	tell(&story, &made);
	assert_true(story.rows[0].cancels && story.rows[0].review);
	assert_true(story.rows[0].size == 0.02);
	assert_int_equal(story.places[0].marks, RG_MARK_CANCELS | RG_MARK_LEVEL);
	assert_true(story.findings[0].per_step == 0.02);
	end(&story, &made);
}

TEST(members_of_a_family_are_one_row)
{
	hand_made made;
	rg_story story;

	begin(&made);
	add(&made, "t5", 0);
	add_row(&made, "layer1.weight", 0.002);
	add_row(&made, "layer2.weight", 0.5);
	add_row(&made, "layer3.weight", 0);
	add(&made, "t5", 1);
	add_row(&made, "layer1.weight", 0);
	tell(&story, &made);
	assert_int_equal(story.row_count, 2);
	assert_string_equal(story.rows[0].metric, "layer*.weight");
	assert_ptr_equal(story.rows[0].row, &made.c.rows[1]);
	assert_int_equal(story.rows[0].members, 3);
	assert_int_equal(story.rows[0].changed, 2);
	assert_string_equal(story.rows[1].metric, "layer1.weight");
	assert_int_equal(story.moved_count, 1);
	assert_string_equal(story.moved[0].metric, "layer*.weight");
	assert_null(story.moved[0].only);
	assert_int_equal(story.moved[0].rows, 4);
	assert_int_equal(story.moved[0].rows_changed, 2);
	assert_int_equal(story.moved[0].goldens, 2);
	assert_int_equal(story.moved[0].changed, 1);
	/* The worst member comes first. */
	assert_true(story.places[1].place == 0 && !story.places[1].is_member);
	assert_true(story.places[0].is_member && story.places[2].is_member);
	/* One finding, named by the family. */
	assert_int_equal(story.finding_count, 1);
	assert_int_equal(story.findings[0].goldens, 1);
	assert_string_equal(story.findings[0].metric, "layer*.weight");
	end(&story, &made);
}

/* Differences that an audit has seen between runs need no review, unless a gate breaks. */
TEST(measured_noise_needs_no_review)
{
	hand_made made;
	rg_story story;

	begin(&made);
	for (size_t i = 0; i < 2; i++) {
		add(&made, "t5", i);
		add_row(&made, "lm loss", 0.002)->verdict.kind = RG_VERDICT_WITHIN;
	}
	made.c.rows[1].level = RG_LEVEL_FAIL;
	tell(&story, &made);
	assert_int_equal(story.review, 1);
	assert_int_equal(story.review_goldens, 1);
	assert_ptr_equal(story.rows[0].row, &made.c.rows[1]);
	assert_int_equal(story.places[0].look, RG_LOOK_NONE);
	assert_int_equal(story.places[0].marks, 0);
	assert_int_equal(story.places[1].look, RG_LOOK_FAILS);
	end(&story, &made);
}

/* Broken first, then losses, whatever the others' levels are. */
TEST(rows_come_by_tier_and_class)
{
	static const struct {
		const char *metric;
		double change;
	} rows[] = {{"mem-x", 0.5},     {"iteration-time", 0.4}, {"num-zeros", 0.3},
		    {"lm loss", 0.002}, {"lm loss", 0.0001},     {"num-zeros", 0.01}};
	static const size_t order[] = {5, 3, 2, 1, 0, 4};
	hand_made made;
	rg_story story;

	begin(&made);
	for (size_t i = 0; i < 6; i++) {
		add(&made, "t5", i);
		add_row(&made, rows[i].metric, rows[i].change);
	}
	made.c.rows[5].level = RG_LEVEL_FAIL;
	tell(&story, &made);
	for (size_t i = 0; i < 6; i++) {
		assert_ptr_equal(story.rows[i].row, &made.c.rows[order[i]]);
		assert_int_equal(story.places[order[i]].place, i);
	}
	end(&story, &made);
}

TEST(marks)
{
	hand_made made;
	rg_story story;
	rg_row *row;

	begin(&made);
	add(&made, "t5", 0);
	row = add_row(&made, "lost", 0);
	row->lost = row->left_out.old_only = 1;
	row = add_row(&made, "ignored", 0.5);
	row->ignored = true;
	row->level = RG_LEVEL_NONE;
	add_row(&made, "quiet", 0.0005);
	row = add_row(&made, "added", 0);
	row->left_out.new_only = 1;
	add_exact(&made, "text", "a", "b");
	row = add_row(&made, "again", 0);
	row->repaired = 1;
	tell(&story, &made);
	assert_int_equal(story.places[0].marks, RG_MARK_LOST);
	assert_int_equal(story.places[1].look, RG_LOOK_NONE);
	assert_int_equal(story.places[1].marks, 0);
	assert_int_equal(story.places[2].look, RG_LOOK_NONE);
	for (size_t i = 3; i < 6; i++)
		assert_int_equal(story.places[i].look, RG_LOOK_MUST);
	assert_int_equal(story.review, 4);
	end(&story, &made);
}

/* --- what moved --- */

/* A range is without what findings name; sizes are of all. */
TEST(ranges_exclude_findings)
{
	static const double changes[FILES] = {-0.03,  -0.031, -0.032, 0.217,
					      -0.033, -0.034, -0.035, 0};
	const rg_moved *m;
	hand_made made;
	rg_story story;

	begin(&made);
	add_all(&made, "t5", "lm loss", changes, FILES);
	made.c.rows[7].avg_rel_diff = 0.029; /* smaller */
	made.c.rows[7].values_differ = true;
	tell(&story, &made);
	m = &story.moved[0];
	assert_string_equal(m->metric, "lm loss");
	assert_string_equal(m->only, "lm loss");
	assert_int_equal(m->goldens, FILES);
	assert_int_equal(m->changed, FILES);
	assert_true(is_near(m->low, -0.035) && is_near(m->high, -0.029));
	assert_true(is_near(m->median, -0.032));
	assert_int_equal(m->larger, 1);
	assert_int_equal(m->smaller, 7);
	assert_int_equal(m->sized, FILES);
	assert_true(m->abs_max == 0.217);
	assert_true(is_near(m->abs_median, 0.0325));
	assert_string_equal(m->worst_name, "t5/3 [h100]");
	assert_false(m->still);
	assert_null(m->stages);
	end(&story, &made);
}

TEST(losses_first_then_by_size)
{
	hand_made made;
	rg_story story;

	begin(&made);
	set_level(&made, "*", "flag", "0.5");
	add(&made, "t5", 0);
	add_exact(&made, "text", "a", "b");
	add_row(&made, "same", 0);
	add_row(&made, "little", 0.01);
	add_row(&made, "lm loss", 0);
	add_row(&made, "more", -0.1);
	add(&made, "t5", 1);
	add_row(&made, "little", 0.02);
	add_row(&made, "more", -0.2);
	tell(&story, &made);
	assert_int_equal(story.moved_count, 5);
	assert_string_equal(story.moved[0].metric, "lm loss");
	assert_string_equal(story.moved[1].metric, "more");
	assert_string_equal(story.moved[2].metric, "little");
	assert_string_equal(story.moved[3].metric, "same");
	assert_string_equal(story.moved[4].metric, "text");
	assert_true(story.moved[1].still);
	assert_true(story.moved[4].counted && isnan(story.moved[4].low));
	assert_int_equal(story.moved[4].review, 1);
	assert_int_equal(story.places[0].metric, 4);
	end(&story, &made);
}

/* Lines by stage where two of them go different ways. */
static void stages_differ(const double *changes, bool wanted)
{
	hand_made made;
	rg_story story;

	begin(&made);
	add_all(&made, "gpt", "x", changes, 3);
	add_all(&made, "t5", "x", changes + 3, 2);
	tell(&story, &made);
	assert_int_equal(story.moved[0].differ, wanted);
	assert_int_equal(story.moved[0].stage_count, 2);
	assert_string_equal(story.moved[0].stages[0].stage, "gpt");
	assert_int_equal(story.moved[0].stages[0].goldens, 3);
	assert_string_equal(story.moved[0].stages[1].stage, "t5");
	end(&story, &made);
}

TEST(stages)
{
	/* Opposite ways; alike; overlapping; ten times as far; twice as far. The worst row is
	 * in a finding, and in no range. */
	stages_differ((const double[]){0.9, 0.02, 0.03, -0.02, -0.03}, true);
	stages_differ((const double[]){0.9, 0.02, 0.03, 0.02, 0.03}, false);
	stages_differ((const double[]){0.9, -0.02, 0.03, -0.03, 0.01}, false);
	stages_differ((const double[]){0.9, 0.2, 0.3, 0.002, 0.003}, true);
	stages_differ((const double[]){0.9, 0.2, 0.3, 0.1, 0.11}, false);
}

static void range_is(const double *changes, bool all, double low, double high)
{
	hand_made made;
	rg_story story;

	begin(&made);
	set_level(&made, "*", "flag", "0.5");
	add_all(&made, "t5", "x", changes, 5);
	tell(&story, &made);
	assert_int_equal(story.finding_count, 1);
	assert_int_equal(story.moved[0].all, all);
	assert_int_equal(story.moved[0].still, !all);
	assert_true(is_near(story.moved[0].low, low) && is_near(story.moved[0].high, high));
	end(&story, &made);
}

/* All that a finding counts is out of the range, unless that is most of it. */
TEST(ranges)
{
	range_is((const double[]){0.6, 0.7, 0.1, 0.2, 0.3}, false, 0.1, 0.3);
	range_is((const double[]){0.6, 0.7, 0.8, 0.2, 0.3}, true, 0.2, 0.8);
}

/* Durations count by their median step, and a trend has an interval without 0. */
TEST(durations)
{
	hand_made made;
	rg_story story;

	begin(&made);
	set_level(&made, "*", "flag", "0.5");
	for (size_t i = 0; i < FILES; i++) {
		add(&made, "t5", i);
		add_duration(&made, "to warm up", 0.3, -0.01 * (double)(i + 1));
		add_duration(&made, "noise", 0.3, i % 2 ? 0.01 : -0.01);
	}
	tell(&story, &made);
	assert_string_equal(story.moved[0].metric, "to warm up");
	assert_int_equal(story.moved[0].class_of, RG_CLASS_TIME);
	assert_true(story.moved[0].typical && story.moved[0].trend);
	assert_int_equal(story.moved[0].smaller, FILES);
	assert_true(is_near(story.moved[0].low, -0.08) && is_near(story.moved[0].high, -0.01));
	assert_true(!story.moved[1].trend);
	assert_int_equal(story.moved[1].larger, 4);
	end(&story, &made);
}

/* --- facts --- */

TEST(facts)
{
	hand_made made;
	rg_file_outcome *file;
	rg_story story;

	begin(&made);
	add(&made, "t5", 0)->layout = RG_LAYOUT_FORMATTING;
	add(&made, "t5", 1)->layout = RG_LAYOUT_UNSHOWN;
	file = add(&made, "t5", 2);
	file->old_file = "root/t5/old/golden_h100.json";
	file->variant = "golden_h100.2.json";
	add_row(&made, "a", 0)->left_out.old_placeholder = 3;
	add_row(&made, "b", 0)->left_out.old_placeholder = 3;
	add(&made, "t5", 3);
	add_gap(&made, RG_GAP_DROPPED, "c");
	tell(&story, &made);
	assert_int_equal(story.facts.formatted, 1);
	assert_int_equal(story.facts.unshown, 1);
	assert_int_equal(story.facts.placeholders, 2);
	assert_int_equal(story.facts.variants, 1);
	assert_int_equal(story.facts.shown, 2);
	assert_int_equal(story.facts.columns, 0);
	assert_int_equal(story.rename_count, 1);
	assert_string_equal(story.renames[0].old_file, "root/t5/old/golden_h100.json");
	assert_string_equal(story.renames[0].file, "root/t5/2/golden_h100.json");
	assert_int_equal(story.finding_count, 0);
	rg_story_release(&story);
	/* Both rows are of records now. */
	made.c.rows[0].by_record = made.c.rows[1].by_record = true;
	tell(&story, &made);
	assert_int_equal(story.facts.columns, 2);
	end(&story, &made);
}

/* --- commands --- */

static void commands_are(const hand_made *made, const char *wanted)
{
	rg_story story;

	tell(&story, made);
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_buf_printf(&out, "%s\n%s\n", story.review_command, story.all_command);
	for (size_t i = 0; i < story.next_count; i++)
		rg_buf_printf(&out, "%s\n", story.next[i].command);
	assert_string_equal(out.data, wanted);
	rg_story_release(&story);
}

TEST(commands)
{
	rg_checks *checks = rg_checks_new();
	const char *all = "*", *rtol = "0.05";
	hand_made made;

	assert_success(rg_checks_set(checks, "it's", "metric", &all, 1));
	assert_success(rg_checks_set(checks, "it's", "rtol", &rtol, 1));
	assert_success(rg_checks_finish(checks));
	begin(&made);
	add(&made, "t5", 0);
	add_row(&made, "a", 0.5)->check_fails = 1;
	/* Options come before "--". */
	made.summary.command = "regild compare 'a -- b' HEAD -- -x";
	commands_are(&made, "regild compare 'a -- b' HEAD --filter review -- -x\n"
			    "regild compare 'a -- b' HEAD --top 0 -- -x\n");
	made.summary.command = "regild compare";
	made.c.checks = checks;
	commands_are(&made, "regild compare --filter review\n"
			    "regild compare --top 0\n"
			    "regild compare --filter 'checks=it'\\''s:fails'\n");
	hand_made_release(&made);
	rg_checks_free(checks);
}

/* No commit is offered that a merge gate would refuse, and a dry run has nothing to undo. */
TEST(commands_of_a_refresh)
{
	const rg_column_context strict = {
		"root", "{stage}/{test}/{file}", "golden_*.json", NULL, false, true};
	rg_refresh refresh;
	hand_made made;

	begin(&made);
	add(&made, "t5", 0);
	add_row(&made, "a", 0.5);
	rg_refresh_init(&refresh);
	rg_refresh_add(&refresh, RG_REFRESH_UPDATED, "a b/c.json", NULL);
	rg_refresh_add(&refresh, RG_REFRESH_NEW, "-d", NULL);
	rg_refresh_add(&refresh, RG_REFRESH_HELD, "e", "dirty");
	rg_refresh_sort(&refresh);
	made.summary.refresh = &refresh;
	made.summary.command = "regild refresh";
	made.summary.root = "root";
	commands_are(&made, "regild compare --filter review\n"
			    "regild compare --top 0\n"
			    "regild undo\n"
			    "git add root && git commit\n");
	/* '.' would add what is not the refresh's. */
	made.summary.root = ".";
	made.summary.message = "the message";
	commands_are(&made, "regild compare --filter review\n"
			    "regild compare --top 0\n"
			    "regild undo\n"
			    "git add ./-d 'a b/c.json' && git commit -F 'the message'\n");
	made.c.files[0].has_nonfinite = true;
	made.summary.context = &strict;
	commands_are(&made, "regild compare --filter review\n"
			    "regild compare --top 0\n"
			    "regild check --changed\n"
			    "regild undo\n");
	made.summary.dry_run = true;
	commands_are(&made, "-v lists them\n-v lists them\n");
	rg_refresh_release(&refresh);
	hand_made_release(&made);
}
