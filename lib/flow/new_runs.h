/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_NEW_RUNS_H
#define REGILD_FLOW_NEW_RUNS_H

#include "flow/comparison.h"
#include "flow/context.h"
#include "flow/download.h"

/* New runs beside the first, all of one baseline: nothing happens where there is but one. */

/* As rg_sides_find has it, for each of them. */
RG_CHECKED rg_error *rg_new_runs_prepare(rg_compare_rules *rules, const rg_flow *flow,
					 const rg_compare_options *options);
void rg_new_runs_forget(rg_compare_rules *rules);

/* Once the first is compared: reads the others, and fills in the result's `new_runs`. */
RG_CHECKED rg_error *rg_new_runs_compare(rg_compare_result *result, const rg_flow *flow,
					 const rg_compare_options *options,
					 const rg_compare_rules *rules);

/* Runs that are staged, before any of them is put in, each of them compared with HEAD. One with a
 * golden that cannot be read is `missing` then, and the log has heard of it. `out` is released
 * whatever comes back; it has rows that a filter leaves out. */
RG_CHECKED rg_error *rg_new_runs_compare_staged(rg_new_runs *out, const rg_flow *flow,
						const rg_compare_options *options,
						const rg_compare_rules *rules,
						rg_download_result *staged, size_t count);
/* Takes out the rows that --filter does not keep. */
void rg_new_runs_filter(rg_new_runs *runs, const rg_compare_rules *rules);

#endif
