/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_VERDICT_H
#define REGILD_AUDIT_VERDICT_H

#include "audit/model.h"
#include "compare/row.h"

/*
 * The verdict of a noise model on new values. They are ranked among the n measured runs by
 * rg_conformal_rank: were they one more of the same kind, they would be as far out in at most a
 * share p of cases, whatever the noise looks like.
 *
 * within        not that far out, or equal to the bit to all runs;
 * outside       p is at or under the level; not finite where all runs are; or further out than all
 *               runs by rg_conformal_clearly times their range (p is said);
 * inconclusive  further out than all runs, which are too few for the level;
 *               or which drift: then nothing is known of p, and there are no scores. What is not
 *               further out than all runs is within, and so is what is, but not with the trend
 *               of their means taken out of all runs, the new one too;
 * unmeasured    the model does not have it, or no step of it at which all runs are finite.
 */
#define RG_VERDICT_LEVEL 0.1

typedef struct {
	const rg_noise_model *model;
	double level; /* in (0, 1] */
	/* Does the comparison take it? NULL: the sides are two files, and have nothing else. */
	bool (*takes)(const void *taker, const char *file, const char *metric);
	const void *taker;
} rg_noise_judge_context;

/* `old`: the golden's metric, for its scores; may be NULL. The text and the scores go into `arena`.
 * RG_E_PARSE for values in the model that cannot be read, or what reading the metric
 * says. */
RG_CHECKED rg_error *rg_noise_judge(rg_verdict *out, rg_arena *arena,
				    const rg_noise_judge_context *judge, const char *file,
				    const rg_metric *metric, const rg_metric *old,
				    double near_zero);

/* Judges the rows of the file that was added last, and its metrics none of whose steps count; while
 * its sides are at hand. */
RG_CHECKED rg_error *rg_noise_judge_rows(const rg_noise_judge_context *judge,
					 rg_comparison *comparison, const rg_golden *old,
					 const rg_golden *fresh);

/*
 * The one test of a run, once all rows have their scores: fills in the comparison's `run`, and
 * which rows show it.
 *
 * First, rows that too few runs measured for the level: where several goldens have the metric, the
 * new run's rows are ranked among all runs of all these rows. The deviations' mean and size are
 * divided by what they are as a rule in the row and in all of them; each row counts once, however
 * many runs it has. Were the new run one more of the same kind, in at most a share p of the rows it
 * would be as far out: on the whole, whatever goldens differ by.
 *
 * Of the n measured runs and the new one, each has three figures over all rows that the same runs
 * measured: the largest score of any row, the largest sum of logarithms of scores over the rows of
 * one metric, and in how many rows it is as far out as the level has it. Each figure is
 * standardised as those of a row are (audit/conformal.h), and the largest of them is what the n + 1
 * runs are ranked by: whatever rows have to do with each other they have in all runs alike
 * (Westfall, Young 1993). So it is for the golden in the new run's place.
 *
 * Goldens that the comparison leaves out because nothing changed have no rows. Where runs agree to
 * the bit as a rule they count, with the values that most runs have: else a run would be held
 * against the others in those rows alone in which it differs.
 *
 * Rows of other runs are further strata, which share the level; those of too few runs are in none.
 */
RG_CHECKED rg_error *rg_noise_judge_run(rg_comparison *comparison,
					const rg_noise_judge_context *judge);

/*
 * Says of each row whether it stands out, after the tests. An answer "noise" becomes "cannot be
 * told" if a row that was not tested is outside all of its own runs and over its flag level. Called
 * by rg_noise_judge_run. RG_E_PARSE for values in the model that cannot be read.
 */
RG_CHECKED rg_error *rg_noise_mark_rows(rg_comparison *comparison,
					const rg_noise_judge_context *judge);

#endif
