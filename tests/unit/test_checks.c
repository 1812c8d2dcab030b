/* SPDX-License-Identifier: Apache-2.0 */
/* The project's own checks: keys of [check "NAME"], and what one says of a metric. Whole
 * comparisons are in tests/cli/compare/checks.sh, every rule of Megatron-LM's in
 * tests/parts/corpus-checks.sh. */
#include "unit.h"

#include "compare/checks.h"

#include <stdio.h>
#include <string.h>

static void set(rg_checks *checks, const char *section, const char *key, const char *value)
{
	assert_success(rg_checks_set(checks, section, key, &value, 1));
}

static rg_golden *golden_of(const char *text)
{
	rg_input in = {.name = "g.json", .data = text, .size = strlen(text)};
	rg_golden *golden;

	assert_success(rg_golden_read(&golden, &in, NULL));
	return golden;
}

/* Would the metric "m" of these values pass? */
static bool passes(const rg_checks *checks, const char *old, const char *fresh)
{
	rg_golden *left = golden_of(old), *right = golden_of(fresh);
	rg_checks_limits limits;
	rg_checks_result out;

	rg_checks_resolve(&checks->items[0], "m", &limits);
	assert_success(rg_checks_metric(&out, &limits, rg_golden_find(left, "m"),
					rg_golden_find(right, "m")));
	rg_golden_free(left);
	rg_golden_free(right);
	return out.passes;
}

static rg_checks *checks_of(const char *key, const char *value)
{
	rg_checks *checks;

	checks = rg_checks_new();
	set(checks, "c", "metric", "*");
	if (key)
		set(checks, "c", key, value);
	assert_success(rg_checks_finish(checks));
	return checks;
}

TEST(equal)
{
	rg_checks *checks = checks_of(NULL, NULL);

	assert_true(passes(checks, "{\"m\": [1, 2]}", "{\"m\": [1, 2, 3]}"));
	assert_false(passes(checks, "{\"m\": [1, 2, 3]}", "{\"m\": [1, 2]}"));
	assert_true(passes(checks, "{\"m\": [\"nan\"]}", "{\"m\": [\"1\"]}")); /* in quotes: inf */
	assert_false(passes(checks, "{\"m\": [NaN]}", "{\"m\": [NaN]}"));
	assert_true(passes(checks, "{\"m\": [\"nan\"]}", "{\"m\": [Infinity]}"));
	assert_false(passes(checks, "{\"m\": [-Infinity]}", "{\"m\": [Infinity]}"));
	assert_false(passes(checks, "{\"m\": [1]}", "{\"n\": [1]}"));
	assert_false(passes(checks, "{\"n\": [1]}", "{\"m\": [1]}"));
	assert_true(passes(checks, "{\"m\": \"a\"}", "{\"m\": \"a\"}"));
	assert_false(passes(checks, "{\"m\": \"a\"}", "{\"m\": \"b\"}"));
	assert_false(passes(checks, "{\"m\": \"1\"}", "{\"m\": [1]}"));
	assert_true(passes(checks, "{\"m\": []}", "{\"m\": []}"));
	rg_checks_free(checks);
}

TEST(decimals)
{
	rg_checks *checks = checks_of("decimals", "5");
	const char *full =
		"{\"m\": {\"value_precision\": \"full\", \"values\": {\"1\": 1.000001}}}";

	assert_true(passes(checks, "{\"m\": [1.000001]}", "{\"m\": [1.0]}"));
	/* 0.000005 lies under the middle as a double, 1.000005 over it; 0.5 of 2^-6 is exact. */
	assert_true(passes(checks, "{\"m\": [5e-6]}", "{\"m\": [1e-5]}"));
	assert_false(passes(checks, "{\"m\": [4.9999999999e-6]}", "{\"m\": [1e-5]}"));
	assert_true(
		passes(checks, "{\"m\": [123456789012.123456]}", "{\"m\": [123456789012.12346]}"));
	assert_true(passes(checks, "{\"m\": [1e300]}", "{\"m\": [1e300]}"));
	/* Of full precision on the old side: as they are. */
	assert_false(passes(checks, full, "{\"m\": {\"values\": {\"1\": 1.0}}}"));
	assert_true(passes(checks, "{\"m\": {\"values\": {\"1\": 1.0}}}", full));
	set(checks, "c", "rtol", "1e-9");
	assert_true(passes(checks, full, "{\"m\": {\"values\": {\"1\": 1.0}}}"));
	rg_checks_free(checks);
	checks = checks_of("decimals", "0");
	assert_true(passes(checks, "{\"m\": [0.5, 1.5]}", "{\"m\": [0, 2]}")); /* to the even one */
	rg_checks_free(checks);
}

