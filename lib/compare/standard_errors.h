/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_STANDARD_ERRORS_H
#define REGILD_COMPARE_STANDARD_ERRORS_H

#include "golden/golden.h"

/* The largest |old - new| of two series' common steps in standard errors of that difference, which
 * the files themselves give (lm-evaluation-harness); NaN where they give none. */
double rg_standard_errors(const rg_metric *old, const rg_metric *fresh);

#endif
