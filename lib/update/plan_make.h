/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_PLAN_MAKE_H
#define REGILD_UPDATE_PLAN_MAKE_H

#include "update/plan.h"

/*
 * Looks at everything. `manifest`, `journal` and `options` must outlive the plan. RG_E_UNSAFE where
 * any target is (see rg_tree_check), is not a golden's, or is another's folder: then the whole
 * update stops; RG_E_MISMATCH for staged bytes that are not what the manifest says; RG_E_USAGE for
 * a pattern or metric that matches nothing. On failure the plan still has to be released.
 */
RG_CHECKED rg_error *rg_plan_make(rg_plan *plan, const rg_manifest *manifest,
				  const char *staging_dir, rg_journal *journal,
				  const rg_plan_options *options);

#endif
