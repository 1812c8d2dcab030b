/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_TEXT_PAIR_H
#define REGILD_COMPARE_TEXT_PAIR_H

#include "golden/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Pairs the lines of two texts whose skeletons are not the same. Lines that are equal in full come
 * first, as a patience diff pairs them: lines that are unique on both sides, then between these
 * again, then the most that can be paired in order. A line that is elsewhere on the other side has
 * moved, and is paired, too. In each gap that is left, lines with numbers are paired by their
 * skeletons, in order: as many as can be, so that the sum of the numbers' relative differences is
 * smallest: ways are looked for in a corridor as wide as it has to be, or, in a gap of millions of
 * possible pairs, near the diagonal alone. What is left there is paired where only some words
 * changed: lines of as many words and numbers, in the same places, of which half are equal but for
 * one.
 */
#define RG_NO_PARTNER SIZE_MAX

/* The outcome of a line that is neither simply a pair of one skeleton nor alone. */
typedef enum {
	RG_TEXT_IN_PLACE,
	RG_TEXT_MOVED,
	RG_TEXT_REWORDED, /* it has a partner with other words */
} rg_text_fate;

/* One side of two. Lines that are equal in full have the same number on both sides, below the
 * sum of both counts; so have lines of equal skeletons. */
typedef struct {
	size_t count;
	const uint32_t *lines, *skeletons;
	const rg_text_lines *source;
	/* For each number: the metric that it is of, and its place there. */
	const rg_metric *const *metrics; /* by source->metrics */
	const uint32_t *places;
	size_t *partners;    /* filled in: the other side's line, or RG_NO_PARTNER */
	rg_text_fate *fates; /* all zero; filled in */
} rg_text_side;

static inline double rg_text_side_value(const rg_text_side *side, size_t number)
{
	return side->metrics[side->source->metrics[number]]->values[side->places[number]];
}

void rg_text_sides_pair(const rg_text_side *old, const rg_text_side *fresh);

#endif
