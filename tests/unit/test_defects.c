/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with goldens in themselves. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare/defects.h"

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

static void check(const char *text, const rg_policy *policy)
{
	rg_input in = {.name = "g.json", .data = text, .size = strlen(text)};

	assert_null(rg_golden_read(&golden, &in, NULL));
	assert_null(rg_golden_check(golden, policy, keep, NULL));
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
	if (d->has_step)
		assert_int_equal(d->step, step);
	assert_int_equal(d->count, count);
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

static void test_nonfinite(void **state)
{
	(void)state;
	check("{\"a\": {\"values\": {\"1\": \"nan\", \"2\": 1, \"3\": -Infinity}}, \"b\": [1]}",
	      NULL);
	assert_int_equal(defects.count, 2);
	expect(0, RG_DEFECT_NONFINITE, "a", 1, 1);
	assert_true(isnan(defects.items[0].value));
	expect(1, RG_DEFECT_NONFINITE, "a", 3, 1);
	assert_true(defects.items[1].value == -INFINITY);
	release();
}

static rg_error *refuse_the_second(void *context, const rg_defect *defect)
{
	size_t *count = context;

	assert_int_equal(defect->kind, RG_DEFECT_NONFINITE);
	return ++*count == 2 ? rg_error_new(RG_E_CANCELLED, "enough") : NULL;
}

/* Findings are handed over as they come, however many there are, and nobody need take them all. */
static void test_findings_may_be_refused(void **state)
{
	size_t count = 0;
	rg_error *err;

	(void)state;
	check("{\"a\": [NaN, NaN, NaN]}", NULL);
	assert_int_equal(defects.count, 3);
	err = rg_golden_check(golden, NULL, refuse_the_second, &count);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_CANCELLED);
	assert_int_equal(count, 2);
	rg_error_free(err);
	release();
}

static void test_good_steps(void **state)
{
	static const struct {
		int start, end, interval;
		const char *steps;
	} good[] = {
		{1, 3, 1, "1 2 3"},         {1, 3, 1, "1 2"}, /* end_step as the first that is not
								 there */
		{1, 20, 5, "1 5 10 15 20"},                   /* as Megatron-LM logs */
		{1, 20, 5, "1 6 11 16"},    {0, 20, 5, "0 5 10 15"}, {0, 2, 5, "0"}, {7, 7, 1, "7"},
		{-10, 0, 5, "-10 -5 0"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		check_block(good[i].start, good[i].end, good[i].interval, good[i].steps);
		if (defects.count)
			fail_msg("%s: kind %d at %d", good[i].steps, (int)defects.items[0].kind,
				 (int)defects.items[0].step);
		release();
	}
}

static void test_bad_steps(void **state)
{
	(void)state;
	check_block(1, 6, 1, "1 4 6");
	assert_int_equal(defects.count, 1);
	expect(0, RG_DEFECT_MISSING_STEP, "m", 2, 3);
	release();
	check_block(2, 4, 1, "1 2 3 5 6");
	assert_int_equal(defects.count, 1);
	expect(0, RG_DEFECT_OUTSIDE_STEP, "m", 1, 3);
	release();
	check_block(1, 20, 5, "1 5 7 10 20");
	assert_int_equal(defects.count, 2);
	expect(0, RG_DEFECT_ODD_STEP, "m", 7, 1);
	expect(1, RG_DEFECT_MISSING_STEP, "m", 15, 1);
	release();
	check_block(1, 3, 1, "");
	expect(0, RG_DEFECT_MISSING_STEP, "m", 1, 2);
	release();
	check_block(5, 3, 1, "5");
	expect(0, RG_DEFECT_BAD_STEPS, "m", 0, 1);
	release();
	check_block(1, 3, 0, "1");
	expect(0, RG_DEFECT_BAD_STEPS, "m", 0, 1);
	release();
}

/* At once, however many steps a block promises, and wherever its steps are. */
static void test_steps_without_end(void **state)
{
	(void)state;
	check("{\"m\": {\"start_step\": 1, \"end_step\": 1000000000000, \"step_interval\": 5,"
	      " \"values\": {\"1\": 1, \"10\": 2, \"999999999995\": 3}}}",
	      NULL);
	assert_int_equal(defects.count, 1);
	/* Multiples of 5 up to 10^12 - 5, without 10 and the last. */
	expect(0, RG_DEFECT_MISSING_STEP, "m", 5, 199999999997);
	release();
	check("{\"m\": {\"start_step\": 5, \"end_step\": 6, \"step_interval\": 1, \"values\":"
	      " {\"-9223372036854775808\": 1, \"5\": 2, \"9223372036854775807\": 3}}}",
	      NULL);
	assert_int_equal(defects.count, 1);
	expect(0, RG_DEFECT_OUTSIDE_STEP, "m", INT64_MIN, 2);
	release();
}

static void test_keys_and_values(void **state)
{
	(void)state;
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

static void test_policy(void **state)
{
	const char *text = "{\"a\": [NaN, 1], \"b\": [NaN, 1, NaN], \"c\": [NaN, 1, NaN]}";
	rg_policy *policy;

	(void)state;
	assert_null(rg_policy_new(&policy));
	assert_null(rg_policy_set(policy, "a", "kind", "ignore"));
	assert_null(rg_policy_set(policy, "b", "steps", "1.."));
	assert_null(rg_policy_set(policy, "c", "steps", "last 1"));
	check(text, policy);
	assert_int_equal(defects.count, 2);
	expect(0, RG_DEFECT_NONFINITE, "b", 2, 1);
	expect(1, RG_DEFECT_NONFINITE, "c", 2, 1);
	release();
	rg_policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nonfinite),
		cmocka_unit_test(test_findings_may_be_refused),
		cmocka_unit_test(test_good_steps),
		cmocka_unit_test(test_bad_steps),
		cmocka_unit_test(test_steps_without_end),
		cmocka_unit_test(test_keys_and_values),
		cmocka_unit_test(test_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
