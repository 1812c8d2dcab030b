/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SIMULATE_PIPELINE_H
#define REGILD_TESTS_SIMULATE_PIPELINE_H

#include "simulate/made_up.h"

/*
 * The same through the program itself: the runs are written as folders of goldens, `regild audit`
 * makes a model of them, and `regild compare` judges by it, with a gate whose exit code is held to
 * be what its first sentence says.
 */

/* `program`: regild. */
RG_CHECKED rg_error *pipeline_open(const char *program);
void pipeline_close(void);
/* RG_E_CONFLICT where what is said is not `expected`, or is not what the exit code says. */
RG_CHECKED rg_error *pipeline_check(const made_up_verdict *expected, const made_up *runs,
				    const double *golden, const double *fresh, double level);

#endif