TEST(tolerance)
{
	rg_checks *checks = checks_of("rtol", "0.5");

	assert_true(passes(checks, "{\"m\": [2, -2]}", "{\"m\": [3, -1]}"));
	assert_false(passes(checks, "{\"m\": [2]}", "{\"m\": [3.1]}"));
	assert_false(passes(checks, "{\"m\": [Infinity]}", "{\"m\": [3]}"));
	assert_false(passes(checks, "{\"m\": [0]}", "{\"m\": [0.1]}"));
	set(checks, "c", "atol", "0.1");
	assert_true(passes(checks, "{\"m\": [0]}", "{\"m\": [0.1]}"));
	set(checks, "c", "outliers", "1%");
	assert_false(passes(checks, "{\"m\": [1]}", "{\"m\": [9]}"));
	assert_true(passes(checks, "{\"m\": [1, 1]}", "{\"m\": [9, 1]}"));
	assert_false(passes(checks, "{\"m\": [1, 1, 1]}", "{\"m\": [9, 1, 9]}"));
	set(checks, "c", "outliers", "50% up to 1");
	assert_false(passes(checks, "{\"m\": [1, 1, 1, 1]}", "{\"m\": [9, 1, 9, 1]}"));
	set(checks, "c", "outliers", "2");
	assert_true(passes(checks, "{\"m\": [1, 1, 1]}", "{\"m\": [9, 1, 9]}"));
	rg_checks_free(checks);
}

TEST(windows)
{
	static const char *const steps[] = {"1..2 if last <= 3", "3..4"};
	rg_checks *checks = checks_of("aggregate", "median");

	assert_success(rg_checks_set(checks, "c", "steps", steps, 2));
	/* Steps of a list are 0, 1, …; the last finite one chooses the window. */
	assert_true(passes(checks, "{\"m\": [9, 1, 2, 3]}", "{\"m\": [0, 1, 2, 0]}"));
	assert_true(passes(checks, "{\"m\": [9, 1, 2, 3, \"nan\"]}", "{\"m\": [0, 2, 1, 0]}"));
	assert_true(passes(checks, "{\"m\": [9, 9, 9, 3, 5]}", "{\"m\": [0, 0, 0, 5, 3]}"));
	assert_false(passes(checks, "{\"m\": [9, 9, 9, 3, 5]}", "{\"m\": [9, 9, 9, 3]}"));
	/* No finite step in the window. */
	assert_false(passes(checks, "{\"m\": [1, 1, 1, \"nan\", \"nan\", 2, 8, 7]}",
			    "{\"m\": [1, 1, 1, 1, 1, 2, 8, 7]}"));
	set(checks, "c", "fallback", "first 2");
	assert_true(passes(checks, "{\"m\": [1, 1, 1, \"nan\", \"nan\", 2, 8, 7]}",
			   "{\"m\": [1, 1, 1, 1, 1, 5, 5, 0]}"));
	rg_checks_free(checks);
}

TEST(sections)
{
	static const char *const metrics[] = {"* loss", "", "num-zeros"};
	rg_checks *checks;
	rg_checks_limits limits;

	checks = rg_checks_new();
	set(checks, "a:lm *", "rtol", "0.3");
	set(checks, "a:lm loss", "rtol", "0.2");
	set(checks, "a", "rtol", "0.1");
	set(checks, "a:*", "decimals", "3");
	assert_error(rg_checks_finish(checks), RG_E_USAGE,
		     "check \"a\": it names no metric; add 'metric = *' to [check \"a\"]");
	assert_success(rg_checks_set(checks, "a", "metric", metrics, 3));
	assert_success(rg_checks_finish(checks));
	assert_int_equal(checks->items[0].pattern_count, 2);
	assert_true(rg_checks_match(&checks->items[0], "lm loss"));
	assert_false(rg_checks_match(&checks->items[0], "iteration-time"));
	rg_checks_resolve(&checks->items[0], "lm loss", &limits);
	assert_true(limits.rtol == 0.2 && limits.decimals == 3);
	rg_checks_resolve(&checks->items[0], "lm other", &limits);
	assert_true(limits.rtol == 0.3);
	rg_checks_resolve(&checks->items[0], "num-zeros", &limits);
	assert_true(limits.rtol == 0.1);
	assert_false(checks->items[0].exact);
	assert_int_equal(rg_checks_find(checks, "a"), 0);
	assert_int_equal(rg_checks_find(checks, "b"), RG_CHECKS_MAX);
	assert_int_equal(rg_checks_find(NULL, "a"), RG_CHECKS_MAX);
	assert_true(rg_checks_names("logprobs", "0/logprobs"));
	assert_false(rg_checks_names("logprobs", "logprobs/0"));
	rg_checks_free(checks);
	rg_checks_free(NULL);
}

TEST(too_many)
{
	const char *all = "*";
	rg_checks *checks;
	char name[8];
	int i;

	checks = rg_checks_new();
	for (i = 0; i < RG_CHECKS_MAX; i++) {
		snprintf(name, sizeof(name), "c%d", i);
		set(checks, name, "metric", "*");
	}
	assert_error(rg_checks_set(checks, "more", "metric", &all, 1), RG_E_LIMIT,
		     "there are more than 32 checks");
	rg_checks_free(checks);
}
