/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_MODELS_H
#define REGILD_STORY_MODELS_H

#include "base/error.h"
#include "base/memory.h"
#include "golden/format.h"
#include "story/golden_name.h"
#include "story/review.h"

/*
 * The rows of tensors and programs, model by model: of ExecuTorch's golden artifacts FLOW/MODEL, of
 * a bundled program and of a file of many tensors the file, of tensors alone in their files the
 * folder.
 */

/* "output", "tensor", … */
extern const char *const rg_part_names[RG_PARTS];

typedef struct {
	const rg_row *row;
	const char *model; /* its name */
	const char *label; /* the row's own: "expected_output_0", "forward/input/1" */
	rg_model_part part;
	rg_look look;
	double size; /* of the change: rg_story_row.size */
	double over; /* as in rg_story_row */
} rg_model_row;

/* How many rows there are of a part, and of them those that differ; of programs files. */
typedef struct {
	size_t of[RG_PARTS], differ[RG_PARTS];
} rg_model_counts;

typedef struct {
	const char *name; /* below the root; "" where the tensors are in no folder */
	/* Those that differ first, by part and from the worst to the least, then the equal ones. */
	const rg_model_row *rows;
	size_t count, differing;
	rg_model_counts counts;
	const char *says; /* "1 of 2 outputs differs; same inputs, same program" */
} rg_model;

typedef struct {
	rg_model *items; /* the worst first: with inputs of their own before those with others */
	size_t count, differing; /* differing: models with a row that differs */
	rg_model_row *rows;      /* of all of them; the comparison's order is lost */
	size_t row_count;
	rg_model_counts counts;
} rg_models;

/* Does the row belong to a model? */
bool rg_models_have(const rg_comparison *comparison, const rg_row *row);
/* Adds a row, whose names are made in `arena`; there is room for `most` of them. */
void rg_models_add(rg_models *models, rg_arena *arena, const rg_comparison *comparison,
		   const rg_column_context *context, size_t most, const rg_model_row *row);
/* Once all rows are there. */
RG_CHECKED rg_error *rg_models_finish(rg_models *models, rg_arena *arena);
void rg_models_release(rg_models *models);

#endif
