/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "base/buf.h"
#include "base/lfs.h"
#include "update/guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "GUARD METRIC STEP;" for each finding; METRIC and STEP only where there is one. */
static void findings_text(const rg_findings *findings, rg_buf *out)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const rg_finding *finding = &findings->items[i];

		rg_buf_str(out, rg_guard_name(finding->guard));
		if (finding->metric)
			rg_buf_printf(out, " %s", finding->metric);
		if (finding->step_known)
			rg_buf_printf(out, " %lld", (long long)finding->step);
		rg_buf_char(out, ';');
	}
	assert_null(rg_buf_check(out, "findings"));
}

static rg_golden *golden(const char *text)
{
	rg_input in = {.name = "golden_values.json", .data = text, .size = strlen(text)};
	rg_golden *out;

	assert_null(rg_golden_read(&out, &in, NULL));
	return out;
}

/* As `findings_text` has them, and the text of the first; `policy` and that may be NULL. */
static void check_by(const rg_policy *policy, const char *old_text, const char *new_text,
		     const char *wanted, const char *said)
{
	rg_golden *old = golden(old_text), *fresh = golden(new_text);
	rg_findings findings = {0};
	rg_arena arena;

	rg_arena_init(&arena);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_guard_goldens(&findings, &arena, old, fresh, policy, NULL));
	findings_text(&findings, &text);
	assert_string_equal(text.data, wanted);
	if (said)
		assert_string_equal(findings.items[0].text, said);
	rg_findings_release(&findings);
	rg_arena_release(&arena);
	rg_golden_free(fresh);
	rg_golden_free(old);
}

static void check_said(const char *old_text, const char *new_text, const char *wanted,
		       const char *said)
{
	check_by(NULL, old_text, new_text, wanted, said);
}

static void check(const char *old_text, const char *new_text, const char *wanted)
{
	check_by(NULL, old_text, new_text, wanted, NULL);
}

#define SERIES(values) "{\"m\": {\"values\": {" values "}}}"

TEST(fine)
{
	check(SERIES("\"1\": 1, \"2\": 2"), SERIES("\"1\": 5, \"2\": 7"), "");
	check("{}", SERIES("\"1\": 5"), "");
	/* A text has no values to look at. */
	check("{\"o\": 1}", "{\"o\": 1, \"t\": \"long\"}", "");
	check("{\"o\": 1, \"t\": \"long\"}", "{\"o\": 1, \"t\": \"longer\"}", "");
	check("{}", "{}", "");
}

TEST(nonfinite)
{
	check(SERIES("\"1\": 1, \"2\": 2"), SERIES("\"1\": 5, \"2\": NaN"), "nonfinite m 2;");
	check(SERIES("\"1\": \"nan\", \"2\": 2"), SERIES("\"1\": \"nan\", \"2\": 3"), "");
	check(SERIES("\"1\": \"nan\", \"2\": 2"), SERIES("\"1\": \"inf\", \"2\": \"inf\""),
	      "nonfinite m 1;");
	/* New to the file: the old one had none there. */
	check("{\"o\": 1}", "{\"o\": 1, \"m\": {\"values\": {\"3\": Infinity}}}", "nonfinite m 3;");
	check_said(SERIES("\"1\": 1, \"2\": 2"), SERIES("\"1\": 5, \"2\": NaN"), "nonfinite m 2;",
		   "NaN at 2 (1 of 2 steps), not before");
	check_said(SERIES("\"1\": 1, \"2\": 2, \"3\": 3"),
		   SERIES("\"1\": \"-inf\", \"2\": NaN, \"3\": NaN"), "nonfinite m 1;",
		   "NaN at 2..3, -inf at 1 (3 of 3 steps), not before");
}

/* With one key for "m". */
static void check_with(const char *key, const char *value, const char *new_text, const char *wanted)
{
	const char *old_text = SERIES("\"1\": 1, \"2\": 2, \"3\": 3, \"4\": 4");
	rg_policy *policy;

	policy = rg_policy_new();
	assert_null(rg_policy_set(policy, "m", key, value));
	check_by(policy, old_text, new_text, wanted, NULL);
	rg_policy_free(policy);
}

