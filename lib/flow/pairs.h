/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_PAIRS_H
#define REGILD_FLOW_PAIRS_H

#include "flow/comparison.h"
#include "flow/context.h"

/* Reads and compares what the options ask for; fills in the result's comparison, reports and
 * curves. Files that a filter leaves out are not read. */
RG_CHECKED rg_error *rg_pairs_compare(rg_compare_result *out, const rg_flow *flow,
				      const rg_compare_options *options, rg_compare_rules *rules);
void rg_compare_result_release(rg_compare_result *result);

/* Judges, checks and draws the rows of the file that was added to a comparison last; its new side
 * is in that place. */
RG_CHECKED rg_error *rg_pairs_look_at(rg_compare_rules *rules, rg_worst_curves *curves,
				      rg_comparison *comparison, const rg_golden *old,
				      const rg_golden *fresh, const rg_check_place *place);

#endif
