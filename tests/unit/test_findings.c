/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings: what makes one of each kind, its words, and their order. */
#include "unit.h"

#include "hand_made.h"

#include "report/words.h"

#include "compare/checks.h"

#include <stdio.h>

static const rg_column_context context = {
	"root", "{stage}/{test}/{file}", "golden_*.json", NULL, false, false};

static rg_file_outcome *add(hand_made *made, const char *name)
{
	char path[128];
	snprintf(path, sizeof(path), "root/%s/golden_dev.json", name);
	return add_golden(made, path);
}

static void begin(hand_made *made)
{
	hand_made_init(made, &context);
	set_level(made, "*", "flag", "1e-3");
}

static void add_part(rg_buf *out, rg_buf *part)
{
	rg_buf_printf(out, " | %s", part->data);
	rg_buf_clear(part);
}

/* "kind: metric | figure | note | golden and 2 more" */
static void add_line(rg_buf *out, const rg_story_finding *f)
{
	RG_AUTO(rg_buf) part = rg_buf_of(RG_BUF_TEXT);
	rg_buf_printf(out, "%s: ", rg_found_names[f->kind]);
	rg_finding_say_metric(out, f);
	rg_finding_say_figure(&part, f);
	add_part(out, &part);
	rg_buf_str(&part, "");
	rg_finding_say_note(&part, f, false);
	add_part(out, &part);
	if (f->name && !rg_finding_names_golden(f)) {
		rg_buf_printf(out, " | %s", f->name);
		if (f->goldens > 1)
			rg_buf_printf(out, " and %zu more", f->goldens - 1);
	}
	rg_buf_str(out, "\n");
}

/* Makes the story, which is the caller's, and wants its findings in these words. */
static void finds(rg_story *story, const hand_made *made, const char *wanted)
{
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&out, "");
	assert_success(rg_story_make(story, &made->summary));
	for (size_t i = 0; i < story->finding_count; i++)
		add_line(&out, &story->findings[i]);
	assert_string_equal(out.data, wanted);
}

/* The same, and ends both. */
static void finds_alone(hand_made *made, const char *wanted)
{
	rg_story story;
	finds(&story, made, wanted);
	rg_story_release(&story);
	hand_made_release(made);
}

/* --- values --- */

TEST(values_turn_nan)
{
	hand_made made;
	rg_story story;
	rg_row *row;

	begin(&made);
	add(&made, "gpt/a");
	row = add_row(&made, "num-zeros", 0);
	row->left_out.new_nonfinite = 1;
	row->nonfinite_steps = "7";
	row->now_nan = true;
	add(&made, "gpt/b");
	row = add_row(&made, "num-zeros", 0);
	row->left_out.new_nonfinite = 3;
	row->nonfinite_steps = "7, 20, 100";
	row->now_nan = true;
	row = add_row(&made, "loss-scale", 0);
	row->left_out.new_nonfinite = 2;
	row->nonfinite_steps = "3..4";
	row->now_inf = true;
	finds(&story, &made,
	      "nonfinite: num-zeros | now NaN | 2 goldens, steps 7, 20, 100 | gpt/b [dev] and 1 "
	      "more\n"
	      "nonfinite: loss-scale | now inf | steps 3..4 | gpt/b [dev]\n");
	assert_int_equal(story.findings[0].goldens, 2);
	assert_int_equal(story.findings[0].count, 4);
	assert_true(story.findings[0].is_nan && !story.findings[0].is_inf);
	assert_string_equal(story.findings[0].file, "root/gpt/b/golden_dev.json");
	assert_string_equal(story.findings[0].row, "num-zeros");
	rg_story_release(&story);
	/* Some are NaN, some infinite; of a new metric too. */
	made.c.rows[2].now_nan = true;
	add_gap(&made, RG_GAP_NEW_ONLY, "grad-norm")->left_out.new_nonfinite = 5;
	finds_alone(&made,
		    "nonfinite: num-zeros | now NaN | 2 goldens, steps 7, 20, 100 | gpt/b [dev] "
		    "and 1 more\n"
		    "nonfinite: grad-norm | not finite |  | gpt/b [dev]\n"
		    "nonfinite: loss-scale | now NaN, inf | steps 3..4 | gpt/b [dev]\n");
}

