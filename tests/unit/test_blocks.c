/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a summary, to the letter. */
#include "unit.h"

#include "hand_made.h"

#include "report/blocks.h"

#include "compare/checks.h"
#include "report/json.h"
#include "report/story_document.h"

#include <stdio.h>

enum { WIDTH = 150, APPROXIMATE = 1, DETERMINISTIC = 2 };

static const rg_column_context context = {"tests/functional_tests/test_cases",
					  "{stage}/{test}/{file}",
					  "golden_values*.json",
					  NULL,
					  false,
					  false};

static void shows(const hand_made *made, const rg_blocks_style *style, const char *wanted)
{
	rg_blocks blocks;
	rg_story story;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_ANY);
	assert_success(rg_story_make(&story, &made->summary));
	rg_blocks_of(&blocks, &story);
	rg_blocks_text(&out, &blocks, style);
	assert_string_equal(out.data, wanted);
	rg_story_release(&story);
}

static void set_check(rg_checks *checks, const char *name, const char *key, const char *value)
{
	assert_success(rg_checks_set(checks, name, key, &value, 1));
}

/* One of 5 %, and one that wants equal values. */
static rg_checks *two_checks(void)
{
	rg_checks *checks = rg_checks_new();
	set_check(checks, "approximate", "metric", "*");
	set_check(checks, "approximate", "rtol", "0.05");
	set_check(checks, "deterministic", "metric", "*");
	assert_success(rg_checks_finish(checks));
	return checks;
}

/* --- a refresh of many goldens --- */

enum { GPT = 75, T5 = 16, BERT = 7, MOE = 28, GOLDENS = GPT + T5 + BERT + MOE };
/* Goldens 0 to 80 fail in lm loss, and 21 to 118 in num-zeros. */
enum { LOSS_FAILS = 81, ZEROS_FAIL_FROM = 21, ZEROS_FAIL_TO = 119 };
/* In gpt, a golden that is now NaN at three steps, and five that are at one. */
enum { NAN_FROM = 10, NAN_TO = 16 };

/* From `low` to `middle`, which is the median, to `high`. */
static double between(size_t i, size_t count, double low, double middle, double high)
{
	const size_t half = count / 2;
	if (i + 1 >= half && i <= half + 1)
		return middle;
	return i <= half
		       ? low + (middle - low) * (double)i / (double)half
		       : middle + (high - middle) * (double)(i - half) / (double)(count - 1 - half);
}

static void add_check_bits(rg_row *row, bool fails)
{
	row->checked = APPROXIMATE | DETERMINISTIC;
	row->check_fails = DETERMINISTIC | (fails ? APPROXIMATE : 0U);
	row->check_needs_look = fails;
}

static void add_loss(hand_made *made, size_t golden, double change)
{
	rg_row *row = add_row(made, "lm loss", change);
	row->values_differ = true;
	add_check_bits(row, golden < LOSS_FAILS);
}

static void add_zeros(hand_made *made, size_t golden)
{
	static const char *const steps[] = {"18, 20, 32", "18", "20", "32", "20", "18"};
	/* One is over 20 %. The last one did not move. */
	const double change = golden == 0 ? -0.212
			      : golden == GOLDENS - 1
				      ? 0
				      : between(golden - 1, GOLDENS - 2, -0.106, 0.0031, 0.0799);
	rg_row *row = add_row(made, "num-zeros", change);
	if (golden >= NAN_FROM && golden < NAN_TO) {
		row->left_out.new_nonfinite = golden == NAN_FROM ? 3 : 1;
		row->nonfinite_steps = steps[golden - NAN_FROM];
		row->now_nan = true;
	}
	add_check_bits(row, golden >= ZEROS_FAIL_FROM && golden < ZEROS_FAIL_TO);
}

/* Durations, of which 66 became slower; and memory, of which two goldens of twelve are outliers. */
static void add_figures(hand_made *made, size_t golden, bool slow, double memory)
{
	const double median = golden < 65 ? 0.001 + 0.0001 * (double)golden
					  : -0.001 - 0.0001 * (double)golden;
	if (slow)
		add_duration(made, "iteration-time", 0.331, 0.0025);
	else
		add_duration(made, "iteration-time", median, median);
	add_check_bits(&made->c.rows[made->c.row_count - 1], false);
	add_zeros(made, golden);
	add_check_bits(add_row(made, "mem-allocated-bytes", memory), false);
	add_check_bits(
		add_row(made, "mem-max-allocated-bytes", 0.028 * (double)golden / (GOLDENS - 1)),
		false);
}

