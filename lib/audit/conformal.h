/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_CONFORMAL_H
#define REGILD_AUDIT_CONFORMAL_H

#include "base/error.h"

#include <stddef.h>

/*
 * Is one run of a series like the others? Full conformal prediction (Vovk, Gammerman, Shafer 2005,
 * chapter 2): all runs, the new one among them, get a score by one rule that does not know which of
 * them is new; the new one's rank among the scores is then uniform where the runs are exchangeable,
 * whatever their noise looks like.
 *
 * A run's relative deviations d are (value - centre) / centre from the median of all runs step by
 * step; steps with |centre| < near_zero do not count. Of these come three figures:
 *
 *   mean    |mean of d - median of the runs' means|
 *   shape   the root mean square of e / s over the steps, where e is d less the run's own median,
 *           and s the median of |e| over the runs at that step
 *   step    the largest |e / s|
 *
 * Each, less its median over the runs, is divided by its median deviation (MAD) over them; where
 * that is 0, as many runs as are lower take its place. The largest of the three is the run's score.
 */
typedef enum {
	RG_CONFORMAL_MEAN,
	RG_CONFORMAL_SHAPE,
	RG_CONFORMAL_STEP,
	RG_CONFORMAL_FIGURES
} rg_conformal_figure;

typedef struct {
	double score;
	rg_conformal_figure figure; /* the one that the score is */
	double mean;                /* of the relative deviations; NaN where no step counts */
	size_t from; /* the step, by position, from which on the shape differs most, or that differs
		      * most; 0 for the mean */
	/* Of all runs, so many have a score, or a mean as far out, that is at least this one's: the
	 * run itself is one of them. */
	size_t rank, mean_rank;
} rg_conformal_run;

/*
 * `values` are those of a run one after the other, runs * steps of them, all finite; `out` has room
 * for all runs. p of a run is rank / runs.
 */
void rg_conformal_rank(rg_conformal_run *out, const double *values, size_t runs, size_t steps,
		       double near_zero);

#endif
