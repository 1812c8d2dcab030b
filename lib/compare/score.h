/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_SCORE_H
#define REGILD_COMPARE_SCORE_H

#include "base/sum.h"
#include "compare/pair_chunk.h"
#include "compare/policy.h"
#include "compare/row.h"
#include "golden/dtype.h"

#include <stdint.h>

/* The one figure that a policy's levels are compared with, gathered chunk by chunk. */
typedef struct {
	const rg_metric_policy *policy;
	rg_dtype dtype;  /* of the values */
	rg_sum relative; /* with a floor or a direction; RG_SCALE times what they are */
	size_t relative_count;
	/* The largest so far, of relative ones of those that count and of the others, and in both
	 * directions; NaN: none yet. */
	double worst, worst_small, largest;
	bool differs;        /* exact, of some steps only: one that was added, or is alone, does */
	double *old, *fresh; /* aggregates: all steps that are finite on both sides */
	size_t count, old_capacity, fresh_capacity;
} rg_score;

void rg_score_init(rg_score *score, const rg_metric_policy *policy);
void rg_score_release(rg_score *score);
/* False where the row's own figures are enough. */
bool rg_score_needs_pairs(const rg_metric_policy *policy);
/* Adds a chunk, whose values as doubles are `old` and `fresh`; fresh - old is by `more` larger than
 * theirs (NULL: by nothing). */
void rg_score_add(rg_score *score, const rg_pair_chunk *chunk, const double *old,
		  const double *fresh, const double *more);
/* Adds what a later part has gathered. */
void rg_score_join(rg_score *score, const rg_score *part);
/* Sets the row's moved, score, level and fail_at; its other figures are there. */
void rg_score_finish(rg_score *score, rg_row *row);

/* The score over which a row breaks a gate, as one does that differs and has none; NaN: none. */
double rg_score_fail_level(const rg_metric_policy *policy);

/* For exact rows: `kind = exact` fails one that is not identical, nothing else has a level. */
void rg_score_exact(const rg_metric_policy *policy, rg_row *row);

/*
 * The distance of two doubles in values of a type, which means of its values may lie between: they
 * are rounded to it first. +0 and -0 are 0 apart. Neither is NaN. Values as they are stored have
 * rg_pair_kernel's functions.
 */
uint64_t rg_ulps_between(rg_dtype dtype, double a, double b);

#endif
