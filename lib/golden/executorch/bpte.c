/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/bpte.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* devtools/bundled_program/schema/bundled_program_schema.fbs */
enum { BUNDLE_VERSION = 0, BUNDLE_SUITES = 1, BUNDLE_PROGRAM = 2 };
enum { SUITE_METHOD = 0, SUITE_CASES = 1 };
enum { CASE_INPUTS = 0, CASE_OUTPUTS = 1 };
enum { VALUE_KIND = 0, VALUE_TABLE = 1 };
enum { KIND_TENSOR = 1, KIND_INT = 2, KIND_BOOL = 3, KIND_DOUBLE = 4 };
enum { TENSOR_SCALAR_TYPE = 0, TENSOR_SIZES = 1, TENSOR_DATA = 2, TENSOR_DIM_ORDER = 3 };

/* *unread: why the tensor cannot be read, though the file can. */
static rg_error *read_tensor(const rg_flat_table *table, rg_bundle_value *out, rg_error **unread)
{
	rg_flat_vector data;
	uint8_t scalar_type;

	RG_TRY(rg_flat_vector_of(table, TENSOR_DATA, 1, &data));
	out->tensor.data = table->file->data + data.at;
	out->tensor.size = data.count;
	RG_TRY(rg_flat_u8(table, TENSOR_SCALAR_TYPE, &scalar_type));
	out->as.kind = RG_PROGRAM_TENSOR;
	out->as.scalar_type = scalar_type;
	*unread = rg_program_tensor_read(table, TENSOR_SIZES, TENSOR_DIM_ORDER, &out->as,
					 &out->tensor);
	return NULL;
}

static rg_error *read_value(const rg_flat_table *value, rg_bundle_value *out, rg_error **unread)
{
	static const struct {
		int kind; /* rg_program_kind */
		rg_dtype dtype;
	} numbers[] = {
		[KIND_INT] = {RG_PROGRAM_INT, RG_DTYPE_INT64},
		[KIND_BOOL] = {RG_PROGRAM_BOOL, RG_DTYPE_BOOL},
		[KIND_DOUBLE] = {RG_PROGRAM_DOUBLE, RG_DTYPE_FLOAT64},
	};
	rg_flat_table table;
	uint8_t kind;

	out->tensor.data = value->file->data;
	RG_TRY(rg_flat_u8(value, VALUE_KIND, &kind));
	if (kind < KIND_TENSOR || kind > KIND_DOUBLE) {
		*unread = rg_error_new(RG_E_PARSE, "values of kind %u cannot be read",
				       (unsigned)kind);
		return NULL;
	}
	RG_TRY(rg_flat_child(value, VALUE_TABLE, "a value", &table));
	if (kind == KIND_TENSOR)
		return read_tensor(&table, out, unread);
	out->as.kind = numbers[kind].kind;
	/* An inline number: as a tensor without dimensions over the file's own bytes. */
	static const unsigned char zero[8];
	size_t at, size = rg_dtype_size(numbers[kind].dtype);

	RG_TRY(rg_flat_field(&table, 0, size, &at));
	out->tensor.dtype = numbers[kind].dtype;
	out->tensor.data = at ? table.file->data + at : zero;
	out->tensor.size = size;
	rg_tensor_row_major(&out->tensor);
	return rg_tensor_check(&out->tensor);
}