TEST(values_come_and_go)
{
	hand_made made;
	rg_story story;
	rg_row *row;

	begin(&made);
	add(&made, "gpt/a");
	row = add_row(&made, "a", 0);
	row->left_out.old_only = row->lost = 49;
	row->lost_steps = "2..50";
	row = add_row(&made, "b", 0);
	row->left_out.new_only = 1;
	row->gained_steps = "51";
	row = add_row(&made, "c", 0);
	row->repaired = 2;
	row->repaired_steps = "4..5";
	row->repaired_nan = true;
	finds(&story, &made,
	      "values-removed: a | 49 steps removed | steps 2..50 | gpt/a [dev]\n"
	      "finite-again: c | no longer NaN | steps 4..5 | gpt/a [dev]\n"
	      "values-added: b | 1 step added | step 51 | gpt/a [dev]\n");
	rg_story_release(&story);
	/* Values of records are cells; infinite values were no NaNs. */
	made.c.rows[0].by_record = true;
	made.c.rows[0].lost_steps = "alexnet, dcgan";
	made.c.rows[2].repaired_nan = false;
	finds_alone(&made, "values-removed: a | 49 cells removed | alexnet, dcgan | gpt/a [dev]\n"
			   "finite-again: c | finite again | steps 4..5 | gpt/a [dev]\n"
			   "values-added: b | 1 step added | step 51 | gpt/a [dev]\n");
}

/* Metrics that came or went in the same goldens are one finding, named by the first. */
TEST(metrics_come_and_go)
{
	static const char *const old[] = {"x", "mem-a", "lm loss"};
	hand_made made;
	rg_story story;

	begin(&made);
	for (size_t i = 0; i < 2; i++) {
		add(&made, i ? "gpt/b" : "gpt/a");
		for (size_t k = 0; k < 3; k++)
			add_gap(&made, RG_GAP_OLD_ONLY, old[k]);
		add_gap(&made, RG_GAP_NEW_ONLY, "grad-norm");
	}
	add_gap(&made, RG_GAP_NEW_ONLY, "mtp loss");
	add_gap(&made, RG_GAP_DROPPED, "placeholder");
	finds(&story, &made,
	      "metric-removed: lm loss and 2 more | removed | 2 goldens | gpt/a [dev] and 1 "
	      "more\n"
	      "metric-new: mtp loss | new |  | gpt/b [dev]\n"
	      "metric-new: grad-norm | new | 2 goldens | gpt/a [dev] and 1 more\n");
	assert_int_equal(story.findings[0].metrics, 3);
	assert_null(story.findings[0].row);
	rg_story_release(&story);
	hand_made_release(&made);
}

/* --- goldens --- */

TEST(goldens_as_a_whole)
{
	hand_made made;
	rg_story story;

	begin(&made);
	add_alone(&made, RG_FILE_UNREADABLE, "root/gpt/bad/golden_dev.json")->why = "no JSON";
	add_alone(&made, RG_FILE_REMOVED, "root/gpt/old/golden_dev.json");
	add_alone(&made, RG_FILE_REMOVED, "root/gpt/older/golden_dev.json");
	add_alone(&made, RG_FILE_NEW, "root/gpt/new/golden_dev.json");
	add(&made, "gpt/a")->unread = "more";
	finds(&story, &made,
	      "unreadable:  | unreadable | no JSON | gpt/bad [dev]\n"
	      "golden-removed:  | 2 goldens removed |  | gpt/old [dev] and 1 more\n"
	      "golden-new:  | new golden |  | gpt/new [dev]\n"
	      "unread:  | partly read | more | gpt/a [dev]\n");
	assert_null(story.findings[0].metric);
	assert_int_equal(story.reason_count, 4);
	rg_story_release(&story);
	made.c.files[3].nonfinite = 2;
	finds_alone(&made,
		    "unreadable:  | unreadable | no JSON | gpt/bad [dev]\n"
		    "golden-removed:  | 2 goldens removed |  | gpt/old [dev] and 1 more\n"
		    "golden-new:  | new golden | with NaN or infinite values | gpt/new [dev]\n"
		    "unread:  | partly read | more | gpt/a [dev]\n");
}