static void add_path(hand_made *made, const char *stage, const char *test, const char *variant)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s/%s/golden_values_%s.json", context.root, stage, test,
		 variant);
	add_golden(made, path);
}

static void add_gpt(hand_made *made)
{
	char test[64];
	for (size_t i = 0; i < GPT; i++) {
		snprintf(test, sizeof(test), "gpt3_%zu", i);
		add_path(made, "gpt", i == NAN_FROM ? "gpt3_mcore_tp1_pp2_resume_torch_dist" : test,
			 "dev_dgx_a100");
		add_loss(made, i, between(i, GPT, 0, 0.0263, 0.0312));
		add_figures(made, i, false, 0.0069 * (double)i / (GPT - 1));
	}
}

/* One of eleven is an outlier; five are of another variant. */
static void add_t5(hand_made *made)
{
	static const double h100[] = {0.217,   -0.0289, -0.0289, -0.0289, -0.02895, -0.029,
				      -0.0292, -0.0295, -0.0303, -0.0304, -0.0305};
	static const double a100[] = {-0.0297, -0.03, -0.031, -0.032, -0.0341};
	char test[64];
	for (size_t i = 0; i < T5; i++) {
		const bool other = i >= 11;
		snprintf(test, sizeof(test), "t5_%zu", i);
		add_path(made, "t5", i ? test : "t5_11b_mcore_tp4_pp1",
			 other ? "dev_dgx_a100" : "dev_dgx_h100");
		add_loss(made, GPT + i, other ? a100[i - 11] : h100[i]);
		add_figures(made, GPT + i, !i, 0);
	}
}

static void add_bert(hand_made *made)
{
	static const double changes[BERT] = {-0.0134, -0.013, -0.0112, -0.0101,
					     -0.008,  -0.005, -0.0015};
	char test[64];
	for (size_t i = 0; i < BERT; i++) {
		snprintf(test, sizeof(test), "bert_%zu", i);
		add_path(made, "bert", test, "dev_dgx_h100");
		add_loss(made, GPT + T5 + i, changes[i]);
		add_figures(made, GPT + T5 + i, false, 0);
	}
}

/* Two of the first twelve have more memory. */
static void add_moe(hand_made *made)
{
	char test[64];
	for (size_t i = 0; i < MOE; i++) {
		snprintf(test, sizeof(test), "moe_%zu", i);
		add_path(made, "moe",
			 i == 3 ? "gpt3_mcore_tp2_pp2_ep2_etp2_te_4experts2parallel" : test,
			 i < 12 ? "dev_dgx_gb200" : "dev_dgx_h100");
		add_figures(made, GPT + T5 + BERT + i, false, i == 3 ? 0.0732 : i == 5 ? 0.071 : 0);
	}
}

/* The findings after the first four: num-zeros of one golden, values that are finite again, a
 * check, a new metric and a new golden. */
static void add_five_more(hand_made *made)
{
	rg_row *row = &made->c.rows[made->c.row_count - 1];
	row->repaired = 2;
	row->repaired_nan = true;
	add_gap(made, RG_GAP_NEW_ONLY, "grad-norm");
	add_alone(made, RG_FILE_NEW, "tests/functional_tests/test_cases/gpt/x/golden_values.json");
}

static void make_many(hand_made *made, rg_refresh *refresh, const rg_checks *checks)
{
	hand_made_init(made, &context);
	set_level(made, "*", "flag", "1e-3");
	set_level(made, "num-zeros", "flag", "0.2");
	set_level(made, "iteration-time", "flag", "0.1");
	set_level(made, "mem-*", "flag", "0.05");
	add_gpt(made);
	add_t5(made);
	add_bert(made);
	add_moe(made);
	add_five_more(made);
	made->c.checks = checks;
	rg_refresh_init(refresh);
	rg_refresh_add(refresh, RG_REFRESH_UPDATED, made->c.files[0].file, NULL);
	made->summary.refresh = refresh;
	made->summary.root = context.root;
	made->summary.old_side = "41595d09b5~1";
	made->summary.new_side = "41595d09b5";
	made->summary.command = "regild compare 41595d09b5~1 41595d09b5";
}

static void release_many(hand_made *made, rg_refresh *refresh, rg_checks *checks)
{
	rg_refresh_release(refresh);
	rg_checks_free(checks);
	hand_made_release(made);
}

