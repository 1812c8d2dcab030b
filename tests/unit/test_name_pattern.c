/* SPDX-License-Identifier: Apache-2.0 */
/* The name patterns of [jobs]. */
#include "unit/unit.h"

#include "base/name_pattern.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Lives as long as the test. */
static rg_arena patterns;

enum {
	STAGE = 1u << RG_FIELD_STAGE,
	TEST = 1u << RG_FIELD_TEST,
	TAG = 1u << RG_FIELD_TAG,
	RUN = 1u << RG_FIELD_RUN,
	UNIQUE = 1u << RG_FIELD_UNIQUE,
	OF_FILE = 1u << RG_FIELD_FILE,
};

static rg_name_pattern *pattern_of(const char *text, unsigned allowed)
{
	rg_name_pattern *pattern;

	assert_success(rg_name_pattern_new(&pattern, &patterns, text, allowed, "jobs.name"));
	return pattern;
}

static void check_field(const rg_name_fields *fields, rg_field field, const char *expected)
{
	const rg_field_value *value = &fields->fields[field];

	if (!expected) {
		assert_null(value->start);
		return;
	}
	assert_int_equal(value->length, strlen(expected));
	assert_memory_equal(value->start, expected, value->length);
}

static void check_job(const char *name, const char *stage, const char *test, const char *tag)
{
	rg_name_pattern *pattern = pattern_of("{stage}/{test} - {tag}", STAGE | TEST | TAG);
	rg_name_fields fields;

	if (rg_name_match(pattern, name, NULL, &fields) != (stage != NULL))
		fail_msg("'%s': wrong answer", name);
	if (stage) {
		check_field(&fields, RG_FIELD_STAGE, stage);
		check_field(&fields, RG_FIELD_TEST, test);
		check_field(&fields, RG_FIELD_TAG, tag);
	}
}

TEST(reads_jobs)
{
	check_job("gpt/gpt_tp1 - latest", "gpt", "gpt_tp1", "latest");
	check_job("gpt/gpt_tp1", "gpt", "gpt_tp1", NULL);
	check_job("gpt/a/b*c - latest", "gpt", "a/b*c", "latest");
	check_job("gpt/a - b - latest", "gpt", "a - b", "latest");
	check_job("gpt/a-b", "gpt", "a-b", NULL);
	check_job("Build container", NULL, NULL, NULL);
	check_job("build / linux", NULL, NULL, NULL);
	check_job("/x - y", NULL, NULL, NULL);
	check_job("gpt/", NULL, NULL, NULL);
	check_job("gpt/ - latest", NULL, NULL, NULL);
	check_job("", NULL, NULL, NULL);
}

static void check_artifact(const char *name, const char *run, const char *test)
{
	rg_name_pattern *pattern =
		pattern_of("logs-{test}-{run}-{unique}", STAGE | TEST | RUN | UNIQUE);
	rg_name_fields fixed = {0}, fields;

	fixed.fields[RG_FIELD_RUN] = (rg_field_value){run, strlen(run)};
	if (rg_name_match(pattern, name, &fixed, &fields) != (test != NULL))
		fail_msg("'%s': wrong answer", name);
	if (test)
		check_field(&fields, RG_FIELD_TEST, test);
}

TEST(reads_artifacts)
{
	check_artifact("logs-gpt_tp1-42-4f1c", "42", "gpt_tp1");
	check_artifact("LOGS-gpt_tp1-42-4f1c", "42", "gpt_tp1");
	check_artifact("logs-a-b-c-42-4f-1c-retry", "42", "a-b-c");
	check_artifact("logs-gpt_tp1-43-4f1c", "42", NULL);
	check_artifact("logs-gpt_tp1-42", "42", NULL);
	check_artifact("logs-42-x", "42", NULL);
	check_artifact("coverage", "42", NULL);
}

/* Of a path no field but {path} takes a '/'; {any} may be there several times, {attempt} is a
 * number. */
TEST(fields_of_any_layout)
{
	const unsigned all = RG_FIELDS_ONE_PART - 1;
	rg_name_pattern *p;
	rg_name_fields f;

	assert_success(rg_name_pattern_new(&p, &patterns, "{path}/{any}_{any}.csv",
					   all | RG_FIELDS_ONE_PART, "k"));
	assert_true(rg_name_match(p, "a/b/c_d.csv", NULL, &f));
	assert_int_equal(f.fields[RG_FIELD_PATH].length, 3);
	assert_false(rg_name_match(p, "c_d.csv", NULL, &f));
	assert_success(rg_name_pattern_new(&p, &patterns, "out-{variant}-{attempt}", all, "k"));
	assert_true(rg_name_match(p, "out-a-b-12", NULL, &f));
	assert_int_equal(f.fields[RG_FIELD_ATTEMPT].length, 2);
	assert_false(rg_name_match(p, "out-a-b", NULL, &f));
}

/* No pattern takes more than the square of a name's length. */
TEST(a_hostile_pattern_does_not_stall)
{
	static char name[1001], text[256];
	rg_name_pattern *p;
	rg_name_fields f;
	size_t i;

	memset(name, 'a', sizeof(name) - 1);
	for (i = 0; i < 12; i++)
		memcpy(text + strlen("{any}a") * i, "{any}a", strlen("{any}a"));
	text[strlen("{any}a") * i] = 'b';
	assert_success(rg_name_pattern_new(&p, &patterns, text, RG_FIELDS_ONE_PART - 1, "k"));
	assert_false(rg_name_match(p, name, NULL, &f));
}

