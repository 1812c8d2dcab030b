/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_FACTS_H
#define REGILD_REPORT_AUDIT_FACTS_H

#include "audit/audit.h"
#include "base/json.h"
#include "report/columns.h"

/*
 * The facts that an audit's reports are made of, each once: what needs review, which tolerances
 * hold, how noisy each metric is, and each series. report/audit_data.c has their keys, as the JSON
 * document and as the data of templates; no fact is a sentence.
 */

/* --- what can be relied on --- */

/* Reliances of a series, the best first; the worst of its series is a golden's own. */
typedef enum {
	RG_RELY_EXACT,    /* all runs agree to the bit, and are not too few */
	RG_RELY_WITHIN,   /* a tolerance that fresh runs fail at the rate at most */
	RG_RELY_THEORY,   /* one that takes the noise to be lognormal, for want of runs */
	RG_RELY_TOO_FEW,  /* too few runs recommend nothing */
	RG_RELY_TOO_WIDE, /* the tolerance would be over 100 %: all would pass */
	RG_RELY_FAILED,   /* later runs failed the one of those before them */
	RG_RELY_DRIFTS,
	RG_RELY_NONE, /* no value is finite, or other metrics have the same values */
} rg_reliance;
enum { RG_RELIANCES = RG_RELY_NONE + 1 };
extern const char *const rg_reliance_names[RG_RELIANCES];
rg_reliance rg_audit_rely(const rg_audit_series *series);

/* Further runs that a series needs, or that several need: from `least` to `most`. */
typedef struct {
	size_t count, least, most;
	size_t needed; /* runs in all; 0: it differs */
} rg_audit_lack;

/* So many series, or goldens, can be held to the same. */
typedef struct {
	unsigned rely;
	size_t count;
	rg_audit_lack lack;
} rg_audit_class;

typedef struct {
	size_t counts[RG_RELIANCES];
	rg_audit_lack lack;
	double least, most; /* rtol of the series that have a tolerance not by theory */
	size_t exact_runs;  /* the least of those that agree to the bit */
	rg_audit_class *classes;
	size_t class_count;
} rg_audit_tally;

/* How far runs are from their centre, and the records by which the widest step is called. */
typedef struct {
	size_t runs;
	const rg_spread *spread;
	const rg_records *records;
} rg_audit_spread;

/* A tolerance, with NaN for what does not hold or is not known. */
typedef struct {
	double relative, absolute, fails_at_least, fails_at_most, max_relative, max_absolute;
	bool by_theory, not_bounded;
	size_t included;
	const char *by;
	rg_tolerance later; /* 0 `older`: it was not tested on later runs */
} rg_audit_tolerance;

/* The tests of tolerances on later runs together. */
typedef struct {
	size_t tested, failed; /* series */
	/* The one whose tolerance failed most of the later runs. */
	const char *metric, *golden;
	rg_tolerance worst;
	bool varied; /* series were tested on other runs than the worst one */
} rg_audit_later;

/* One line of the metrics' table: a metric, a family of several, or all of them, in one group. */
typedef struct {
	const char *name, *family; /* NULL: all metrics; the metric is of no family of several */
	const char *group;
	rg_audit_summary summary;
	rg_audit_spread spread;
	rg_audit_tolerance tolerance;
	const rg_components *sources; /* NULL: not told apart */
	size_t series;
	rg_audit_tally held;
} rg_audit_line;

typedef struct {
	rg_audit_line *items;
	size_t count, capacity;
} rg_audit_lines;

/* A golden of a group; its worst series decide. */
typedef struct {
	const rg_audit_file *file;
	const char *group;
	unsigned rely;
	size_t failed_recommended; /* SIZE_MAX: nothing is recommended */
	rg_audit_tally held;
} rg_audit_golden;

/* --- what needs review --- */

typedef enum {
	RG_AUDIT_UNREADABLE,
	RG_AUDIT_FAILING_CASE,
	RG_AUDIT_BAD_RUN,
	RG_AUDIT_ODD_END, /* outliers at the oldest or newest end: a break, or bad runs */
	RG_AUDIT_COMMON_BREAK,
	RG_AUDIT_BREAK,
	RG_AUDIT_DRIFT,
	/* A break of one series or of many, where rg_audit_chance bounds none. */
	RG_AUDIT_POSSIBLE_BREAK,
	RG_AUDIT_FLAKY_CASE,
	RG_AUDIT_FAILING_GOLDEN,
} rg_audit_finding_kind;
enum { RG_AUDIT_FINDING_KINDS = RG_AUDIT_FAILING_GOLDEN + 1 };
extern const char *const rg_audit_finding_names[RG_AUDIT_FINDING_KINDS];

/* Members that are not of the finding's kind are NULL, NaN or 0. */
typedef struct {
	unsigned kind;
	size_t place; /* as they were found */
	const char *run, *commit, *first_run, *last_run, *other_run;
	const char *metric, *golden, *group, *test_case, *why;
	size_t more;       /* further goldens, or series, of the same */
	size_t series, of; /* that it is about, of those that could be */
	size_t files, rose, fell, before, after;
	rg_shift size;
	double p;
	size_t runs, failed_today, failed_recommended, passed, failed, turns;
} rg_audit_finding;

