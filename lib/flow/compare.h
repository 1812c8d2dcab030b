/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_COMPARE_H
#define REGILD_FLOW_COMPARE_H

#include "flow/comparison.h"
#include "flow/context.h"
#include "flow/pairs.h"

/*
 * Goldens compared with their baselines. First rg_compare_prepare, which says what is wrong with
 * the call before anything is read or done; then rg_compare_run, any time later.
 */

/* RG_E_USAGE for options that contradict each other, and for a wrong filter, limit, policy, format
 * or noise model. `rules` is released whatever comes back; it must not be moved. */
RG_CHECKED rg_error *rg_compare_prepare(rg_compare_rules *rules, const rg_flow *flow,
					const rg_compare_options *options);
void rg_compare_rules_release(rg_compare_rules *rules);

/* For rg_update_options.compared: looks at what an update compares as rg_compare_run does, so that
 * it can be handed on (rg_compare_options.plan). `rules` is an rg_compare_rules. */
RG_CHECKED rg_error *rg_compare_look_at(void *rules, rg_comparison *comparison,
					const rg_golden *old, const rg_golden *fresh);

/* Compares, and holds the gate. `out` is released whatever comes back, before the rules. */
RG_CHECKED rg_error *rg_compare_run(rg_compare_result *out, const rg_flow *flow,
				    const rg_compare_options *options, rg_compare_rules *rules);

#endif
