/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_AUDIT_H
#define REGILD_AUDIT_AUDIT_H

#include "audit/changepoint.h"
#include "audit/components.h"
#include "audit/series_figures.h"
#include "base/buf.h"
#include "base/thread.h"
#include "compare/policy.h"

/*
 * The audit: what many runs of the same tests did. It goes golden by golden over all runs, so that
 * memory holds one golden's series at a time and, for good, only the figures and each run's
 * deviations.
 *
 * First every series is measured over all runs of its group. Then, before anything is pooled, bad
 * runs are found (one finding each) and breaks in the runs' order; series with a break, and those
 * that a bad run is in, are measured again over the newest regime without the bad runs.
 */

typedef struct {
	const char *id;     /* a run's id, a commit, a path; never NULL */
	const char *when;   /* ISO 8601; "" where it is not known */
	const char *branch; /* "" where it is not known */
	const char *commit; /* "" where it is not known */
} rg_audit_run;

/* Does `when` begin with a day, "2026-04-02"? What a run says of itself may be anything. */
bool rg_audit_run_has_day(const rg_audit_run *run);

/*
 * Reads a run's golden. *out stays NULL where that run has none; `bytes` is cleared and may hold
 * what the golden borrows, until the golden is freed. Called by several threads at once. An
 * error that rg_audit_is_of_one_golden knows is counted, and the others go on.
 */
typedef rg_error *rg_audit_read_fn(void *context, size_t run, size_t file, rg_buf *bytes,
				   rg_golden **out);

/* Gets what reading the golden of that run gave, and takes it over: an error, a golden, or neither.
 * What it returns ends the walk. */
typedef rg_error *rg_audit_take_fn(void *context, size_t run, rg_error *err, rg_golden *golden);
/* Reads one golden of these runs, one after the other, in their order; a run that has none may be
 * passed over. Called by several threads at once. */
typedef rg_error *rg_audit_walk_fn(void *context, size_t file, const size_t *runs, size_t count,
				   rg_audit_take_fn *take, void *taker);

typedef struct {
	const rg_audit_run *runs; /* in their order in time */
	size_t run_count;
	const char *const *files; /* every golden that any run has, in path-component order */
	size_t file_count;
	/* By file: what it is a variant of, the same for all of them. NULL: no file is. */
	const char *const *tests;
	const bool *left_out; /* by file: not asked for; NULL: none is */
	size_t golden_max;    /* bytes of one golden that are taken */
	rg_audit_read_fn *read;
	rg_audit_walk_fn *walk; /* NULL: `read`, run by run, is as good */
	void *context;
} rg_audit_source;

/* By the source's walk, else run by run; nothing of a golden that is left out. */
RG_CHECKED rg_error *rg_audit_walk(const rg_audit_source *source, size_t file, const size_t *runs,
				   size_t count, rg_audit_take_fn *take, void *taker);

/* Runs are comparable within a group. */
typedef enum {
	RG_BY_ALL,
	RG_BY_BRANCH,
	RG_BY_COMMIT,
} rg_audit_grouping;
#define RG_GROUPINGS 3
extern const char *const rg_audit_grouping_names[RG_GROUPINGS]; /* by grouping, in JSON */
/* The group that a run belongs to; "": it is not known. */
const char *rg_audit_group_of(const rg_audit_run *run, rg_audit_grouping grouping);

typedef struct {
	rg_tolerance_options tolerance;
	rg_audit_grouping grouping;
	double error_rate;       /* the chance of any false break: 0.05 */
	const rg_policy *policy; /* today's tolerances; may be NULL */
	size_t workers;          /* at least 1; over RG_WORKERS_MAX: so many */
	/* Keep no statistics by step, which only JSON needs, and no values and centres, which only
	 * noise models do: of many groups they are most of the memory. They are NULL then. */
	bool without_steps, without_values;
} rg_audit_options;

/* Runs whose order and spread belong together. */
typedef struct {
	const char *name;   /* "all", a branch, a commit */
	const size_t *runs; /* into rg_audit.runs, ascending */
	size_t run_count;
} rg_audit_group;

typedef struct {
	size_t at;            /* the first run of the newer side, into rg_audit.runs */
	size_t first, last;   /* it may be one of these, with 95 % confidence */
	size_t before, after; /* runs on both sides */
	rg_change_test test;
	double p, adjusted; /* adjusted: for all the series that were tested beside it */
	double shift;       /* of the deviations, newer less older */
	rg_shift size;      /* of the runs' means, in the metric's unit */
	bool common;        /* found in many series together, with their p */
} rg_audit_break;

