/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes goldens as Megatron-LM's are: five metrics with 50 to 100 steps each, or as many steps as
 * a given size needs. What is written depends on nothing but the arguments.
 *
 * usage: goldens DIR FROM TO ROUND [BYTES]
 *   writes files FROM … TO - 1 of a tree under DIR; another ROUND has other values in the same
 * places.
 */
#include "base/file.h"
#include "base/number.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { METRICS = 5, PLATFORMS = 3, TESTS_A_STAGE = 25, LARGE = 256 << 20 };

static uint64_t seed;

/* xorshift64* */
static double uniform(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (double)((seed * UINT64_C(0x2545F4914F6CDD1D)) >> 11) / 9007199254740992.0;
}

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

static rg_error *write_golden(const char *folder, size_t index, uint64_t round, uint64_t bytes)
{
	static const char *const platforms[PLATFORMS] = {"a100", "gb200", "h100"};
	enum { BYTES_A_STEP = 21 };
	size_t steps = bytes ? (size_t)bytes / BYTES_A_STEP / METRICS : 50 + index % 51, i;
	char path[1024];
	rg_buf out;
	rg_error *err;

	seed = (index + 1) * UINT64_C(0x9E3779B97F4A7C15) + round;
	rg_buf_init(&out, LARGE);
	rg_buf_char(&out, '{');
	for (i = 0; i < METRICS; i++)
		add_metric(&out, i, steps);
	rg_buf_str(&out, "}\n");
	snprintf(path, sizeof(path),
		 "%s/tests/functional_tests/test_cases/stage%02zu/test_%04zu/"
		 "golden_values_dev_dgx_%s.json",
		 folder, index / PLATFORMS / TESTS_A_STAGE, index / PLATFORMS,
		 platforms[index % PLATFORMS]);
	err = rg_buf_check(&out, path);
	if (!err)
		err = rg_make_parent_dirs(path, 0755);
	if (!err)
		err = rg_file_write_output(path, out.data, out.length);
	rg_buf_release(&out);
	return err;
}

int main(int argc, char **argv)
{
	uint64_t numbers[4] = {0}; /* from, to, round, bytes */
	rg_error *err = NULL;
	uint64_t i;
	int k;

	for (k = 2; k < argc && k < 6; k++)
		if (!rg_uint64_parse(argv[k], strlen(argv[k]), &numbers[k - 2]))
			argc = 0;
	if (argc < 5 || argc > 6) {
		fprintf(stderr, "usage: goldens DIR FROM TO ROUND [BYTES]\n");
		return 2;
	}
	for (i = numbers[0]; !err && i < numbers[1]; i++)
		err = write_golden(argv[1], (size_t)i, numbers[2], numbers[3]);
	if (err) {
		fprintf(stderr, "%s\n", rg_error_message(err));
		rg_error_free(err);
		return 1;
	}
	return 0;
}
