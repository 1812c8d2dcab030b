/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/ptd.h"
#include "golden/tensor.h"

#include <stdlib.h>
#include <string.h>

/*
 * Programs as goldens: what they take and give, and which program it is, all exact matters. Their
 * numbers are in the tensors beside them.
 */

/* METHOD/input/0: "float32 [2, 3]". */
static rg_error *add_values(rg_golden_builder *builder, const char *method, const char *kind,
			    const rg_program_value *values, size_t count)
{
	char text[RG_PROGRAM_VALUE_TEXT];

	for (size_t i = 0; i < count; i++) {
		RG_AUTO_FREE char *name = rg_textf("%s/%s/%zu", method, kind, i);
		rg_program_value_text(&values[i], text);
		RG_TRY(rg_golden_builder_text(builder, name, strlen(name), text, strlen(text)));
	}
	return NULL;
}

/* --- data outside of the program --- */

RG_ORDER(compare_externals, rg_program_external, RG_BY_TEXT(name));

/* "external/fc.weight": which bytes they are. */
static rg_error *add_external(rg_golden_builder *builder, const rg_program_external *external,
			      const rg_external_data *data, const char *file)
{
	const rg_span bytes = {data->tensor.data, data->tensor.size, NULL};
	char want[RG_PROGRAM_VALUE_TEXT], got[RG_PROGRAM_VALUE_TEXT];
	RG_AUTO_FREE char *name = rg_textf("external/%s", external->name);

	RG_TRY(rg_bytes_add(builder, name, &bytes));
	if (!data->is_tensor || rg_program_takes(&external->value, &data->as))
		return NULL;
	rg_program_value_text(&external->value, want);
	rg_program_value_text(&data->as, got);
	rg_golden_builder_note(builder, RG_NOTE_WRONG, "%s: is %s in %s, but the program says %s",
			       name, got, file, want);
	return NULL;
}

/* Adds those that the file has, and leaves the others in `program`. */
static rg_error *add_from(rg_golden_builder *builder, rg_program *program, const rg_bytes *bytes,
			  const char *file)
{
	RG_AUTO(rg_external_file) data = {0};
	size_t kept = 0;

	RG_TRY(rg_external_read(&data, bytes->data, bytes->size));
	for (size_t i = 0; i < program->external_count; i++) {
		const rg_program_external *external = &program->externals[i];
		const rg_external_data *found = rg_external_find(&data, external->name);

		if (found)
			RG_TRY(add_external(builder, external, found, file));
		else
			program->externals[kept++] = *external;
	}
	program->external_count = kept;
	return NULL;
}

/* Leaves in `program` what was not found. A weight that several methods use is there once. */
static rg_error *add_externals(rg_golden_builder *builder, rg_program *program, const rg_input *in)
{
	size_t kept = 0;
	if (!program->external_count)
		return NULL;
	qsort(program->externals, program->external_count, sizeof(*program->externals),
	      compare_externals);
	for (size_t i = 0; i < program->external_count; i++)
		if (!i || compare_externals(&program->externals[kept - 1], &program->externals[i]))
			program->externals[kept++] = program->externals[i];
	program->external_count = kept;
	for (size_t i = 0; in->sibling && program->external_count; i++) {
		RG_AUTO_FREE char *file = rg_external_file_name(rg_path_name(in->name), i);
		rg_bytes bytes = {0};
		if (!file)
			break;
		RG_TRY(in->sibling(in->sibling_context, file, &bytes));
		if (bytes.data)
			RG_TRY(rg_error_wrap(add_from(builder, program, &bytes, file), "%s", file));
	}
	if (!program->external_count)
		return NULL;
	rg_golden_builder_note(builder, RG_NOTE_WRONG,
			       "%zu tensor%s, the first '%s', %s outside of it, and no .ptd "
			       "of its name, nor model.ptd, beside it has %s",
			       program->external_count, program->external_count == 1 ? "" : "s",
			       program->externals[0].name,
			       program->external_count == 1 ? "is" : "are",
			       program->external_count == 1 ? "it" : "them");
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const rg_span whole = rg_input_span(in);
	RG_AUTO(rg_program) program = {0};

	(void)options;
	RG_TRY(rg_program_read(&program, in->data, in->size));
	RG_TRY(rg_bytes_add(builder, "program", &whole));
	for (size_t i = 0; i < program.plan_count; i++) {
		const rg_program_plan *plan = &program.plans[i];
		RG_TRY(add_values(builder, plan->method, "input", plan->inputs, plan->input_count));
		RG_TRY(add_values(builder, plan->method, "output", plan->outputs,
				  plan->output_count));
	}
	return add_externals(builder, &program, in);
}

static int bid(const rg_input *in)
{
	return rg_format_bid(rg_ends_with(in->name, ".pte"),
			     in->size >= 8 && !memcmp((const char *)in->data + 4, "ET12", 4));
}

/* All metrics belong to the part "program" of the model. */
static bool place_in_model(rg_model_place *out, const char *path, const char *metric)
{
	(void)metric;
	*out = (rg_model_place){RG_PART_PROGRAM, rg_program_model_length(path), false};
	return true;
}

const rg_format rg_format_pte = {.name = "pte",
				 .bid = bid,
				 .read = read_golden,
				 .in_place = true,
				 .has_tensors = true,
				 .place_in_model = place_in_model,
				 .head_size = rg_program_head_size};
