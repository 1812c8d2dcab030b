/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/formats.h"
#include "one_format.h"
#include "require.h"

#include "compare/executorch/backend_compare.h"
#include "report/format_report.h"
#include "report/summary_view.h"
#include "report/executorch/views.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The report held against itself: nothing changes but what fails on both sides. */
static void compare_with_itself(const uint8_t *data, size_t size)
{
	rg_case_list list = {0};
	rg_case_comparison comparison;
	cJSON *view;
	int kind;

	rg_error_free(rg_case_list_add(&list, data, size));
	rg_case_list_finish(&list);
	rg_cases_compare(&comparison, &list, &list);
	require(comparison.count == comparison.counts[RG_CASE_STILL_FAILING],
		"a report is like itself");
	view = rg_cases_view(&comparison);
	require(!rg_summary_view_finish(view), "there is a view of it");
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (kind = RG_FORMAT_REPORT_MARKDOWN; kind <= RG_FORMAT_REPORT_HTML; kind++)
		require(!rg_format_render(&text, "cases", view, (rg_format_report_kind)kind, 10,
					  NULL),
			"it is written");
	cJSON_Delete(view);
	rg_case_comparison_release(&comparison);
	rg_case_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_one_format(&rg_format_backend_csv, "test-report.csv", data, size);
	fuzz_one_format(&rg_format_backend_json, "test-report.json", data, size);
	compare_with_itself(data, size);
	return 0;
}
