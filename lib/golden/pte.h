/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_PTE_H
#define REGILD_GOLDEN_PTE_H

#include "golden/builder.h"
#include "golden/dtype.h"

/*
 * What goes into and comes out of an ExecuTorch program (.pte, executorch's schema/program.fbs,
 * identifier ET12): the types and shapes of each method's inputs and outputs, in order.
 */

/* The union behind an EValue, as far as it matters here. */
typedef enum {
	RG_PROGRAM_NULL = 1,
	RG_PROGRAM_INT = 2,
	RG_PROGRAM_BOOL = 3,
	RG_PROGRAM_DOUBLE = 4,
	RG_PROGRAM_TENSOR = 5,
} rg_program_kind; /* there may be others (6 and over: texts, lists) */

typedef struct {
	int kind; /* rg_program_kind or a higher number */
	/* Tensors: ScalarType (not yet checked with rg_dtype_known), upper bounds of the sizes. */
	int scalar_type;
	size_t dimensions;
	int64_t shape[RG_METRIC_DIMENSIONS];
} rg_program_value;

typedef struct {
	const char *method;
	rg_program_value *inputs, *outputs;
	size_t input_count, output_count;
} rg_program_plan;

typedef struct {
	uint32_t version;
	rg_program_plan *plans;
	size_t plan_count;
	rg_arena arena; /* owns all of it */
} rg_program;

/* A file that is cut off in the data segments after the program is RG_E_PARSE too. `out` needs
 * rg_program_release afterwards, whatever comes back. RG_E_PARSE, RG_E_LIMIT. */
RG_CHECKED rg_error *rg_program_read(rg_program *out, const void *data, size_t size);
void rg_program_release(rg_program *program);

/*
 * How much of a file's beginning rg_program_read looks at, by its first RG_PROGRAM_START bytes
 * (`length`; fewer where the file is shorter) and its size: an extended header says where the
 * program ends and its data begin. The rest may be a hole.
 */
enum { RG_PROGRAM_START = 64 };
uint64_t rg_program_head_size(const void *start, size_t length, uint64_t file_size);

/* The plan of that name; "forward", else the first, for NULL. NULL where there is none. */
const rg_program_plan *rg_program_find(const rg_program *program, const char *method);

/* Adds a program's bytes as an exact matter called "program": which one it is, not what is in it.
 */
RG_CHECKED rg_error *rg_program_add(rg_golden_builder *builder, const rg_span *program);

#endif
