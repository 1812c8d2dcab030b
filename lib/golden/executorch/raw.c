/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/raw.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/number.h"
#include "base/pattern.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/pte.h"
#include "golden/sections.h"

#include <stdlib.h>
#include <string.h>

bool rg_raw_name_parse(const char *name, rg_raw_name *out)
{
	static const char output[] = "_expected_output", input[] = "_input";
	size_t length = strlen(name), digits = 0;
	const char *slash = strrchr(name, '/');
	uint64_t index;

	*out = (rg_raw_name){0};
	if (!rg_bytes_end_with(name, length, ".bin"))
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
	out->output = rg_bytes_end_with(name, length, output);
	if (!out->output && !rg_bytes_end_with(name, length, input))
		return false;
	out->model_length = length - strlen(out->output ? output : input);
	return out->model_length > (slash ? (size_t)(slash + 1 - name) : 0);
}

/* --- which shape has so many elements? --- */

/* Sizes that are tried: a hostile program could ask for any number of them. */
enum { TRIES_MAX = 1 << 20 };

/* How many shapes within bounds have so many elements, each size being at least 1. Several, too,
 * where there are too many to go through. */
typedef enum { NO_SHAPE, ONE_SHAPE, SEVERAL_SHAPES } shapes;

typedef struct {
	const int64_t *bounds;
	size_t dimensions;
	/* How many elements the dimensions from here on hold. */
	uint64_t room[RG_METRIC_DIMENSIONS + 1];
	int64_t now[RG_METRIC_DIMENSIONS];
	int64_t *found;
	size_t count, tries;
} shape_search;

/* The sizes from dimension `at` on, of which `left` elements are to be made. */
static void fill(shape_search *s, size_t at, uint64_t left)
{
	if (at == s->dimensions) {
		if (left == 1 && !s->count++)
			memcpy(s->found, s->now, at * sizeof(*s->now));
		return;
	}
	uint64_t most = (uint64_t)s->bounds[at] < left ? (uint64_t)s->bounds[at] : left;
	for (uint64_t size = (left + s->room[at + 1] - 1) / s->room[at + 1]; size <= most; size++) {
		if (s->count > 1 || ++s->tries > TRIES_MAX)
			return;
		s->now[at] = (int64_t)size;
		if (left % size == 0)
			fill(s, at + 1, left / size);
	}
}

/* `shape` is the one where it is the only one. */
static shapes derive_shape(int64_t shape[static RG_METRIC_DIMENSIONS], const int64_t *bounds,
			   size_t dimensions, uint64_t count)
{
	shape_search s = {.bounds = bounds, .dimensions = dimensions, .found = shape};
	for (size_t i = 0; i < dimensions; i++)
		if (bounds[i] < 1)
			return NO_SHAPE;
	if (!count || count > UINT64_MAX / 4)
		return NO_SHAPE;
	s.room[dimensions] = 1;
	for (size_t i = dimensions; i-- > 0;) {
		const uint64_t bound = (uint64_t)bounds[i], rest = s.room[i + 1];
		s.room[i] = bound > UINT64_MAX / 2 / rest ? UINT64_MAX / 2 : bound * rest;
	}
	fill(&s, 0, count);
	if (s.count > 1 || s.tries > TRIES_MAX)
		return SEVERAL_SHAPES;
	return s.count ? ONE_SHAPE : NO_SHAPE;
}

/* --- the type that the program says --- */

/* How many numbers the tensor's bytes are, complex ones counted once. */
static rg_error *count_numbers(const rg_tensor *tensor, size_t *count)
{
	size_t size = rg_dtype_size(tensor->dtype) * (tensor->is_complex ? 2 : 1);
	char type[RG_TENSOR_TYPE_TEXT];

	*count = tensor->size / size;
	if (*count * size == tensor->size)
		return NULL;
	rg_tensor_type_text(tensor, type);
	*strchr(type, ' ') = '\0';
	return rg_error_new(RG_E_PARSE, "%zu byte%s not a whole number of %s", tensor->size,
			    tensor->size == 1 ? " is" : "s are", type);
}

static rg_error *check_bounds(const rg_tensor *tensor, const rg_program_value *value, size_t count)
{
	char text[RG_PROGRAM_VALUE_TEXT];
	size_t most;

	RG_AUTO_PTR(rg_error) err = rg_shape_count(value->shape, value->dimensions, &most);
	if (err || count <= most) /* more than fit in memory: no bound at all */
		return NULL;
	rg_program_value_text(value, text);
	return rg_error_new(RG_E_PARSE, "%zu bytes are %zu elements, but its program says %s",
			    tensor->size, count, text);
}

