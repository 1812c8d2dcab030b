/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_COVERAGE_H
#define REGILD_REPORT_COVERAGE_H

#include "base/fields.h"
#include "report/refresh.h"

#include <cJSON.h>

/* What became of everything that a run has: its goldens, artifacts and jobs. */

/* The list "goldens" of JSON: "name", "outcome" and "why" of each. The caller frees it with
 * cJSON_Delete. */
cJSON *rg_coverage_goldens(const rg_refresh *refresh);
extern const rg_json_field rg_coverage_golden_fields[];

/*
 * Adds "coverage" to the page's view: as "outcomes" how many "goldens", "artifacts" and "jobs" had
 * each "outcome", and as "covered" all of them, with "what", "name", "outcome" and "why". What is
 * missing or held back comes first. `goldens` is such a list; `provenance` has "artifacts" and
 * "jobs" (flow/provenance.h). Either may be NULL and, having been read, hold anything; nothing is
 * added where there is nothing to count.
 */
void rg_coverage_put(cJSON *view, const cJSON *goldens, const cJSON *provenance);

#endif
