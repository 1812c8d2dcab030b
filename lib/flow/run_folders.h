/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_RUN_FOLDERS_H
#define REGILD_FLOW_RUN_FOLDERS_H

#include "base/memory.h"
#include "base/optional.h"
#include "flow/context.h"

/*
 * Takes files out of a list of the working tree's that are not the checkout's own, though they are
 * below it: those in a folder that a download wrote, that `from` names (may be NULL), or that the
 * last download without a run was from. A folder that git tracks files in stays. The log says what
 * was left out.
 */
RG_CHECKED rg_error *rg_run_folders_leave_out(rg_change_list *list, const rg_flow *flow,
					      const rg_texts *from);

#endif
