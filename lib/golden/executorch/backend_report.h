/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BACKEND_REPORT_H
#define REGILD_GOLDEN_BACKEND_REPORT_H

#include "golden/executorch/backend_case.h"

/*
 * Reports of ExecuTorch's backend tester: a test case a row, as CSV or inside a pytest-json-report.
 * As goldens (rg_format_backend_csv, rg_format_backend_json) each case is a group of metrics,
 * FLOW/TEST ID/SUBTEST/COLUMN (empty parts left out): numbers as series of one step, the result
 * ("Pass", "Fail: Output Mismatch") and other texts as exact matters.
 *
 * pytest records a process that crashed, and a test that was skipped, without subtests: as a test
 * as a whole. Compared with a report that has its subtests, its result is that of each of them.
 */

/*
 * Adds a report's cases, in whichever of the two forms it is; several reports, one a flow, make one
 * list, which is in order once rg_case_list_finish was called. `list` starts all zero and is
 * released whatever comes back. RG_E_PARSE where it is no such report.
 */
RG_CHECKED rg_error *rg_case_list_add(rg_case_list *list, const void *data, size_t size);
/* backend_json.c: as rg_case_list_add, of a pytest-json-report. */
RG_CHECKED rg_error *rg_case_list_add_json(rg_case_list *list, const void *data, size_t size);

/* Tells the kind by the columns or keys of the bytes. */
typedef enum { RG_CASE_REPORT_NONE, RG_CASE_REPORT_CSV, RG_CASE_REPORT_JSON } rg_case_report;
rg_case_report rg_case_report_kind(const void *data, size_t size);

#endif
