/* SPDX-License-Identifier: Apache-2.0 */
/* A raw tensor beside its program: the first byte picks its name, the next two are its length, then
 * come its bytes, and the rest is the program; without any, the type is a configured one. */
#include "golden/executorch/formats.h"
#include "golden/format.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever is asked for beside the tensor is the program. */
static rg_error *sibling(void *context, const char *name, rg_bytes *out)
{
	const rg_bytes *program = context;

	if (!*name)
		abort(); /* MODEL.pte at least */
	*out = program->size ? *program : (rg_bytes){0};
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"m_input.bin", "f/m_expected_output.bin",
					    "m_expected_output_1.bin", "f/m_1_input_0.bin"};
	static const rg_tensor_type type = {.dtype = "float16"};
	const rg_golden_options options = {.tensor_types = &type, .tensor_type_count = 1};
	rg_golden golden = {0};
	rg_bytes program;
	rg_input in = {.sibling = sibling, .sibling_context = &program};
	double value;
	size_t i;

	if (size < 3)
		return 0;
	in.name = names[data[0] % (sizeof(names) / sizeof(names[0]))];
	in.size = (size_t)data[1] | (size_t)data[2] << 8;
	in.size = in.size < size - 3 ? in.size : size - 3;
	in.data = data + 3;
	program = (rg_bytes){data + 3 + in.size, size - 3 - in.size};
	rg_arena_init(&golden.arena);
	rg_error_free(rg_format_read(&rg_format_raw, &golden, &in, &options));
	for (i = 0; golden.count && i < golden.metrics[0].count; i++)
		rg_error_free(golden.metrics[0].block(&golden.metrics[0], i, 1, &value));
	rg_arena_release(&golden.arena);
	return 0;
}
