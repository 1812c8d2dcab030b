/* SPDX-License-Identifier: Apache-2.0 */
/* Test cases over runs: which are flaky, and since when the others fail. */
#include "unit/unit.h"

#include "audit/audit.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 8 };

typedef struct {
	/* Of the one case; NULL: the run has no report, "": one without cases. */
	const char *results[RUNS_MAX];
	const char *format;
	rg_audit_run runs[RUNS_MAX];
	rg_metric metric;
} reports;

static const char *const names[] = {"report.csv"};

static rg_error *read_report(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	reports *r = context;
	rg_golden *golden;

	(void)file;
	(void)bytes;
	if (!r->results[run])
		return NULL;
	golden = calloc(1, sizeof(*golden));
	assert_non_null(golden);
	rg_arena_init(&golden->arena);
	r->metric = (rg_metric){.name = "flow/test/0/Result",
				.kind = RG_METRIC_TEXT,
				.text = r->results[run],
				.count = strlen(r->results[run])};
	golden->format = r->format;
	golden->metrics = &r->metric;
	golden->count = *r->results[run] ? 1 : 0;
	*out = golden;
	return NULL;
}

/* One run a result, their commits a letter each ('-': not known). */
static rg_audit follow(reports *r, const char *commits)
{
	static const char *const letters[] = {"a", "b", "c"};
	rg_audit_source source = {.runs = r->runs,
				  .run_count = strlen(commits),
				  .files = names,
				  .file_count = 1,
				  .read = read_report,
				  .context = r};
	rg_audit_options options = {.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};
	rg_audit audit;
	size_t i;

	if (!r->format)
		r->format = "backend-csv";
	for (i = 0; i < source.run_count; i++)
		r->runs[i] = (rg_audit_run){"id", "", "",
					    commits[i] == '-' ? "" : letters[commits[i] - 'a']};
	assert_success(rg_audit_make(&audit, &source, &options));
	return audit;
}

TEST(flaky_on_one_commit)
{
	reports r = {.results = {"Fail: Output Mismatch", "Pass", "Pass", "Pass"}};
	rg_audit audit = follow(&r, "abab");

	assert_int_equal(audit.case_total, 1);
	assert_int_equal(audit.case_count, 1);
	assert_int_equal(audit.cases[0].flaky, RG_FLAKY_ON_COMMIT);
	assert_int_equal(audit.cases[0].turns, 1);
	assert_int_equal(audit.cases[0].fail_run, 0);
	assert_int_equal(audit.cases[0].pass_run, 2);
	assert_string_equal(audit.cases[0].name, "flow/test/0");
	assert_string_equal(audit.cases[0].detail, "Output Mismatch");
	assert_true(audit.cases[0].failing_since == SIZE_MAX);
	rg_audit_release(&audit);
}

/* A fix and a regression between commits are not flakiness; what skips says nothing. */
TEST(failing_since)
{
	reports r = {.results = {"Fail", "Pass", "Fail: Lowering Failed", "Skip", NULL,
				 "Fail: PTE Run Failed"}};
	rg_audit audit = follow(&r, "abcccc");

	assert_int_equal(audit.cases[0].flaky, RG_FLAKY_NOT);
	assert_int_equal(audit.cases[0].turns, 2);
	assert_int_equal(audit.cases[0].first_failed, 0);
	assert_int_equal(audit.cases[0].failing_since, 2);
	assert_int_equal(audit.cases[0].failed, 3);
	assert_int_equal(audit.cases[0].skipped, 1);
	assert_string_equal(audit.cases[0].detail, "PTE Run Failed");
	rg_audit_release(&audit);
}

/* Each digit of a run's result is a case that failed. */
static rg_error *read_cases(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	static const char *const cases[] = {"a/Result", "a b/Result", "ab/Result", "b/Result"};
	const char *text = ((reports *)context)->results[run];
	rg_golden *golden = calloc(1, sizeof(*golden));
	rg_metric *metrics;

	(void)file;
	(void)bytes;
	assert_non_null(golden);
	rg_arena_init(&golden->arena);
	metrics = rg_arena_alloc(&golden->arena, RUNS_MAX * sizeof(*metrics));
	assert_non_null(metrics);
	for (; *text; text++)
		metrics[golden->count++] = (rg_metric){.name = cases[*text - '0'],
						       .kind = RG_METRIC_TEXT,
						       .text = "Fail",
						       .count = strlen("Fail")};
	golden->format = "backend-csv";
	golden->metrics = metrics;
	*out = golden;
	return NULL;
}

/* In some runs the test as a whole failed, in others it has subtests. */
static rg_error *read_crashes(void *context, size_t run, size_t file, rg_buf *bytes,
			      rg_golden **out)
{
	static const char *const metric_names[] = {"f/t/Result", "f/t/0/Result", "f/t/1/Result",
						   "f/t+/0/Result", "f/u/Result"};
	const char *text = ((reports *)context)->results[run];
	rg_golden *golden = calloc(1, sizeof(*golden));
	rg_metric *metrics;

	(void)file;
	(void)bytes;
	assert_non_null(golden);
	rg_arena_init(&golden->arena);
	metrics = rg_arena_alloc(&golden->arena, RUNS_MAX * sizeof(*metrics));
	assert_non_null(metrics);
	for (; *text; text++) {
		const char *result = *text == '0' || *text == '4' ? "Fail: Process Crash" : "Pass";

		metrics[golden->count++] = (rg_metric){.name = metric_names[*text - '0'],
						       .kind = RG_METRIC_TEXT,
						       .text = result,
						       .count = strlen(result)};
	}
	golden->format = "backend-json";
	golden->metrics = metrics;
	*out = golden;
	return NULL;
}

