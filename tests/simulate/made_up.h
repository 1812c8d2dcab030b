/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SIMULATE_MADE_UP_H
#define REGILD_TESTS_SIMULATE_MADE_UP_H

#include "audit/audit.h"
#include "audit/verdict.h"

enum {
	MADE_UP_RUNS = 51,
	MADE_UP_SERIES = 40,
	MADE_UP_FILES = 300,
	MADE_UP_VALUES = 1200,
};

/* A golden's name in the folder of its test, t000, t001 … */
#define MADE_UP_NAME "golden_values.json"

/* Runs of goldens, made up. */
typedef struct {
	size_t runs;
	/* files * series * steps is at most MADE_UP_VALUES; no files: one */
	size_t files, series, steps;
	double values[MADE_UP_RUNS][MADE_UP_VALUES]; /* file by file, series by series */
	bool lacks[MADE_UP_RUNS][MADE_UP_FILES];     /* the run has no such golden */
} made_up;

/* Audits them as `regild audit` does. */
RG_CHECKED rg_error *made_up_audit(rg_audit *out, made_up *from);

/* What `regild compare` says of one more run, by the model that the audit of the others leaves:
 * goldens that did not change have no rows. */
typedef struct {
	rg_run_verdict run;
	rg_verdict_kind first; /* of the first series' row */
	bool first_stands_out;
	bool moved_stands_out; /* the row of the last golden's first series */
	size_t rows, outside, stand_out;
} made_up_verdict;

RG_CHECKED rg_error *made_up_judge(made_up_verdict *out, made_up *runs, const double *golden,
				   const double *fresh, double level);

#endif
