/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/verdict.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(const rg_noise_model *model)
{
	static const double values[] = {10.4, 2};
	static const int64_t steps[] = {1, 5};
	const rg_metric metric = {.name = "lm loss",
				  .kind = RG_METRIC_SERIES,
				  .count = 2,
				  .steps = steps,
				  .values = values};
	const rg_noise_judge_context with = {.model = model, .level = 0.1};
	rg_verdict verdict;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_error_free(rg_noise_judge(&verdict, &arena, &with, "a/b/golden.json", &metric, &metric,
				     RG_NEAR_ZERO));
	rg_arena_release(&arena);
}

/* Whatever a model holds: it is read or refused, and what is read can be judged by. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_noise_model model;
	rg_error *err = rg_noise_model_parse(&model, (const char *)data, size);

	if (!err) {
		judge(&model);
		rg_noise_model_release(&model);
	}
	rg_error_free(err);
	return 0;
}