/* What the policy does not look at need not be finite; to lose it is another matter. */
TEST(nonfinite_by_policy)
{
	const char *ends = SERIES("\"1\": NaN, \"2\": 2, \"3\": 3, \"4\": NaN");
	const char *shorter = SERIES("\"1\": NaN, \"2\": NaN, \"3\": 3");

	check_with("steps", "2..3", ends, "");
	check_with("steps", "1..3", ends, "nonfinite m 1;");
	check_with("steps", "2..", ends, "nonfinite m 4;");
	check_with("steps", "last 1", ends, "nonfinite m 4;");
	check_with("steps", "last 4", ends, "nonfinite m 1;");
	check_with("steps", "last 9", ends, "nonfinite m 1;");
	check_with("kind", "ignore", ends, "");
	/* The last two are the new golden's own. */
	check_with("steps", "last 2", shorter, "nonfinite m 2;shrink m 4;");
	check_with("kind", "ignore", shorter, "shrink m 4;");
}

/* Values that are asked for in blocks: 1 throughout, NaN at one place. */
static rg_error *ones(const rg_metric *metric, size_t first, size_t count, double *out)
{
	const size_t *nan_at = metric->block_context;
	size_t i;

	for (i = 0; i < count; i++)
		out[i] = first + i == *nan_at ? NAN : 1;
	return NULL;
}

static rg_error *no_values(const rg_metric *metric, size_t first, size_t count, double *out)
{
	(void)metric;
	(void)first;
	(void)count;
	(void)out;
	return rg_error_new(RG_E_IO, "gone");
}

TEST(blocks)
{
	rg_metric fine = {.name = "m", .kind = RG_METRIC_SERIES, .count = 5, .block = ones};
	rg_metric bad = fine, broken = fine;
	const rg_golden old = {.metrics = &fine, .count = 1}, fresh = {.metrics = &bad, .count = 1};
	const rg_golden lost = {.metrics = &broken, .count = 1};
	size_t third = 3, nowhere = SIZE_MAX;
	rg_findings findings = {0};
	rg_arena arena;
	rg_error *err;

	fine.block_context = &nowhere;
	bad.block_context = &third;
	broken.block = no_values;
	rg_arena_init(&arena);
	assert_null(rg_guard_goldens(&findings, &arena, &old, &old, NULL, NULL));
	assert_int_equal(findings.count, 0);
	assert_null(rg_guard_goldens(&findings, &arena, &old, &fresh, NULL, NULL));
	assert_int_equal(findings.count, 1);
	assert_int_equal(findings.items[0].guard, RG_GUARD_NONFINITE);
	assert_int_equal(findings.items[0].step, 3);
	err = rg_guard_goldens(&findings, &arena, &old, &lost, NULL, NULL);
	assert_non_null(err);
	rg_error_free(err);
	rg_findings_release(&findings);
	rg_arena_release(&arena);
}

/* Values that are asked for a few at a time: a tensor of gigabytes is not to be in memory. */
static rg_error *few_values(const rg_metric *metric, size_t first, size_t count, double *out)
{
	size_t i;

	assert_true(count <= 4096 && first + count <= metric->count);
	for (i = 0; i < count; i++)
		out[i] = first + i == metric->count - 1 ? NAN : 1;
	return NULL;
}

TEST(large_series)
{
	size_t nowhere = SIZE_MAX;
	rg_metric fine = {.name = "m",
			  .kind = RG_METRIC_SERIES,
			  .count = 10000,
			  .block = ones,
			  .block_context = &nowhere};
	rg_metric bad = fine;
	const rg_golden old = {.metrics = &fine, .count = 1}, fresh = {.metrics = &bad, .count = 1};
	rg_findings findings = {0};
	rg_arena arena;

	bad.block = few_values;
	rg_arena_init(&arena);
	assert_null(rg_guard_goldens(&findings, &arena, &old, &fresh, NULL, NULL));
	assert_int_equal(findings.count, 1);
	assert_int_equal(findings.items[0].step, 9999);
	rg_findings_release(&findings);
	rg_arena_release(&arena);
}

