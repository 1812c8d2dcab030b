/* SPDX-License-Identifier: Apache-2.0 */
/* Where goldens are inside an artifact: which iteration counts, whose folder it is, new names. */
#include "unit/unit.h"

#include "source/member_layout.h"

#include <stdlib.h>
#include <string.h>

/* Lives as long as the test. */
static rg_arena patterns;

#define BASE "results/iteration="

static const char *const files[] = {"golden_values*.json"};

static rg_member_layout make(const char *members, const char *rename)
{
	rg_member_layout layout;

	assert_success(rg_member_layout_load(&layout, &patterns, members));
	assert_success(rg_renames_parse(&layout.renames, &patterns, rename));
	layout.files = files;
	layout.file_count = 1;
	return layout;
}

static rg_member_layout megatron(void)
{
	return make(BASE "{repeat}/{restart}/assets/basic/{folder}/{file}",
		    "generations*.json -> golden_values*.json");
}

TEST(asks_for_what_may_fit)
{
	static const char *const expected[] = {BASE "*/*/assets/basic/*/golden_values*.json",
					       BASE "*/*/assets/basic/*/generations*.json", NULL};
	rg_member_layout layout = megatron(), odd = make("a[1]!{file}", NULL);
	char *glob;
	size_t i;

	for (i = 0; i < 3; i++) {
		glob = rg_member_layout_glob(&layout, i);
		assert_true(!glob == !expected[i]);
		if (glob)
			assert_string_equal(glob, expected[i]);
		free(glob);
	}
	glob = rg_member_layout_glob(&odd, 0);
	assert_string_equal(glob, "a\\[1\\]\\!golden_values*.json");
	free(glob);
}

TEST(asks_for_nothing_where_it_is_not_set)
{
	rg_member_layout layout = make("", "a*->b*");
	rg_name_fields fields;
	const rg_member_round round = {0};
	char *glob;

	glob = rg_member_layout_glob(&layout, 0);
	assert_null(glob);
	assert_int_equal(rg_member_kind_of(&round, &layout, &(rg_member_owner){0},
					   BASE "1/0/assets/basic/a/golden_values.json", &fields),
			 RG_MEMBER_NONE);
}

TEST(refuses_patterns_that_make_no_sense)
{
	rg_member_layout layout;

	assert_error(rg_member_layout_load(&layout, &patterns, "results/{folder}"), RG_E_USAGE,
		     "jobs.members 'results/{folder}': {file} is missing");
	assert_error(rg_member_layout_load(&layout, &patterns, "{test}/{file}"), RG_E_USAGE,
		     "jobs.members '{test}/{file}': {test} is not one of its fields: {file}, "
		     "{repeat}, {restart}, {folder}");
}

typedef struct {
	const char *path;
	rg_member_kind kind;
} member;

static void check_members(const rg_member_owner *owner, const member *members, size_t count)
{
	rg_member_layout layout = megatron();
	rg_member_round round = {0};
	size_t i;

	for (i = 0; i < count; i++)
		rg_member_round_add(&round, &layout, owner, members[i].path);
	for (i = 0; i < count; i++) {
		rg_name_fields fields;
		rg_member_kind kind =
			rg_member_kind_of(&round, &layout, owner, members[i].path, &fields);

		if (kind != members[i].kind)
			fail_msg("%s: %d", members[i].path, (int)kind);
	}
}

#define CHECK(owner, ...)                                   \
	check_members(owner, (const member[]){__VA_ARGS__}, \
		      sizeof((const member[]){__VA_ARGS__}) / sizeof(member))

/* The tenth iteration comes after the ninth, and of one iteration the last restart counts. */
TEST(the_last_round_counts)
{
	const rg_member_owner owner = {"gpt3_tp1", NULL};

	CHECK(&owner, {BASE "9/z/assets/basic/gpt3-tp1/golden_values_a.json", RG_MEMBER_EARLIER},
	      {BASE "10/a/assets/basic/gpt3-tp1/golden_values_a.json", RG_MEMBER_EARLIER},
	      {BASE "10/b/assets/basic/gpt3-tp1/golden_values_a.json", RG_MEMBER_COUNTS},
	      {BASE "10/b/assets/basic/gpt3-tp1/generations_b.json", RG_MEMBER_COUNTS},
	      {BASE "x/b/assets/basic/gpt3-tp1/golden_values_a.json", RG_MEMBER_NONE},
	      {"golden_values_a.json", RG_MEMBER_NAMED});
}