TEST(refuses_bad_patterns)
{
	rg_name_pattern *p;

	assert_error(
		rg_name_pattern_new(&p, &patterns, "{stage}/{tset}", STAGE | TEST, "jobs.name"),
		RG_E_USAGE,
		"jobs.name '{stage}/{tset}': {tset} is not one of its fields: {stage}, {test}");
	assert_error(rg_name_pattern_new(&p, &patterns, "{test}{stage}", STAGE | TEST, "k"),
		     RG_E_USAGE, "k '{test}{stage}': no text before {stage} tells where it begins");
	assert_error(rg_name_pattern_new(&p, &patterns, "{test}/{test}", TEST, "k"), RG_E_USAGE,
		     "k '{test}/{test}': {test} appears twice");
	assert_error(rg_name_pattern_new(&p, &patterns, "{test", TEST, "k"), RG_E_USAGE,
		     "k '{test': a '{' without '}'");
	assert_error(rg_name_pattern_new(&p, &patterns, "", TEST, "k"), RG_E_USAGE,
		     "k '': is empty");
	assert_error(rg_name_pattern_new(&p, &patterns, "{run}-{test}", TEST, "k"), RG_E_USAGE,
		     "k '{run}-{test}': {run} is not one of its fields: {test}");
}

TEST(expands)
{
	rg_name_pattern *pattern = pattern_of("x/{stage}/{test}/{file}", STAGE | TEST | OF_FILE);
	rg_name_fields fields = {0};
	char *text;

	fields.fields[RG_FIELD_STAGE] = (rg_field_value){"gpt", 3};
	fields.fields[RG_FIELD_TEST] = (rg_field_value){"tp1-rest", 3};
	fields.fields[RG_FIELD_FILE] = (rg_field_value){"g.json", 6};
	assert_success(rg_name_expand(&text, pattern, &fields));
	assert_string_equal(text, "x/gpt/tp1/g.json");
	free(text);
}

TEST(folds)
{
	rg_arena arena;

	rg_arena_init(&arena);
	assert_string_equal(rg_name_fold(&arena, "Ab/c*D\\e:f\"g<h>i|j?k\r\nZ\xc3\x84", 26),
			    "ab-c-d-e-f-g-h-i-j-k--z\xc3\x84");
	assert_string_equal(rg_name_fold(&arena, "abc", 2), "ab");
	rg_arena_release(&arena);
}

/* A name made to be split in every way must not take seconds. */
TEST(is_not_stalled)
{
	rg_name_pattern *pattern = pattern_of("{stage}-{test}-{unique}", STAGE | TEST | UNIQUE);
	char name[1001];
	rg_name_fields fields;

	memset(name, '-', sizeof(name) - 2);
	name[999] = ' '; /* no field may end so */
	name[1000] = '\0';
	assert_false(rg_name_match(pattern, name, NULL, &fields));
}

/* Returns the processor time that names of `length` bytes take, none of which matches. */
static clock_t match_long_names(const rg_name_pattern *pattern, size_t length)
{
	rg_name_fields fields, fixed = {.fields[RG_FIELD_RUN] = {"42", 2}};
	char name[1001];
	clock_t begin;
	int i;

	memset(name, '-', length);
	memcpy(name, "logs", 4);
	name[length] = '\0';
	begin = clock();
	for (i = 0; i < 1000; i++)
		assert_false(rg_name_match(pattern, name, &fixed, &fields));
	return clock() - begin;
}

/* Of a run of thousands of artifacts any may have a name that is made to be split in every way. */
TEST(known_fields_are_looked_for_once)
{
	rg_name_pattern *pattern =
		pattern_of("logs-{test}-{run}-{unique}", STAGE | TEST | RUN | UNIQUE);

	assert_in_range(match_long_names(pattern, 1000), 0,
			24 * (match_long_names(pattern, 125) + CLOCKS_PER_SEC / 1000));
}

TEST(patterns_of_goldens_paths)
{
	rg_name_fields fields;
	char text[1100];

	assert_success(rg_path_names_check(" {test}/{file}\n{stage}/{path}/{test}_{variant}.txt "));
	assert_success(rg_path_names_check(""));
	assert_error(rg_path_names_check("{test}.txt {stage}/x"), RG_E_USAGE,
		     "'{stage}/x' has no {test}");
	assert_error(
		rg_path_names_check("{test}_{run}"), RG_E_USAGE,
		"'{test}_{run}': {run} is not one of its fields: {stage}, {test}, {tag}, {file}, "
		"{variant}, {path}, {any}");
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_error(rg_path_names_check(text), RG_E_USAGE, "a pattern of more than 1023 bytes");
	assert_false(rg_path_names_match(text, "a", &fields));
	assert_true(rg_path_names_match("{run} {test}.txt", "a/b.txt", &fields));
	assert_int_equal(fields.fields[RG_FIELD_TEST].length, 3);
	assert_false(rg_path_names_match("{test}-{variant}.txt", "a-b/c.txt", &fields));
	assert_null(fields.fields[RG_FIELD_TEST].start);
}
