/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_SUMMARY_H
#define REGILD_STORY_SUMMARY_H

#include "audit/new_runs.h"
#include "base/buf.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/optional.h"
#include "compare/gate.h"
#include "compare/policy.h"
#include "compare/row.h"
#include "story/golden_name.h"

#include <cJSON.h>
#include <stdbool.h>

/*
 * The outcome of a refresh, golden by golden, for the reports of what changed since: made by
 * rg_refresh_init, rg_refresh_add of all goldens and of what is missing, then rg_refresh_sort.
 */
typedef enum {
	RG_REFRESH_UPDATED,
	RG_REFRESH_NEW,
	RG_REFRESH_UNCHANGED, /* the tree had the run's bytes already, or a variant with its values
			       */
	RG_REFRESH_HELD,      /* by a guard */
	RG_REFRESH_LEFT_OUT,  /* the caller did not want it */
	RG_REFRESH_MISSING,   /* the run should have it, and it did not come */
	RG_REFRESH_GONE,      /* the run makes it no longer; it stays in the tree */
	RG_REFRESH_OUTCOMES
} rg_refresh_outcome;

/* "updated", "held back", … */
extern const char *const rg_refresh_names[RG_REFRESH_OUTCOMES];

typedef struct {
	rg_refresh_outcome outcome;
	const char *name; /* the path from the repository's root; of what is missing, the job */
	const char *why;  /* held back, missing, or unchanged for a variant; else NULL */
} rg_refresh_item;

typedef struct {
	rg_refresh_item *items;
	size_t count, capacity;
	size_t counts[RG_REFRESH_OUTCOMES];
	rg_arena arena;
} rg_refresh;

void rg_refresh_init(rg_refresh *refresh);
void rg_refresh_release(rg_refresh *refresh);
/* Copies the texts; `why` may be NULL. */
void rg_refresh_add(rg_refresh *refresh, rg_refresh_outcome outcome, const char *name,
		    const char *why);

/* Goldens by name, then what is missing. */
void rg_refresh_sort(rg_refresh *refresh);

/* Are its bytes in the working tree the run's? */
bool rg_refresh_is_from_run(const rg_refresh *refresh, const char *path);
/* Is the file's change somebody's own, and not the run's? Never without a refresh (NULL). */
bool rg_refresh_is_own(const rg_refresh *refresh, const char *path);

/* Its keys, in the list "goldens" of JSON. */
extern const rg_json_field rg_coverage_golden_fields[];

/* Goldens were taken from one of several runs that were fetched. */
typedef struct {
	const char *take; /* "median-run" or "first"; NULL: there was but one run */
	rg_texts runs;    /* their ids */
	rg_texts missed;  /* what is wrong with each that could not be fetched */
} rg_among;

/* The keys of that, in JSON. */
extern const rg_json_field rg_among_fields[];

/* From a run's page to others of its repository: their addresses begin with the first `length`
 * bytes of the run's and `between`, "https://HOST/OWNER/NAME" and "", or on GitLab
 * "https://HOST/GROUP/PROJECT" and "/-". */
typedef struct {
	int length; /* 0: it is not a run's page */
	const char *between;
	bool gitlab;
} rg_run_page;

/* `url` may be NULL. */
rg_run_page rg_run_page_of(const char *url);

/*
 * Rows of test results are of one step each, and there are many for each test: people
 * are told of tests by lists (report/format_hooks.h) and by counts instead.
 */
bool rg_is_test_row(const rg_comparison *comparison, const rg_row *row);

typedef struct {
	bool any; /* there are such rows */
	size_t newly_failing, crashed, gone, undelegated, lower_snr;
	size_t worse; /* operators whose status is */
} rg_test_counts;

/* Counts what became of tests, in rows and gaps, and of operators. */
void rg_test_rows_count(rg_test_counts *out, const rg_comparison *comparison);
/* The comparison without such rows and gaps. Borrows texts; `out` is released, whatever comes back,
 * with rg_without_test_rows_release. */
void rg_without_test_rows(rg_comparison *out, const rg_comparison *comparison);
void rg_without_test_rows_release(rg_comparison *comparison);
/* The same of some of its files, one for each of `wanted`: of the others nothing is left. Also
 * released with rg_without_test_rows_release. */
void rg_comparison_subset(rg_comparison *out, const rg_comparison *comparison, const bool *wanted);

/* The origin of new goldens. Texts are as the CI's API gave them; NULL or 0: not known. */
typedef struct {
	const char *id;   /* the run's number; NULL: there was no run */
	const char *from; /* the folder or archive that they came from instead, or NULL */
	const char *url, *commit, *branch;
	const char *fork; /* "OWNER/NAME" whose commit it is, where that is a fork; or NULL */
	const char *commit_note; /* "is not in HEAD's history"; NULL: it is */
	unsigned attempt;
	bool only_failing; /* its scope: jobs that failed, else all */
	const char *job;   /* its scope: that job alone, by its name; NULL: all */
	rg_among among;
} rg_run_facts;

/* The data that a summary for people, or the page, is made of. */
typedef struct {
	const rg_comparison *comparison;
	const rg_new_runs *new_runs;  /* NULL: there is but one new side */
	rg_test_counts tests;         /* of reports whose rows the comparison does not have */
	const rg_policy *policy;      /* may be NULL */
	const rg_gate_groups *broken; /* what broke a gate, worst first; may be NULL */
	rg_run_facts run;
	const char *old_side, *new_side;     /* "HEAD", "the working tree", a file's name */
	const char *old_commit, *new_commit; /* of a name that can move; NULL: none */
	const char *filter;                  /* what --filter keeps; NULL: all */
	bool only_review;                    /* … rows that need review */
	bool dry_run;                        /* the refresh was not made */
	bool alone;                          /* a file compared with nothing: no rows are told of */
	const rg_refresh *refresh;           /* what it did; NULL: nothing was refreshed */
	const char *command;                 /* NULL: left out */
	const char *message; /* the file that the commit message is written to; NULL: none */
	const char *root;    /* regild.root; NULL: files that are in no repository */
	const rg_column_context *context;
} rg_summary;

#endif
