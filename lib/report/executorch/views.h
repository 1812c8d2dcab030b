/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_EXECUTORCH_VIEWS_H
#define REGILD_REPORT_EXECUTORCH_VIEWS_H

#include "compare/executorch/backend_compare.h"
#include "compare/executorch/opdiff_compare.h"
#include "report/format_hooks.h"

/* Backend tests by what became of their cases, all files together, and opdiff runs by status,
 * accuracy and time, a file each. `title` is the file's name, or both files'. */
cJSON *rg_cases_view(const rg_case_comparison *comparison);
cJSON *rg_opdiff_view(const rg_opdiff_comparison *comparison, const char *title);

extern const rg_format_hooks rg_cases_hooks, rg_opdiff_hooks;

/* The keys of the views, in JSON. */
extern const rg_json_field rg_cases_fields[];
extern const rg_json_field rg_opdiff_fields[];

#endif