/* A run from which on many series are others. */
typedef struct {
	size_t run;        /* into rg_audit.runs */
	size_t series, of; /* those that moved there, of those that were looked at */
	double p;
} rg_audit_common_break;

/* One (file, metric) in one group. */
typedef struct {
	const char *file, *metric;
	const char *test; /* what the file is a variant of, else the file */
	/* Its steps are the places of these (golden/records.h); NULL: they are numbers. */
	const rg_records *records;
	size_t group;
	bool derived; /* see rg_runs_metric */
	/* By its `noise`, compared with all the audit's series; or what breaks were found in it are
	 * a drift's (rg_dependence_is_levels), and it has none. */
	bool drifts;
	size_t runs;            /* of the group that have it */
	size_t missing;         /* of the group that have the file but not this metric */
	const size_t *row_runs; /* by row: which run, into rg_audit.runs */
	size_t row_count;
	rg_figures all;   /* over all runs */
	rg_figures noise; /* over the newest regime without bad runs; else the same as `all` */
	const rg_components *sources; /* of what its runs differ by; NULL: not told apart */
	bool *pooled;                 /* by row: in `noise` */
	size_t regime_from;           /* the first run of the newest regime, into rg_audit.runs */
	rg_audit_break *breaks;       /* in order of time */
	size_t break_count, break_capacity;
	/* Runs since the newest break, bad ones too, that the test would have failed on this
	 * metric, compared with the one in the middle. */
	size_t failed_today, failed_recommended;
} rg_audit_series;

typedef struct {
	const char *path;
	const char *test; /* what it is a variant of, else the path */
	size_t group;
	size_t runs;             /* of the group that have it */
	rg_audit_series *series; /* by metric's name */
	/* A table's records in all runs, which are the steps of its series; else NULL. */
	const rg_records *records;
	size_t series_count;
	size_t failed_today, failed_recommended;
	/* While it is measured, else NULL. */
	struct rg_failed_run *failed; /* by rg_audit.runs */
	rg_arena *arena;              /* its worker's */
} rg_audit_file;

/* A run that is far out in most of its series. */
typedef enum {
	RG_ODD_RUN_BAD, /* those before and after it are not */
	/* No such run comes before, or after it: a break or bad runs, and one more run tells. */
	RG_ODD_RUN_OLDEST,
	RG_ODD_RUN_NEWEST,
} rg_odd_run_kind;

typedef struct {
	rg_odd_run_kind kind;
	size_t run;    /* into rg_audit.runs */
	size_t series; /* in which it is far out */
	size_t of;     /* in which it was measured */
	size_t files;  /* with such a series */
} rg_audit_odd_run;

typedef struct {
	size_t run; /* into rg_audit.runs */
	size_t source_file;
	const char *path, *why;
} rg_audit_unreadable;

/* A golden that no reader takes has nothing to measure. */
typedef struct {
	const char *path;
	size_t source_file, runs; /* in which it is opaque */
} rg_audit_opaque;

/* One metric over all files of a group, and all metrics together (metric NULL). The observation is
 * one run of one file. */
typedef struct {
	const char *metric;
	bool derived; /* see rg_runs_metric */
	size_t group;
	size_t files, runs;   /* runs: distinct ones */
	size_t measured;      /* runs of files with a deviation */
	size_t steps;         /* over all files */
	size_t deterministic; /* files */
	size_t patterns;      /* the most that one file has */
	rg_spread spread;
	const char *widest_file;
	const rg_records *records; /* of that file's series */
	/* Holds for all files: the largest of theirs, over the newest regimes without bad runs. */
	rg_tolerance tolerance;
	size_t broken;         /* files with a break */
	rg_components sources; /* of the spread, and of what variants differ by */
	/* Half of its series would have shown one so large: rg_audit_smallest_break. */
	double smallest_break;
} rg_audit_summary;

/* Breaking once, and being mended, is not flaky. */
typedef enum {
	RG_FLAKY_NOT,
	RG_FLAKY_ON_COMMIT,  /* it passed and failed on one commit */
	RG_FLAKY_ALTERNATES, /* it turned RG_FLAKY_TURNS times or more */
} rg_flakiness;
enum { RG_FLAKY_TURNS = 3 };

