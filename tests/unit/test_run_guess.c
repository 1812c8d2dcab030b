/* SPDX-License-Identifier: Apache-2.0 */
/* Which number in an artifact's name is its run's, where nobody says so. */
#include "unit/unit.h"

#include "source/run_guess.h"

#include <string.h>

/* Lives as long as the test. */
static rg_arena patterns;

enum { NAMES_MAX = 4 };

/* `names` and `runs` end with NULL; a run "" is one that is not found. */
static void check(const char *text, const char *const *names, const char *const *runs)
{
	const unsigned allowed = 1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_RUN |
				 1u << RG_FIELD_UNIQUE;
	rg_field_value found[NAMES_MAX];
	rg_name_pattern *pattern;
	size_t count = 0, i;

	while (names[count])
		count++;
	assert_success(rg_name_pattern_new(&pattern, &patterns, text, allowed, "jobs.artifact"));
	rg_guess_runs(found, names, count, pattern);
	for (i = 0; i < count; i++)
		if (found[i].length != strlen(runs[i]) ||
		    (found[i].length && memcmp(found[i].start, runs[i], found[i].length) != 0))
			fail_msg("%s: '%.*s'", names[i], (int)found[i].length,
				 found[i].length ? found[i].start : "");
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char megatron[] = "logs-{test}-{run}-{unique}";

/* The numbers in what makes a name unique differ from name to name; those of tests do, too. */
TEST(most_names_have_the_runs)
{
	check(megatron,
	      LIST("logs-gpt_tp1-22651-4f1c0a11-2222-4d1e-123456789012", "logs-a-8-22651-1-2222-x",
		   "logs-b-22651-99999999-8-y"),
	      LIST("22651", "22651", "22651"));
}

/* Alone, the longest is: a run's number has eleven digits. */
TEST(alone_the_longest_counts)
{
	check(megatron, LIST("logs-gpt_tp1-22651183945-4f1c0a11-2222-4d1e"), LIST("22651183945"));
	check(megatron, LIST("logs-gpt-2-22651183945-4f1c0a11"), LIST("22651183945"));
}

TEST(two_runs_may_lie_side_by_side)
{
	check(megatron,
	      LIST("logs-a-1111-x-12345678-y", "logs-b-1111-x", "logs-a-2222-12345-x",
		   "logs-b-2222-5-y"),
	      LIST("1111", "1111", "2222", "2222"));
}

TEST(what_does_not_fit_has_none)
{
	check(megatron, LIST("coverage-1234-x", "logs-a-b-c", "logs-a-x1-y", ""),
	      LIST("", "", "", ""));
	check("golden-{test}", LIST("golden-a-123"), LIST(""));
}
