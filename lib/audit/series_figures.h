/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_FIGURES_H
#define REGILD_AUDIT_FIGURES_H

#include "audit/dependence.h"
#include "audit/runs_table.h"

/*
 * The figures of one series over some of its runs. The run is the unit: its steps make one
 * deviation.
 *
 * The centre is the median of the runs step by step. A run's deviation is that of `compare`:
 * avg_rel_diff = mean((centre - value) / centre) over the steps with |centre| >= near_zero; its
 * size is mean(|centre - value| / |centre|). The steps are those that most runs have (of
 * equally many: the newest), less what further runs lack where these make up for it, so that there
 * are as many values. Runs that lack one of them have no deviation; they are counted, and are in
 * the statistics by step alone. A step where more than half of these runs are not finite has no
 * centre (NaN); a run that is not finite at a step that has one is counted and has no deviation.
 */
typedef struct {
	int64_t step;
	rg_sample sample; /* of the finite values; count 0 where there is none */
} rg_step_figures;

typedef struct {
	double min, median, p95, max; /* of the runs' sizes */
	double mad, std, low, high;   /* of the runs' signed deviations; MAD not scaled */
	int64_t widest_step;          /* where (max - min) / |centre| is largest */
	double widest;
} rg_spread;

typedef struct {
	rg_step_figures *steps; /* of every run's steps */
	size_t step_count;
	size_t finite_steps; /* of them, where some run is finite */
	int64_t *centre_steps;
	double *centre;
	size_t centre_count;
	size_t counted;     /* steps that deviations come from */
	double *deviations; /* by row of the metric; NaN where it has none */
	double *sizes;      /* by row; NaN where it has none */
	double *means;      /* by row: of its values at those steps; NaN where it has none */
	/* By row, as means: what a tolerance by median or by maximum is held to; NULL by step. */
	double *figures;
	double magnitude;     /* of the centre: the mean of its |value| at those steps */
	bool *rows_common;    /* by row: looked at, with the steps that most have */
	bool *rows_nonfinite; /* by row: of these, not finite where others are */
	size_t runs;          /* rows that were looked at */
	size_t other_steps;   /* of them, with other steps */
	size_t nonfinite;     /* of them, not finite where others are */
	size_t measured;      /* of them, with a deviation */
	size_t patterns;      /* distinct bit patterns; 0 where no run has a step */
	/* The values of the newest rows that have the common steps and are finite where others are,
	 * as rg_rows_pack has them; and by row, which these are: those that are looked at, and from
	 * a row on all others. NULL where nothing is kept by step. */
	const void *packed;
	size_t packed_size;
	const bool *rows_packed;
	/* The scores that these have beside the values that most of them have, whose score is the
	 * last, and what they differ by as a rule (rg_conformal_rank). NULL: no two are equal, or
	 * one is not finite. */
	const double *scores;
	double usual;
	bool deterministic; /* two runs or more, all alike to the bit, and finite at some step */
	rg_spread spread;   /* NaN where measured is 0 */
	rg_dependence dependence; /* of the deviations, in the runs' order */
	rg_tolerance tolerance;
} rg_figures;

/* `use` says for each row whether to look at it; NULL: all. From the row `packed_from` on, those
 * that are not looked at are packed too. What `out` has by run lives in `arena`, its steps in
 * `by_step`, and its centre and packed values in `by_value`; NULL keeps none of these. */
RG_CHECKED rg_error *rg_figures_make(rg_figures *out, rg_arena *arena, rg_arena *by_step,
				     rg_arena *by_value, const rg_runs_metric *metric,
				     const bool *use, size_t packed_from, double near_zero,
				     const rg_tolerance_options *options);

/* So many runs' values say all that is known of the noise. */
#define RG_FIGURES_PACKED_MAX 50
/* And at most so many bytes. */
#define RG_FIGURES_PACKED_BYTES ((size_t)256 << 20)

/* All of the spread but where it is widest, from runs' signed deviations and their sizes, which it
 * reorders. */
void rg_spread_describe(rg_spread *spread, double *deviations, double *sizes, size_t count);

#endif
