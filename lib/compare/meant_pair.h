/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_MEANT_PAIR_H
#define REGILD_COMPARE_MEANT_PAIR_H

#include "compare/series_walk.h"

/*
 * Pairs of elements by what they stand for (golden/convention.h). A masked element equals a masked
 * one. If one side alone is masked, the other's value is on one side only. Packed numbers are
 * compared as fractions. Pixels within a quantum of each other are the same.
 */

/* Does one of the two need that? Its places have to be elements' numbers. */
bool rg_tensors_are_meant(const rg_tensor *old, const rg_tensor *fresh);
/* Hands on a chunk of RG_BOTH_SIDES of such a pair, in up to three parts. */
RG_CHECKED rg_error *rg_meant_pairs(const rg_tensor_pair *pair, const rg_pair_chunk *chunk,
				    rg_chunk_fn *take, void *context);

#endif
