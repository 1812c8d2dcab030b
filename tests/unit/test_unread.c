/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/golden.h"

#include <stdio.h>
#include <string.h>

/* A file, and the numbers of it that no metric has: how many, and the name of the first. */
typedef struct {
	const char *name, *text;
	size_t count;
	const char *first;
} unread_case;

static rg_unread unread_of(const char *name, const char *text, char first[static 64])
{
	static const rg_table_rule rule = {.pattern = "*.dat"};
	static const rg_golden_options options = {
		.run_index = -1, .table_rules = &rule, .table_rule_count = 1};
	const rg_input in = {.name = name, .data = text, .size = strlen(text)};
	rg_golden *golden;

	assert_success(rg_golden_read(&golden, &in, &options));
	rg_unread unread = golden->unread;
	snprintf(first, 64, "%s", unread.first ? unread.first : "");
	rg_golden_free(golden);
	return unread;
}

#define BLOCK(START, END, INTERVAL, VALUES)                            \
	"{\"lm loss\": {\"start_step\": " START ", \"end_step\": " END \
	", \"step_interval\": " INTERVAL ", \"values\": " VALUES "}}"
#define GOOGLE(CONTEXT)                                                                         \
	"{\"context\": {" CONTEXT "}, \"benchmarks\": [{\"name\": \"a\", \"real_time\": 5.5}, " \
	"{\"name\": \"b\", \"real_time\": 6.5}]}"

TEST(names_what_no_metric_has)
{
	static const unread_case cases[] = {
		{"a.json", BLOCK("1", "2", "1", "{\"1\": 8.5, \"2\": 7.5}"), 0, ""},
		{"a.json", BLOCK("1", "9", "4", "{\"1\": 8.5, \"5\": 7.5, \"9\": 7}"), 0, ""},
		/* The first step comes beside those of every fifth. */
		{"a.json", BLOCK("1", "10", "5", "{\"1\": 8.5, \"5\": 7.5, \"10\": 7}"), 0, ""},
		{"a.json", BLOCK("3", "3", "1", "{\"3\": 8.5}"), 0, ""},
		{"a.json", BLOCK("1", "3", "1", "{\"1\": 8.5, \"2\": 7.5}"), 3,
		 "lm loss/start_step"},
		{"a.json", BLOCK("1", "2", "5", "{\"1\": 8.5, \"2\": 7.5}"), 3,
		 "lm loss/start_step"},
		/* With a text among the values it is read as any JSON: to the same sum. */
		{"a.json", BLOCK("1", "2", "5", "{\"1\": 8.5, \"2\": \"7.5\"}"), 3,
		 "lm loss/start_step"},
		{"a.json", BLOCK("1", "6", "5", "[8.5, 7.5]"), 0, ""},
		{"a.json", BLOCK("1.5", "2", "1", "{\"1\": 8.5, \"2\": 7.5}"), 3,
		 "lm loss/start_step"},
		{"a.json", "{\"a\": {\"b\": 1, \"c\": [1, 2, \"x\"]}, \"d\": true}", 0, ""},
		{"a.json", "{\"a\": 1, \"a\": 2}", 1, "a"},
		{"a.json", GOOGLE("\"date\": \"2026-01-02\""), 0, ""},
		{"a.json", GOOGLE("\"num_cpus\": 8, \"load_avg\": [0.5, NaN]"), 3,
		 "context/num_cpus"},
		{"a.jsonl", "{\"step\": 1, \"loss\": 8.5}\n{\"step\": 2, \"loss\": 7}\n", 0, ""},
		{"a.yaml", "loss: {1: 2.5, 2: 2.25}\nruns:\n  - name: a\n    t: 5\n", 0, ""},
		{"a.jsonl",
		 "{\"type\": \"meta\", \"meta\": {\"format_name\": \"opdiff_run\", "
		 "\"format_version\": 1, \"env\": {\"cores\": 8}}}\n"
		 "{\"type\": \"item\", \"id\": \"a\", \"backends\": [{\"backend\": \"o\", \"res\": "
		 "[{\"status\": \"OK\", \"ms\": 2}], \"times_all\": [[2, 3]]}]}\n",
		 3, "1/meta/env/cores"},
		{"a.json",
		 "{\"exitcode\": 1, \"tests\": [{\"nodeid\": \"n\", \"outcome\": \"passed\", "
		 "\"metadata\": {\"subtests\": [{\"Test ID\": \"a\", \"Subtest\": 1, \"Flow\": "
		 "\"f\", \"Result\": \"Pass\", \"Delegated Ops\": {\"add\": 2}}]}}]}",
		 1, "exitcode"},
		{"a.txt", "# step loss\n1 8.5\n2 7.5\n", 0, ""},
		{"a.txt", "# ngpu: 8\n# no number\n# step loss acc\n1 8.5 2\n2 7.5 3\n# 3 more\n",
		 2, "in a remark"},
		{"a.out", "# T = 300\n# no number\n1.5 8.5\n2.5 7.5\n", 1, "in a remark"},
		/* A date is no number; a number beside one is. */
		{"a.out", "# on Tue Mar  5 10:21:43 UTC 2024, 5 March 2024, 2024-03-05\n1.5 8.5\n",
		 0, ""},
		{"a.out", "# 12:30:45 12\n# decimals 3, margin 5\n# Mar 2000.5 H2O v1.2\n1.5 8.5\n",
		 4, "in a remark"},
		{"a.dat", "# T 300\n# n v2 w\na 1.5 x\n# 3 more\nb 2 y\n", 2, "in a remark"},
	};
	char first[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const rg_unread unread = unread_of(cases[i].name, cases[i].text, first);
		if (unread.count != cases[i].count || strcmp(first, cases[i].first) != 0)
			fail_msg("%s has %zu, the first '%s', not %zu, '%s'", cases[i].text,
				 unread.count, first, cases[i].count, cases[i].first);
	}
}

