/* SPDX-License-Identifier: Apache-2.0 */
/* What a summary's template can use: the rows' meaning, by levels and by what was measured. */
#include "unit/unit.h"

#include "compare/policy.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Renders a template of the summary; the result is the caller's to free. */
static char *render(const rg_comparison *c, const rg_policy *policy, const char *template_text)
{
	static const rg_column_context context = {
		"root", "{stage}/{test}/{file}", "*.json", NULL, false, false};
	const rg_summary summary = {
		.comparison = c, .policy = policy, .root = "root", .context = &context};
	rg_story story;
	cJSON *view;
	char *text;
	rg_buf out;

	rg_buf_init(&out, 1 << 24);
	rg_buf_str(&out, "");
	assert_success(rg_story_make(&story, &summary));
	assert_success(rg_summary_view(&view, &story));
	rg_story_release(&story);
	assert_success(rg_summary_render(&out, view, template_text, SIZE_MAX / 4, SIZE_MAX));
	cJSON_Delete(view);
	text = rg_buf_detach(&out);
	assert_non_null(text);
	return text;
}

static void assert_renders(const rg_comparison *c, const rg_policy *policy,
			   const char *template_text, const char *wanted)
{
	char *text = render(c, policy, template_text);

	assert_string_equal(text, wanted);
	free(text);
}

static rg_policy *levels(void)
{
	rg_policy *policy;

	policy = rg_policy_new();
	assert_success(rg_policy_set(policy, "lm loss", "noise", "0.001"));
	assert_success(rg_policy_set(policy, "mem-*", "flag", "0.05"));
	assert_success(rg_policy_set(policy, "lm loss", "fail", "0.5"));
	return policy;
}

#define SERIES(name, diff, ...)                                                  \
	{                                                                        \
		.file = "f", .metric = name, .n_steps = 3, .avg_rel_diff = diff, \
		.score = fabs((double)(diff)), __VA_ARGS__                       \
	}

/* What is inside of the measured range was looked at by the audit. */
static void reviewers_look_at_the_worst_first(void **state)
{
	rg_row rows[] = {SERIES("quiet", 0.9, .level = RG_LEVEL_QUIET),
			 SERIES("flag", -0.3, .level = RG_LEVEL_FLAG),
			 SERIES("lm loss", 0.6, .level = RG_LEVEL_FAIL, .fail_at = 0.5),
			 SERIES("nan", 0, .left_out = {.new_nonfinite = 2}),
			 SERIES("out", 0.1,
				.verdict = {.kind = RG_VERDICT_OUTSIDE,
					    .stands_out = true,
					    .text = "outside the range"}),
			 SERIES("mem-a", 0.2, .level = RG_LEVEL_FLAG,
				.verdict = {.kind = RG_VERDICT_WITHIN, .text = "inside"}),
			 {.file = "f",
			  .metric = "text",
			  .kind = RG_ROW_EXACT,
			  .level = RG_LEVEL_FAIL,
			  .score = 1,
			  .avg_rel_diff = NAN}};
	const rg_comparison c = {.rows = rows, .row_count = 7, .series_rows = 6};
	rg_policy *policy = levels();

	(void)state;
	assert_success(rg_policy_set(policy, "flag", "flag", "0.25"));
	assert_success(rg_policy_set(policy, "text", "kind", "exact"));
	assert_renders(
		&c, policy,
		"{{review.count}}: {{#review}}{{metric}} {{avg_rel_diff}} {{n_steps}} "
		"({{reason}}); {{/review}}{{review.more}}",
		"5: lm loss 0.6 3 (over the fail level 0.5); text  0 (score 1, over the fail level "
		"0); nan 0 3 (2 not finite); flag -0.3 3 (flag level 0.25); "
		"out 0.1 3 (outside the range); 0");
	rg_policy_free(policy);
}

