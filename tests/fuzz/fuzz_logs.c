/* SPDX-License-Identifier: Apache-2.0 */
#include "require.h"

#include "compare/align.h"
#include "compare/compare.h"

#include <stdint.h>

/* Logs and tables whose metrics are series by step: the first byte says which, the rest is read,
 * and compared with itself. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"x.jsonl", "metrics.csv", "x.log",     "x.dat",
				    "x.yaml",  "x.json",      "x.json.gz", "x.tfevents.1"};

static rg_golden *read_side(const char *name, const uint8_t *data, size_t size)
{
	const rg_input in = {.name = name, .data = data, .size = size};
	rg_golden *golden = NULL;

	rg_error_free(rg_golden_read(&golden, &in, NULL));
	return golden;
}

static void check_metric(const rg_metric *m)
{
	for (size_t i = 1; m->kind == RG_METRIC_SERIES && i < m->count; i++)
		require(rg_metric_step(m, i - 1) < rg_metric_step(m, i), "steps ascend");
	for (size_t i = 1; i < m->text_count; i++)
		require(m->texts[i - 1].step < m->texts[i].step, "texts ascend");
}

static void compare(rg_golden *old, rg_golden *fresh)
{
	const rg_file_name name = {"x", NULL};
	rg_comparison c;

	rg_comparison_init(&c);
	require(!rg_goldens_align(old, fresh), "there is memory");
	require(!rg_compare_goldens(&c, &name, old, fresh, NULL), "there is memory");
	for (size_t i = 0; i < c.row_count; i++)
		require(c.rows[i].identical, "a log is the same as itself");
	rg_comparison_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	const char *name = names[data[0] % (sizeof(names) / sizeof(*names))];
	rg_golden *old = read_side(name, data + 1, size - 1);
	rg_golden *fresh = read_side(name, data + 1, size - 1);
	require(!old == !fresh, "what is read once is read again");
	for (size_t i = 0; old && i < old->count; i++)
		check_metric(&old->metrics[i]);
	if (old)
		compare(old, fresh);
	rg_golden_free(old);
	rg_golden_free(fresh);
	return 0;
}
