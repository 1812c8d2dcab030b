/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/pte.h"

#include "base/memory.h"
#include "base/bytes.h"
#include "base/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* schema/program.fbs */
enum { PROGRAM_VERSION = 0, PROGRAM_PLANS = 1, PROGRAM_SEGMENTS = 4 };
enum { PLAN_NAME = 0, PLAN_VALUES = 2, PLAN_INPUTS = 3, PLAN_OUTPUTS = 4 };
enum { EVALUE_KIND = 0, EVALUE_TABLE = 1 };
enum { TENSOR_SCALAR_TYPE = 0, TENSOR_SIZES = 2, TENSOR_DYNAMISM = 8, TENSOR_EXTRA = 9 };
enum { VALUES_MAX = 1 << 22, EXTERNALS_MAX = 1 << 16 };
enum { EXTRA_NAME = 1, EXTRA_LOCATION = 2, LOCATION_EXTERNAL = 1 };
enum { SEGMENT_OFFSET = 0, SEGMENT_SIZE = 1 };

/* schema/extended_header.h: what may follow the identifier. Programs without it have no data
 * after the flatbuffer. */
enum {
	HEADER_MAGIC = 8,
	HEADER_LENGTH = 12,
	HEADER_PROGRAM_SIZE = 16,
	HEADER_SEGMENT_BASE = 24,
	HEADER_SEGMENT_DATA_SIZE = 32, /* in newer files */
	HEADER_SIZE = 24,              /* from the magic */
	HEADER_NEWER_SIZE = 32,
};

static const char identifier[4] = {'E', 'T', '1', '2'};

/* The sizes that field `sizes` has. */
static rg_error *read_shape(const rg_flat_table *table, unsigned sizes, rg_program_value *out)
{
	rg_flat_vector shape;
	RG_TRY(rg_flat_vector_of(table, sizes, 4, &shape));
	if (shape.count > RG_METRIC_DIMENSIONS)
		return rg_error_new(RG_E_LIMIT, "a tensor of %zu dimensions, more than %d",
				    shape.count, RG_METRIC_DIMENSIONS);
	out->dimensions = shape.count;
	for (size_t i = 0; i < shape.count; i++)
		out->shape[i] = rg_flat_vector_i32(&shape, i);
	return NULL;
}

static rg_error *read_order(const rg_flat_table *table, unsigned field, rg_tensor *out)
{
	rg_flat_vector order;
	rg_tensor_row_major(out);
	RG_TRY(rg_flat_vector_of(table, field, 1, &order));
	if (!order.count)
		return NULL;
	if (order.count != out->dimensions)
		return rg_error_new(RG_E_PARSE, "an order of %zu dimensions for %zu", order.count,
				    out->dimensions);
	memcpy(out->order, order.file->data + order.at, order.count);
	return NULL;
}

rg_error *rg_program_tensor_read(const rg_flat_table *table, unsigned sizes, unsigned order,
				 rg_program_value *as, rg_tensor *out)
{
	size_t count;
	RG_TRY(read_shape(table, sizes, as));
	out->dimensions = as->dimensions;
	memcpy(out->shape, as->shape, sizeof(out->shape));
	RG_TRY(read_order(table, order, out));
	RG_TRY(rg_tensor_set_scalar_type(out, as->scalar_type));
	RG_TRY(rg_shape_count(out->shape, out->dimensions, &count));
	size_t width = rg_dtype_size(out->dtype);
	if (out->size > count * width)
		out->size = count * width;
	return rg_tensor_check(out);
}

static rg_error *read_tensor(const rg_flat_table *tensor, rg_program_value *out)
{
	uint8_t scalar_type, dynamism;
	RG_TRY(rg_flat_u8(tensor, TENSOR_SCALAR_TYPE, &scalar_type));
	RG_TRY(rg_flat_u8(tensor, TENSOR_DYNAMISM, &dynamism));
	out->scalar_type = scalar_type;
	out->dynamism = dynamism;
	return read_shape(tensor, TENSOR_SIZES, out);
}

