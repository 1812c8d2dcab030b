/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "hand_made.h"

#include "report/annotations.h"
#include "report/workflow_command.h"

static const rg_column_context context = {
	"root", "{stage}/{test}/{file}", "golden_*.json", NULL, false, false};

static void annotates(const hand_made *made, bool in_repository, const char *wanted)
{
	rg_story story;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&out, "");
	assert_success(rg_story_make(&story, &made->summary));
	assert_success(rg_annotations_add(&out, &story, in_repository));
	assert_string_equal(out.data, wanted);
	rg_story_release(&story);
}

/* A finding that breaks a gate is an error, and any other a warning. */
TEST(findings)
{
	rg_breach_list breaches = {0};
	rg_gate_groups groups = {0};
	rg_gate gate;
	hand_made made;

	hand_made_init(&made, &context);
	set_level(&made, "*", "flag", "0.01");
	add_golden(&made, "root/gpt/a/golden_dev.json");
	add_row(&made, "a,b", 0.05);
	add_row(&made, "quiet", 0.001);
	rg_gate_init(&gate);
	assert_success(rg_gate_add(&gate, "quiet=0.0001"));
	rg_gate_evaluate(&gate, &made.c, &breaches);
	rg_gate_groups_make(&groups, &breaches, &made.c);
	made.summary.broken = &groups;
	made.summary.tests = (rg_test_counts){.any = true, .crashed = 2};
	annotates(&made, true,
		  "::warning title=goldens::2 crashed\n"
		  "::error file=root/gpt/a/golden_dev.json,title=gpt/a [dev]::quiet: +0.1 %25\n"
		  "::warning file=root/gpt/a/golden_dev.json,title=gpt/a [dev]::a,b: +5 %25 (flag "
		  "level 1 %25)\n");
	rg_gate_groups_release(&groups);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	hand_made_release(&made);
}

/* Names end no line and no property; files that are in no repository are no links. */
TEST(hostile)
{
	hand_made made;

	hand_made_init(&made, &context);
	set_level(&made, "*", "flag", "0.01");
	add_golden(&made, "a,b:c\n::error::x");
	add_row(&made, "m\n::error::x", 0.05);
	annotates(&made, false,
		  "::warning title=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax::m%0A::error::x: +5 %25 (flag "
		  "level 1 %25)\n");
	hand_made_release(&made);
}

TEST(limit)
{
	static const char metrics[][2] = {"a", "b", "c", "d", "e", "f",
					  "g", "h", "i", "j", "k", "l"};
	hand_made made;
	rg_story story;
	rg_buf out;
	size_t lines = 0;

	hand_made_init(&made, &context);
	set_level(&made, "*", "flag", "0.01");
	add_golden(&made, "root/gpt/a/golden_dev.json");
	for (size_t i = 0; i < 12; i++)
		add_row(&made, metrics[i], 0.05);
	rg_buf_init(&out, RG_BUF_TEXT);
	assert_success(rg_story_make(&story, &made.summary));
	assert_int_equal(story.finding_count, 12);
	assert_success(rg_annotations_add(&out, &story, true));
	for (const char *at = out.data; *at; at++)
		lines += *at == '\n';
	assert_int_equal(lines, RG_ANNOTATIONS_MAX);
	rg_story_release(&story);
	rg_buf_release(&out);
	hand_made_release(&made);
}
