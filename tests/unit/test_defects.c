/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with goldens in themselves. */

#include "unit.h"

#include "compare/defects.h"
#include "compare/nonfinite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_golden *golden;
static struct {
	rg_defect items[16];
	size_t count;
} defects;

static rg_error *keep(void *context, const rg_defect *defect)
{
	(void)context;
	assert_in_range(defects.count, 0, 15);
	defects.items[defects.count++] = *defect;
	return NULL;
}

/* Where they start, and how many. */
static int64_t first_of(const rg_defect *d)
{
	return d->steps.ranges ? d->steps.kept[0].first : d->step;
}

static size_t count_of(const rg_defect *d)
{
	return d->steps.ranges ? d->steps.steps : d->count;
}

static void check(const char *text, const rg_policy *policy)
{
	rg_input in = {.name = "g.json", .data = text, .size = strlen(text)};

	assert_null(rg_golden_read(&golden, &in, NULL));
	assert_null(rg_golden_check(golden, &(rg_defect_options){.policy = policy, .found = keep}));
}

static void release(void)
{
	defects.count = 0;
	rg_golden_free(golden);
	golden = NULL;
}

static void expect(size_t i, rg_defect_kind kind, const char *metric, int64_t step, size_t count)
{
	const rg_defect *d = &defects.items[i];

	assert_true(i < defects.count);
	assert_int_equal(d->kind, kind);
	assert_string_equal(d->metric ? d->metric->name : "", metric);
	assert_int_equal(first_of(d), step);
	assert_int_equal(count_of(d), count);
}

/* Non-finite values, as they are said. */
static void expect_said(size_t i, const char *said)
{
	assert_true(i < defects.count);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_defect_say(&text, &defects.items[i]);
	assert_string_equal(text.data, said);
}

/* A block with values 1.0 at these steps. */
static void check_block(int64_t start, int64_t end, int64_t interval, const char *steps)
{
	char text[512], values[256] = "", list[128];
	char *rest = NULL, *step;

	snprintf(list, sizeof(list), "%s", steps);
	for (step = strtok_r(list, " ", &rest); step; step = strtok_r(NULL, " ", &rest)) {
		size_t length = strlen(values);

		snprintf(values + length, sizeof(values) - length, "%s\"%s\": 1.0",
			 length ? ", " : "", step);
	}
	snprintf(text, sizeof(text),
		 "{\"m\": {\"start_step\": %d, \"end_step\": %d, \"step_interval\": %d, "
		 "\"values\": {%s}}}",
		 (int)start, (int)end, (int)interval, values);
	check(text, NULL);
}

TEST(nonfinite)
{
	check("{\"a\": {\"values\": {\"1\": \"nan\", \"2\": 1, \"3\": -Infinity}}, \"b\": [1],"
	      " \"c\": [1, NaN, NaN, Infinity, 1, NaN]}",
	      NULL);
	assert_int_equal(defects.count, 2);
	expect_said(0, "a: NaN at 1, -inf at 3 (2 of 3 steps)");
	expect_said(1, "c: NaN at 1..2, 5, inf at 3 (4 of 6 steps)");
	release();
}

/* A line stays one, however many ranges there are; steps that follow each other in the series are
 * one range. */
TEST(many_ranges)
{
	char text[8192] = "{\"m\": {\"values\": {\"1\": NaN";
	size_t length = strlen(text), step;

	for (step = 5; step <= 3000; step += 5)
		if (step % 2 || step < 10)
			length += (size_t)snprintf(text + length, sizeof(text) - length,
						   ", \"%zu\": %s", step, step % 35 ? "NaN" : "1");
	snprintf(text + length, sizeof(text) - length, ", \"9999\": 1}}}");
	check(text, NULL);
	assert_int_equal(defects.count, 1);
	expect_said(0, "m: NaN at 1..25, 45..95, 115..165, 185..235 and 40 more (258 of 302 "
		       "steps)");
	release();
}

static rg_error *refuse_the_second(void *context, const rg_defect *defect)
{
	size_t *count = context;

	assert_int_equal(defect->kind, RG_DEFECT_NONFINITE);
	return ++*count == 2 ? rg_error_new(RG_E_CANCELLED, "enough") : NULL;
}

/* Findings are handed over as they come, and nobody need take them all. */
TEST(findings_may_be_refused)
{
	size_t count = 0;
	const rg_defect_options options = {.found = refuse_the_second, .context = &count};
	rg_error *err;

	check("{\"a\": [NaN], \"b\": [NaN], \"c\": [NaN]}", NULL);
	assert_int_equal(defects.count, 3);
	err = rg_golden_check(golden, &options);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_CANCELLED);
	assert_int_equal(count, 2);
	rg_error_free(err);
	release();
}

