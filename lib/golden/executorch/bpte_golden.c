/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "golden/executorch/bpte_check.h"
#include "golden/executorch/formats.h"

#include <stdlib.h>
#include <string.h>

/* Bundled programs as goldens: a tensor for each value of each case, and which program it is. */

static int bid(const rg_input *in)
{
	return rg_format_bid(rg_ends_with(in->name, ".bpte"),
			     in->size >= 8 && !memcmp((const char *)in->data + 4, "BP08", 4));
}

static rg_error *add_all(rg_golden_builder *builder, const rg_bundle *bundle, const rg_input *in)
{
	const rg_span program = {bundle->program.data, bundle->program.size, in->forget};
	rg_error *err = NULL;

	for (size_t i = 0; i < bundle->count && !err; i++) {
		rg_tensor tensor = bundle->values[i].tensor;
		char *name;

		tensor.forget = in->forget;
		rg_bundle_value_name(&name, &bundle->values[i]);
		err = bundle->values[i].unreadable
			      ? rg_tensor_add_unreadable(builder, name, tensor.data, tensor.size,
							 rg_error_new(RG_E_PARSE, "%s",
								      bundle->values[i].unreadable))
			      : rg_tensor_add(builder, name, &tensor);
		free(name);
	}
	if (!err)
		err = rg_bytes_add(builder, "program", &program);
	return err ? err : rg_bundle_check(builder, bundle);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_bundle bundle;
	(void)options;
	rg_error *err = rg_bundle_read(&bundle, in->data, in->size);
	if (!err)
		err = add_all(builder, &bundle, in);
	rg_bundle_release(&bundle);
	return err;
}

static bool place_in_model(rg_model_place *out, const char *path, const char *metric)
{
	out->part = strstr(metric, "/output/")  ? RG_PART_OUTPUT
		    : strstr(metric, "/input/") ? RG_PART_INPUT
						: RG_PART_PROGRAM;
	out->model_length = rg_program_model_length(path);
	out->by_name = false;
	return true;
}

const rg_format rg_format_bpte = {.name = "bpte",
				  .bid = bid,
				  .read = read_golden,
				  .in_place = true,
				  .has_tensors = true,
				  .place_in_model = place_in_model};
