/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_WHOLE_TESTS_H
#define REGILD_COMPARE_WHOLE_TESTS_H

#include "golden/golden.h"

/*
 * Gives the results of tests as a whole (golden/backend_report.h) to each of their subtests that
 * the other side has: a process that crashed failed them all. Goldens without such results stay as
 * they are. Either may be NULL.
 */
void rg_whole_tests_spread(rg_golden *old, rg_golden *fresh);

#endif
