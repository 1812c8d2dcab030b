/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_VALUES_SHOW_H
#define REGILD_CMD_VALUES_SHOW_H

#include "update/plan.h"

/*
 * One metric of a golden under review, on stderr: its curve before and after, and the values of the
 * steps that differ most; of a new golden, the values that it has. RG_E_CONFLICT where a file was
 * touched since the plan.
 */
RG_CHECKED rg_error *values_show(const rg_plan *plan, const rg_plan_item *item, const char *metric);

#endif
