/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_NEW_RUNS_H
#define REGILD_AUDIT_NEW_RUNS_H

#include "audit/changepoint.h"
#include "audit/model.h"
#include "compare/row.h"

/*
 * Several new runs beside one baseline. Each run's mean of a metric, over the steps that all of
 * them are compared at, is compared with those of the noise model's runs; where it has none, with
 * the baseline's alone. The runs are the unit, not their steps.
 */

/* How often so many older and newer values, drawn alike, have ranks that lie as unevenly: exact,
 * over all ways to part these very values, ties among them (Mann, Whitney 1947). 1 where one side
 * has none. */
double rg_rank_test(const double *older, size_t older_count, const double *newer,
		    size_t newer_count);
/* How many more newer values bring the least p that so many have down to the level, 9999 at most;
 * 0: none. */
size_t rg_rank_test_missing(size_t older_count, size_t newer_count, double level);

typedef enum {
	RG_NEW_RUNS_MOVED,     /* p is at or under the level */
	RG_NEW_RUNS_UNDECIDED, /* p could not have been, for so few runs */
	RG_NEW_RUNS_ALIKE,     /* neither */
	RG_NEW_RUNS_UNTESTED,  /* the measured runs drift, so that ranks among them bound nothing */
	RG_NEW_RUNS_VERDICTS
} rg_new_runs_verdict;
extern const char *const rg_new_runs_verdict_names[RG_NEW_RUNS_VERDICTS];

typedef struct {
	const char *file, *metric;
	double old_mean;
	size_t runs;   /* all of them */
	double *means; /* of each run; NaN: it has not the metric, or other steps, or not finite */
	size_t count;  /* of those that it has; over 0 */
	size_t measured; /* runs of the noise model that they are compared with; 0: the baseline */
	rg_shift shift;
	double p;       /* NaN: untested */
	size_t missing; /* RG_NEW_RUNS_UNDECIDED: so many more runs could decide it */
	rg_new_runs_verdict verdict;
} rg_new_runs_row;

typedef struct {
	const char **labels; /* the runs' */
	uint64_t *ids;       /* … where they are known, else 0 */
	size_t runs;         /* 0: there is but one new side, and nothing is filled in */
	double level;
	rg_new_runs_row *rows; /* moved ones first, by p, then by the shift in shares of old_mean */
	size_t row_count;
	size_t counts[RG_NEW_RUNS_VERDICTS];
	bool *is_part;             /* of each run: as rg_new_run has it */
	struct rg_new_mean *means; /* what has been added */
	size_t mean_count, mean_capacity;
	rg_arena arena;
} rg_new_runs;

typedef struct {
	const char *label; /* copied */
	uint64_t id;       /* 0: not known */
	/* It has some of the goldens: those that its comparison lists, and in `has` those that are
	 * the baseline's. Else it has all, and what is not listed is the baseline's. */
	bool is_part;
	const char *const *has;
	size_t has_count;
} rg_new_run;

/* For so many runs, over 1. Released whatever comes back. */
void rg_new_runs_init(rg_new_runs *out, size_t runs, double level);
void rg_new_runs_release(rg_new_runs *runs);
/* The run at that place, compared with the baseline of all. RG_E_USAGE where its id is another
 * one's, too: a run counts once. */
RG_CHECKED rg_error *rg_new_runs_add(rg_new_runs *runs, size_t place, const rg_new_run *run,
				     const rg_comparison *comparison);
/* Once all are added: makes the rows. `model` may be NULL. */
RG_CHECKED rg_error *rg_new_runs_judge(rg_new_runs *runs, const rg_noise_model *model);
/* Once judged, the place of the run in the middle: of those that `may` names (NULL: all), the one
 * whose ranks are nearest to the middle one, all rows that every run has together; the first of
 * equals. *rows gets how many rows these are. */
size_t rg_new_runs_middle(const rg_new_runs *runs, const bool *may, size_t *rows);

#endif