/* Both readers of series say the same, in any order; another place or value is another sum. */
TEST(sums)
{
	static const char *const same[] = {
		BLOCK("1", "3", "1", "{\"1\": 8.5, \"2\": 7.5}"),
		BLOCK("1", "3", "1", "{\"1\": 8.5, \"2\": \"7.5\"}"),
		("{\"lm loss\": {\"step_interval\": 1, \"end_step\": 3, \"start_step\": 1, "
		 "\"values\": {\"1\": 8.5, \"2\": 7.5}}}")};
	static const char *const others[] = {BLOCK("1", "4", "1", "{\"1\": 8.5, \"2\": 7.5}"),
					     BLOCK("3", "1", "1", "{\"1\": 8.5, \"2\": 7.5}")};
	char first[64];

	const rg_unread wanted = unread_of("a.json", same[0], first);
	for (size_t i = 0; i < 3; i++)
		assert_true(unread_of("a.json", same[i], first).sum == wanted.sum);
	for (size_t i = 0; i < 2; i++)
		assert_true(unread_of("a.json", others[i], first).sum != wanted.sum);
}

/* The warning names a number that differs, wherever in the file it is. */
TEST(difference)
{
	static const struct {
		const char *old, *fresh, *name;
	} cases[] = {
		{GOOGLE("\"cpus\": 8, \"mhz\": 5"), GOOGLE("\"cpus\": 8, \"mhz\": 5"), ""},
		{GOOGLE("\"cpus\": 8, \"mhz\": 5"), GOOGLE("\"cpus\": 8, \"mhz\": 6"),
		 "context/mhz"},
		{GOOGLE("\"mhz\": 5, \"cpus\": 8"), GOOGLE("\"cpus\": 8, \"mhz\": 5"), ""},
		{GOOGLE("\"cpus\": 8, \"mhz\": 5"), GOOGLE("\"cpus\": 8"), "context/mhz"},
		{GOOGLE("\"cpus\": 8"), GOOGLE("\"x\": [1, 2], \"cpus\": 8"), "context/x/0"},
		{BLOCK("1", "3", "1", "{\"1\": 8.5, \"2\": 7.5}"),
		 BLOCK("1", "4", "1", "{\"1\": 8.5, \"2\": 7.5}"), "lm loss/end_step"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_golden *sides[2];
		const char *texts[] = {cases[i].old, cases[i].fresh};
		for (size_t n = 0; n < 2; n++) {
			const rg_input in = {"a.json", texts[n], strlen(texts[n]), .sibling = NULL};
			assert_success(rg_golden_read(&sides[n], &in, NULL));
		}
		const char *name = rg_unread_difference(&sides[0]->unread, &sides[1]->unread);
		assert_string_equal(name ? name : "", cases[i].name);
		rg_golden_free(sides[0]);
		rg_golden_free(sides[1]);
	}
}