TEST(a_refresh_holds_back_and_misses)
{
	rg_refresh refresh;
	hand_made made;

	begin(&made);
	add(&made, "gpt/a");
	rg_refresh_init(&refresh);
	rg_refresh_add(&refresh, RG_REFRESH_UPDATED, "root/gpt/a/golden_dev.json", NULL);
	rg_refresh_add(&refresh, RG_REFRESH_HELD, "root/gpt/b/golden_dev.json", "not finite");
	rg_refresh_add(&refresh, RG_REFRESH_MISSING, "gpt/x - latest", "expired");
	rg_refresh_add(&refresh, RG_REFRESH_MISSING, "gpt/y - latest", "expired");
	rg_refresh_sort(&refresh);
	made.summary.refresh = &refresh;
	finds_alone(&made, "held-back:  | held back | not finite | gpt/b [dev]\n"
			   "missing:  | missing | 2 artifacts | gpt/x - latest and 1 more\n");
	rg_refresh_release(&refresh);
}

/* A record is one finding, and not one of each column. */
TEST(records_come_and_go)
{
	hand_made made;
	rg_file_outcome *file;
	rg_story story;

	begin(&made);
	file = add(&made, "vtr/koios");
	file->lost = (rg_records_alone){.count = 2, .of = 6, .brief = "a, b"};
	add_row(&made, "time", 0)->by_record = true;
	finds(&story, &made,
	      "records-removed:  | 2 records removed | 2 of 6 in vtr/koios [dev]: a, b\n");
	assert_int_equal(story.findings[0].count_of, 6);
	rg_story_release(&story);
	file = add(&made, "vtr/koios_hard");
	file->lost = (rg_records_alone){.count = 3, .of = 7, .brief = "c, d, e"};
	file->gained = (rg_records_alone){.count = 1, .of = 5, .brief = "f"};
	finds(&story, &made,
	      "records-removed:  | 5 records removed | 3 of 7 in vtr/koios_hard [dev]: c, d, e; "
	      "2 of 6 in koios [dev]\n"
	      "records-added:  | 1 record added | 1 of 5 in vtr/koios_hard [dev]: f\n");
	rg_story_release(&story);
	file = add(&made, "vtr/other");
	file->lost = (rg_records_alone){.count = 1, .of = 2, .brief = "g"};
	finds_alone(&made, "records-removed:  | 6 records removed | 3 of 7 in vtr/koios_hard "
			   "[dev]: c, d, e; and 2 more goldens\n"
			   "records-added:  | 1 record added | 1 of 5 in vtr/koios_hard [dev]: "
			   "f\n");
}

TEST(tests_get_worse)
{
	hand_made made;

	begin(&made);
	made.summary.tests = (rg_test_counts){.any = true, .newly_failing = 2, .crashed = 1};
	finds_alone(&made, "tests:  | 2 newly failing | \n"
			   "tests:  | 1 crashed | \n");
}

/* --- figures --- */

TEST(figures_over_their_levels)
{
	hand_made made;
	rg_story story;

	begin(&made);
	set_level(&made, "b", "flag", "0.5");
	add(&made, "gpt/a");
	add_row(&made, "a", 0.002);
	add_row(&made, "b", -0.6);
	add_row(&made, "quiet", 0.0009);
	add(&made, "gpt/b");
	add_row(&made, "a", -0.05);
	finds(&story, &made,
	      "moved: a | -5 % | 2 goldens over 0.1 % | gpt/b [dev] and 1 more\n"
	      "moved: b | -60 % | flag level 50 % | gpt/a [dev]\n");
	assert_true(story.findings[0].over == 50 && story.findings[0].level == 1e-3);
	assert_true(story.findings[0].change == -0.05);
	assert_true(isnan(story.findings[0].median));
	rg_story_release(&story);
	hand_made_release(&made);
}

