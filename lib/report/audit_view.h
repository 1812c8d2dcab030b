/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_VIEW_H
#define REGILD_REPORT_AUDIT_VIEW_H

#include "report/audit_answers.h"

/*
 * An audit as data for templates: the answers, what changed, and lists of what is left out, of runs
 * that would have failed and of test cases.
 */

/* What every template can use; the caller frees it with cJSON_Delete. `series` are all of the
 * audit's, see rg_audit_all_series, and are reordered. `top` is of the terminal's table. */
cJSON *rg_audit_view_make(rg_audit_build *b, const rg_audit_series **series, size_t count,
			  size_t top);

/* How much of a run's or commit's name is shown: of a hash ten digits. */
int rg_audit_name_length(const char *name);
/* A series in the list, its names and what is odd about it; returns the item. */
cJSON *rg_audit_name_series(rg_audit_build *b, cJSON *list, const rg_audit_series *series);
/* Its breaks, as the parent's "broke". */
void rg_audit_add_breaks_of(rg_audit_build *b, cJSON *parent, const rg_audit_series *series);

#endif
