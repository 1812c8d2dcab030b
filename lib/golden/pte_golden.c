/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "golden/format.h"
#include "golden/pte.h"
#include "golden/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Programs as goldens: what they take and give, and which program it is, all exact matters. Their
 * numbers are in the tensors beside them.
 */

rg_error *rg_program_add(rg_golden_builder *builder, const rg_span *program)
{
	static const char prefix[] = "sha256:", name[] = "program";
	char text[sizeof(prefix) + RG_SHA256_HEX];

	memcpy(text, prefix, sizeof(prefix));
	RG_TRY(rg_span_sha256_hex(program, text + strlen(prefix)));
	return rg_golden_builder_text(builder, name, strlen(name), text, strlen(text));
}

static void describe(const rg_program_value *value, char *out, size_t size)
{
	static const char *const kinds[] = {"?", "null", "int", "bool", "double"};
	char shape[RG_SHAPE_TEXT];

	if (value->kind != RG_PROGRAM_TENSOR) {
		snprintf(out, size, "%s",
			 value->kind < RG_PROGRAM_TENSOR ? kinds[value->kind] : "other");
		return;
	}
	rg_shape_text(value->shape, value->dimensions, shape);
	if (rg_dtype_known(value->scalar_type))
		snprintf(out, size, "%s %s", rg_dtype_name((rg_dtype)value->scalar_type), shape);
	else
		snprintf(out, size, "ScalarType %d %s", value->scalar_type, shape);
}

/* METHOD/input/0: "float32 [2, 3]". */
static rg_error *add_values(rg_golden_builder *builder, const char *method, const char *kind,
			    const rg_program_value *values, size_t count)
{
	char text[RG_SHAPE_TEXT + 32], *name;
	rg_error *err = NULL;
	size_t i;

	for (i = 0; i < count && !err; i++) {
		describe(&values[i], text, sizeof(text));
		RG_TRY(rg_textf(&name, "%s/%s/%zu", method, kind, i));
		err = rg_golden_builder_text(builder, name, strlen(name), text, strlen(text));
		free(name);
	}
	return err;
}

static rg_error *add_all(rg_golden_builder *builder, const rg_program *program, const rg_input *in)
{
	const rg_span whole = rg_input_span(in);
	size_t i;

	RG_TRY(rg_program_add(builder, &whole));
	for (i = 0; i < program->plan_count; i++) {
		const rg_program_plan *plan = &program->plans[i];

		RG_TRY(add_values(builder, plan->method, "input", plan->inputs, plan->input_count));
		RG_TRY(add_values(builder, plan->method, "output", plan->outputs,
				  plan->output_count));
	}
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_program program;
	rg_error *err;

	(void)options;
	err = rg_program_read(&program, in->data, in->size);
	if (!err)
		err = add_all(builder, &program, in);
	rg_program_release(&program);
	return err;
}

static int bid(const rg_input *in)
{
	return rg_format_bid(rg_ends_with(in->name, ".pte"),
			     in->size >= 8 && !memcmp((const char *)in->data + 4, "ET12", 4));
}

const rg_format rg_format_pte = {.name = "pte", .bid = bid, .read = read_golden, .in_place = true};