/* A test case that failed in some run of a group. */
typedef struct {
	const char *file;
	const char *name; /* "FLOW/TEST ID/SUBTEST" */
	size_t group;
	size_t passed, failed, skipped; /* runs */
	/* How often it went from passing to failing or back, from run to run. */
	size_t turns;
	rg_flakiness flaky;
	size_t pass_run, fail_run; /* into rg_audit.runs; RG_FLAKY_ON_COMMIT only */
	size_t first_failed;       /* into rg_audit.runs */
	/* The first of the failures that last up to the newest run that has the case (skipped ones
	 * do not count); SIZE_MAX where it passes there. */
	size_t failing_since;
	const char *detail; /* of its newest failure: "Output Mismatch"; "" */
} rg_audit_case;

typedef struct {
	const rg_audit_run *runs; /* the source's */
	size_t run_count;
	/* By run: the first one of the same commit; itself where the commit is not known. */
	const size_t *commits;
	rg_audit_group *groups;
	size_t group_count;
	rg_audit_file *files; /* by group, in path order */
	size_t file_count;
	rg_audit_odd_run *odd_runs; /* by run */
	size_t odd_count, odd_capacity;
	rg_audit_common_break *common_breaks; /* by group, in order of time */
	size_t common_count, common_capacity;
	rg_audit_opaque *opaque;
	size_t opaque_count, opaque_capacity;
	rg_audit_unreadable *unreadable;
	size_t unreadable_count, unreadable_capacity;
	rg_audit_summary *metrics; /* by group, metric */
	size_t metric_count, metric_capacity;
	rg_audit_summary *overall; /* by group */
	rg_audit_case *cases;      /* by group, file, name */
	size_t case_count, case_capacity;
	size_t case_total; /* cases seen, those that never failed included */
	size_t tested;     /* series in which a break was looked for */
	size_t divided_by; /* of them, those by which the error rate was divided */
	size_t broken;     /* series with one */
	/* Runs go with the ones before them, in most series: they are not exchangeable, and nothing
	 * bounds how many breaks are false. */
	bool hang_together;
	rg_audit_options options;
	rg_arena arena;
	/* An arena of each worker for the files that it measures: one for each of very many files
	 * would be mostly empty. */
	rg_arena worker_arenas[RG_WORKERS_MAX];
} rg_audit;

/* Does the error concern one golden (RG_E_PARSE, RG_E_IO, RG_E_LIMIT, RG_E_MISMATCH,
 * RG_E_NOTFOUND), and not all of them? */
bool rg_audit_is_of_one_golden(const rg_error *err);

/* The source must outlive the audit. RG_E_CONFLICT where goldens change meanwhile: some are read
 * twice. */
RG_CHECKED rg_error *rg_audit_make(rg_audit *out, const rg_audit_source *source,
				   const rg_audit_options *options);
void rg_audit_release(rg_audit *audit);

/* Every series, in the files' order; the caller frees the list. */
void rg_audit_all_series(const rg_audit *audit, const rg_audit_series ***out, size_t *count);
/* For qsort of such a list: those that spread most first, those without a measure last; then by
 * file, metric and group. */
int rg_audit_by_spread(const void *a, const void *b);

/* By row: is the run far out of the newest regime? What makes a bad run of one
 * (man/regild-audit.1).
 */
void rg_audit_find_far_rows(bool *out, const rg_audit_series *series);

/* The figures of a group's series together, each one file's; `out` has its group and name, and is
 * zero otherwise. */
void rg_audit_pool(rg_audit_summary *out, const rg_audit *audit,
		   const rg_audit_series *const *series, size_t count);

/* The sources of the series' differences, relative to how large their means are. */
void rg_audit_find_sources(rg_components *out, const rg_audit *audit,
			   const rg_audit_series *const *series, size_t count);

/* How large a break of the newest regime has to be for the audit to find it by this series alone,
 * relative as the runs' deviations are; see rg_changepoint_smallest. */
double rg_audit_smallest_break(const rg_audit *audit, const rg_audit_series *series);

/* The tolerance that a series' metric should be held to, by the newest regime without bad runs.
 * NULL: there are too few runs to recommend anything. */
const rg_tolerance *rg_audit_recommended(const rg_audit_series *series);
/* Is there one for any of the file's series? Else failed_recommended says nothing. */
bool rg_audit_file_is_recommended(const rg_audit_file *file);

/* Does a case belong to the flaky ones, or to those that fail up to their newest run? */
bool rg_audit_case_is(const rg_audit_case *c, bool flaky);

#endif
