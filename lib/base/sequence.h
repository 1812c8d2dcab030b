/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_SEQUENCE_H
#define REGILD_BASE_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

/* What has no partner. */
#define RG_NO_PARTNER SIZE_MAX

/*
 * Pairs two sequences as a diff does: partners are equal, and in the same order on both sides.
 * old_partner[i] is the place in `fresh` of old[i]'s, or RG_NO_PARTNER; fresh_partner likewise.
 * There are as many pairs as can be, but in sequences that differ in thousands of places, where
 * that would take too long. What could stand alone in several places of a run does at its end.
 */
void rg_sequences_pair(const uint32_t *old, size_t old_count, const uint32_t *fresh,
		       size_t fresh_count, size_t *old_partner, size_t *fresh_partner);

#endif
