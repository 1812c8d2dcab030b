/* SPDX-License-Identifier: Apache-2.0 */
/* [source "NAME"]: what it may say, and which jobs it is for. */
#include "unit.h"

#include "unit/config_text.h"

#include "source/settings.h"

#include <stdio.h>
#include <string.h>

static void refuse(const char *text, const char *message)
{
	rg_config *config = load_config(text);
	rg_settings settings;

	assert_error(rg_settings_load(&settings, config), RG_E_USAGE, message);
	rg_config_free(config);
}

#define LOSSES "[source \"losses\"]\n"
#define MATCH  "match = step: *{step} *loss: *{value}\n"
#define LOG    "log = {stage}/{test}\n"

TEST_GROUP(make, remove_repository);

TEST(what_makes_no_sense_is_refused)
{
	refuse(LOSSES MATCH, "source.losses: needs log, which names the jobs, or artifact");
	refuse(LOSSES LOG, "source.losses: needs either match, or begin and end");
	refuse(LOSSES LOG "begin = a\n", "source.losses: needs either match, or begin and end");
	refuse(LOSSES LOG MATCH "end = a\n", "source.losses: needs either match, or begin and end");
	refuse(LOSSES LOG "begin = a\nend = a\n",
	       ".regild: source.losses.end: begin and end are two lines, none of them empty");
	refuse(LOSSES LOG "begin = a\nend = b\nmetric = m\n",
	       ".regild: source.losses.metric: goes with match only");
	refuse(LOSSES LOG MATCH "target = losses/{test}.txt\nmetric = m\n",
	       ".regild: source.losses.metric: a step list (the target ends in .txt) names no "
	       "metric; value in "
	       "[table \"*.txt\"] does");
	refuse(LOSSES LOG "match = loss\n",
	       ".regild: source.losses.match: 'loss': {step} is missing");
	refuse(LOSSES "log = {test}\n" MATCH,
	       ".regild: source.losses.log: has no {stage}, which the target needs");
	refuse(LOSSES LOG MATCH "target = {run}/x\n",
	       ".regild: source.losses.target: pattern '{run}/x': {run} is not one of its fields: "
	       "{stage}, {test}, {tag}, {file}, {variant}, {job}, {shard}");
	refuse(LOSSES LOG MATCH "target =\n", ".regild: source.losses.target: is empty");
	refuse(LOSSES LOG MATCH "lines = 5\n",
	       ".regild: source.losses.lines: is not a setting of a log; there are log, match, "
	       "begin, end, metric and target");
	refuse("[source \"../x\"]\n" LOG MATCH,
	       "source.../x: the name is a file's, and cannot be that");
}

static bool fits(const rg_settings *settings, size_t rule, const char *job, const char *stage,
		 const char *test)
{
	const rg_field_value *field;
	rg_name_fields fields;

	if (!rg_log_rule_fits(&settings->logs.items[rule], settings->rules.items[0].job, job,
			      &fields))
		return false;
	field = &fields.fields[RG_FIELD_STAGE];
	assert_true(stage ? field->start && field->length == strlen(stage) : !field->start);
	if (stage)
		assert_memory_equal(field->start, stage, field->length);
	field = &fields.fields[RG_FIELD_TEST];
	assert_int_equal(field->length, strlen(test));
	assert_memory_equal(field->start, test, field->length);
	return true;
}

TEST(rules_name_their_jobs)
{
	rg_config *config = load_config("[source \"losses\"]\n" MATCH
					"log = {stage} of {test}\ntarget = all/{test}.json\n"
					"[source \"lines\"]\nlog = train*\nbegin = a\nend = b\n");
	char long_name[1100];
	rg_settings settings;

	assert_success(rg_settings_load(&settings, config));
	assert_int_equal(settings.logs.count, 2);
	assert_string_equal(settings.logs.items[0].file, "losses.json");
	assert_string_equal(settings.logs.items[0].format.metric, "value");
	assert_string_equal(settings.logs.items[1].file, "lines.txt");
	assert_null(settings.logs.items[1].target);
	assert_true(fits(&settings, 0, "train of llama/8b", "train", "llama/8b"));
	assert_false(fits(&settings, 0, "train", NULL, ""));
	/* A glob has no fields: those of jobs.name, or the whole name. */
	assert_true(fits(&settings, 1, "Train/llama - latest", "Train", "llama"));
	assert_true(fits(&settings, 1, "train llama", NULL, "train llama"));
	assert_false(fits(&settings, 1, "lint train", NULL, ""));
	memset(long_name, 't', sizeof(long_name));
	memcpy(long_name, "train", 5);
	long_name[sizeof(long_name) - 1] = '\0';
	assert_false(fits(&settings, 1, long_name, NULL, ""));
	rg_settings_release(&settings);
	rg_config_free(config);
}

/* What was kept under one rule is not an answer under another. */
TEST(rules_are_a_part_of_the_layout)
{
	static const char *const texts[] = {LOSSES LOG MATCH, LOSSES LOG MATCH "metric = m\n",
					    "[source \"loss\"]\n" LOG MATCH, ""};
	char keys[4][RG_LAYOUT_KEY_SIZE];
	size_t i, k;

	for (i = 0; i < 4; i++) {
		rg_config *config = load_config(texts[i]);
		rg_settings settings;

		assert_success(rg_settings_load(&settings, config));
		assert_success(rg_settings_layout_key(keys[i], config));
		for (k = 0; k < i; k++)
			assert_string_not_equal(keys[k], keys[i]);
		rg_settings_release(&settings);
		rg_config_free(config);
	}
}

TEST(there_is_a_limit)
{
	int i;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < 65; i++)
		rg_buf_printf(&text, "[source \"s%d\"]\n%s%s", i, LOG, MATCH);
	refuse(text.data, "source: more than 64 sections");
}
