/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/raw.h"

#include "base/file.h"
#include "base/number.h"
#include "base/pattern.h"
#include "golden/format.h"
#include "golden/pte.h"

#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, size_t length, const char *suffix)
{
	size_t n = strlen(suffix);

	return length >= n && !memcmp(text + length - n, suffix, n);
}

bool rg_raw_name_parse(const char *name, rg_raw_name *out)
{
	static const char output[] = "_expected_output", input[] = "_input";
	size_t length = strlen(name), digits = 0;
	const char *slash = strrchr(name, '/');
	uint64_t index;

	*out = (rg_raw_name){0};
	if (!ends_with(name, length, ".bin"))
		return false;
	length -= 4;
	while (digits < length && name[length - digits - 1] >= '0' &&
	       name[length - digits - 1] <= '9')
		digits++;
	if (digits && digits < length && name[length - digits - 1] == '_') {
		if (!rg_uint64_parse(name + length - digits, digits, &index))
			return false;
		out->index = (size_t)index;
		length -= digits + 1;
	}
	out->output = ends_with(name, length, output);
	if (!out->output && !ends_with(name, length, input))
		return false;
	out->model_length = length - strlen(out->output ? output : input);
	return out->model_length > (slash ? (size_t)(slash + 1 - name) : 0);
}

rg_error *rg_raw_type_of(rg_tensor *out, const rg_program_value *value)
{
	switch (value->kind) {
	case RG_PROGRAM_TENSOR:
		if (!rg_dtype_known(value->scalar_type))
			return rg_error_new(RG_E_PARSE, "tensors of ScalarType %d cannot be read",
					    value->scalar_type);
		out->dtype = (rg_dtype)value->scalar_type;
		out->dimensions = value->dimensions;
		memcpy(out->shape, value->shape, sizeof(out->shape));
		return NULL;
	case RG_PROGRAM_INT:
		out->dtype = RG_DTYPE_INT64;
		return NULL;
	case RG_PROGRAM_BOOL:
		out->dtype = RG_DTYPE_BOOL;
		return NULL;
	case RG_PROGRAM_DOUBLE:
		out->dtype = RG_DTYPE_FLOAT64;
		return NULL;
	default:
		return rg_error_new(RG_E_PARSE, "it is neither a tensor nor a number");
	}
}

static rg_error *type_in_plan(rg_tensor *out, const rg_program *program, const rg_raw_name *what)
{
	const rg_program_plan *plan = rg_program_find(program, NULL);
	const char *kind = what->output ? "output" : "input";
	size_t count;

	if (!plan)
		return rg_error_new(RG_E_PARSE, "no execution plan in it");
	count = what->output ? plan->output_count : plan->input_count;
	if (what->index >= count)
		return rg_error_new(RG_E_PARSE, "method '%s' has %zu %s%s, so there is no %s %zu",
				    plan->method, count, kind, count == 1 ? "" : "s", kind,
				    what->index);
	return rg_error_wrap(
		rg_raw_type_of(out, &(what->output ? plan->outputs : plan->inputs)[what->index]),
		"method '%s', %s %zu", plan->method, kind, what->index);
}

static rg_error *type_in_program(rg_tensor *out, const rg_bytes *pte, const rg_raw_name *what)
{
	rg_program program;
	rg_error *err = rg_program_read(&program, pte->data, pte->size);

	if (!err)
		err = type_in_plan(out, &program, what);
	rg_program_release(&program);
	return err;
}

/* From MODEL.pte beside the file; *found is false where there is none. */
static rg_error *type_from_program(rg_tensor *tensor, const rg_input *in, bool *found)
{
	const char *base = rg_path_name(in->name);
	rg_bytes pte = {0};
	rg_raw_name what;
	rg_error *err;
	char *sibling;

	*found = false;
	if (!in->sibling || !rg_raw_name_parse(in->name, &what))
		return NULL;
	RG_TRY(rg_textf(&sibling, "%.*s.pte", (int)(what.model_length - (size_t)(base - in->name)),
			base));
	err = in->sibling(in->sibling_context, sibling, &pte);
	if (!err && pte.data) {
		*found = true;
		err = type_in_program(tensor, &pte, &what);
	}
	err = rg_error_wrap(err, "%s", sibling);
	free(sibling);
	return err;
}

static const rg_tensor_type *configured_type(const rg_golden_options *options, const char *name)
{
	const rg_tensor_type *best = NULL;
	size_t i, weight, best_weight = 0;

	for (i = 0; i < options->tensor_type_count; i++) {
		const rg_tensor_type *type = &options->tensor_types[i];

		if (type->pattern && !rg_glob_match_end(type->pattern, name))
			continue;
		/* Of several the most specific, of equally specific ones the last. */
		weight = type->pattern ? rg_glob_weight(type->pattern) : 0;
		if (!best || weight >= best_weight) {
			best = type;
			best_weight = weight;
		}
	}
	return best;
}

static rg_error *set_configured(rg_tensor *tensor, const rg_tensor_type *type)
{
	size_t size;

	if (!type->dtype || !rg_dtype_parse(type->dtype, &tensor->dtype))
		return rg_error_new(RG_E_USAGE, "'%s' is not a tensor type; float32 is one",
				    type->dtype ? type->dtype : "");
	tensor->dimensions = type->dimensions;
	memcpy(tensor->shape, type->shape, sizeof(tensor->shape));
	if (type->dimensions)
		return NULL;
	size = rg_dtype_size(tensor->dtype);
	if (tensor->size % size)
		return rg_error_new(RG_E_PARSE, "%zu byte%s not a whole number of %s", tensor->size,
				    tensor->size == 1 ? " is" : "s are",
				    rg_dtype_name(tensor->dtype));
	tensor->dimensions = 1;
	tensor->shape[0] = (int64_t)(tensor->size / size);
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_tensor tensor = {.data = in->data, .size = in->size, .forget = in->forget};
	const rg_tensor_type *type;
	bool found;

	rg_tensor_row_major(&tensor);
	RG_TRY(type_from_program(&tensor, in, &found));
	if (!found) {
		type = configured_type(options, in->name);
		if (!type)
			return rg_error_new(RG_E_PARSE,
					    "a raw tensor whose type nothing says: no program "
					    "(.pte) beside it; give its dtype in [tensor "
					    "\"PATTERN\"] of .regild, or to "
					    "'regild compare' with --dtype");
		RG_TRY(set_configured(&tensor, type));
	}
	return rg_tensor_add(builder, "tensor", &tensor);
}

static int bid(const rg_input *in)
{
	return rg_ends_with(in->name, ".bin") ? 60 : 0;
}

const rg_format rg_format_raw = {.name = "raw", .bid = bid, .read = read_golden, .in_place = true};