static rg_error *read_value(const rg_flat_vector *values, int32_t index, rg_program_value *out)
{
	rg_flat_table evalue, tensor;
	uint8_t kind;

	if (index < 0 || (size_t)index >= values->count)
		return rg_error_new(RG_E_PARSE, "value %d of %zu", index, values->count);
	RG_TRY(rg_flat_vector_table(values, (size_t)index, &evalue));
	RG_TRY(rg_flat_u8(&evalue, EVALUE_KIND, &kind));
	out->kind = kind;
	if (kind != RG_PROGRAM_TENSOR)
		return NULL;
	RG_TRY(rg_flat_child(&evalue, EVALUE_TABLE, "a tensor", &tensor));
	return read_tensor(&tensor, out);
}

/* A value whose data are in a .ptd. */
static rg_error *read_external(rg_program *program, size_t *capacity, const rg_flat_table *evalue)
{
	rg_flat_table tensor, extra;
	const char *name;
	uint8_t location;
	size_t at, length;

	RG_TRY(rg_flat_child(evalue, EVALUE_TABLE, "a tensor", &tensor));
	RG_TRY(rg_flat_field(&tensor, TENSOR_EXTRA, 4, &at));
	if (!at)
		return NULL;
	RG_TRY(rg_flat_child(&tensor, TENSOR_EXTRA, "what else there is of a tensor", &extra));
	RG_TRY(rg_flat_u8(&extra, EXTRA_LOCATION, &location));
	if (location != LOCATION_EXTERNAL)
		return NULL;
	if (program->external_count == EXTERNALS_MAX)
		return rg_error_new(RG_E_LIMIT, "more than %d tensors outside of it",
				    EXTERNALS_MAX);
	rg_grow(&program->externals, capacity, program->external_count + 1,
		sizeof(*program->externals));
	rg_program_external *external = &program->externals[program->external_count];
	*external = (rg_program_external){.value.kind = RG_PROGRAM_TENSOR};
	RG_TRY(read_tensor(&tensor, &external->value));
	RG_TRY(rg_flat_string(&extra, EXTRA_NAME, &name, &length));
	external->name = rg_arena_copy(&program->arena, name, length);
	program->external_count++;
	return NULL;
}

/* Every value of every plan is looked at, and there are many more of them than inputs and outputs.
 */
static rg_error *read_externals(rg_program *program, const rg_flat_vector *plans)
{
	size_t capacity = 0;

	plans->file->tables = 0;
	plans->file->tables_max = VALUES_MAX;
	for (size_t i = 0; i < plans->count; i++) {
		rg_flat_vector values;
		rg_flat_table plan, evalue;
		uint8_t kind;

		RG_TRY(rg_flat_vector_table(plans, i, &plan));
		RG_TRY(rg_flat_vector_of(&plan, PLAN_VALUES, 4, &values));
		for (size_t k = 0; k < values.count; k++) {
			RG_TRY(rg_flat_vector_table(&values, k, &evalue));
			RG_TRY(rg_flat_u8(&evalue, EVALUE_KIND, &kind));
			if (kind == RG_PROGRAM_TENSOR)
				RG_TRY(read_external(program, &capacity, &evalue));
		}
	}
	return NULL;
}

/* The inputs or outputs: a vector of indices into the values. */
static rg_error *read_list(rg_arena *arena, const rg_flat_table *plan, unsigned field,
			   const rg_flat_vector *values, rg_program_value **out, size_t *count)
{
	rg_flat_vector indices;
	RG_TRY(rg_flat_vector_of(plan, field, 4, &indices));
	if (indices.count > RG_FLAT_TABLES_MAX)
		return rg_error_new(RG_E_LIMIT, "%zu inputs or outputs", indices.count);
	*out = rg_arena_alloc(arena, (indices.count + 1) * sizeof(**out));
	for (size_t i = 0; i < indices.count; i++)
		RG_TRY(read_value(values, rg_flat_vector_i32(&indices, i), &(*out)[i]));
	*count = indices.count;
	return NULL;
}

