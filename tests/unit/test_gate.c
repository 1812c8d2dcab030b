/* SPDX-License-Identifier: Apache-2.0 */
/* Gates: limits, conditions and fail levels, what breaks them, and how it is grouped. */
#include "unit.h"

#include "policy_of.h"

#include "base/buf.h"
#include "compare/compare.h"
#include "compare/gate.h"

#include <math.h>
#include <string.h>

static void compare_texts(rg_comparison *out, const char *old_text, const char *new_text,
			  const rg_policy *policy)
{
	rg_input sides[2] = {{.name = "o.json", .data = old_text, .size = strlen(old_text)},
			     {.name = "n.json", .data = new_text, .size = strlen(new_text)}};
	rg_file_name name = {"f", NULL};
	rg_golden *old, *fresh;

	assert_null(rg_golden_read(&old, &sides[0], NULL));
	assert_null(rg_golden_read(&fresh, &sides[1], NULL));
	assert_null(rg_compare_goldens(out, &name, old, fresh, policy));
	rg_golden_free(old);
	rg_golden_free(fresh);
}

static void expect_breach(const rg_breach *b, rg_breach_kind kind, const char *metric, double value,
			  double limit)
{
	assert_int_equal(b->kind, kind);
	assert_string_equal(b->row->metric, metric);
	assert_true(isnan(value) ? isnan(b->value) : b->value == value);
	assert_true(isnan(limit) ? isnan(b->limit) : b->limit == limit);
}

TEST(gate)
{
	rg_policy *policy = POLICY("d", "fail", "0.1");
	rg_breach_list breaches = {0};
	rg_comparison c;
	rg_gate gate;

	rg_comparison_init(&c);
	compare_texts(
		&c,
		"{\"a\": [4], \"b\": [4], \"c\": [4, 4], \"d\": [4], \"e\": [1], \"t\": \"x\","
		" \"z=\": [4]}",
		"{\"a\": [3], \"b\": [4], \"c\": [4, NaN], \"d\": [5], \"e\": [NaN],"
		" \"t\": \"y\", \"z=\": [3]}",
		policy);
	rg_gate_init(&gate);
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 1);
	expect_breach(&breaches.items[0], RG_BREACH_POLICY, "d", 0.25, 0.1);
	rg_breach_list_release(&breaches);

	assert_null(rg_gate_add(&gate, "0.25"));
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 4);
	expect_breach(&breaches.items[0], RG_BREACH_NONFINITE, "c", 1, NAN);
	expect_breach(&breaches.items[1], RG_BREACH_POLICY, "d", 0.25, 0.1);
	expect_breach(&breaches.items[2], RG_BREACH_NO_FIGURE, "t", NAN, NAN);
	expect_breach(&breaches.items[3], RG_BREACH_NONFINITE, "e", 1, NAN);
	assert_int_equal(gate.limits[0].matched, 7);
	assert_int_equal(breaches.without_figure, 2);
	rg_breach_list_release(&breaches);

	gate.allow_no_figure = true;
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 3);
	rg_breach_list_release(&breaches);

	assert_null(rg_gate_add(&gate, "a=0.2"));
	assert_null(rg_gate_add(&gate, "z*=0.1"));
	assert_null(rg_gate_add(&gate, "z==0.125"));
	assert_null(rg_gate_add(&gate, "nothing=1"));
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 5);
	expect_breach(&breaches.items[0], RG_BREACH_LIMIT, "a", 0.25, 0.2);
	expect_breach(&breaches.items[3], RG_BREACH_LIMIT, "z=", 0.25, 0.1);
	assert_int_equal(gate.limits[3].matched, 1);
	assert_int_equal(gate.limits[4].matched, 0);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
	rg_policy_free(policy);
}

/* What makes no row can break a gate anyway. */
TEST(gate_without_rows)
{
	rg_policy *policy = POLICY("z*", "kind", "absolute", "z*", "fail", "1", "t", "kind",
				   "exact", "i", "kind", "ignore", "gone", "fail", "1");
	rg_breach_list breaches = {0};
	rg_comparison c;
	rg_gate gate;

	rg_comparison_init(&c);
	compare_texts(&c,
		      "{\"empty\": [1], \"gone\": [1], \"i\": [1], \"plain\": [1], \"t\": \"x\","
		      " \"u\": \"x\", \"z\": [0], \"z1\": [0]}",
		      "{\"empty\": [], \"new\": [1], \"z\": [2], \"z1\": [1]}", policy);
	rg_gate_init(&gate);
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 3);
	expect_breach(&breaches.items[0], RG_BREACH_POLICY, "z", 2, 1);
	expect_breach(&breaches.items[1], RG_BREACH_LOST, "gone", 1, NAN);
	expect_breach(&breaches.items[2], RG_BREACH_LOST, "t", 1, NAN);
	rg_breach_list_release(&breaches);

	assert_null(rg_gate_add(&gate, "[empu]*=1"));
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 6);
	expect_breach(&breaches.items[1], RG_BREACH_LOST, "empty", 1, NAN);
	expect_breach(&breaches.items[3], RG_BREACH_LOST, "plain", 1, NAN);
	expect_breach(&breaches.items[5], RG_BREACH_LOST, "u", 1, NAN);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
	rg_policy_free(policy);
}

