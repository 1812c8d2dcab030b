/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_MANUAL_EDITS_H
#define REGILD_FLOW_MANUAL_EDITS_H

#include "base/optional.h"
#include "flow/context.h"

/*
 * Goldens that somebody changed by hand: of those that differ from `base` (NULL: HEAD), those whose
 * newest commit names no run, and whose uncommitted bytes no update of regild's wrote.
 */
typedef struct {
	rg_texts paths; /* from the repository's root */
	size_t unknown; /* goldens that were not looked at, being over RG_BY_HAND_MAX */
	size_t unseen;  /* whose newest commit this clone does not show */
	rg_arena arena;
} rg_manual_edits;

/* Each is looked for in history. */
#define RG_BY_HAND_MAX 200

/* `staged`: of what the index has. `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_manual_edits_find(rg_manual_edits *out, const rg_flow *flow,
					  const char *base, bool staged);
void rg_manual_edits_release(rg_manual_edits *out);

#endif
