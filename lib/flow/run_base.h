/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_RUN_BASE_H
#define REGILD_FLOW_RUN_BASE_H

#include "flow/context.h"
#include "flow/open_source.h"

/* The old side of a run that is compared with where its commit parted from the branch (NULL: the
 * default one). Both are asked of the API: what the run left has no say in it. RG_E_NOTFOUND where
 * this clone does not have that commit. */
RG_CHECKED rg_error *rg_run_base(char out[static 41], const rg_flow *flow,
				 const rg_source_options *source, const char *branch);

#endif