/* A later round of another test's does not push the own one aside. */
TEST(another_tests_folder_is_foreign)
{
	const rg_member_owner owner = {"gpt3_tp1", NULL};

	CHECK(&owner, {BASE "0/a/assets/basic/gpt3-tp1-dev/golden_values_a.json", RG_MEMBER_COUNTS},
	      {BASE "1/a/assets/basic/gpt3-tp10/golden_values_a.json", RG_MEMBER_FOREIGN},
	      {BASE "1/a/assets/basic/gpt3/golden_values_a.json", RG_MEMBER_FOREIGN});
}

static void check_folder(const char *test, const char *via, const char *folder, bool own)
{
	const rg_member_owner owner = {test, via};

	if (rg_member_is_own_folder(&owner, folder, strlen(folder)) != own)
		fail_msg("%s by %s: %s", test, via ? via : "nothing", folder);
}

TEST(tells_a_tests_folder)
{
	static const char via[] = "parent > functional:run_dev_dgx_h100";

	check_folder("GPT3_tp1", NULL, "gpt3-tp1", true);
	check_folder("GPT3_tp1", NULL, "gpt3-tp1-anything", true);
	check_folder("GPT3_tp1", "build", "gpt3-tp1-anything", true);
	check_folder("GPT3_tp1", NULL, "gpt3-tp1x", false);
	check_folder("GPT3_tp1", via, "gpt3-tp1-dev-dgx-h100", true);
	check_folder("GPT3_tp1", via, "gpt3-tp1", true);
	check_folder("GPT3_tp1", via, "gpt3-tp1-dev-dgx-h1000", false);
	check_folder("GPT3_tp1", via, "gpt3-tp1-lts-dgx-h100", false);
	check_folder("GPT3_tp1", "functional:run_a > functional:run_b > c", "gpt3-tp1-b", true);
	check_folder("GPT3_tp1", "functional:run_a > functional:run_b > c", "gpt3-tp1-a", false);
	check_folder("rerun/tp1", NULL, "rerun-tp1", true);
	check_folder(NULL, NULL, "any", true);
}

static void check_rename(const char *rules, const char *name, const char *expected)
{
	rg_renames renames;
	char *renamed;

	assert_success(rg_renames_parse(&renames, &patterns, rules));
	rg_rename_apply(&renamed, &renames, name);
	if (!renamed != !expected || (renamed && strcmp(renamed, expected) != 0))
		fail_msg("%s: %s", name, renamed ? renamed : "nothing");
	free(renamed);
}

TEST(renames)
{
	static const char two[] = "generations*.json -> golden_values*.json,\n\t a* -> *b \n";

	check_rename(two, "generations_dev.json", "golden_values_dev.json");
	check_rename(two, "generations.json", "golden_values.json");
	check_rename(two, "alpha", "lphab");
	check_rename(two, "golden_values_dev.json", NULL);
	check_rename("ab*ba -> *", "aba", NULL);
	check_rename("", "a", NULL);
	check_rename(" , \n", "a", NULL);
}

static void check_rule(const char *rule, const char *message)
{
	rg_renames list;

	assert_error(rg_renames_parse(&list, &patterns, rule), RG_E_USAGE, message);
}

TEST(refuses_rules_that_make_no_sense)
{
	check_rule("a*", "'a*' is not of the form 'GLOB -> GLOB'");
	check_rule("a -> b*", "'a' is not a name with one '*' in it");
	check_rule("a* -> **", "'**' is not a name with one '*' in it");
	check_rule("a* ->", "'' is not a name with one '*' in it");
	check_rule("a* -> ../*", "'../*' is not a name with one '*' in it");
	check_rule("a?* -> b*", "'a?*' is not a name with one '*' in it");
}
