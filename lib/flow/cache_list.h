/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CACHE_LIST_H
#define REGILD_FLOW_CACHE_LIST_H

#include "flow/context.h"
#include "flow/facts.h"

/* The download cache, for a person. The texts of both are in the flow's arena. */

/* Lists the entries, the most recently used first. On an error `out` has those that were read. */
RG_CHECKED rg_error *rg_flow_list_cache(rg_cache_facts *out, const rg_flow *flow);
/* Removes them all, and counts them. */
RG_CHECKED rg_error *rg_flow_clear_cache(rg_cache_facts *out, size_t *entries, const rg_flow *flow);

#endif
