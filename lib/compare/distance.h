/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_DISTANCE_H
#define REGILD_COMPARE_DISTANCE_H

#include "compare/compare.h"

/* How far new values are from old ones, to tell which of several is the nearest: by the first of
 * these that differs. */
typedef struct {
	size_t to_look_at; /* metrics that are lost, not finite or not equal where only equal
			      will do, or at the level `flag` or over it */
	size_t differing;  /* metrics that are not bit for bit the same */
	double largest;    /* the largest relative difference of any step */
} rg_distance;

/* Compares both, which it aligns and frees. Metrics that the policy ignores do not count. `unread`,
 * which it takes, is why one could not be read, and that one NULL; *known: both could. What cannot
 * be read or compared is no error, but for RG_E_CANCELLED. */
RG_CHECKED rg_error *rg_distance_measure(rg_distance *out, bool *known, const char *file,
					 rg_golden *old, rg_golden *fresh, const rg_policy *policy,
					 rg_error *unread);
bool rg_distance_is_less(const rg_distance *a, const rg_distance *b);

#endif
