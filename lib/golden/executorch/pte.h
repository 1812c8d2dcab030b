/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_PTE_H
#define REGILD_GOLDEN_PTE_H

#include "golden/executorch/flatbuffer.h"
#include "golden/tensor.h"

/*
 * Reads the types and shapes of the inputs and outputs of each method of an ExecuTorch program
 * (.pte, executorch's schema/program.fbs, identifier ET12), in order.
 */

/* The union behind an EValue, as far as it matters here. */
typedef enum {
	RG_PROGRAM_NULL = 1,
	RG_PROGRAM_INT = 2,
	RG_PROGRAM_BOOL = 3,
	RG_PROGRAM_DOUBLE = 4,
	RG_PROGRAM_TENSOR = 5,
} rg_program_kind; /* there may be others (6 and over: texts, lists) */

/* A tensor's sizes in a program are: */
typedef enum {
	RG_SHAPE_STATIC = 0,
	RG_SHAPE_BOUNDED = 1,   /* upper bounds */
	RG_SHAPE_UNBOUNDED = 2, /* nothing */
} rg_shape_dynamism;            /* there may be others */

typedef struct {
	int kind; /* rg_program_kind or a higher number */
	/* Tensors: ScalarType (any number) and sizes. */
	int scalar_type;
	int dynamism; /* rg_shape_dynamism */
	size_t dimensions;
	int64_t shape[RG_METRIC_DIMENSIONS];
} rg_program_value;

/* "float32 [2, 3]", "float32 up to [2, 3]", "float32 of any shape", "int". */
#define RG_PROGRAM_VALUE_TEXT (RG_SHAPE_TEXT + 48)
void rg_program_value_text(const rg_program_value *value, char out[static RG_PROGRAM_VALUE_TEXT]);

/* Does the program take (or give) `value`, whose tensors are static, where it says `said`? */
bool rg_program_takes(const rg_program_value *said, const rg_program_value *value);

/* Reads the bytes that `out` has as a tensor of the scalar type that `as` has, of the sizes and the
 * order of dimensions in those fields, as .bpte and .ptd say them. There may be more bytes than the
 * tensor's, as a view has: the runtime looks at the beginning. */
RG_CHECKED rg_error *rg_program_tensor_read(const rg_flat_table *table, unsigned sizes,
					    unsigned order, rg_program_value *as, rg_tensor *out);

/* A tensor whose data are outside of the program. */
typedef struct {
	const char *name;
	rg_program_value value;
} rg_program_external;

typedef struct {
	const char *method;
	rg_program_value *inputs, *outputs;
	size_t input_count, output_count;
} rg_program_plan;

typedef struct {
	uint32_t version;
	rg_program_plan *plans;
	size_t plan_count;
	rg_program_external *externals; /* of all plans */
	size_t external_count;
	rg_arena arena; /* owns all of it */
} rg_program;

/* A file that is cut off in the data segments after the program is RG_E_PARSE too. `out` needs
 * rg_program_release afterwards, whatever comes back. RG_E_PARSE, RG_E_LIMIT. */
RG_CHECKED rg_error *rg_program_read(rg_program *out, const void *data, size_t size);
void rg_program_release(rg_program *program);

/* How much of the program's path is the model's: all but ".pte". */
size_t rg_program_model_length(const char *path);

/*
 * How much of a file's beginning rg_program_read looks at, by its first RG_PROGRAM_START bytes
 * (`length`; fewer where the file is shorter) and its size: an extended header says where the
 * program ends and its data begin. The rest may be a hole.
 */
enum { RG_PROGRAM_START = 64 };
uint64_t rg_program_head_size(const void *start, size_t length, uint64_t file_size);

/* The plan of that name; "forward", else the first, for NULL. NULL where there is none. */
const rg_program_plan *rg_program_find(const rg_program *program, const char *method);

/* Adds bytes, a program's or others, as an exact matter: which they are, not what is in them. */
RG_CHECKED rg_error *rg_bytes_add(rg_golden_builder *builder, const char *name,
				  const rg_span *bytes);

#endif
