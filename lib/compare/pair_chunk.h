/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_PAIR_CHUNK_H
#define REGILD_COMPARE_PAIR_CHUNK_H

#include "compare/tensor_pair.h"

/* Which sides have the steps of a chunk. */
typedef enum { RG_BOTH_SIDES, RG_OLD_ONLY, RG_NEW_ONLY } rg_chunk_side;

/*
 * Consecutive steps of two metrics, however their values are stored: what sources (series_walk.h,
 * tensor_pair.h) hand to pair_figures.h and score.h.
 */
typedef struct {
	rg_chunk_side side;
	size_t count; /* with RG_BOTH_SIDES at most RG_CHUNK */
	/* The values, in the host's byte order and not aligned: of RG_BOTH_SIDES, and `old` of
	 * RG_OLD_ONLY where a series is in memory. */
	rg_dtype dtype;
	const unsigned char *old, *fresh;
	const int64_t *steps; /* NULL: first_step, first_step + 1, … */
	int64_t first_step;
	/* first_step is a place in memory; this pair knows which element is there. NULL: places and
	 * steps are the same. */
	const rg_tensor_pair *permuted;
} rg_pair_chunk;

static inline int64_t rg_chunk_step(const rg_pair_chunk *chunk, size_t i)
{
	return chunk->steps ? chunk->steps[i] : chunk->first_step + (int64_t)i;
}

/* How many of its steps are less than `step`. */
static inline size_t rg_chunk_steps_before(const rg_pair_chunk *chunk, int64_t step)
{
	size_t low = 0, high = chunk->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rg_chunk_step(chunk, middle) < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
