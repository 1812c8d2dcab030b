/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HEEDED_H
#define REGILD_FLOW_HEEDED_H

#include "base/cleanup.h"
#include "flow/context.h"
#include "golden/golden.h"

/*
 * Asks the goldens of the checkout which settings of a section they heed, so that one that does not
 * is told from a section of which nothing comes at all. What was found is kept.
 */
typedef struct rg_heeded rg_heeded;

/* Has the options ask it, if the flow has a worktree. They and the flow outlive it. */
rg_heeded *rg_heeded_new(const rg_flow *flow, rg_golden_options *options);
void rg_heeded_free(rg_heeded *heeded);
RG_FREE_AT(rg_heeded)

#endif