static rg_error *read_plan(rg_arena *arena, const rg_flat_table *plan, rg_program_plan *out)
{
	rg_flat_vector values;
	const char *name;
	size_t length;

	RG_TRY(rg_flat_string(plan, PLAN_NAME, &name, &length));
	out->method = rg_arena_copy(arena, name, length);
	RG_TRY(rg_flat_vector_of(plan, PLAN_VALUES, 4, &values));
	RG_TRY(read_list(arena, plan, PLAN_INPUTS, &values, &out->inputs, &out->input_count));
	return read_list(arena, plan, PLAN_OUTPUTS, &values, &out->outputs, &out->output_count);
}

/* Do `size` bytes at base + offset lie in the file? */
static rg_error *check_inside(const rg_flat *file, const char *what, uint64_t base, uint64_t offset,
			      uint64_t size)
{
	if (base <= file->size && offset <= file->size - base && size <= file->size - base - offset)
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "%s should be %" PRIu64 " bytes at byte %" PRIu64
			    ", but the file ends at byte %zu: cut off",
			    what, size, base + offset, file->size);
}

static bool has_header(const unsigned char *bytes, size_t size)
{
	return size >= HEADER_MAGIC + HEADER_SIZE && !memcmp(bytes + HEADER_MAGIC, "eh00", 4);
}

/* The data segments after the flatbuffer (weights, delegates), which nothing else looks at: a file
 * cut off in them reads as if it were whole. */
static rg_error *check_segments(const rg_flat_table *root)
{
	const rg_flat *file = root->file;
	uint64_t offset;
	rg_flat_vector segments;
	rg_flat_table segment;

	if (!has_header(file->data, file->size))
		return NULL;
	uint32_t length = rg_le32(file->data + HEADER_LENGTH);
	if (length < HEADER_SIZE)
		return rg_error_new(RG_E_PARSE, "byte %d: a header of %" PRIu32 " bytes",
				    HEADER_LENGTH, length);
	uint64_t size = rg_le64(file->data + HEADER_PROGRAM_SIZE);
	RG_TRY(check_inside(file, "the program", 0, 0, size));
	uint64_t base = rg_le64(file->data + HEADER_SEGMENT_BASE);
	if (length >= HEADER_NEWER_SIZE && file->size >= HEADER_MAGIC + HEADER_NEWER_SIZE) {
		size = rg_le64(file->data + HEADER_SEGMENT_DATA_SIZE);
		RG_TRY(check_inside(file, "the data segments", base, 0, size));
	}
	RG_TRY(rg_flat_vector_of(root, PROGRAM_SEGMENTS, 4, &segments));
	for (size_t i = 0; i < segments.count; i++) {
		RG_TRY(rg_flat_vector_table(&segments, i, &segment));
		RG_TRY(rg_flat_u64(&segment, SEGMENT_OFFSET, &offset));
		RG_TRY(rg_flat_u64(&segment, SEGMENT_SIZE, &size));
		RG_TRY(rg_error_wrap(check_inside(file, "its data", base, offset, size),
				     "data segment %zu", i));
	}
	return NULL;
}

rg_error *rg_program_read(rg_program *out, const void *data, size_t size)
{
	rg_flat_table root, plan;
	rg_flat_vector plans;
	rg_flat file;

	*out = (rg_program){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_flat_open(&file, data, size, identifier, &root));
	RG_TRY(rg_flat_u32(&root, PROGRAM_VERSION, &out->version));
	RG_TRY(check_segments(&root));
	RG_TRY(rg_flat_vector_of(&root, PROGRAM_PLANS, 4, &plans));
	if (plans.count > RG_FLAT_TABLES_MAX)
		return rg_error_new(RG_E_LIMIT, "%zu execution plans", plans.count);
	out->plans = rg_arena_alloc(&out->arena, (plans.count + 1) * sizeof(*out->plans));
	for (size_t i = 0; i < plans.count; i++) {
		RG_TRY(rg_flat_vector_table(&plans, i, &plan));
		RG_TRY(rg_error_wrap(read_plan(&out->arena, &plan, &out->plans[i]),
				     "execution plan %zu", i));
	}
	out->plan_count = plans.count;
	return read_externals(out, &plans);
}

