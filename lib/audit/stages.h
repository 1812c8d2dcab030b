/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_STAGES_H
#define REGILD_AUDIT_STAGES_H

#include "audit/audit.h"

/* The stages of an audit, in the order in which rg_audit_make (audit/measure.c) calls them. */

/* Each series of each golden, in the files' order. A name that is declared has no parentheses.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define RG_EACH_SERIES(audit, s)                                                                 \
	for (size_t of_##s = 0; of_##s < (audit)->file_count; of_##s++)                          \
		for (rg_audit_series *s = (audit)->files[of_##s].series,                         \
				     *end_##s = s ? s + (audit)->files[of_##s].series_count : s; \
		     s < end_##s; s++)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Fills in rg_audit.commits. audit/components.c */
void rg_audit_number_commits(rg_audit *audit);

/* Finds bad runs and breaks in files that were measured over all runs: fills in the audit's odd
 * runs and common breaks, and each series' breaks, regime and `pooled`. audit/breaks.c */
RG_CHECKED rg_error *rg_audit_find(rg_audit *audit);

/* A series' deviations in the runs' order, and which rows they are of: room for any series. */
typedef struct {
	double *values;
	size_t *rows;
	size_t count;
} rg_ordered_rows;

/* Room for series of at most so many runs. audit/ordered_rows.c */
rg_ordered_rows rg_ordered_rows_of(size_t runs);
void rg_ordered_rows_release(rg_ordered_rows *rows);
/* The pooled rows of the run `first`, into rg_audit.runs, and of newer ones. */
void rg_audit_order_rows(rg_ordered_rows *out, const rg_audit_series *series, size_t first);
/* Adds a break after `found.before` of the rows; its place and size are worked out. */
void rg_audit_add_break(rg_audit_series *series, const rg_ordered_rows *rows,
			const rg_audit_break *found);
/* audit/bad_runs.c */
void rg_audit_find_bad_runs(rg_audit *audit, rg_ordered_rows *scratch);
/* `rate`: the chance of a false one. audit/common_breaks.c */
void rg_audit_find_common_breaks(rg_audit *audit, rg_ordered_rows *rows, double rate);
/* Is `noise` another than `all`? */
bool rg_audit_needs_regime(const rg_audit_series *series);

/* The figures by metric and overall. audit/metric_summaries.c */
void rg_audit_summarise(rg_audit *audit);

/* Did any metric of a run's golden fail? */
typedef struct rg_failed_run {
	bool today, recommended;
} rg_failed_run;

/* Holds each run since the newest break, bad ones too, against the one in the middle under today's
 * tolerances and the recommended ones. audit/failing_runs.c */
RG_CHECKED rg_error *rg_audit_count_failures(rg_audit_series *series, rg_audit_file *file,
					     const rg_runs_metric *metric,
					     const rg_audit_options *options);

/* The cases of one file of test results, followed over the runs of a group. */
typedef struct {
	struct rg_case_observation *items; /* run by run */
	size_t count, capacity;
	rg_arena arena;
} rg_followed_cases;

void rg_followed_cases_init(rg_followed_cases *followed);
void rg_followed_cases_release(rg_followed_cases *followed);
/* Takes in what a run's golden says, if it is such a report. */
void rg_followed_cases_add(rg_followed_cases *followed, size_t run, const rg_golden *golden);
/* Counts them all, and keeps those that failed in some run. */
void rg_audit_add_cases(rg_audit *audit, const char *file, size_t group,
			rg_followed_cases *followed);
/* By group, file and name, once those of all files are there. */
void rg_audit_sort_cases(rg_audit *audit);

#endif
