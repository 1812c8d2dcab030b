/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_NEW_RUNS_H
#define REGILD_REPORT_NEW_RUNS_H

#include "base/fields.h"
#include "audit/new_runs.h"
#include "base/json.h"
#include "report/table.h"

/* Reports of several new runs together (audit/new_runs.h). All of it appends, and nothing where
 * there is but one. */

/* For the terminal: the first `top` rows (0: all), and how many more there are. */
RG_CHECKED rg_error *rg_new_runs_table(rg_buf *out, const rg_new_runs *runs, size_t top,
				       const rg_table_style *style);
/* For templates: the rows that moved, and those that more runs could decide. */
void rg_new_runs_view(cJSON *view, const rg_new_runs *runs);

/* The keys of that, in JSON. */
extern const rg_json_field rg_new_runs_fields[];
extern const rg_json_field rg_new_runs_told_fields[];

#endif
