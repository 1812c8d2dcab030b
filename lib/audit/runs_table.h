/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_RUNS_TABLE_H
#define REGILD_AUDIT_RUNS_TABLE_H

#include "audit/tolerance.h"
#include "base/error.h"
#include "base/memory.h"
#include "golden/golden.h"

/*
 * One golden over all runs: for each of its series, each run's values.
 */

/* Steps that at least one run has, ascending. */
typedef struct {
	const int64_t *steps;
	size_t count;
	uint64_t hash;
} rg_step_set;

typedef struct {
	size_t run;
	size_t steps; /* which rg_step_set */
	const double *values;
	uint64_t bits; /* a hash of steps and values: the same for runs that agree to the bit */
	double figure; /* rg_tolerance_figure; NaN by step */
} rg_runs_row;

typedef struct {
	const char *name;
	/* Made here out of an inference golden's requests ("latency" of "0/latency", "32/latency"
	 * …): steps 0 and 1 are called "mean" and "total". */
	bool derived;
	rg_tolerance_kind kind;
	rg_step_set *sets;
	size_t set_count, set_capacity;
	rg_runs_row *rows; /* in the runs' order */
	size_t row_count, row_capacity;
} rg_runs_metric;

typedef struct {
	rg_runs_metric **metrics; /* by name */
	size_t count, capacity;
	size_t runs; /* that were added */
	int64_t start_step;
	int64_t *counted; /* 0, 1, 2 …: the steps of series that have none of their own */
	size_t counted_count, counted_capacity;
	rg_arena arena;
} rg_runs_table;

void rg_runs_table_init(rg_runs_table *table, int64_t start_step);
void rg_runs_table_release(rg_runs_table *table);
/* Takes a run's golden in; runs come in ascending order, each once. The golden may go afterwards.
 * Texts and tokens are left out: they have no spread. */
RG_CHECKED rg_error *rg_runs_table_add(rg_runs_table *table, size_t run, const rg_golden *golden);

/* The name of a step of a derived metric. */
const char *rg_derived_step_name(int64_t step);

#endif
