/* SPDX-License-Identifier: Apache-2.0 */
#include "require.h"

#include "compare/align.h"
#include "compare/compare.h"
#include "golden/text.h"

#include <stdint.h>
#include <string.h>

/* Two texts with a NUL between them: both are read as numbers in text, aligned and compared. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const globs[] = {"skip*"};
static const rg_text_rule rule = {.pattern = "*", .ignore = globs, .ignore_count = 1};
static const rg_golden_options options = {
	.run_index = -1, .text_rules = &rule, .text_rule_count = 1};

static rg_golden *read_side(const void *data, size_t size)
{
	/* No name, and no other reader's first byte, speaks for another format here. */
	const rg_input in = {.name = "x", .data = data, .size = size};
	rg_golden *golden = NULL;

	rg_error_free(rg_golden_read(&golden, &in, &options));
	if (golden && golden->lines)
		return golden;
	rg_golden_free(golden);
	return NULL;
}

static void check_golden(const rg_golden *golden)
{
	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		require(!i || strcmp(metric[-1].name, metric->name) < 0, "metrics ascend");
		require(metric->kind == RG_METRIC_SERIES || !strcmp(metric->name, RG_TEXT_METRIC),
			"numbers and lines");
		for (size_t k = 1; metric->kind == RG_METRIC_SERIES && k < metric->count; k++)
			require(rg_metric_step(metric, k - 1) < rg_metric_step(metric, k),
				"steps ascend");
	}
}

static bool has_lines(const rg_golden *golden)
{
	return rg_golden_find(golden, RG_TEXT_METRIC);
}

static void compare(rg_golden *old, rg_golden *fresh, bool same)
{
	const rg_file_name name = {"x", NULL};
	rg_comparison c;

	rg_comparison_init(&c);
	require(!rg_goldens_align(old, fresh), "aligned");
	check_golden(old);
	check_golden(fresh);
	require(has_lines(old) == has_lines(fresh), "both sides tell, or none");
	require(old->count == fresh->count, "both sides have the same metrics");
	require(!rg_compare_goldens(&c, &name, old, fresh, NULL), "compared");
	require(!same || c.files->identical, "a text is the same as itself");
	require(!has_lines(old) || !c.files->identical, "lines alone are a difference");
	rg_comparison_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, '\0', size) : NULL;
	const size_t length = nul ? (size_t)(nul - data) : size;
	rg_golden *old = read_side(data, length), *again = read_side(data, length);
	rg_golden *fresh = nul ? read_side(nul + 1, size - length - 1) : NULL;

	require(!old == !again, "what is read once is read again");
	if (old)
		compare(again, old, true);
	if (old && fresh)
		compare(old, fresh, false);
	rg_golden_free(fresh);
	rg_golden_free(old);
	rg_golden_free(again);
	return 0;
}