/* Both mean and median if one is over the level and the other is not, or if they are opposed. */
TEST(durations)
{
	hand_made made;
	rg_row *row;

	begin(&made);
	set_level(&made, "*", "flag", "0.05");
	add(&made, "gpt/a");
	add_duration(&made, "both over", 0.2, 0.1);
	add_duration(&made, "mean alone", 0.3, 0.01);
	add_duration(&made, "opposed", 0.25, -0.06);
	row = add_duration(&made, "median alone", 0.01, 0.4);
	row->level = RG_LEVEL_FLAG;
	row->score = 0.4;
	finds_alone(&made, "moved: median alone | +40 % | median step; mean +1 % | gpt/a [dev]\n"
			   "moved: mean alone | +30 % | mean; median step +1 % | gpt/a [dev]\n"
			   "moved: opposed | +25 % | mean; median step -6 % | gpt/a [dev]\n"
			   "moved: both over | +20 % | flag level 5 % | gpt/a [dev]\n");
}

/* Records that moved both ways are counted, and no average of them is given. */
TEST(records_move)
{
	hand_made made;
	rg_row *row;

	begin(&made);
	add(&made, "vtr/a");
	row = add_row(&made, "w", -0.217);
	row->by_record = row->by_largest = true;
	row->largest_rel = 0.217;
	row->n_steps = 4;
	row->smaller = 3;
	row->larger = 1;
	row->most_smaller = 0.217;
	row->most_larger = -0.441;
	row->shift = 0.1;
	row = add_row(&made, "one way", 0.1);
	row->by_record = row->by_largest = true;
	row->largest_rel = -0.1;
	row->larger = 2;
	row->max_abs_rel_record = "alexnet";
	row = add_row(&made, "step", 0.05);
	row->by_largest = true;
	row->largest_rel = -0.05;
	row->max_abs_rel_step = 7;
	finds_alone(&made,
		    "moved: w | -21.7 % | 3 of 4 records smaller (to -21.7 %), 1 larger (+44.1 "
		    "%) | vtr/a [dev]\n"
		    "moved: one way | +10 % | record alexnet | vtr/a [dev]\n"
		    "moved: step | +5 % | step 7 | vtr/a [dev]\n");
}

/* The mean is always with how much it varies. */
TEST(opposite_halves)
{
	hand_made made;
	rg_row *row;

	begin(&made);
	add(&made, "gpt/a");
	row = add_row(&made, "lm loss", 0.0001);
	row->mean_abs_rel = 0.02;
	finds_alone(&made,
		    "moved: lm loss | +0.01 % | mean; varies by 2 % per step | gpt/a [dev]\n");
}

/* What only cancels is counted with the others, and is not over the flag level. */
TEST(opposite_halves_among_others)
{
	hand_made made;
	rg_row *row;

	begin(&made);
	set_level(&made, "*", "flag", "0.2");
	add(&made, "gpt/a");
	add_row(&made, "n", -0.5);
	add(&made, "gpt/b");
	row = add_row(&made, "n", 0.003);
	row->mean_abs_rel = 0.08;
	row->check_needs_look = true;
	finds_alone(&made, "moved: n | -50 % | 2 goldens | gpt/a [dev] and 1 more\n");
}

TEST(outliers)
{
	char name[32];
	hand_made made;
	rg_story story;

	begin(&made);
	for (size_t i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "t5/%zu", i);
		add(&made, name);
		add_row(&made, "lm loss", i == 3 ? 0.217 : -0.029 - 0.0005 * (double)i);
	}
	finds(&story, &made,
	      "outlier: lm loss | +21.7 % | 7 others in its group: -3.1 % | t5/3 [dev]\n");
	assert_int_equal(story.findings[0].others, 7);
	assert_true(story.rows[0].in_review && !story.rows[1].in_review);
	rg_story_release(&story);
	/* The others of several outliers are none of them. */
	set_figure(&made.c.rows[4], 0.15);
	finds_alone(&made, "outlier: lm loss | +21.7 % | 2 goldens; 6 others: -3.08 % | t5/3 [dev] "
			   "and 1 more\n");
}

