/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "golden/executorch/bpte.h"
#include "golden/executorch/formats.h"

#include <stdlib.h>
#include <string.h>

/* Bundled programs as goldens: a tensor for each value of each case, and which program it is. */

static int bid(const rg_input *in)
{
	return rg_format_bid(rg_ends_with(in->name, ".bpte"),
			     in->size >= 8 && !memcmp((const char *)in->data + 4, "BP08", 4));
}

/* --- does its program take and give what is in the cases? --- */

/* Methods that are looked for in the program, times its own: a hostile file could have any number.
 */
enum { PAIRS_MAX = 1 << 24 };

static void check_value(rg_golden_builder *builder, const rg_bundle_value *value,
			const rg_program_value *said)
{
	char want[RG_PROGRAM_VALUE_TEXT], got[RG_PROGRAM_VALUE_TEXT];
	if (rg_program_takes(said, &value->as))
		return;
	rg_program_value_text(said, want);
	rg_program_value_text(&value->as, got);
	rg_golden_builder_note(builder, RG_NOTE_WRONG, "%s/%zu/%s/%zu: is %s, but the method %s %s",
			       value->method, value->case_index, value->output ? "output" : "input",
			       value->index, got, value->output ? "gives" : "takes", want);
}

static void check_count(rg_golden_builder *builder, const rg_bundle_case *c, bool output,
			size_t said)
{
	size_t count = output ? c->outputs : c->inputs;
	if (count == said)
		return;
	rg_golden_builder_note(builder, RG_NOTE_WRONG, "%s/%zu: %zu %s%s, but the method %s %zu",
			       c->method, c->index, count, output ? "expected output" : "input",
			       count == 1 ? "" : "s", output ? "gives" : "takes", said);
}

/* A case may come without expected outputs: then nothing is verified. */
static void check_case(rg_golden_builder *builder, const rg_bundle *bundle, const rg_bundle_case *c,
		       const rg_program_plan *plan)
{
	const rg_bundle_value *inputs = bundle->values + c->first, *outputs = inputs + c->inputs;
	check_count(builder, c, false, plan->input_count);
	if (c->outputs)
		check_count(builder, c, true, plan->output_count);
	for (size_t i = 0; i < c->inputs && i < plan->input_count; i++)
		check_value(builder, &inputs[i], &plan->inputs[i]);
	for (size_t i = 0; i < c->outputs && i < plan->output_count; i++)
		check_value(builder, &outputs[i], &plan->outputs[i]);
}

static void check_program(rg_golden_builder *builder, const rg_bundle *bundle,
			  const rg_program *program)
{
	if (program->plan_count > PAIRS_MAX / (bundle->case_count + bundle->method_count + 1)) {
		rg_golden_builder_note(builder, RG_NOTE_WRONG,
				       "too many methods to be held against its program");
		return;
	}
	for (size_t i = 0; i < bundle->method_count; i++)
		if (!rg_program_find(program, bundle->methods[i]))
			rg_golden_builder_note(
				builder, RG_NOTE_WRONG, "%s: the program has no such method%s%s",
				bundle->methods[i], program->plan_count ? "; its first is " : "",
				program->plan_count ? program->plans[0].method : "");
	for (size_t i = 0; i < bundle->case_count; i++) {
		const rg_program_plan *plan = rg_program_find(program, bundle->cases[i].method);
		if (plan)
			check_case(builder, bundle, &bundle->cases[i], plan);
	}
}

static void check(rg_golden_builder *builder, const rg_bundle *bundle)
{
	RG_AUTO(rg_program) program = {0};
	if (!bundle->program.size) {
		rg_golden_builder_note(builder, RG_NOTE_WRONG, "no program in it");
		return;
	}
	RG_AUTO_PTR(rg_error)
	err = rg_program_read(&program, bundle->program.data, bundle->program.size);
	if (err)
		rg_golden_builder_note(builder, RG_NOTE_WRONG, "the program in it: %s",
				       rg_error_message(err));
	else
		check_program(builder, bundle, &program);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	RG_AUTO(rg_bundle) bundle = {0};

	(void)options;
	RG_TRY(rg_bundle_read(&bundle, in->data, in->size));
	for (size_t i = 0; i < bundle.count; i++) {
		const rg_bundle_value *value = &bundle.values[i];
		RG_AUTO_FREE char *name = rg_bundle_value_name(value);
		rg_tensor tensor = value->tensor;

		tensor.forget = in->forget;
		if (value->unreadable)
			RG_TRY(rg_tensor_add_unreadable(
				builder, name, tensor.data, tensor.size,
				rg_error_new(RG_E_PARSE, "%s", value->unreadable)));
		else
			RG_TRY(rg_tensor_add(builder, name, &tensor));
	}
	const rg_span program = {bundle.program.data, bundle.program.size, in->forget};
	RG_TRY(rg_bytes_add(builder, "program", &program));
	check(builder, &bundle);
	return NULL;
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
