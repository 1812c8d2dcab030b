/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_PLAN_FILE_H
#define REGILD_FLOW_PLAN_FILE_H

#include "flow/update.h"
#include "update/plan_file.h"

/* The actions of a planned update, as the document that `regild apply` takes. `command` is
 * the call that planned it. */
RG_CHECKED rg_error *rg_plan_file_make(rg_buf *out, const rg_update *update, const rg_flow *flow,
				       const char *command);

/* Reads one into an initialised file. RG_E_CONFLICT where HEAD is another commit by now. */
RG_CHECKED rg_error *rg_plan_file_load(rg_plan_file *out, const rg_flow *flow, const char *name);
/* The options of the update that does it; they borrow the file. *folder is the caller's to free. */
void rg_plan_file_options(const rg_plan_file *file, const rg_flow *flow, rg_update_options *options,
			  char **folder);

#endif
