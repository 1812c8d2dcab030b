/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "report/audit_report.h"
#include "audit_runs.h"

#include <stdio.h>
#include <sys/resource.h>

enum { SPARSE_RUNS = 700, SPARSE_FILES = 300 };

/* KiB: 20 MB are usual. The thread sanitizer keeps four times as much beside it. */
#if defined(__SANITIZE_THREAD__)
enum { MEMORY_MAX = 110 * 1024 };
#elif defined(__SANITIZE_ADDRESS__)
enum { MEMORY_MAX = 100 * 1024 };
#else
enum { MEMORY_MAX = 32 * 1024 };
#endif

/* Each run has one golden. */
static rg_error *read_sparse(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	static const double value[] = {1};
	static const rg_metric metric = {
		.name = "a", .kind = RG_METRIC_SERIES, .count = 1, .values = value};

	(void)context;
	(void)bytes;
	*out = NULL;
	if (file != run % SPARSE_FILES)
		return NULL;
	*out = calloc(1, sizeof(**out));
	rg_arena_init(&(*out)->arena);
	(*out)->format = "json";
	(*out)->metrics = &metric;
	(*out)->count = 1;
	return NULL;
}

/* Git's history by commit: as many groups as runs, and few goldens in each. */
TEST(memory_goes_by_what_groups_have)
{
	rg_audit_run *runs = calloc(SPARSE_RUNS, sizeof(*runs));
	static char commits[SPARSE_RUNS][8], names[SPARSE_FILES][8];
	static const char *files[SPARSE_FILES];
	rg_audit_options options = usual_options;
	struct rusage before, after;
	rg_audit_source source;
	rg_audit audit;
	size_t i;

	for (i = 0; i < SPARSE_RUNS; i++) {
		snprintf(commits[i], sizeof(commits[i]), "%04zu", i);
		runs[i] = (rg_audit_run){commits[i], "", "", commits[i]};
	}
	for (i = 0; i < SPARSE_FILES; i++) {
		snprintf(names[i], sizeof(names[i]), "%04zu", i);
		files[i] = names[i];
	}
	source = (rg_audit_source){.runs = runs,
				   .run_count = SPARSE_RUNS,
				   .files = files,
				   .file_count = SPARSE_FILES,
				   .read = read_sparse};
	options.grouping = RG_BY_COMMIT;
	getrusage(RUSAGE_SELF, &before);
	assert_null(rg_audit_make(&audit, &source, &options));
	getrusage(RUSAGE_SELF, &after);
	assert_int_equal(audit.group_count, SPARSE_RUNS);
	assert_int_equal(audit.file_count, SPARSE_RUNS);
	if (after.ru_maxrss - before.ru_maxrss > MEMORY_MAX)
		fail_msg("%ld KiB", after.ru_maxrss - before.ru_maxrss);
	rg_audit_release(&audit);
	free(runs);
}

static rg_audit audit_without_steps(number_runs *runs, bool without)
{
	rg_audit_source source = source_of(runs);
	rg_audit_options options = usual_options;
	rg_audit audit;

	options.without_steps = options.without_values = without;
	assert_null(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.file_count, 2);
	assert_int_equal(audit.broken, 4);
	return audit;
}

static void assert_same_csv(const rg_audit *one, const rg_audit *other)
{
	rg_buf text[2];

	rg_buf_init(&text[0], RG_BUF_TEXT);
	rg_buf_init(&text[1], RG_BUF_TEXT);
	assert_null(rg_audit_csv(&text[0], one));
	assert_null(rg_audit_csv(&text[1], other));
	assert_string_equal(text[0].data, text[1].data);
	rg_buf_release(&text[0]);
	rg_buf_release(&text[1]);
}

/* What no output needs does not stay; all else is the same. */
TEST(steps_need_not_be_kept)
{
	enum { RUNS = 24, METRICS = 2, STEPS = 3 };
	double values[RUNS * METRICS * STEPS];
	number_runs runs;
	rg_audit kept, dropped;
	size_t i, j;

	for (i = 0; i < RUNS * METRICS * STEPS; i++)
		values[i] = (i < RUNS * METRICS * STEPS / 2 ? 10 : 20) + (double)(i * 7 % 12) / 100;
	runs = make_runs(values, RUNS, METRICS, STEPS);
	runs.files = 2;
	kept = audit_without_steps(&runs, false);
	dropped = audit_without_steps(&runs, true);
	for (i = 0; i < dropped.file_count; i++)
		for (j = 0; j < METRICS; j++) {
			const rg_audit_series *series = &dropped.files[i].series[j];

			assert_null(series->all.steps);
			assert_null(series->noise.steps);
			assert_null(series->all.centre);
			assert_null(series->noise.centre);
			assert_null(series->all.centre_steps);
			assert_null(series->noise.centre_steps);
			assert_non_null(kept.files[i].series[j].all.steps);
			assert_non_null(kept.files[i].series[j].noise.centre);
			assert_int_equal(series->noise.runs, RUNS / 2);
		}
	assert_same_csv(&kept, &dropped);
	rg_audit_release(&dropped);
	rg_audit_release(&kept);
	free_runs(&runs);
}