static void exact_matters_and_gaps_are_counted(void **state)
{
	rg_row rows[] = {{.file = "f", .metric = "same", .kind = RG_ROW_EXACT, .identical = true},
			 {.file = "f",
			  .metric = "tokens",
			  .kind = RG_ROW_EXACT,
			  .first_diff_known = true,
			  .old_excerpt = "1",
			  .new_excerpt = "<2>"},
			 {.file = "f", .metric = "kind", .kind = RG_ROW_EXACT}};
	rg_row gaps[] = {{.gap = RG_GAP_OLD_ONLY, .file = "f", .metric = "a"},
			 {.gap = RG_GAP_NO_STEPS, .file = "f", .metric = "b"},
			 {.gap = RG_GAP_OLD_ONLY, .file = "f", .metric = "c"}};
	rg_file_outcome file = {.file = "f", .row_count = 3, .gap_count = 3};
	rg_comparison c = {.rows = rows,
			   .row_count = 3,
			   .gaps = gaps,
			   .gap_count = 3,
			   .files = &file,
			   .file_count = 1};

	(void)state;
	assert_renders(
		&c, NULL,
		"{{#exact}}{{differ.count}} of {{n}}: {{#differ}}{{metric}} {{first_diff}} {{old}} "
		"{{new}}; {{/differ}}{{/exact}}{{#gaps}}{{n}} {{old_only}} {{new_only}} "
		"{{no_steps}}{{/gaps}}{{#interpretation}} said{{/interpretation}}",
		"2 of 3: tokens 0 1 \\<2\\>; kind the kind  ; 3 2 0 1 said");
	c.row_count = 1;
	c.series_rows = rows[0].kind == RG_ROW_SERIES;
	c.gap_count = 0;
	assert_renders(&c, NULL,
		       "{{#exact}}x{{/exact}}{{#gaps}}x{{/gaps}}{{#interpretation}}x"
		       "{{/interpretation}}{{#review}}x{{/review}}{{#measured}}x{{/measured}}",
		       "");
}

static void verdicts_are_said_once_for_all_rows_alike(void **state)
{
#define JUDGED(kind_, text_)                                                           \
	{                                                                              \
		.file = "f", .metric = "m", .verdict = {.kind = kind_, .text = text_ } \
	}
	rg_row rows[] = {
		JUDGED(RG_VERDICT_WITHIN, "inside b"),      JUDGED(RG_VERDICT_NONE, NULL),
		JUDGED(RG_VERDICT_WITHIN, "inside a"),      JUDGED(RG_VERDICT_OUTSIDE, "out 1"),
		JUDGED(RG_VERDICT_WITHIN, "inside b"),      JUDGED(RG_VERDICT_OUTSIDE, "out 2"),
		JUDGED(RG_VERDICT_UNMEASURED, "unknown"),   JUDGED(RG_VERDICT_WITHIN, "inside c"),
		JUDGED(RG_VERDICT_INCONCLUSIVE, "too few"), JUDGED(RG_VERDICT_WITHIN, "inside c")};
	rg_comparison c = {.rows = rows, .row_count = 10, .series_rows = 10};
	static const char measured[] =
		"{{#measured}}{{n}}{{#within}} within {{n}}: {{#items}}{{n}} {{text}}; {{/items}}"
		"{{items.more_n}}{{/within}}{{#outside}} outside {{n}}: {{#items}}{{n}} "
		"'{{text}}'{{/items}}"
		"{{/outside}}{{#inconclusive}} {{n}}{{n|plural: one,}}{{/inconclusive}}"
		"{{#unmeasured}}{{#items}} {{text}}{{/items}}{{/unmeasured}}{{/measured}}";

	(void)state;
	assert_renders(
		&c, NULL, measured,
		"9 within 5: 2 inside b; 2 inside c; 1 inside a; 0 outside 2: 2 '' 1 one unknown");
	/* All are inside, and no level is configured. */
	c.row_count = c.series_rows = 1;
	assert_renders(&c, NULL, "{{#interpretation}}said{{/interpretation}}", "said");
	c.rows = &rows[1];
	c.row_count = 1;
	c.series_rows = rows[0].kind == RG_ROW_SERIES;
	assert_renders(&c, NULL, measured, "");
}

/* What is too long for its place is not nothing. */
static void what_is_left_out_is_said(void **state)
{
	cJSON *item = cJSON_CreateObject();
	rg_buf text;

	(void)state;
	rg_buf_init(&text, 4);
	rg_buf_str(&text, "12345");
	rg_build_written(item, "name", &text);
	assert_string_equal(cJSON_GetObjectItem(item, "name")->valuestring,
			    "(left out: more than 4 bytes)");
	cJSON_Delete(item);
	rg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_left_out_is_said),
		cmocka_unit_test(reviewers_look_at_the_worst_first),
		cmocka_unit_test(exact_matters_and_gaps_are_counted),
		cmocka_unit_test(verdicts_are_said_once_for_all_rows_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
