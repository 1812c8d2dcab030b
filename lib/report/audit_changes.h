/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_CHANGES_H
#define REGILD_REPORT_AUDIT_CHANGES_H

#include "report/audit_answers.h"

/* What changed from which run on, as data for templates: "bad_runs", "newest_differ",
 * "common_breaks", "breaks" and, by run and family, "breaks_by_run"; "smallest_break": how large
 * one has to be to be found. */
void rg_audit_add_changes(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			  size_t count);
/* A series' own, as the parent's "breaks". */
void rg_audit_add_breaks_of(rg_audit_build *b, cJSON *parent, const rg_audit_series *series);

#endif