TEST(shrink)
{
	check("{\"a\": 1, \"b\": 2}", "{\"b\": 2}", "shrink a;");
	check_said(SERIES("\"1\": 1, \"2\": 2, \"3\": 3"), SERIES("\"1\": 1"), "shrink m 2;",
		   "gone at 2..3 (2 of 3 steps)");
	check_said(SERIES("\"1\": 1, \"2\": 2"), SERIES("\"1\": 1"), "shrink m 2;",
		   "gone at 2 (1 of 2 steps)");
	check_said(SERIES("\"1\": 1"), SERIES("\"1\": 1, \"2\": 2"), "shrink m;",
		   "has 2 values where there was 1");
	check_said(SERIES(""), SERIES("\"1\": 1"), "shrink m;", "has 1 value where there were 0");
	check_said("{\"m\": 9.6}", "{\"m\": \"n/a\"}", "shrink m;", "has no numbers any more");
	check("{\"m\": \"n/a\"}", "{\"m\": 9.6}", "");
	/* As long as before, but other steps. */
	check(SERIES("\"1\": 1, \"2\": 2"), SERIES("\"2\": 2, \"3\": 3"), "shrink m 1;");
}

TEST(empty)
{
	check(SERIES("\"1\": 1"), "{}", "empty;");
}

TEST(both)
{
	check(SERIES("\"1\": 1, \"2\": 2"), SERIES("\"1\": NaN"), "nonfinite m 1;shrink m 2;");
}

TEST(lfs)
{
	static const char pointer[] = "version https://git-lfs.github.com/spec/v1\n"
				      "oid sha256:00\nsize 1\n";

	assert_true(rg_lfs_is_pointer(pointer, sizeof(pointer) - 1));
	assert_false(rg_lfs_is_pointer(pointer, 20));
	assert_false(rg_lfs_is_pointer("{}", 2));
}

TEST(lfs_points_to)
{
	static const char pointer[] =
		"version https://git-lfs.github.com/spec/v1\noid sha256:"
		"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
		"\nsize 2\n";
	bool same;

	assert_null(rg_lfs_points_to(pointer, sizeof(pointer) - 1, "{}", 2, &same));
	assert_true(same);
	assert_null(rg_lfs_points_to(pointer, sizeof(pointer) - 1, "[]", 2, &same));
	assert_false(same);
	assert_null(rg_lfs_points_to(pointer, sizeof(pointer) - 2, "{}", 2, &same));
	assert_false(same);
	assert_null(rg_lfs_points_to("{}", 2, "{}", 2, &same));
	assert_false(same);
}

/* What follows a long path is what to do. */
TEST(long_texts_are_whole)
{
	rg_findings findings = {0};
	rg_arena arena;

	rg_arena_init(&arena);
	rg_findings_add(&findings, &arena, RG_GUARD_TWIN, NULL, "%0300d and more", 1);
	assert_int_equal(strlen(findings.items[0].text), 309);
	assert_string_equal(findings.items[0].text + 299, "1 and more");
	rg_findings_release(&findings);
	rg_arena_release(&arena);
}

/* Records that a table gains are no loss; those that it loses are named. */
TEST(records)
{
	static const char *const texts[] = {"name,a\nx,1\ny,2\n", "name,a\nx,1\ny,2\nz,3\n"};
	rg_golden *goldens[2];
	rg_findings findings = {0};
	rg_arena arena;
	size_t i;

	rg_arena_init(&arena);
	for (i = 0; i < 2; i++) {
		rg_input in = {.name = "t.csv", .data = texts[i], .size = strlen(texts[i])};

		assert_null(rg_golden_read(&goldens[i], &in, NULL));
	}
	assert_null(rg_guard_goldens(&findings, &arena, goldens[0], goldens[1], NULL, NULL));
	assert_int_equal(findings.count, 0);
	assert_null(rg_guard_goldens(&findings, &arena, goldens[1], goldens[0], NULL, NULL));
	assert_int_equal(findings.count, 1);
	assert_int_equal(findings.items[0].guard, RG_GUARD_SHRINK);
	rg_findings_release(&findings);
	rg_arena_release(&arena);
	rg_golden_free(goldens[0]);
	rg_golden_free(goldens[1]);
}
