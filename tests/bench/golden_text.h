/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_BENCH_GOLDEN_TEXT_H
#define REGILD_TESTS_BENCH_GOLDEN_TEXT_H

#include "uniform.h"

#include "base/buf.h"

#include <stdio.h>

/* A golden as Megatron-LM's are: five metrics, values that depend on nothing but the seed. */

enum { METRICS = 5, PLATFORMS = 3, TESTS_A_STAGE = 25 };

static void add_value(rg_buf *out, size_t metric, size_t step)
{
	switch (metric) {
	case 0: /* iteration-time */
		if (step == 1)
			rg_buf_str(out, "\"nan\"");
		else
			rg_buf_printf(out, "%.5f", 0.3 + uniform() / 50);
		break;
	case 1: /* lm loss */
		rg_buf_printf(out, "%.5f", 10.9 - (double)step / 100 + uniform() / 1000);
		break;
	case 4: /* num-zeros */
		rg_buf_printf(out, "%.1f", (double)(int)(uniform() * 4000));
		break;
	default: /* bytes */
		rg_buf_printf(out, "%.1f", 17448304640.0 + 1024.0 * (double)(int)(uniform() * 9));
		break;
	}
}

static void add_metric(rg_buf *out, size_t metric, size_t steps)
{
	static const char *const names[METRICS] = {"iteration-time", "lm loss",
						   "mem-allocated-bytes", "mem-max-allocated-bytes",
						   "num-zeros"};
	size_t step;

	rg_buf_printf(out,
		      "%s\"%s\": {\"start_step\": 1, \"end_step\": %zu, \"step_interval\": 1, "
		      "\"values\": {",
		      metric ? ", " : "", names[metric], steps);
	for (step = 1; step <= steps; step++) {
		rg_buf_printf(out, "%s\"%zu\": ", step > 1 ? ", " : "", step);
		add_value(out, metric, step);
	}
	rg_buf_str(out, "}}");
}

static void add_golden(rg_buf *out, size_t index, uint64_t round, size_t steps)
{
	size_t metric;

	seed = (index + 1) * UINT64_C(0x9E3779B97F4A7C15) + round;
	rg_buf_char(out, '{');
	for (metric = 0; metric < METRICS; metric++)
		add_metric(out, metric, steps);
	rg_buf_str(out, "}\n");
}

/* Its path from the repository's root. */
static void golden_path(char *out, size_t size, size_t index)
{
	static const char *const platforms[PLATFORMS] = {"a100", "gb200", "h100"};

	snprintf(out, size,
		 "tests/functional_tests/test_cases/stage%02zu/test_%04zu/"
		 "golden_values_dev_dgx_%s.json",
		 index / PLATFORMS / TESTS_A_STAGE, index / PLATFORMS,
		 platforms[index % PLATFORMS]);
}

#endif