TEST(good_steps)
{
	static const struct {
		int start, end, interval;
		const char *steps;
	} good[] = {
		{1, 3, 1, "1 2 3"},         {1, 3, 1, "1 2"}, /* end_step as the first that is not
								 there */
		{1, 20, 5, "1 5 10 15 20"},                   /* as Megatron-LM logs */
		{1, 20, 5, "1 6 11 16"},    {0, 20, 5, "0 5 10 15"}, {0, 2, 5, "0"}, {7, 7, 1, "7"},
		{-10, 0, 5, "-10 -5 0"},    {1, 6, 1, "1 4 6"}, /* a step without a sample is absent
								 */
		{1, 35, 10, "1 15 35"}, /* step 1 is apart from the others */
		{10, 20, 10, "10 20"},      {1, 3, 1, ""},
	};
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		check_block(good[i].start, good[i].end, good[i].interval, good[i].steps);
		if (defects.count)
			fail_msg("%s: kind %d at %d", good[i].steps, (int)defects.items[0].kind,
				 (int)defects.items[0].step);
		release();
	}
}

TEST(bad_steps)
{
	check_block(2, 4, 1, "1 2 3 5 6");
	assert_int_equal(defects.count, 1);
	expect(0, RG_DEFECT_OUTSIDE_STEP, "m", 1, 3);
	release();
	check_block(1, 20, 5, "1 5 7 10 20");
	assert_int_equal(defects.count, 1);
	expect(0, RG_DEFECT_ODD_STEP, "m", 7, 1);
	release();
	check_block(5, 3, 1, "5");
	expect(0, RG_DEFECT_BAD_STEPS, "m", 0, 0);
	release();
	check_block(1, 3, 0, "1");
	expect(0, RG_DEFECT_BAD_STEPS, "m", 0, 0);
	release();
}

/* At once, however many steps a block promises, and wherever its steps are. */
TEST(steps_without_end)
{
	check("{\"m\": {\"start_step\": 1, \"end_step\": 1000000000000, \"step_interval\": 5,"
	      " \"values\": {\"1\": 1, \"10\": 2, \"999999999995\": 3}}}",
	      NULL);
	assert_int_equal(defects.count, 0);
	release();
	check("{\"m\": {\"start_step\": 5, \"end_step\": 6, \"step_interval\": 1, \"values\":"
	      " {\"-9223372036854775808\": 1, \"5\": 2, \"9223372036854775807\": 3}}}",
	      NULL);
	assert_int_equal(defects.count, 1);
	expect(0, RG_DEFECT_OUTSIDE_STEP, "m", INT64_MIN, 2);
	release();
}

TEST(keys_and_values)
{
	check("{\"a\": {\"values\": {\"1\": 1, \"1\": 2, \"2\": null}}, \"b\": 1, \"b\": 2,"
	      " \"t\": \"x\"}",
	      NULL);
	assert_int_equal(defects.count, 3);
	expect(0, RG_DEFECT_DUPLICATE_KEYS, "", 0, 1);
	assert_string_equal(defects.items[0].key, "b");
	expect(1, RG_DEFECT_DUPLICATE_KEYS, "a", 1, 1);
	assert_true(defects.items[1].has_step);
	expect(2, RG_DEFECT_NO_VALUE, "a", 2, 1);
	assert_true(defects.items[2].has_step);
	release();
	/* A block's own keys, and those of nested objects. */
	check("{\"a\": {\"end_step\": 1, \"end_step\": 2, \"values\": {\"1\": 1}, \"values\":"
	      " {\"x\": 1}}, \"0\": {\"m\": {\"k\": 1, \"k\": 2}}}",
	      NULL);
	assert_int_equal(defects.count, 2);
	expect(0, RG_DEFECT_DUPLICATE_KEYS, "", 0, 3);
	assert_string_equal(defects.items[0].key, "0/m/k");
	expect(1, RG_DEFECT_NO_VALUE, "a", 0, 1);
	assert_false(defects.items[1].has_step);
	release();
}

TEST(policy)
{
	const char *text = "{\"a\": [NaN, 1], \"b\": [NaN, 1, NaN], \"c\": [NaN, 1, NaN]}";
	rg_policy *policy;

	policy = rg_policy_new();
	assert_null(rg_policy_set(policy, "a", "kind", "ignore"));
	assert_null(rg_policy_set(policy, "b", "steps", "1.."));
	assert_null(rg_policy_set(policy, "c", "steps", "last 1"));
	check(text, policy);
	assert_int_equal(defects.count, 2);
	expect_said(0, "b: NaN at 2 (1 of 3 steps)");
	expect_said(1, "c: NaN at 2 (1 of 3 steps)");
	release();
	rg_policy_free(policy);
}

/* Without a baseline: leading and periodic NaN of a time are no finding, of all else they are. */
/* Of times alone. */
static rg_policy *expect_placeholders(void)
{
	rg_policy *policy = rg_policy_new();
	assert_null(rg_policy_set(policy, "*time", "nan", "placeholder"));
	return policy;
}