typedef struct {
	unsigned kind;
	size_t count;
} rg_audit_reason;

/* --- series, the most interesting first --- */

typedef enum {
	RG_SERIES_BROKE,
	RG_SERIES_DRIFTS,
	RG_SERIES_NOISY,
	RG_SERIES_DETERMINISTIC,
	RG_SERIES_UNMEASURED,
} rg_audit_interest;
enum { RG_SERIES_INTERESTS = RG_SERIES_UNMEASURED + 1 };
extern const char *const rg_audit_interest_names[RG_SERIES_INTERESTS];

typedef struct {
	const rg_audit_series *series;
	const char *family, *group;
	unsigned interest, rely;
	size_t number; /* its place among all, from 1 */
	size_t more_runs;
	double smallest_break, may_differ; /* may_differ: NaN unless it is deterministic */
	const char *regime_from;           /* NULL: no break */
	const rg_audit_break *breaks;
	size_t break_count;
	rg_audit_spread spread;
	const rg_components *sources; /* NULL: not told apart */
	const rg_dependence *dependence;
	rg_audit_tolerance tolerance;
	const rg_audit_tolerance *first_tolerance; /* of all runs; NULL: the same */
	const char *test, *stage, *variant;        /* NULL: the path has none */
} rg_audit_entry;

/* Series of one group whose metrics are one family, the most interesting first. */
typedef struct {
	const rg_audit_entry *const *entries;
	size_t count;
} rg_audit_kin;

/* --- all of it --- */

typedef struct rg_audit_page rg_audit_page;

typedef struct {
	const rg_audit *audit;
	const rg_audit *cases;            /* the audit, if it has test cases */
	const rg_column_context *columns; /* NULL: no page is made */
	double multiplier, fail_rate;     /* one of them is NaN */
	double false_breaks;              /* the chance of any; NaN: nothing bounds it */
	const char *group_by, *first_run, *last_run;
	const char **opaque;
	size_t opaque_count, more_series;
	size_t series_count;
	/* With all series and their statistics by step; else, for templates, so many series. */
	bool whole;
	size_t series_shown;
	bool grouped;

	rg_audit_run *runs; /* the audit's; NULL for what is not known */
	rg_audit_group *groups;
	size_t run_count, group_count;
	rg_audit_finding *findings; /* the worst first */
	size_t finding_count, finding_capacity;
	rg_audit_reason *reasons;
	size_t reason_count;

	rg_audit_golden *goldens; /* the worst first */
	size_t golden_count, measured_goldens, relied;
	rg_audit_tally goldens_held, relied_held;
	rg_audit_later later;
	double may_differ; /* NaN: no golden agrees to the bit */

	rg_audit_lines overall, metrics, deterministic_metrics, family_members;
	bool told_apart;
	size_t deterministic;
	double deterministic_bound;
	struct {
		size_t any, missing, other_steps, nonfinite;
	} left_out;
	struct {
		double half; /* NaN: half of the series have too few runs to show any */
		size_t none, of;
	} smallest;
	rg_audit_lack for_verdicts, for_tolerances;

	rg_audit_entry *entries;
	const rg_audit_entry **by_family;
	rg_audit_kin *families; /* by their most interesting series, then the largest first */
	size_t family_count;
	bool *odd; /* by run: an outlier in most of its series */
	rg_audit_page *page;
	rg_arena arena;
} rg_audit_facts;

/* `columns` NULL: without what a page draws. Released whatever comes. */
void rg_audit_facts_make(rg_audit_facts *out, const rg_audit *audit,
			 const rg_column_context *columns);
void rg_audit_facts_release(rg_audit_facts *facts);

/* Its parts, in this order: report/audit_series.c, audit_findings.c, audit_figures.c. */
void rg_audit_find_series(rg_audit_facts *facts);
void rg_audit_find_findings(rg_audit_facts *facts);
void rg_audit_find_page(rg_audit_facts *facts);

/* The family of a metric, in the arena. */
char *rg_audit_family(rg_arena *arena, const char *metric);
rg_audit_tolerance rg_audit_tolerance_of(const rg_tolerance *tolerance);
/* The chance of a break's p; NaN where runs hang together: nothing bounds it, and no break counts
 * as one. */
double rg_audit_chance(const rg_audit *audit, double p);
/* NULL: the sources are not told apart. */
const rg_components *rg_audit_told(rg_arena *arena, const rg_components *sources);
const char *rg_audit_group_name(const rg_audit_facts *facts, size_t group);
/* By row: the run's figure that a tolerance is held to, or the mean over its steps. */
const double *rg_audit_row_values(const rg_figures *figures);
/* The tolerance that a series can be held to; NULL: none holds. */
const rg_tolerance *rg_audit_held_tolerance(const rg_audit_series *series);

/* Limits of a page: series in the table, which have a letter for each run, and the runs, the
 * newest, of a trend, a figure and the map. */
enum { RG_AUDIT_ROWS = 4000, RG_AUDIT_RUNS = 100 };

extern const rg_json_field rg_audit_page_fields[];
/* A row of a series' runs, a letter each, and which of them are outliers. */
void rg_audit_put_trend(rg_json_out *json, const void *of_entry, const void *of_facts);
void rg_audit_put_odd(rg_json_out *json, const void *of_entry, const void *of_facts);

#endif
