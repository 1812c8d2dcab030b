/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_DIRECTION_H
#define REGILD_COMPARE_DIRECTION_H

#include "compare/policy.h"
#include "compare/row.h"

/* The measure that words go by: "slower" and "faster" are for durations alone. Either
 * side may be NULL. The settings say so, else a unit; a series with a negative value is no
 * duration. */
rg_measure rg_measure_of(const rg_metric_policy *policy, const rg_metric *old,
			 const rg_metric *fresh);

/* Fills which way the row's steps went, and of durations and rates the median step. Its measure and
 * n_steps are known; `policy` has the steps that are looked at. */
void rg_direction_fill(rg_row *row, const rg_metric *old, const rg_metric *fresh,
		       const rg_metric_policy *policy);

#endif