/* Fewer than five of a variant are compared with all of the stage. */
TEST(outliers_of_a_stage)
{
	char path[64];
	hand_made made;

	begin(&made);
	for (size_t i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "root/t5/%zu/golden_%zu.json", i, i / 2);
		add_golden(&made, path);
		add_row(&made, "lm loss", i == 3 ? 0.5 : 0);
	}
	finds_alone(&made, "outlier: lm loss | +50 % | 7 others in its stage: 0 % | t5/3 [1]\n");
}

/* Without an outlier, and where fewer moved, each that is over is counted. */
TEST(most_moved_beside_an_outlier)
{
	char name[32];
	hand_made made;
	rg_story story;

	begin(&made);
	for (size_t i = 0; i < 9; i++) {
		snprintf(name, sizeof(name), "t5/%zu", i);
		add(&made, name);
		add_row(&made, "x", i == 3 ? 0.9 : 0.03);
	}
	finds(&story, &made, "outlier: x | +90 % | 8 others in its group: +3 % | t5/3 [dev]\n");
	rg_story_release(&story);
	set_figure(&made.c.rows[3], 0.03);
	finds_alone(&made, "moved: x | +3 % | 9 goldens over 0.1 % | t5/0 [dev] and 8 more\n");
}

TEST(measured_rows)
{
	hand_made made;
	rg_row *row;

	begin(&made);
	add(&made, "gpt/a");
	row = add_row(&made, "out", 0.0001);
	row->verdict.kind = RG_VERDICT_OUTSIDE;
	row->verdict.stands_out = true;
	row->verdict.runs = 24;
	/* Over its level, and within what was measured. */
	row = add_row(&made, "noise", 0.5);
	row->verdict.kind = RG_VERDICT_WITHIN;
	made.c.run.fresh.answer = RG_ANSWER_CHANGED;
	made.c.run.fresh.runs = 20;
	finds_alone(&made, "run:  | the run has changed | compared with 20 measured runs\n"
			   "moved: out | +0.01 % | outside all 24 measured runs | gpt/a [dev]\n");
}

TEST(values_from_zero)
{
	hand_made made;
	rg_row *row;

	begin(&made);
	add(&made, "gpt/a");
	row = add_row(&made, "a", 0);
	row->values_differ = true;
	row->from_zero.count = 3;
	row->from_zero.largest = 7;
	row->from_zero.needs_look = true;
	row = add_row(&made, "b", 0);
	row->n_steps = 0;
	row->values_differ = true;
	row->too_small.count = 1;
	row->too_small.old = 1e-15;
	row->too_small.fresh = 5;
	row->level = RG_LEVEL_FLAG;
	row->score = 5e15;
	finds_alone(&made, "from-zero: b | 1e-15 -> 5 | too small for a percentage | gpt/a [dev]\n"
			   "from-zero: a | 0 -> 7 | 3 steps from zero | gpt/a [dev]\n");
}

TEST(tensors)
{
	static const rg_tensor_stats near = {.count = 9,
					     .snr_db = 41.23,
					     .share_differing = 0.031,
					     .worst_text = "[1, 3]"},
				     broken = {
					     .count = 9, .snr_db = NAN, .nonfinite_mismatches = 2};
	hand_made made;
	rg_row *row;

	begin(&made);
	add(&made, "m/a");
	row = add_row(&made, "output_0", 0.25);
	row->tensor = &near;
	row = add_row(&made, "output_1", 0.25);
	row->tensor = &broken;
	finds_alone(&made,
		    "tensor: output_1 | max_abs 0.25 | 2 non-finite mismatches | m/a [dev]\n"
		    "tensor: output_0 | max_abs 0.25 | at [1, 3], SNR 41.2 dB | m/a [dev]\n");
}