/* The shape is what fits the tensor's size. */
static rg_error *set_dynamic(rg_tensor *out, const rg_program_value *value, const char **why)
{
	bool bounded = value->dynamism == RG_SHAPE_BOUNDED;
	int64_t shape[RG_METRIC_DIMENSIONS] = {0};
	rg_tensor number = *out;
	shapes fits = SEVERAL_SHAPES;
	size_t count;

	number.dimensions = 0;
	RG_TRY(rg_tensor_set_scalar_type(&number, value->scalar_type));
	RG_TRY(count_numbers(&number, &count));
	if (bounded) {
		RG_TRY(check_bounds(out, value, count));
		fits = derive_shape(shape, value->shape, value->dimensions, count);
	}
	out->dimensions = value->dimensions;
	memcpy(out->shape, shape, sizeof(shape));
	if (fits != ONE_SHAPE) {
		out->dimensions = 1;
		out->shape[0] = (int64_t)count;
		if (value->dimensions != 1)
			*why = fits == NO_SHAPE ? "no shape within its bounds has so many"
			       : bounded        ? "several shapes within its bounds have so many"
						: "the program does not bound its shape";
	}
	return rg_tensor_set_scalar_type(out, value->scalar_type);
}

rg_error *rg_raw_type_of(rg_tensor *out, const rg_program_value *value, const char **why)
{
	const char *ignored;
	why = why ? why : &ignored;
	*why = NULL;
	switch (value->kind) {
	case RG_PROGRAM_TENSOR:
		if (value->dynamism != RG_SHAPE_STATIC)
			return set_dynamic(out, value, why);
		out->dimensions = value->dimensions;
		memcpy(out->shape, value->shape, sizeof(out->shape));
		return rg_tensor_set_scalar_type(out, value->scalar_type);
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

/* A tensor's value in the program beside it. */
typedef struct {
	bool found;  /* there is a program */
	char *where; /* it and the value in it, for messages */
	rg_program_value value;
} said_type;

static rg_error *type_in_program(said_type *said, const rg_bytes *pte, const char *file,
				 const rg_raw_name *what)
{
	RG_AUTO(rg_program) program = {0};
	RG_TRY(rg_program_read(&program, pte->data, pte->size));
	const rg_program_plan *plan = rg_program_find(&program, NULL);
	const char *kind = what->output ? "output" : "input";

	if (!plan)
		return rg_error_new(RG_E_PARSE, "no execution plan in it");
	size_t count = what->output ? plan->output_count : plan->input_count;
	if (what->index >= count)
		return rg_error_new(RG_E_PARSE, "method '%s' has %zu %s%s, so there is no %s %zu",
				    plan->method, count, kind, count == 1 ? "" : "s", kind,
				    what->index);
	said->value = (what->output ? plan->outputs : plan->inputs)[what->index];
	said->where = rg_textf("%s: method '%s', %s %zu", file, plan->method, kind, what->index);
	return NULL;
}

/* From MODEL.pte beside the file; `found` is false where there is none. */
static rg_error *type_from_program(said_type *said, const rg_input *in)
{
	const char *base = rg_path_name(in->name);
	rg_bytes pte = {0};
	rg_raw_name what;

	said->found = false;
	if (!in->sibling || !rg_raw_name_parse(in->name, &what))
		return NULL;
	RG_AUTO_FREE char *sibling =
		rg_textf("%.*s.pte", (int)(what.model_length - (size_t)(base - in->name)), base);
	rg_error *err = in->sibling(in->sibling_context, sibling, &pte);
	if (!err && pte.data) {
		said->found = true;
		err = type_in_program(said, &pte, sibling, &what);
	}
	return rg_error_wrap(err, "%s", sibling);
}

/* A configured shape, or as many numbers as there are in one dimension. */
static rg_error *set_shape(rg_tensor *tensor, const rg_tensor_type *type)
{
	rg_tensor number = *tensor;
	size_t count;

	tensor->dimensions = type->dimensions;
	memcpy(tensor->shape, type->shape, sizeof(tensor->shape));
	if (type->dimensions)
		return NULL;
	number.dimensions = 0;
	RG_TRY(rg_tensor_set_type(&number, type->dtype));
	RG_TRY(count_numbers(&number, &count));
	tensor->dimensions = 1;
	tensor->shape[0] = (int64_t)count;
	return NULL;
}

static rg_error *set_configured(rg_tensor *tensor, const rg_tensor_type *type)
{
	if (!rg_tensor_is_type(type->dtype))
		return rg_error_new(RG_E_USAGE, "'%s' is not a tensor type; float32 is one",
				    type->dtype);
	RG_TRY(set_shape(tensor, type));
	return rg_tensor_set_type(tensor, type->dtype);
}

/* Does the configuration name the type that the program has, so that its shape holds too? */
static bool is_same_type(const rg_tensor_type *type, const said_type *said)
{
	rg_tensor configured = {0}, program = {0};
	if (!said->found || said->value.kind != RG_PROGRAM_TENSOR)
		return false;
	RG_AUTO_PTR(rg_error) err = rg_tensor_set_type(&configured, type->dtype);
	if (!err)
		err = rg_tensor_set_scalar_type(&program, said->value.scalar_type);
	return !err && configured.dtype == program.dtype &&
	       configured.is_complex == program.is_complex;
}

static rg_error *set_from_program(rg_golden_builder *builder, rg_tensor *tensor,
				  const said_type *said)
{
	char text[RG_PROGRAM_VALUE_TEXT];
	const char *why;

	if (!said->found)
		return rg_error_new(RG_E_PARSE, "a raw tensor whose type nothing says: no program "
						"(.pte) beside it; give its dtype in [tensor "
						"\"PATTERN\"] of .regild, or to "
						"'regild compare' with --dtype");
	RG_TRY(rg_error_wrap(rg_raw_type_of(tensor, &said->value, &why), "%s", said->where));
	if (!why)
		return NULL;
	rg_program_value_text(&said->value, text);
	rg_golden_builder_note(
		builder, RG_NOTE_READ,
		"its %lld elements are compared without a shape: its program says %s, and %s",
		(long long)tensor->shape[0], text, why);
	return NULL;
}

/* The configuration comes first, and the program for what that leaves open. */
static rg_error *set_type(rg_golden_builder *builder, rg_tensor *tensor, const rg_input *in,
			  const rg_tensor_type *type)
{
	said_type said = {0};
	if (type && type->dtype && type->dimensions)
		return set_configured(tensor, type);
	rg_error *err = type_from_program(&said, in);
	RG_AUTO_FREE char *where = said.where;
	if (err && type && type->dtype) {
		rg_error_free(err);
		said.found = false;
	} else {
		RG_TRY(err);
	}
	if (type && !type->dtype) {
		/* A configured shape of the program's type. */
		if (!said.found || said.value.kind != RG_PROGRAM_TENSOR)
			return rg_error_new(RG_E_USAGE,
					    "a shape, and no program (.pte) beside the tensor "
					    "that says its type: a dtype is needed too");
		tensor->dimensions = type->dimensions;
		memcpy(tensor->shape, type->shape, sizeof(tensor->shape));
		return rg_tensor_set_scalar_type(tensor, said.value.scalar_type);
	}
	if (type && !is_same_type(type, &said))
		return set_configured(tensor, type);
	return set_from_program(builder, tensor, &said);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_tensor tensor = {.data = in->data, .size = in->size, .forget = in->forget};
	rg_tensor_row_major(&tensor);
	RG_TRY(set_type(builder, &tensor, in,
			rg_section_of(options->tensor_types, options->tensor_type_count,
				      sizeof(*options->tensor_types), in->name)));
	return rg_tensor_add(builder, "tensor", &tensor);
}

static int bid(const rg_input *in)
{
	return rg_ends_with(in->name, ".bin") ? 60 : 0;
}

static bool place_in_model(rg_model_place *out, const char *path, const char *metric)
{
	rg_raw_name name;

	(void)metric;
	if (!rg_raw_name_parse(path, &name))
		return false;
	*out = (rg_model_place){name.output ? RG_PART_OUTPUT : RG_PART_INPUT, name.model_length,
				true};
	return true;
}

const rg_format rg_format_raw = {.heeds = RG_SET_TENSOR,
				 .name = "raw",
				 .bid = bid,
				 .read = read_golden,
				 .in_place = true,
				 .has_tensors = true,
				 .place_in_model = place_in_model};