TEST(many_goldens)
{
	const rg_blocks_style style = {.table = {.width = WIDTH}, .findings = 4};
	rg_checks *checks = two_checks();
	rg_refresh refresh;
	hand_made made;

	make_many(&made, &refresh, checks);
	shows(&made, &style,
	      "126 goldens compared, 41595d09b5~1 -> 41595d09b5: needs review (6 goldens have new "
	      "NaNs; 119 fail approximate)\n"
	      "\n"
	      "REVIEW\n"
	      "  lm loss              +21.7 %    10 others in its group: -2.91 %   "
	      "t5/t5_11b_mcore_tp4_pp1 [dev_dgx_h100]\n"
	      "  num-zeros            now NaN    6 goldens, steps 18, 20, 32       "
	      "gpt/gpt3_mcore_tp1_pp2_resume_torch_dist [dev_dgx_a100] and 5 more\n"
	      "  iteration-time       +33.1 %    mean; median step +0.25 %         "
	      "t5/t5_11b_mcore_tp4_pp1 [dev_dgx_h100]\n"
	      "  mem-allocated-bytes  +7.32 %    2 goldens; 10 others: 0 %         "
	      "moe/gpt3_mcore_tp2_pp2_ep2_etp2_te_4experts2parallel [dev_dgx_gb200] and 1 more\n"
	      "  5 more: regild compare 41595d09b5~1 41595d09b5 --filter review\n"
	      "\n"
	      "MOVED                 goldens   change, excluding REVIEW     median\n"
	      "  lm loss      gpt      75/75   0 to +3.12 %                 +2.63 %\n"
	      "               t5       16/16   -3.41 to -2.89 %             -2.97 %\n"
	      "               bert       7/7   -1.34 to -0.15 %             -1.01 %\n"
	      "  num-zeros           125/126   -10.6 to +7.99 %             +0.31 %\n"
	      "  iteration-time      126/126   66 slower, 60 faster (median step), no trend\n"
	      "  within their flag levels: mem-max-allocated-bytes (2.8 %), mem-allocated-bytes "
	      "(0.69 %)\n"
	      "\n"
	      "CHECKS  approximate: 7 of 126 pass (failures: num-zeros 98, lm loss 81); "
	      "deterministic: 0 of 126 pass\n"
	      "NOISE   not measured; flag levels come from the settings (regild audit measures "
	      "noise)\n"
	      "NEXT\n"
	      "  regild compare 41595d09b5~1 41595d09b5 --filter checks=approximate:fails   # "
	      "show what fails\n"
	      "  regild undo                                                                # "
	      "undo the refresh\n"
	      "  git add tests/functional_tests/test_cases && git commit                    # "
	      "keep the refresh\n");
	release_many(&made, &refresh, checks);
}

