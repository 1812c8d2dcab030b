#include "base/digest.h"
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

rg_error *rg_program_metric(rg_golden *golden, rg_metric *metric, const rg_bytes *program)
{
	static const char prefix[] = "sha256:";
	char *text = rg_arena_alloc(&golden->arena, sizeof(prefix) + RG_SHA256_HEX);

	if (!text)
		return rg_error_nomem();
	memcpy(text, prefix, sizeof(prefix));
	RG_TRY(rg_sha256_hex(program->data, program->size, text + sizeof(prefix) - 1));
	*metric = (rg_metric){
		.name = "program", .kind = RG_METRIC_TEXT, .count = strlen(text), .text = text};
	return NULL;
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
static rg_error *value_metric(rg_golden *golden, rg_metric *metric, const char *method,
			      const char *kind, size_t index, const rg_program_value *value)
{
	char text[RG_SHAPE_TEXT + 32], *name;
	rg_error *err;

	describe(value, text, sizeof(text));
	RG_TRY(rg_textf(&name, "%s/%s/%zu", method, kind, index));
	*metric = (rg_metric){.name = rg_arena_copy(&golden->arena, name, strlen(name)),
			      .kind = RG_METRIC_TEXT,
			      .count = strlen(text),
			      .text = rg_arena_copy(&golden->arena, text, strlen(text))};
	err = metric->name && metric->text ? NULL : rg_error_nomem();
	free(name);
	return err;
}

static rg_error *add_plan(rg_golden *golden, rg_metric *metrics, size_t *count,
			  const rg_program_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->input_count; i++)
		RG_TRY(value_metric(golden, &metrics[(*count)++], plan->method, "input", i,
				    &plan->inputs[i]));
	for (i = 0; i < plan->output_count; i++)
		RG_TRY(value_metric(golden, &metrics[(*count)++], plan->method, "output", i,
				    &plan->outputs[i]));
	return NULL;
}

static rg_error *fill(rg_golden *golden, const rg_program *program, const rg_input *in)
{
	const rg_bytes whole = {in->data, in->size};
	size_t count = 1, i;
	rg_metric *metrics;

	for (i = 0; i < program->plan_count; i++)
		count += program->plans[i].input_count + program->plans[i].output_count;
	metrics = rg_arena_alloc(&golden->arena, count * sizeof(*metrics));
	if (!metrics)
		return rg_error_nomem();
	RG_TRY(rg_program_metric(golden, &metrics[0], &whole));
	count = 1;
	for (i = 0; i < program->plan_count; i++)
		RG_TRY(add_plan(golden, metrics, &count, &program->plans[i]));
	golden->metrics = metrics;
	golden->count = count;
	return NULL;
}

static rg_error *read_golden(rg_golden *golden, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_program program;
	rg_error *err = rg_program_read(&program, in->data, in->size);

	(void)options;
	if (!err)
		err = fill(golden, &program, in);
	rg_program_release(&program);
	return err;
}

static int bid(const rg_input *in)
{
	bool named = rg_ends_with(in->name, ".pte");
	bool known = in->size >= 8 && !memcmp((const char *)in->data + 4, "ET12", 4);

	return known ? named ? 100 : 50 : named ? 10 : 0;
}

const rg_format rg_format_pte = {.name = "pte", .bid = bid, .read = read_golden};
