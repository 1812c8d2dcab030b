/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_WAIT_RUN_H
#define REGILD_FLOW_WAIT_RUN_H

#include "flow/context.h"
#include "source/source.h"

/*
 * Loads `run` again and again until it has finished; it is loaded, and stays so. Progress and log
 * hear how many of its jobs are done. RG_E_CONFLICT, saying what to do, where it has not finished
 * within so many seconds.
 */
RG_CHECKED rg_error *rg_flow_wait_for_run(const rg_flow *flow, rg_source *source, unsigned attempt,
					  double seconds, rg_run *run);

#endif
