/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_DIFFERENCES_H
#define REGILD_FLOW_DIFFERENCES_H

#include "compare/row.h"
#include "report/filter.h"

/*
 * Adds to the file that was added to a comparison last what differs one by one: of tensors the
 * largest elements (rg_row.elements), of a table its records (rg_file_outcome.table). Metrics that
 * the filter leaves out, or the policy ignores, are not looked at.
 */
RG_CHECKED rg_error *rg_differences_add(rg_comparison *comparison, const rg_golden *old,
					const rg_golden *fresh, const rg_filter *filter);

#endif
