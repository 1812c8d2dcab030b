/* SPDX-License-Identifier: Apache-2.0 */
/* Programs, bundled programs and external data: whatever the bytes, they are read or refused, and
 * every element of what was read is there. */
#include "golden/executorch/formats.h"
#include "golden/executorch/bpte.h"
#include "golden/format.h"
#include "golden/executorch/ptd.h"
#include "golden/executorch/raw.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk_tensor(const rg_tensor *tensor)
{
	double values[64];
	size_t at, n;

	for (at = 0; at < tensor->count; at += n) {
		n = tensor->count - at < 64 ? tensor->count - at : 64;
		rg_tensor_values(tensor, at, n, values);
	}
}

static void read_bundle(const uint8_t *data, size_t size)
{
	rg_bundle bundle;
	size_t i;

	rg_error_free(rg_bundle_read(&bundle, data, size));
	for (i = 0; i < bundle.count; i++)
		if (!bundle.values[i].unreadable)
			walk_tensor(&bundle.values[i].tensor);
	rg_bundle_release(&bundle);
}

static void read_program(const uint8_t *data, size_t size)
{
	const rg_program_plan *plan;
	rg_program program;
	size_t i;

	rg_error_free(rg_program_read(&program, data, size));
	plan = rg_program_find(&program, NULL);
	for (i = 0; plan && i < plan->output_count; i++) {
		char text[RG_PROGRAM_VALUE_TEXT];
		rg_tensor tensor = {.size = size & ~(size_t)7};

		rg_program_value_text(&plan->outputs[i], text);
		rg_error_free(rg_raw_type_of(&tensor, &plan->outputs[i], NULL));
	}
	rg_program_release(&program);
}

static void read_external(const uint8_t *data, size_t size)
{
	rg_external_file file;
	size_t i;

	rg_error_free(rg_external_read(&file, data, size));
	for (i = 0; i < file.count; i++)
		if (file.items[i].is_tensor && !file.items[i].unreadable)
			walk_tensor(&file.items[i].tensor);
	rg_external_file_release(&file);
}

/* The readers of the registry, and every text and value that they make of it. */
static void read_golden(const rg_format *format, const uint8_t *data, size_t size)
{
	const rg_input in = {.name = "model.pte", .data = data, .size = size};
	rg_golden *golden = calloc(1, sizeof(*golden));
	rg_error *err;
	size_t i;
	rg_arena_init(&golden->arena);
	err = rg_format_read(format, golden, &in, NULL);
	for (i = 0; !err && i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];

		if (!*metric->name)
			abort(); /* METHOD/… at least */
		if (metric->kind == RG_METRIC_TEXT && metric->text[metric->count])
			abort();
	}
	rg_error_free(err);
	rg_golden_free(golden);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_bundle(data, size);
	read_program(data, size);
	read_external(data, size);
	read_golden(&rg_format_pte, data, size);
	read_golden(&rg_format_bpte, data, size);
	return 0;
}