/* Names of steps and records go first, then goldens have lines of their own; the median goes. */
TEST(narrow_windows)
{
	rg_blocks_style style = {.table = {.width = 90}, .findings = 4};
	rg_checks *checks = two_checks();
	rg_refresh refresh;
	hand_made made;

	make_many(&made, &refresh, checks);
	shows(&made, &style,
	      "126 goldens compared, 41595d09b5~1 -> 41595d09b5: needs review (6 goldens have new "
	      "NaNs;\n"
	      "    119 fail approximate)\n"
	      "\n"
	      "REVIEW\n"
	      "  lm loss              +21.7 %    10 others in its group: -2.91 %\n"
	      "      t5/t5_11b_mcore_tp4_pp1 [dev_dgx_h100]\n"
	      "  num-zeros            now NaN    6 goldens, steps 18, 20, 32\n"
	      "      gpt/gpt3_mcore_tp1_pp2_resume_torch_dist [dev_dgx_a100] and 5 more\n"
	      "  iteration-time       +33.1 %    mean; median step +0.25 %\n"
	      "      t5/t5_11b_mcore_tp4_pp1 [dev_dgx_h100]\n"
	      "  mem-allocated-bytes  +7.32 %    2 goldens; 10 others: 0 %\n"
	      "      moe/gpt3_mcore_tp2_pp2_ep2_etp2_te_4experts2parallel [dev_dgx_gb200] and 1 "
	      "more\n"
	      "  5 more: regild compare 41595d09b5~1 41595d09b5 --filter review\n"
	      "\n"
	      "MOVED                 goldens   change, excluding REVIEW     median\n"
	      "  lm loss      gpt      75/75   0 to +3.12 %                 +2.63 %\n"
	      "               t5       16/16   -3.41 to -2.89 %             -2.97 %\n"
	      "               bert       7/7   -1.34 to -0.15 %             -1.01 %\n"
	      "  num-zeros           125/126   -10.6 to +7.99 %             +0.31 %\n"
	      "  iteration-time      126/126   66 slower, 60 faster (median step), no trend\n"
	      "  within their flag levels: mem-max-allocated-bytes (2.8 %), mem-allocated-bytes "
	      "(0.69 %)\n"
	      "\n"
	      "CHECKS  approximate: 7 of 126 pass (failures: num-zeros 98, lm loss 81); "
	      "deterministic: 0\n"
	      "        of 126 pass\n"
	      "NOISE   not measured; flag levels come from the settings (regild audit measures "
	      "noise)\n"
	      "NEXT\n"
	      "  regild compare 41595d09b5~1 41595d09b5 --filter checks=approximate:fails\n"
	      "  regild undo  # undo the refresh\n"
	      "  git add tests/functional_tests/test_cases && git commit  # keep the refresh\n");
	style.table.width = 56;
	style.findings = 2;
	style.without_next = true;
	shows(&made, &style,
	      "126 goldens compared, 41595d09b5~1 -> 41595d09b5: needs\n"
	      "    review (6 goldens have new NaNs; 119 fail\n"
	      "    approximate)\n"
	      "\n"
	      "REVIEW\n"
	      "  lm loss    +21.7 %    10 others in its group: -2.91 %\n"
	      "      t5/t5_11b_mcore_tp4_pp1 [dev_dgx_h100]\n"
	      "  num-zeros  now NaN    6 goldens, steps 18, 20, 32\n"
	      "      gpt/…2_resume_torch_dist [dev_dgx_a100] and 5 more\n"
	      "  7 more: regild compare 41595d09b5~1 41595d09b5\n"
	      "    --filter review\n"
	      "\n"
	      "MOVED                goldens   change, excluding REVIEW\n"
	      "  lm loss     gpt      75/75   0 to +3.12 %\n"
	      "              t5       16/16   -3.41 to -2.89 %\n"
	      "              bert       7/7   -1.34 to -0.15 %\n"
	      "  num-zeros          125/126   -10.6 to +7.99 %\n"
	      "  iteration-time     126/126   66 slower, 60 faster\n"
	      "                               (median step), no trend\n"
	      "  within their flag levels: mem-max-allocated-bytes\n"
	      "    (2.8 %), mem-allocated-bytes (0.69 %)\n"
	      "\n"
	      "CHECKS  approximate: 7 of 126 pass (failures: num-zeros\n"
	      "        98, lm loss 81); deterministic: 0 of 126 pass\n"
	      "NOISE   not measured; flag levels come from the settings\n"
	      "        (regild audit measures noise)\n");
	release_many(&made, &refresh, checks);
}

/* Wants the blocks of the document in the words of those of the story. */
static void are_read_again(const hand_made *made)
{
	static const rg_page_rows no_page;
	const rg_blocks_style style = {.table = {.width = WIDTH}};
	rg_arena arena;
	rg_json_in in = {.arena = &arena};
	rg_blocks own, again;
	rg_story story;

	rg_arena_init(&arena);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	assert_success(rg_story_make(&story, &made->summary));
	rg_blocks_of(&own, &story);
	rg_blocks_text(&text, &own, &style);
	char *wanted = rg_strndup(text.data, text.length);
	const rg_json_about about = {.story = &story, .page = &no_page};
	cJSON *root = rg_comparison_told(&made->c, &about);
	in.root = root;
	assert_success(rg_blocks_read(&again, &in));
	rg_buf_clear(&text);
	rg_blocks_text(&text, &again, &style);
	assert_string_equal(text.data, wanted);
	free(wanted);
	cJSON_Delete(root);
	rg_story_release(&story);
	rg_arena_release(&arena);
}

TEST(blocks_are_read_again)
{
	rg_checks *checks = two_checks();
	rg_refresh refresh;
	hand_made made;

	make_many(&made, &refresh, checks);
	are_read_again(&made);
	made.summary.dry_run = true;
	made.summary.old_commit = "1a2b3c4d5e";
	are_read_again(&made);
	made.summary.filter = "rows that need review";
	made.summary.only_review = true;
	made.c.run.fresh = (rg_run_test){.answer = RG_ANSWER_CHANGED,
					 .by = RG_SHOWN_BY_METRIC,
					 .metric = "lm loss",
					 .p = 0.04,
					 .runs = 24};
	made.c.run.golden = (rg_run_test){.answer = RG_ANSWER_NOISE, .p = 0.5, .runs = 24};
	made.c.rows[0].verdict.kind = RG_VERDICT_OUTSIDE;
	are_read_again(&made);
	release_many(&made, &refresh, checks);
}

