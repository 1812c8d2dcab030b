/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a summary's template. */
#include "unit.h"

#include "unit/hand_made.h"
#include "unit/view_of.h"

#include "compare/policy.h"
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
	cJSON *view = view_of(&summary);
	char *text;
	rg_buf out;

	rg_buf_init(&out, 1 << 24);
	rg_buf_str(&out, "");
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

static void assert_story(hand_made *made, const char *template_text, const char *wanted)
{
	assert_renders(&made->c, made->policy, template_text, wanted);
}

TEST(findings_come_worst_first)
{
	hand_made made;
	rg_row *row;

	hand_made_init(&made, NULL);
	set_level(&made, "*", "flag", "0.25");
	set_level(&made, "lm loss", "fail", "0.5");
	add_golden(&made, "root/gpt/a/b.json");
	add_row(&made, "quiet", 0.2);
	add_row(&made, "flag", -0.3);
	add_row(&made, "lm loss", 0.6);
	row = add_row(&made, "nan", 0);
	row->left_out.new_nonfinite = 2;
	row->now_nan = true;
	row->nonfinite_steps = "3..4";
	add_golden(&made, "root/gpt/c/b.json");
	add_row(&made, "flag", 0.4);
	assert_story(
		&made,
		"{{review.count}}: {{#review}}{{metric}} {{figure}} ({{note}}) {{name}}{{#more}} "
		"+{{more}}{{/more}}; {{/review}}{{review_more}}",
		"3: lm loss +60 % (flag level 25 %) gpt/a \\[b\\]; nan now NaN (steps 3..4) gpt/a "
		"\\[b\\]; flag +40 % (2 goldens over 25 %) gpt/c \\[b\\] +1; ");
	assert_story(&made,
		     "{{#moved}}{{metric}} {{changed}}/{{goldens}} {{change}} {{median}} {{max}} "
		     "{{n}}; {{/moved}}{{quiet}}",
		     "lm loss 1/1 in REVIEW 0.6 0.6 1; flag 2/2 all: -30 to +40 % 0.35 0.4 2; "
		     "quiet 1/1 +20 % "
		     "0.2 0.2 "
		     "1; nan 1/1 0 % 0 0 1; within their flag levels: quiet (20 %)");
	assert_story(&made, "{{verdict}}",
		     "2 goldens compared: needs review (1 golden has new NaNs; 2 goldens over "
		     "their flag levels)");
	hand_made_release(&made);
}

/* At most eight, and a command for the others. */
TEST(further_findings_are_counted)
{
	static const char *const metrics[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
	hand_made made;

	hand_made_init(&made, NULL);
	set_level(&made, "*", "flag", "0.01");
	add_golden(&made, "root/gpt/a/b.json");
	for (size_t i = 0; i < 10; i++)
		add_row(&made, metrics[i], 1 - 0.01 * (double)i);
	assert_story(&made, "{{#review}}{{metric}}{{/review}} {{review_more}} {{{review_command}}}",
		     "abcdefgh 2 regild compare --filter review");
	hand_made_release(&made);
}

TEST(exact_rows_are_listed)
{
	static const char text[] =
		"{{#exact}}{{what}} {{differ.count}} of {{n}}: {{#differ}}{{metric}} "
		"{{first_diff}} {{old}} {{new}}; {{/differ}}{{/exact}}{{no_steps}}";
	hand_made made;
	rg_row *row;

	hand_made_init(&made, NULL);
	add_golden(&made, "root/gpt/a/b.json");
	add_exact(&made, "same", NULL, NULL);
	row = add_exact(&made, "tokens", "1", "<2>");
	row->first_diff_known = true;
	row = add_exact(&made, "kind", NULL, NULL);
	row->identical = false;
	add_gap(&made, RG_GAP_OLD_ONLY, "a");
	add_gap(&made, RG_GAP_NO_STEPS, "b");
	assert_story(&made, text,
		     "Texts and tokens 2 of 3: tokens 0 1 \\<2\\>; kind the kind  ; 1");
	hand_made_release(&made);
	hand_made_init(&made, NULL);
	add_golden(&made, "root/gpt/a/b.json");
	add_exact(&made, "same", NULL, NULL);
	assert_story(&made, text, "");
	assert_story(&made, "{{verdict}}{{#facts}}; {{text}}{{/facts}}{{#noise}}x{{/noise}}",
		     "1 golden compared: nothing to review; values are equal (1 row)");
	hand_made_release(&made);
}

TEST(noise_is_said_by_lines)
{
	static const rg_verdict_kind kinds[] = {RG_VERDICT_WITHIN,       RG_VERDICT_NONE,
						RG_VERDICT_WITHIN,       RG_VERDICT_OUTSIDE,
						RG_VERDICT_INCONCLUSIVE, RG_VERDICT_UNMEASURED};
	static const char text[] = "{{#noise}}{{text}}|{{/noise}}";
	hand_made made;

	hand_made_init(&made, NULL);
	add_golden(&made, "root/gpt/a/b.json");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		add_row(&made, "m", 0.1)->verdict.kind = kinds[i];
	assert_story(&made, text,
		     "not measured; flag levels come from the settings (regild audit measures "
		     "noise)|");
	made.c.run.fresh = (rg_run_test){.answer = RG_ANSWER_CHANGED,
					 .by = RG_SHOWN_BY_METRIC,
					 .metric = "lm loss",
					 .p = 1.0 / 21,
					 .runs = 20,
					 .goldens = 5};
	made.c.run.golden = (rg_run_test){.answer = RG_ANSWER_NOISE, .runs = 20, .goldens = 5};
	assert_story(&made, text,
		     "the new run differs from the 20 measured runs of 5 goldens (lm loss), by "
		     "chance in at most "
		     "1 of 21 runs|the golden is like the 20 measured runs of 5 goldens|rows: 2 "
		     "within the "
		     "noise, 1 outside, 1 inconclusive, 1 unmeasured|");
	made.c.run.fresh =
		(rg_run_test){.answer = RG_ANSWER_OPEN, .too_few = 3, .runs = 2, .missing = 7};
	made.c.run.golden.answer = RG_ANSWER_NONE;
	assert_story(&made, text,
		     "not enough runs: 2 measured, 9 needed|rows: 2 within the noise, 1 outside, 1 "
		     "inconclusive, 1 unmeasured|");
	hand_made_release(&made);
}

/* A text that is too long for its place is not nothing. */
TEST(what_is_left_out_is_said)
{
	cJSON *item = cJSON_CreateObject();

	RG_AUTO(rg_buf) text = rg_buf_of(4);
	rg_buf_str(&text, "12345");
	rg_build_written(item, "name", &text);
	assert_string_equal(cJSON_GetObjectItem(item, "name")->valuestring,
			    "(left out: more than 4 bytes)");
	cJSON_Delete(item);
}