TEST(other_kinds_and_texts)
{
	hand_made made;

	begin(&made);
	add(&made, "gpt/a");
	add_exact(&made, "kind", "float32 [2]", "float32 [3]")->reshaped = true;
	add_row(&made, "unit", 0.5)->other_unit = "5 ns -> 6 ms";
	add_exact(&made, "text", "yes", "no");
	add_exact(&made, "same", NULL, NULL);
	finds_alone(&made,
		    "reshaped: kind | another kind | float32 [2] -> float32 [3] | gpt/a [dev]\n"
		    "reshaped: unit | another kind | 5 ns -> 6 ms | gpt/a [dev]\n"
		    "text: text | differs | yes -> no | gpt/a [dev]\n");
}

/* --- checks and gates --- */

static void set_check(rg_checks *checks, const char *name, const char *key, const char *value)
{
	assert_success(rg_checks_set(checks, name, key, &value, 1));
}

/* A row that fails only an exact check is what a refresh is for. */
TEST(checks)
{
	rg_checks *two = rg_checks_new();
	hand_made made;
	rg_story story;
	rg_row *row;

	set_check(two, "approximate", "metric", "*");
	set_check(two, "approximate", "rtol", "0.05");
	set_check(two, "deterministic", "metric", "*");
	assert_success(rg_checks_finish(two));
	begin(&made);
	made.c.checks = two;
	add(&made, "gpt/a");
	row = add_row(&made, "a", 0.0001);
	row->checked = 3;
	row->check_fails = 2;
	finds(&story, &made, "");
	assert_int_equal(story.places[0].look, RG_LOOK_NONE);
	assert_int_equal(story.places[0].marks, 0);
	assert_int_equal(story.check_count, 2);
	assert_string_equal(story.checks[1].name, "deterministic");
	assert_true(story.checks[1].exact && story.checks[1].fails == 1);
	assert_int_equal(story.checks[0].passes, 1);
	rg_story_release(&story);
	row->check_fails = 3;
	row->check_needs_look = true;
	add(&made, "gpt/b")->check_fails = 1;
	finds(&story, &made, "check:  | fails approximate | 2 goldens | gpt/a [dev] and 1 more\n");
	assert_int_equal(story.places[0].look, RG_LOOK_MUST);
	assert_int_equal(story.places[0].marks, RG_MARK_CHECK);
	assert_int_equal(story.checks[0].fails, 2);
	assert_string_equal(story.checks[0].failures[0].metric, "a");
	rg_story_release(&story);
	hand_made_release(&made);
	rg_checks_free(two);
}

typedef struct {
	rg_gate gate;
	rg_breach_list breaches;
	rg_gate_groups groups;
} broken_gate;

static void break_gate(broken_gate *broken, hand_made *made, const char *limit,
		       const char *conditions)
{
	*broken = (broken_gate){0};
	rg_gate_init(&broken->gate);
	if (limit)
		assert_success(rg_gate_add(&broken->gate, limit));
	if (conditions)
		assert_success(rg_gate_add_conditions(&broken->gate, conditions));
	rg_gate_evaluate(&broken->gate, &made->c, &broken->breaches);
	rg_gate_groups_make(&broken->groups, &broken->breaches, &made->c);
	made->summary.broken = &broken->groups;
}

static void mend_gate(broken_gate *broken)
{
	rg_gate_groups_release(&broken->groups);
	rg_breach_list_release(&broken->breaches);
	rg_gate_release(&broken->gate);
}

