/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/bpte_check.h"

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

rg_error *rg_bundle_check(rg_golden_builder *builder, const rg_bundle *bundle)
{
	rg_program program;
	if (!bundle->program.size) {
		rg_golden_builder_note(builder, RG_NOTE_WRONG, "no program in it");
		return NULL;
	}
	rg_error *err = rg_program_read(&program, bundle->program.data, bundle->program.size);
	if (!err) {
		check_program(builder, bundle, &program);
	} else {
		rg_golden_builder_note(builder, RG_NOTE_WRONG, "the program in it: %s",
				       rg_error_message(err));

		rg_error_free(err);
		err = NULL;
	}
	rg_program_release(&program);
	return err;
}
