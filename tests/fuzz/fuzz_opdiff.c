/* SPDX-License-Identifier: Apache-2.0 */
#include "one_format.h"
#include "require.h"

#include "compare/executorch/opdiff_compare.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/opdiff.h"
#include "report/format_report.h"
#include "report/summary_view.h"
#include "report/executorch/views.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The report is written, whatever is in it. */
static void report(const rg_opdiff_comparison *comparison)
{
	cJSON *view = rg_opdiff_view(comparison, "x.jsonl");
	int kind;

	require(!rg_summary_view_finish(view), "there is a view of it");
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (kind = RG_FORMAT_REPORT_MARKDOWN; kind <= RG_FORMAT_REPORT_HTML; kind++)
		require(!rg_format_render(&text, "opdiff", view, (rg_format_report_kind)kind, 10,
					  NULL),
			"a report is written");
	cJSON_Delete(view);
}

/* Nothing gets better or worse between a run and itself, and each operator has one place. */
static void compare_with_itself(const rg_opdiff_run *run)
{
	rg_opdiff_comparison comparison;
	size_t i, k, sum;

	rg_opdiff_compare(&comparison, run, run, NULL, NULL);
	require(!comparison.change_count && !comparison.old_only && !comparison.new_only,
		"a run is like itself");
	for (i = 0; i < comparison.column_count; i++) {
		for (sum = 0, k = 0; k < RG_OPDIFF_BUCKETS; k++)
			sum += comparison.columns[i].figures[RG_OPDIFF_MAX_ABS].buckets[k].n;
		require(sum == comparison.columns[i].targets, "each operator is in one bucket");
	}
	report(&comparison);
	rg_opdiff_comparison_release(&comparison);
	rg_opdiff_compare(&comparison, NULL, run, NULL, NULL);
	report(&comparison);
	rg_opdiff_comparison_release(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_opdiff_run run;
	rg_error *err;

	fuzz_one_format(&rg_format_opdiff, "x.jsonl", data, size);
	err = rg_opdiff_read(&run, data, size, -1);
	if (!err)
		compare_with_itself(&run);
	rg_error_free(err);
	rg_opdiff_run_release(&run);
	return 0;
}
