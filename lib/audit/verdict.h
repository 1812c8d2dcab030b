/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_VERDICT_H
#define REGILD_AUDIT_VERDICT_H

#include "audit/model.h"
#include "compare/row.h"

/*
 * What a noise model says about a new value. The new run's avg_rel_diff against the centre is held
 * against the range of the n measured runs: were it one more of the same kind, it would lie outside
 * in at most 2 / (n + 1) of cases, whatever the noise looks like, unless it is as wide as the
 * values themselves (rg_noise_series.bounded): then no bound is given.
 *
 * within        inside the range;
 * outside       beyond it, not finite where all runs are, or another bit where all runs agree;
 * inconclusive  2 / (n + 1) is over the level asked for;
 * unmeasured    the model does not have it, or the steps are others.
 */
#define RG_VERDICT_LEVEL 0.1

/* `level` in (0, 1]. The text goes into `arena`. RG_E_NOMEM, or what reading the metric says. */
RG_CHECKED rg_error *rg_noise_judge(rg_verdict *out, rg_arena *arena, const rg_noise_model *model,
				    double level, const char *file, const rg_metric *metric);

typedef struct {
	const rg_noise_model *model;
	double level;
} rg_noise_judge_context;

/* Judges the rows of the file that was added last; while its new side is at hand. */
RG_CHECKED rg_error *rg_noise_judge_rows(void *context, rg_comparison *comparison,
					 const rg_golden *fresh);

#endif
