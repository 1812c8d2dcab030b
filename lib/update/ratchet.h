/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_RATCHET_H
#define REGILD_UPDATE_RATCHET_H

#include "base/optional.h"
#include "update/plan.h"

/* Goldens that only ever get better: a golden goes in where a metric of these patterns is better
 * than the file's in the working tree, and none is worse. */
typedef struct {
	rg_texts metrics; /* globs; RG_E_USAGE where none of what is staged has such a metric */
	bool all;         /* every metric that has a direction */
	size_t left_out;  /* by rg_plan_ratchet: how many goldens are, for that alone */
} rg_ratchet;

/*
 * Leaves out what is not better, with a finding that says why; what is new has nothing to be better
 * than. Better is what the policy's `direction` says, else what a metric's name does: of losses,
 * times and memory less, of rates more. RG_E_USAGE for a metric of a pattern that has no direction.
 */
RG_CHECKED rg_error *rg_plan_ratchet(rg_plan *plan, rg_ratchet *ratchet);

#endif