uint64_t rg_program_head_size(const void *start, size_t length, uint64_t file_size)
{
	const unsigned char *bytes = start;
	uint64_t head = RG_PROGRAM_START;

	if (length < RG_PROGRAM_START)
		return file_size;
	if (memcmp(bytes + 4, identifier, sizeof(identifier)) != 0)
		return head;
	if (!has_header(bytes, length))
		return file_size;
	if (rg_le64(bytes + HEADER_PROGRAM_SIZE) > head)
		head = rg_le64(bytes + HEADER_PROGRAM_SIZE);
	return head < file_size ? head : file_size;
}

void rg_program_release(rg_program *program)
{
	free(program->externals);
	rg_arena_release(&program->arena);
	*program = (rg_program){0};
}

void rg_program_value_text(const rg_program_value *value, char out[static RG_PROGRAM_VALUE_TEXT])
{
	static const char *const kinds[] = {"?", "null", "int", "bool", "double"};
	bool any = value->dynamism == RG_SHAPE_UNBOUNDED,
	     bound = value->dynamism == RG_SHAPE_BOUNDED;
	rg_tensor tensor = {.dimensions = value->dimensions};
	char type[RG_TENSOR_TYPE_TEXT], number[32];

	if (value->kind != RG_PROGRAM_TENSOR) {
		snprintf(out, RG_PROGRAM_VALUE_TEXT, "%s",
			 value->kind < RG_PROGRAM_TENSOR ? kinds[value->kind] : "other");
		return;
	}
	memcpy(tensor.shape, value->shape, sizeof(tensor.shape));
	RG_AUTO_PTR(rg_error) err = rg_tensor_set_scalar_type(&tensor, value->scalar_type);
	rg_tensor_type_text(&tensor, type);
	char *shape = strchr(type, ' ');
	*shape++ = '\0';
	snprintf(number, sizeof(number), "ScalarType %d", value->scalar_type);
	snprintf(out, RG_PROGRAM_VALUE_TEXT, "%s%s%s", err ? number : type,
		 any     ? " of any shape"
		 : bound ? " up to "
			 : " ",
		 any ? "" : shape);
}

bool rg_program_takes(const rg_program_value *said, const rg_program_value *value)
{
	if (said->kind != value->kind || said->kind != RG_PROGRAM_TENSOR)
		return said->kind == value->kind;
	if (said->scalar_type != value->scalar_type || said->dimensions != value->dimensions)
		return false;
	for (size_t i = 0; i < said->dimensions && said->dynamism != RG_SHAPE_UNBOUNDED; i++)
		if (said->dynamism == RG_SHAPE_BOUNDED ? value->shape[i] > said->shape[i]
						       : value->shape[i] != said->shape[i])
			return false;
	return true;
}

size_t rg_program_model_length(const char *path)
{
	return strlen(path) - (rg_ends_with(path, ".pte") ? strlen(".pte") : 0);
}

const rg_program_plan *rg_program_find(const rg_program *program, const char *method)
{
	const char *wanted = method ? method : "forward";
	for (size_t i = 0; i < program->plan_count; i++)
		if (!strcmp(program->plans[i].method, wanted))
			return &program->plans[i];
	return !method && program->plan_count ? &program->plans[0] : NULL;
}

rg_error *rg_bytes_add(rg_golden_builder *builder, const char *name, const rg_span *bytes)
{
	static const char prefix[] = "sha256:";
	char text[sizeof(prefix) + RG_SHA256_HEX];

	memcpy(text, prefix, sizeof(prefix));
	RG_TRY(rg_span_sha256_hex(bytes, text + strlen(prefix)));
	return rg_golden_builder_text(builder, name, strlen(name), text, strlen(text));
}