/* Every breach is among the findings, and before what breaks no gate. */
TEST(gates)
{
	broken_gate broken;
	hand_made made;
	rg_story story;

	begin(&made);
	set_level(&made, "*", "flag", "0.5");
	add(&made, "gpt/a");
	add_row(&made, "loud", 0.9);
	add_row(&made, "quiet", 0.01);
	add(&made, "gpt/b")->layout = RG_LAYOUT_FORMATTING;
	add_row(&made, "loud", 0);
	break_gate(&broken, &made, "quiet=0.001", NULL);
	finds(&story, &made,
	      "moved: quiet | +1 % |  | gpt/a [dev]\n"
	      "moved: loud | +90 % | flag level 50 % | gpt/a [dev]\n");
	assert_true(story.findings[0].gate && !story.findings[1].gate);
	rg_story_release(&story);
	mend_gate(&broken);
	/* A golden as a whole breaks it, too. */
	break_gate(&broken, &made, NULL, "changed");
	finds(&story, &made,
	      "moved: loud | +90 % | flag level 50 % | gpt/a [dev]\n"
	      "moved: quiet | +1 % |  | gpt/a [dev]\n"
	      "text:  | differs | same values, different formatting | gpt/b [dev]\n");
	assert_true(story.findings[2].gate);
	rg_story_release(&story);
	mend_gate(&broken);
	hand_made_release(&made);
}

/* A row that broke a gate by its values alone is not told of as a figure, too. */
TEST(gates_of_values)
{
	broken_gate broken;
	hand_made made;
	rg_story story;
	rg_row *row;

	begin(&made);
	add(&made, "gpt/a");
	row = add_row(&made, "x", 0);
	row->values_differ = true;
	row->identical = false;
	row->lost = row->left_out.old_only = 1;
	row->lost_steps = "3";
	break_gate(&broken, &made, NULL, "changed");
	finds(&story, &made, "values-removed: x | 1 step removed | step 3 | gpt/a [dev]\n");
	assert_true(story.findings[0].gate);
	rg_story_release(&story);
	mend_gate(&broken);
	hand_made_release(&made);
}

/* --- order and reasons --- */

TEST(worst_first)
{
	hand_made made;
	rg_story story;
	rg_row *row;

	begin(&made);
	add(&made, "gpt/a")->gained = (rg_records_alone){.count = 1, .of = 2, .brief = "r"};
	add_exact(&made, "text", "a", "b");
	add_row(&made, "mem-a", 0.5);
	add_row(&made, "num-zeros", 0.6);
	add_row(&made, "lm loss", 0.002);
	row = add_row(&made, "nan", 0);
	row->left_out.new_nonfinite = 1;
	row->now_nan = true;
	row = add_row(&made, "added", 0);
	row->left_out.new_only = 1;
	add_gap(&made, RG_GAP_OLD_ONLY, "gone");
	add(&made, "gpt/b")->lost = (rg_records_alone){.count = 1, .of = 2, .brief = "r"};
	add_alone(&made, RG_FILE_NEW, "root/gpt/c/golden_dev.json");
	finds(&story, &made,
	      "moved: lm loss | +0.2 % | flag level 0.1 % | gpt/a [dev]\n"
	      "nonfinite: nan | now NaN |  | gpt/a [dev]\n"
	      "metric-removed: gone | removed |  | gpt/a [dev]\n"
	      "records-removed:  | 1 record removed | 1 of 2 in gpt/b [dev]: r\n"
	      "moved: num-zeros | +60 % | flag level 0.1 % | gpt/a [dev]\n"
	      "moved: mem-a | +50 % | flag level 0.1 % | gpt/a [dev]\n"
	      "values-added: added | 1 step added |  | gpt/a [dev]\n"
	      "records-added:  | 1 record added | 1 of 2 in gpt/a [dev]: r\n"
	      "golden-new:  | new golden |  | gpt/c [dev]\n"
	      "text: text | differs | a -> b | gpt/a [dev]\n");
	/* One of each kind, whatever the metric: three rows moved, in one golden. */
	assert_int_equal(story.reason_count, 8);
	assert_int_equal(story.reasons[3].kind, RG_FOUND_MOVED);
	assert_int_equal(story.reasons[3].goldens, 1);
	rg_story_release(&story);
	hand_made_release(&made);
}
