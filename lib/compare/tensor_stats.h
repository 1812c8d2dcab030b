/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_TENSOR_STATS_H
#define REGILD_COMPARE_TENSOR_STATS_H

#include "compare/pair_figures.h"

/*
 * What people read of two tensors: norms, SNR, cosine, the worst element.
 *
 * Squares of values beyond some 1e75, or under 1e-68, leave the range of doubles. Such tensors are
 * gone through again, multiplied by powers of two, as BLAS's dnrm2 does it:
 *
 *	if (rg_tensor_powers(&powers, &figures)) {
 *		… figures of both sides times 2^powers.err: `err` …
 *		… figures of each side times its own power: `refs` …
 *	}
 *	rg_tensor_stats_make(&stats, arena, &figures, &powers, &err, &refs, old, fresh)
 */
typedef struct {
	int err, old, fresh; /* all 0: the figures are as good as they can be */
} rg_tensor_powers;

bool rg_tensor_powers_find(rg_tensor_powers *out, const rg_pair_figures *figures);

/* `err` and `refs` have the sums; where no power is needed, both are `figures`. The result is in
 * `arena`. */
const rg_tensor_stats *rg_tensor_stats_make(rg_arena *arena, const rg_pair_figures *figures,
					    const rg_tensor_powers *powers,
					    const rg_pair_figures *err, const rg_pair_figures *refs,
					    const rg_metric *old, const rg_metric *fresh);

#endif