/* The inputs or the expected outputs of a case. */
static rg_error *read_values(rg_bundle *bundle, const rg_flat_table *test_case,
			     const rg_bundle_value *where)
{
	rg_bundle_case *now = &bundle->cases[bundle->case_count - 1];
	rg_flat_vector values;

	RG_TRY(rg_flat_vector_of(test_case, where->output ? CASE_OUTPUTS : CASE_INPUTS, 4,
				 &values));
	*(where->output ? &now->outputs : &now->inputs) = values.count;
	for (size_t i = 0; i < values.count; i++) {
		RG_AUTO_PTR(rg_error) unread = NULL;
		rg_flat_table table;

		rg_grow(&bundle->values, &bundle->capacity, bundle->count + 1,
			sizeof(*bundle->values));
		rg_bundle_value *value = &bundle->values[bundle->count];
		*value = *where;
		value->index = i;
		RG_TRY(rg_flat_vector_table(&values, i, &table));
		RG_TRY(rg_error_wrap(read_value(&table, value, &unread), "%s/%zu/%s/%zu",
				     value->method, value->case_index,
				     value->output ? "output" : "input", i));
		if (unread)
			value->unreadable = rg_arena_text(&bundle->arena, rg_error_message(unread));
		/* One vector under many tensors would make work without end out of a small file. */
		bundle->tensor_bytes += value->tensor.size;
		if (bundle->tensor_bytes > test_case->file->size)
			return rg_error_new(RG_E_PARSE, "its tensors share bytes");
		bundle->count++;
	}
	return NULL;
}

static rg_error *read_suite(rg_bundle *bundle, const rg_flat_table *suite, const char **method)
{
	rg_bundle_value where = {0};
	rg_flat_vector cases;
	const char *name;
	size_t length;

	RG_TRY(rg_flat_string(suite, SUITE_METHOD, &name, &length));
	where.method = rg_arena_copy(&bundle->arena, name, length);
	*method = where.method;
	RG_TRY(rg_flat_vector_of(suite, SUITE_CASES, 4, &cases));
	for (; where.case_index < cases.count; where.case_index++) {
		rg_flat_table test_case;
		RG_TRY(rg_flat_vector_table(&cases, where.case_index, &test_case));
		rg_grow(&bundle->cases, &bundle->case_capacity, bundle->case_count + 1,
			sizeof(*bundle->cases));
		bundle->cases[bundle->case_count++] = (rg_bundle_case){
			.method = where.method, .index = where.case_index, .first = bundle->count};
		where.output = false;
		RG_TRY(read_values(bundle, &test_case, &where));
		where.output = true;
		RG_TRY(read_values(bundle, &test_case, &where));
	}
	return NULL;
}

rg_error *rg_bundle_read(rg_bundle *out, const void *data, size_t size)
{
	rg_flat_table root, suite;
	rg_flat_vector suites, program;
	rg_flat file;

	*out = (rg_bundle){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_flat_open(&file, data, size, "BP08", &root));
	RG_TRY(rg_flat_u32(&root, BUNDLE_VERSION, &out->version));
	RG_TRY(rg_flat_vector_of(&root, BUNDLE_PROGRAM, 1, &program));
	out->program = (rg_bytes){file.data + program.at, program.count};
	RG_TRY(rg_flat_vector_of(&root, BUNDLE_SUITES, 4, &suites));
	if (suites.count > RG_FLAT_TABLES_MAX)
		return rg_error_new(RG_E_LIMIT, "%zu suites", suites.count);
	const char **methods = rg_arena_alloc(&out->arena, (suites.count + 1) * sizeof(*methods));
	out->methods = methods;
	for (size_t i = 0; i < suites.count; i++) {
		RG_TRY(rg_flat_vector_table(&suites, i, &suite));
		RG_TRY(read_suite(out, &suite, &methods[i]));
		out->method_count++;
	}
	/* Two suites of one method would be two values of one name. */
	qsort(methods, suites.count, sizeof(*methods), rg_compare_texts);
	for (size_t i = 1; i < suites.count; i++)
		if (!strcmp(methods[i - 1], methods[i]))
			return rg_error_new(RG_E_PARSE, "two suites are both of method '%s'",
					    methods[i]);
	return NULL;
}

void rg_bundle_release(rg_bundle *bundle)
{
	free(bundle->values);
	free(bundle->cases);
	rg_arena_release(&bundle->arena);
	*bundle = (rg_bundle){0};
}

char *rg_bundle_value_name(const rg_bundle_value *value)
{
	return rg_textf("%s/%zu/%s/%zu", value->method, value->case_index,
			value->output ? "output" : "input", value->index);
}
