/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_VERDICT_H
#define REGILD_AUDIT_VERDICT_H

#include "audit/model.h"
#include "compare/row.h"

/*
 * What a noise model says about new values. They are ranked among the n measured runs by
 * rg_conformal_rank: were they one more of the same kind, they would be as far out in at most a
 * share p of cases, whatever the noise looks like.
 *
 * within        not that far out, or equal to the bit to all runs;
 * outside       p is at or under the level; not finite where all runs are; or further out than all
 *               runs by ten times their range, however few they are (p is said);
 * inconclusive  further out than all runs, which are too few for the level;
 *               or which drift: then nothing is known of p, there are no ranks, and what is not
 *               further out than all runs is within;
 * unmeasured    the model does not have it, or the steps are others, or all values are near zero.
 */
#define RG_VERDICT_LEVEL 0.1

/* `level` in (0, 1]. The text and the ranks go into `arena`. RG_E_PARSE for values in
 * the model that cannot be read, or what reading the metric says. */
RG_CHECKED rg_error *rg_noise_judge(rg_verdict *out, rg_arena *arena, const rg_noise_model *model,
				    double level, const char *file, const rg_metric *metric,
				    double near_zero);

typedef struct {
	const rg_noise_model *model;
	double level;
} rg_noise_judge_context;

/* Judges the rows of the file that was added last; while its new side is at hand. */
RG_CHECKED rg_error *rg_noise_judge_rows(void *context, rg_comparison *comparison,
					 const rg_golden *fresh);

/* Judges the run as a whole, once all rows have their verdicts: fills in the comparison's `run`,
 * and which rows stand out. */
void rg_noise_judge_run(rg_comparison *comparison, double level);

#endif
