/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_CONFORMAL_H
#define REGILD_AUDIT_CONFORMAL_H

#include "base/error.h"
#include "base/median.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Is one run of a series like the others? Full conformal prediction (Vovk, Gammerman, Shafer 2005,
 * chapter 2): all runs, the new one among them, get a score by one rule that does not know which of
 * them is new; the new one's rank among the scores is then uniform where the runs are exchangeable,
 * whatever their noise looks like.
 *
 * A run's deviations d from the median of all runs, the centre, are relative, step by step:
 * (centre - value) / centre. Where |centre| < near_zero they are in units of what the runs are off
 * there as a rule, or where at most one is off at all, what that one is, 1 at least. "As a rule" is
 * the mean over all runs but the one that is off most. Of these come four figures:
 *
 *   mean    |mean of the relative d - median of the runs' means|
 *   slope   |slope of the relative d over the steps - median of the runs' slopes|
 *   shape   the root mean square of z over the steps: e is d less the run's own median of the
 *           relative ones, over the usual |e| of the runs at that step; z is that over its usual
 *           size, 20 at most, at all steps of all runs, where it has the same sign
 *   step    the largest |z|
 *
 * Each, less its median over the runs, is divided by what it usually is off that. "Usually" is the
 * mean but for the largest fifth of the runs. Where s or a divisor is 0 because most runs agree to
 * the bit, what the runs' d are as a rule takes its place, and at least RG_CONFORMAL_FLOOR: so the
 * size of a deviation counts, however rare any is. Of shape and step, which are large more often
 * than normal values are, the same of log(1 + …) counts, no z in the shape's being over 20, or half
 * of theirs where that is more, or 20 less than theirs. The largest of the four is the run's score.
 * A run whose d as a whole is past all others' by rg_conformal_clearly times their range has the
 * largest score in any case.
 */
#define RG_CONFORMAL_FLOOR 0x1p-46 /* 64 ulps */

typedef enum {
	RG_CONFORMAL_MEAN,
	RG_CONFORMAL_SLOPE,
	RG_CONFORMAL_SHAPE,
	RG_CONFORMAL_STEP,
	RG_CONFORMAL_FIGURES
} rg_conformal_figure;

typedef struct {
	double score;
	rg_conformal_figure figure; /* the one that is largest, logarithms aside */
	double mean;                /* of the relative deviations; NaN where there is none */
	double size;                /* their root mean square */
	size_t from; /* the step, by position, from which on the shape differs most, or that differs
		      * most; 0 for the mean */
	bool before; /* the shape differs at the steps before that, and as good as not from it on */
	/* So many runs have a score that is at least this one's: itself is one of them. */
	size_t rank;
} rg_conformal_run;

/*
 * `values` are those of a run one after the other, runs * steps of them, all finite; `out` has room
 * for all runs. p of a run is rank / runs. *usual is what the runs' d are as a rule, the root mean
 * square of a run's: under RG_CONFORMAL_FLOOR, all but one agree.
 */
void rg_conformal_rank(rg_conformal_run *out, double *usual, const double *values, size_t runs,
		       size_t steps, double near_zero);

/* The same, with `from` and `before` of the last run alone, which take time to find; `middles` of
 * the other runs, by step, spare some more; or NULL. */
void rg_conformal_rank_last(rg_conformal_run *out, double *usual, const double *values, size_t runs,
			    size_t steps, double near_zero, const rg_middle *middles);

/* So many times the range of `others` runs a run has to be past them to be clearly another, however
 * few they are. The range of two or three is often small by chance: of 240 rows like their runs 23
 * were 10 ranges past two, and 8 past three. Infinite for one. */
double rg_conformal_clearly(size_t others);

/* How far runs are off: each one's root mean square of relative deviations from the runs' median,
 * at steps at which all are finite and whose median is near_zero or more. *seen is the largest of
 * the first runs - 1 of them, *off that of the last, which has no part in the median. `middles` as
 * for rg_conformal_rank_last, if all of these are finite. */
void rg_conformal_off(double *seen, double *off, const double *values, size_t runs, size_t steps,
		      double near_zero, const rg_middle *middles);

/* The run whose size is past all others' by rg_conformal_clearly times their range; `runs` where
 * there is none. */
size_t rg_conformal_clear(const double *sizes, size_t runs);

#endif