/* Steps that the policy looks at and that the new side lost, some or all of them. */
TEST(gate_without_the_steps_looked_at)
{
	rg_policy *policy = POLICY("e", "kind", "exact", "[ep]", "steps", "3..", "[lx]", "steps",
				   "last 2", "q", "steps", "9..", "r", "steps", "..1", "*", "fail",
				   "1");
	static const char old[] = "{\"values\": {\"1\": 1, \"2\": 2, \"3\": 3}}";
	static const char fresh[] = "{\"values\": {\"1\": 1, \"2\": 2}}";
	static const char *const names[] = {"e", "l", "p", "q", "r"};
	rg_buf sides[2];
	rg_breach_list breaches = {0};
	rg_comparison c;
	rg_gate gate;
	size_t i;

	rg_buf_init(&sides[0], RG_BUF_TEXT);
	rg_buf_init(&sides[1], RG_BUF_TEXT);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		rg_buf_printf(&sides[0], "%s\"%s\": %s", i ? ", " : "{", names[i], old);
		rg_buf_printf(&sides[1], "%s\"%s\": %s", i ? ", " : "{", names[i], fresh);
	}
	rg_buf_str(&sides[0], ", \"x\": {\"values\": {\"1\": 1}}}");
	rg_buf_str(&sides[1], ", \"x\": {\"values\": {\"2\": 1}}}");
	rg_comparison_init(&c);
	compare_texts(&c, sides[0].data, sides[1].data, policy);
	rg_gate_init(&gate);
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 4);
	expect_breach(&breaches.items[0], RG_BREACH_LOST, "l", 1, NAN);
	expect_breach(&breaches.items[1], RG_BREACH_LOST, "e", 1, NAN);
	expect_breach(&breaches.items[2], RG_BREACH_LOST, "p", 1, NAN);
	expect_breach(&breaches.items[3], RG_BREACH_LOST, "x", 1, NAN);
	rg_breach_list_release(&breaches);
	gate.allow_lost = true;
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 1); /* exact is exact */
	expect_breach(&breaches.items[0], RG_BREACH_POLICY, "e", 1, 0);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
	rg_policy_free(policy);
	rg_buf_release(&sides[1]);
	rg_buf_release(&sides[0]);
}

TEST(gate_breaks_where_reshaped)
{
	rg_policy *policy = POLICY("a", "fail", "1");
	rg_breach_list breaches = {0};
	rg_comparison c;
	rg_gate gate;

	rg_comparison_init(&c);
	compare_texts(&c, "{\"a\": [1], \"b\": [1], \"t\": \"x\"}",
		      "{\"a\": \"no\", \"b\": \"no\", \"t\": [1]}", policy);
	rg_gate_init(&gate);
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 1);
	expect_breach(&breaches.items[0], RG_BREACH_RESHAPED, "a", NAN, NAN);
	rg_breach_list_release(&breaches);

	assert_null(rg_gate_add(&gate, "1"));
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 3);
	expect_breach(&breaches.items[1], RG_BREACH_RESHAPED, "b", NAN, NAN);
	expect_breach(&breaches.items[2], RG_BREACH_NO_FIGURE, "t", NAN, NAN);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
	rg_policy_free(policy);
}

TEST(gate_passes_over_ignored)
{
	rg_policy *policy = POLICY("i*", "kind", "ignore");
	rg_breach_list breaches = {0};
	rg_comparison c;
	rg_gate gate;

	rg_comparison_init(&c);
	compare_texts(&c, "{\"i\": [1], \"ig\": [1], \"j\": [1]}", "{\"i\": [2], \"j\": [2]}",
		      policy);
	rg_gate_init(&gate);
	assert_null(rg_gate_add(&gate, "0.5"));
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 1);
	expect_breach(&breaches.items[0], RG_BREACH_LIMIT, "j", 1, 0.5);
	rg_breach_list_release(&breaches);

	assert_null(rg_gate_add(&gate, "i*=0.5"));
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 3);
	expect_breach(&breaches.items[0], RG_BREACH_LIMIT, "i", 1, 0.5);
	expect_breach(&breaches.items[2], RG_BREACH_LOST, "ig", 1, NAN);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
	rg_policy_free(policy);
}

TEST(gate_refusals)
{
	static const char *const bad[] = {"", "x", "a=", "a=-1", "nan", "a=1x", "=", "inf"};
	rg_gate gate;
	size_t i;

	rg_gate_init(&gate);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		rg_error *err = rg_gate_add(&gate, bad[i]);

		assert_non_null(err);
		assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
		rg_error_free(err);
	}
	assert_int_equal(gate.count, 0);
	assert_null(rg_gate_add(&gate, "0"));
	assert_null(rg_gate_add(&gate, "a=0"));
	assert_int_equal(gate.count, 2);
	rg_gate_release(&gate);
}