TEST(crashes)
{
	static const char *const wanted[] = {"f/t/0", "f/t/1", "f/u"};
	static const size_t failed[] = {2, 1, 1}, passed[] = {1, 2, 0};
	reports r = {.results = {"123", "0", "024"}};
	rg_audit_source source = {.runs = r.runs,
				  .run_count = 3,
				  .files = names,
				  .file_count = 1,
				  .read = read_crashes,
				  .context = &r};
	rg_audit_options options = {.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};
	rg_audit audit;
	size_t i;

	for (i = 0; i < 3; i++)
		r.runs[i] = (rg_audit_run){"id", "", "", ""};
	assert_success(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.case_total, 4);
	assert_int_equal(audit.case_count, 3);
	for (i = 0; i < 3; i++) {
		assert_string_equal(audit.cases[i].name, wanted[i]);
		assert_int_equal(audit.cases[i].failed, failed[i]);
		assert_int_equal(audit.cases[i].passed, passed[i]);
		assert_string_equal(audit.cases[i].detail, "Process Crash");
	}
	assert_int_equal(audit.cases[0].failing_since, 1);
	rg_audit_release(&audit);
}

/* Cases come and go, and are told apart though the name of one begins that of another. */
TEST(many_cases)
{
	static const char *const wanted[] = {"a", "a b", "ab", "b"};
	static const size_t failed[] = {2, 3, 3, 2}, since[] = {1, 1, 0, 0};
	reports r = {.results = {"23", "1023", "12", "10"}};
	rg_audit_source source = {.runs = r.runs,
				  .run_count = 4,
				  .files = names,
				  .file_count = 1,
				  .read = read_cases,
				  .context = &r};
	rg_audit_options options = {.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};
	rg_audit audit;
	size_t i;

	for (i = 0; i < 4; i++)
		r.runs[i] = (rg_audit_run){"id", "", "", "a"};
	assert_success(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.case_count, 4);
	for (i = 0; i < 4; i++) {
		assert_string_equal(audit.cases[i].name, wanted[i]);
		assert_int_equal(audit.cases[i].failed, failed[i]);
		assert_int_equal(audit.cases[i].failing_since, since[i]);
	}
	rg_audit_release(&audit);
}

TEST(unknown_commits)
{
	reports r = {.results = {"Fail", "Pass"}}, known = {.results = {"Pass", "Fail", "Pass"}};
	rg_audit audit = follow(&r, "--");

	assert_int_equal(audit.cases[0].flaky, RG_FLAKY_NOT);
	rg_audit_release(&audit);
	audit = follow(&known, "-aa");
	assert_int_equal(audit.cases[0].flaky, RG_FLAKY_ON_COMMIT);
	rg_audit_release(&audit);
}

/* To and fro is flaky wherever the commits are, breaking once and being mended is not. */
TEST(alternation)
{
	reports to_and_fro = {.results = {"Pass", "Fail", "Skip", "Pass", NULL, "Fail"}},
		mended = {.results = {"Pass", "Pass", "Fail", "Fail", "Skip", "Pass"}};
	rg_audit audit = follow(&to_and_fro, "------");

	assert_int_equal(audit.cases[0].flaky, RG_FLAKY_ALTERNATES);
	assert_int_equal(audit.cases[0].turns, 3);
	rg_audit_release(&audit);
	audit = follow(&mended, "------");
	assert_int_equal(audit.cases[0].flaky, RG_FLAKY_NOT);
	assert_int_equal(audit.cases[0].turns, 2);
	rg_audit_release(&audit);
}

TEST(what_never_failed_is_counted_only)
{
	reports r = {.results = {"Pass", "Skip"}}, odd = {.results = {"Passing", "Failed"}},
		other = {.results = {"Fail"}, .format = "json"};
	rg_audit audit = follow(&r, "ab");

	assert_int_equal(audit.case_total, 1);
	assert_int_equal(audit.case_count, 0);
	rg_audit_release(&audit);
	audit = follow(&odd, "ab");
	assert_int_equal(audit.case_total, 0);
	rg_audit_release(&audit);
	audit = follow(&other, "a");
	assert_int_equal(audit.case_total, 0);
	rg_audit_release(&audit);
}

/* Tests that never began leave an empty report: the later ones are followed anyway. */
TEST(empty_reports)
{
	static const char *const formats[] = {"backend-csv", "history"};
	size_t i;

	for (i = 0; i < 2; i++) {
		reports r = {.results = {"", "Pass", "", "Fail"}, .format = formats[i]};
		rg_audit audit = follow(&r, "aaaa");

		assert_int_equal(audit.case_total, 1);
		assert_int_equal(audit.case_count, 1);
		assert_int_equal(audit.cases[0].flaky, RG_FLAKY_ON_COMMIT);
		rg_audit_release(&audit);
	}
}