TEST(usual_nan)
{
	static const char *const text =
		"{\"iteration-time\": [NaN, 1, 1], \"lm loss\": [NaN, 1, 1],"
		" \"step time\": [NaN, 1, NaN, 1, NaN], \"time\": [NaN, NaN]}";
	rg_policy *policy = expect_placeholders();

	check(text, policy);
	assert_int_equal(defects.count, 4);
	expect_said(0, "iteration-time: leading NaN");
	expect_said(1, "lm loss: NaN at 0 (1 of 3 steps)");
	expect_said(2, "step time: periodic NaN");
	expect_said(3, "time: NaN at 0..1 (2 of 2 steps)");
	release();
	rg_policy_free(policy);
	/* A name says nothing. */
	check(text, NULL);
	assert_int_equal(defects.count, 4);
	expect_said(0, "iteration-time: NaN at 0 (1 of 3 steps)");
	expect_said(2, "step time: NaN at 0, 2, 4 (3 of 5 steps)");
	release();
}

static size_t asked;

static rg_error *give_baseline(void *context, const rg_golden **out)
{
	asked++;
	*out = context;
	return NULL;
}

static void check_after(const char *old, const char *fresh)
{
	rg_input in = {.name = "old.json", .data = old, .size = strlen(old)};
	rg_policy *policy = expect_placeholders();
	rg_golden *before;

	check(fresh, NULL);
	defects.count = 0;
	assert_null(rg_golden_read(&before, &in, NULL));
	assert_null(rg_golden_check(golden, &(rg_defect_options){.policy = policy,
								 .found = keep,
								 .baseline = give_baseline,
								 .context = before}));
	rg_golden_free(before);
	rg_policy_free(policy);
}

TEST(nan_before)
{
	asked = 0;
	check_after("{\"a\": [NaN, NaN, 1, 1], \"b\": [NaN, 1, NaN, 1, NaN], \"time\": [1, 1]}",
		    "{\"a\": [NaN, NaN, 2, 2], \"b\": [NaN, 2, NaN, 2, NaN], \"time\": [2, 2]}");
	assert_int_equal(asked, 1);
	assert_int_equal(defects.count, 2);
	expect_said(0, "a: leading NaN");
	expect_said(1, "b: periodic NaN");
	release();
	/* Figures that became NaN are findings, whatever is expected of the metric; so is NaN where
	 * no step was, but for expected placeholders. */
	check_after(
		"{\"a\": [NaN, 1, 1, 1], \"time\": [1, 1], \"uptime\": {\"values\": {\"2\": 1}}}",
		"{\"a\": [NaN, NaN, 2, 2], \"time\": [NaN, 1],"
		" \"uptime\": {\"values\": {\"1\": NaN, \"2\": 1}}}");
	assert_int_equal(defects.count, 4);
	expect_said(0, "a: NaN at 1 (1 of 4 steps)");
	expect_said(1, "a: leading NaN");
	expect_said(2, "time: NaN at 0 (1 of 2 steps)");
	expect_said(3, "uptime: leading NaN");
	release();
	/* A series without a figure, NaN in the middle and inf are findings, old or not. */
	check_after("{\"a\": [NaN, NaN], \"b\": [1, NaN, 1, 1], \"c\": [Infinity, 1]}",
		    "{\"a\": [NaN, NaN], \"b\": [1, NaN, 1, 1], \"c\": [Infinity, 1]}");
	assert_int_equal(defects.count, 3);
	release();
	/* A metric that the baseline lacks, or has as a text, is judged by itself. */
	check_after("{\"time\": \"n/a\"}", "{\"a\": [NaN, 1], \"time\": [NaN, 1]}");
	assert_int_equal(defects.count, 2);
	expect_said(0, "a: NaN at 0 (1 of 2 steps)");
	expect_said(1, "time: leading NaN");
	release();
	/* Nobody asks where nothing depends on it. */
	asked = 0;
	check_after("{\"a\": [1, NaN, 1, 1]}", "{\"a\": [1, NaN, 1, 1], \"b\": [1]}");
	assert_int_equal(asked, 0);
	release();
}

TEST(patterns)
{
	static const struct {
		const char *values;
		size_t leading;
		bool periodic;
	} patterns[] = {
		{"1 2 3", 0, false},
		{"n 2 3", 1, false},
		{"n n n", 0, false},
		{"n i 3", 1, false},
		{"1 n n 1 n n 1", 0, true},
		{"n 1 n n 1 n", 1, true},
		{"1 n n 1 n n 1 n n", 0, true}, /* the next one is beyond the end */
		{"1 n n 1 n n 1 n n n", 0, false},
		{"n n n 1 n n 1 n", 3, false}, /* one is missing at the beginning */
		{"1 n n 1 n 1", 0, false},
		{"1 n n 1 i n 1", 0, false},
		{"n n 1", 2, false},
		{"1 n n", 0, false},
	};
	size_t i, j;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		double values[16];
		rg_metric series = {.name = "m", .kind = RG_METRIC_SERIES, .values = values};
		rg_nan_pattern found;

		for (j = 0; j < strlen(patterns[i].values); j += 2) {
			char c = patterns[i].values[j];

			values[series.count++] = c == 'n' ? NAN : c == 'i' ? INFINITY : 1;
		}
		assert_null(rg_nan_pattern_find(&found, &series));
		if (found.leading != patterns[i].leading || found.periodic != patterns[i].periodic)
			fail_msg("%s: %zu leading, periodic %d", patterns[i].values, found.leading,
				 found.periodic);
	}
}
