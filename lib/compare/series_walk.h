/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_SERIES_WALK_H
#define REGILD_COMPARE_SERIES_WALK_H

#include "compare/pair_chunk.h"

typedef rg_error *rg_chunk_fn(void *context, const rg_pair_chunk *chunk);

/*
 * Walks two series side by side in ascending steps and calls `take` with each stretch of steps that
 * both have (as doubles, RG_CHUNK at most) or that one of them has alone. Series that are not in
 * memory are read through a small window. An error ends the walk and is returned.
 */
RG_CHECKED rg_error *rg_series_walk(const rg_metric *old, const rg_metric *fresh, rg_chunk_fn *take,
				    void *context);

/* Raises *first_step so that only the last `count` steps on both sides up to `last_step` are left.
 */
void rg_series_narrow(const rg_metric *old, const rg_metric *fresh, size_t count,
		      int64_t *first_step, int64_t last_step);

#endif
