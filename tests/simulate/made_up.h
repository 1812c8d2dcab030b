/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SIMULATE_MADE_UP_H
#define REGILD_TESTS_SIMULATE_MADE_UP_H

#include "audit/audit.h"

enum { MADE_UP_RUNS = 24, MADE_UP_SERIES = 40, MADE_UP_VALUES = 60 };

/* Runs of one golden, made up. */
typedef struct {
	size_t runs, series, steps;                  /* series * steps is at most MADE_UP_VALUES */
	double values[MADE_UP_RUNS][MADE_UP_VALUES]; /* series by series */
	char names[MADE_UP_SERIES][8];
} made_up;

#define MADE_UP_FILE "golden.json"

/* Audits them as `regild audit` does. */
RG_CHECKED rg_error *made_up_audit(rg_audit *out, made_up *from);

#endif
