/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_PAIR_FIGURES_H
#define REGILD_COMPARE_PAIR_FIGURES_H

#include "base/sum.h"
#include "compare/step_ranges.h"
#include "compare/nonfinite.h"
#include "compare/pair_chunk.h"
#include "compare/pair_kernel.h"
#include "compare/score.h"

/*
 * The one loop for all figures of two metrics. A source hands over chunks:
 *
 *	rg_pair_figures_begin(&figures, &scratch, &setting);
 *	… rg_pair_figures_add(&figures, &scratch, &chunk) …
 *	rg_pair_figures_end(&figures, &scratch);
 *	… the figures are complete …
 *	rg_pair_figures_release(&figures);
 *
 * Figures of the parts of a tensor, in order, are joined into those of the whole.
 */

/* The settings for all chunks. */
typedef struct {
	const rg_metric_policy *policy; /* with first_step and last_step, not last_steps */
	rg_left_steps *left; /* collects the steps that do not count; NULL: nobody asks */
	/* Both sides' values are multiplied by 2 to these powers before they are summed; 0 but for
	 * tensors whose squares leave the range of doubles. */
	int old_exponent, new_exponent;
	/* Differences and sums are RG_SCALE times what they are, added one by one: for those that
	 * leave the range of doubles although no value does. */
	bool scaled;
} rg_pair_setting;

/* Elements under way, of a chunk and of the sums. */
typedef struct {
	rg_lane_sums lanes;
	double old[RG_CHUNK], fresh[RG_CHUNK]; /* a chunk's values as doubles, then zeros */
	bool converted;
	/* For wide types: fresh - old exceeds the doubles' difference by `more`. */
	bool wide;
	double more[RG_CHUNK];
	size_t place; /* of the next step among all of both sides */
} rg_pair_scratch;

/* The first counts of several largest or different pairs. */
typedef struct {
	const rg_pair_setting *setting;
	rg_sum sums[RG_SUMS];
	size_t finite, counted, above_zero, mismatches;
	size_t unscored;  /* of mismatches, those whose old value is not finite */
	size_t differing; /* pairs of different values, mismatches among them */
	rg_left_out left_out;
	rg_too_small too_small;
	rg_from_zero from_zero;
	size_t lost, gained;     /* of the steps looked at, those on one side only */
	double max_abs, max_rel; /* -1: none yet */
	double max_rel_any;      /* relative to any finite |old|: infinite where a 0 changed */
	int64_t max_abs_at, max_rel_at;
	bool differs; /* a pair that is looked at, in its own bits */
	bool differs_elsewhere;
	size_t nonfinite_elsewhere; /* pairs not looked at: rg_nonfinite_is_news */
	int64_t first_diff;
	uint64_t max_ulps; /* of finite pairs, in their own type */
	rg_score score;
} rg_pair_figures;

void rg_pair_figures_begin(rg_pair_figures *out, rg_pair_scratch *scratch,
			   const rg_pair_setting *setting);
void rg_pair_figures_add(rg_pair_figures *figures, rg_pair_scratch *scratch,
			 const rg_pair_chunk *chunk);
void rg_pair_figures_end(rg_pair_figures *figures, const rg_pair_scratch *scratch);
/* Adds the figures of a part that follows. */
void rg_pair_figures_join(rg_pair_figures *figures, const rg_pair_figures *part);
void rg_pair_figures_release(rg_pair_figures *figures);

#endif
