/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_hooks.h"

#include "report/executorch/views.h"
#include "report/format_view.h"

const rg_format_hooks *const rg_format_hooks_list[] = {
#ifndef REGILD_WITHOUT_EXECUTORCH
	&rg_cases_hooks,
	&rg_opdiff_hooks,
#endif
	NULL,
};

const rg_json_field rg_format_report_fields[] = {
#ifndef REGILD_WITHOUT_EXECUTORCH
	RG_SAID_OF("cases", OBJECT, OPTIONAL, rg_cases_fields,
		   "Backend tests: what became of their cases."),
	RG_SAID_OF("opdiff", LIST, OPTIONAL, rg_opdiff_fields, "A file of opdiff results each."),
#endif
	RG_SAID_OF("opaque", LIST, OPTIONAL, rg_opaque_fields,
		   "An opaque golden that differs, is new or removed, each."),
	RG_SAID_OF("tables", LIST, OPTIONAL, rg_table_fields,
		   "A table whose records changed each, the largest change first."),
	{0}};