/* Values alone count: not what the policy ignores, or the steps that it looks at. */
TEST(conditions_of_metrics)
{
	rg_policy *policy = POLICY("i", "kind", "ignore", "*", "steps", "..0");
	static const char old[] = "{\"gone\": [1], \"i\": [1, 2], \"n\": [1, 2, 3], \"s\": [1, 2],"
				  " \"text\": \"x\", \"was\": [1, NaN]}";
	static const char fresh[] = "{\"i\": [1, NaN], \"n\": [1, NaN, Infinity], \"s\": [1],"
				    " \"was\": [1, NaN]}";
	rg_breach_list breaches = {0};
	rg_comparison c;
	rg_gate gate;

	rg_comparison_init(&c);
	compare_texts(&c, old, fresh, policy);
	rg_gate_init(&gate);
	gate.allow_lost = true;
	assert_success(rg_gate_add_conditions(&gate, "nonfinite,lost,nonfinite"));
	assert_success(rg_gate_add_conditions(&gate, "lost"));
	assert_int_equal(gate.condition_count, 2);
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 5);
	expect_breach(&breaches.items[0], RG_BREACH_NONFINITE, "i", 1, NAN);
	expect_breach(&breaches.items[1], RG_BREACH_NONFINITE, "n", 2, NAN);
	expect_breach(&breaches.items[2], RG_BREACH_LOST, "s", 1, NAN);
	expect_breach(&breaches.items[3], RG_BREACH_LOST, "gone", 1, NAN);
	expect_breach(&breaches.items[4], RG_BREACH_LOST, "text", 1, NAN);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
	rg_policy_free(policy);
}

TEST(conditions_of_goldens)
{
	static const rg_file_name names[] = {{"new", NULL}, {"gone", NULL}, {"broken", NULL}};
	rg_breach_list breaches = {0};
	rg_comparison c;
	rg_gate gate;

	rg_comparison_init(&c);
	rg_comparison_add_file(&c, &names[0], RG_FILE_NEW, NULL);
	rg_comparison_add_file(&c, &names[1], RG_FILE_REMOVED, NULL);
	rg_comparison_add_file(&c, &names[2], RG_FILE_UNREADABLE, "why");
	rg_gate_init(&gate);
	assert_success(rg_gate_add_conditions(&gate, "removed,unreadable,lost,nonfinite"));
	rg_gate_evaluate(&gate, &c, &breaches);
	assert_int_equal(breaches.count, 2);
	assert_int_equal(breaches.items[0].kind, RG_BREACH_REMOVED);
	assert_string_equal(breaches.items[0].file, "gone");
	assert_int_equal(breaches.items[1].kind, RG_BREACH_UNREADABLE);
	assert_string_equal(breaches.items[1].file, "broken");
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
}

static void expect_group(const rg_gate_group *group, const char *name, const char *metric, size_t n,
			 size_t of)
{
	assert_string_equal(rg_gate_group_name(group), name);
	assert_string_equal(group->metric, metric);
	assert_int_equal(group->n, n);
	assert_int_equal(group->of, of);
}

/* A group for each reason and metric, the gravest and the farthest over its limit first. */
TEST(groups)
{
	rg_policy *policy = POLICY("p", "fail", "0.1");
	rg_breach_list breaches = {0};
	rg_gate_groups groups = {0};
	rg_comparison c;
	rg_gate gate;

	rg_comparison_init(&c);
	compare_texts(&c, "{\"a\": [1], \"l\": [1, 2, 3], \"n\": [1], \"p\": [1], \"s\": [1]}",
		      "{\"a\": [1.5], \"l\": [1, 2], \"n\": [NaN], \"p\": [1.9], \"s\": \"x\"}",
		      policy);
	compare_texts(&c, "{\"a\": [1], \"l\": [1, 2, 3], \"p\": [1]}",
		      "{\"a\": [3], \"new\": [1], \"p\": [1]}", policy);
	rg_gate_init(&gate);
	assert_success(rg_gate_add(&gate, "0.2"));
	rg_gate_evaluate(&gate, &c, &breaches);
	rg_gate_groups_make(&groups, &breaches, &c);
	assert_int_equal(groups.count, 5);
	expect_group(&groups.items[0], "lost", "l", 2, 2);
	assert_int_equal(groups.items[0].worst[0].row->gap, RG_GAP_OLD_ONLY);
	assert_int_equal(groups.items[0].worst[1].row->gap, RG_GAP_NONE);
	expect_group(&groups.items[1], "nonfinite", "n", 1, 1);
	expect_group(&groups.items[2], "reshaped", "s", 1, 1);
	expect_group(&groups.items[3], "fail-above", "a", 2, 2);
	assert_true(groups.items[3].worst[0].value == 2 && groups.items[3].worst[1].value == 0.5);
	assert_string_equal(groups.items[3].worst->limit_text, "0.2");
	expect_group(&groups.items[4], "fail", "p", 1, 2);
	rg_gate_groups_release(&groups);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
	rg_comparison_release(&c);
	rg_policy_free(policy);
}