/* --- tables that lost records --- */

static void add_table(hand_made *made, const char *path, const char *lost)
{
	static char columns[81][8];
	add_golden(made, path)->lost =
		(rg_records_alone){.count = 3, .of = 6, .brief = lost, .names = lost};
	for (size_t i = 0; i < 81; i++) {
		snprintf(columns[i], sizeof(columns[i]), "c%zu", i);
		add_row(made, columns[i], 0)->by_record = true;
	}
}

TEST(records_removed)
{
	static const rg_column_context tables = {
		"tasks", "{stage}/{test}/{file}", "golden_results.txt", NULL, false, false};
	const rg_blocks_style style = {.table = {.width = WIDTH}, .findings = RG_FINDINGS_SHOWN};
	hand_made made;

	hand_made_init(&made, &tables);
	add_table(&made, "tasks/vtr_reg_nightly_test6/koios/golden_results.txt",
		  "proxy.5.v, proxy.7.v, proxy.8.v");
	add_table(&made, "tasks/vtr_reg_nightly_test6/koios_no_hard_block/golden_results.txt",
		  "proxy.5.v, proxy.7.v, proxy.8.v");
	made.summary.old_side = "f037607b34~1";
	made.summary.new_side = "f037607b34";
	shows(&made, &style,
	      "2 goldens compared, f037607b34~1 -> f037607b34: needs review (records removed)\n"
	      "REVIEW\n"
	      "  6 records removed    3 of 6 in vtr_reg_nightly_test6/koios: proxy.5.v, "
	      "proxy.7.v, proxy.8.v; 3 of 6 in koios_no_hard_block\n"
	      "everything else is equal (81 columns)\n");
	hand_made_release(&made);
}

/* --- blocks with nothing to say --- */

/* All that moved is in REVIEW. */
TEST(nothing_else_moved)
{
	const rg_blocks_style style = {.table = {.width = WIDTH}, .findings = RG_FINDINGS_SHOWN};
	hand_made made;

	hand_made_init(&made, &context);
	set_level(&made, "*", "flag", "1e-3");
	add_path(&made, "gpt", "a", "dev");
	add_row(&made, "x", 0.5);
	add_row(&made, "y", 0);
	shows(&made, &style,
	      "1 golden compared, HEAD -> the working tree: needs review (1 golden over its flag "
	      "level)\n"
	      "REVIEW\n"
	      "  x  +50 %    flag level 0.1 %   gpt/a [dev]\n"
	      "NOISE   not measured; flag levels come from the settings (regild audit measures "
	      "noise)\n");
	hand_made_release(&made);
}

/* --- placeholders that went --- */

TEST(nothing_to_review)
{
	enum { ALL = 269, CHECKED = 261, ROWS = 1343 };
	static const char *const metrics[] = {"a", "b", "c", "d", "e"};
	const rg_blocks_style style = {.table = {.width = WIDTH}, .findings = RG_FINDINGS_SHOWN};
	rg_checks *checks = two_checks();
	hand_made made;
	char test[32];

	hand_made_init(&made, &context);
	for (size_t i = 0; i < ALL; i++) {
		snprintf(test, sizeof(test), "t%zu", i);
		add_path(&made, "gpt", test, "dev");
		for (size_t k = 0; k < 5 && made.c.row_count < ROWS; k++) {
			rg_row *row = add_row(&made, metrics[k], 0);
			row->left_out.old_placeholder = k ? 0 : 9;
			row->checked = APPROXIMATE | (i < CHECKED ? DETERMINISTIC : 0U);
		}
	}
	made.c.checks = checks;
	made.summary.old_side = "93ebf8d72f~1";
	made.summary.new_side = "93ebf8d72f";
	shows(&made, &style,
	      "269 goldens compared, 93ebf8d72f~1 -> 93ebf8d72f: nothing to review\n"
	      "values are equal (1,343 rows)\n"
	      "NaN placeholders removed from 269 goldens\n"
	      "CHECKS  approximate: 269 of 269 pass; deterministic: 261 of 261 pass\n");
	rg_checks_free(checks);
	hand_made_release(&made);
}
