/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CHANGED_FILES_H
#define REGILD_FLOW_CHANGED_FILES_H

#include "flow/sides.h"

/* The goldens that differ between two sides in git (RG_SIDES_IN_GIT). Where parts are named: of
 * folders, the goldens in them that differ; files, whether they differ or not. `out` is released
 * whatever comes back. */
RG_CHECKED rg_error *rg_changed_files(rg_change_list *out, const rg_flow *flow,
				      const rg_sides *sides, bool no_renames);

#endif
