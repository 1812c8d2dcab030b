#include "one_format.h"

#include "compare/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The report held against itself: nothing changes but what fails on both sides. */
static void compare_with_itself(const uint8_t *data, size_t size)
{
	rg_case_list list = {0};
	rg_case_comparison comparison;

	rg_error_free(rg_case_list_add(&list, data, size));
	rg_case_list_finish(&list);
	rg_error_free(rg_cases_compare(&comparison, &list, &list));
	if (comparison.count != comparison.counts[RG_CASE_STILL_FAILING])
		__builtin_trap();
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
