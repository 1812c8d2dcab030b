/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_ARTIFACT_H
#define REGILD_GOLDEN_ARTIFACT_H

#include "golden/golden.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * ExecuTorch's golden artifacts as a whole: FLOW/MODEL.pte with FLOW/MODEL_input[_i].bin and
 * FLOW/MODEL_expected_output[_i].bin, and MODEL.ptd where its data are in there, in a folder or a
 * zip. Checked is that every tensor that a
 * program takes and gives is there, in the size that the program says, and that every tensor has a
 * program. Numbers that are not tensors may be there or not.
 */
typedef struct {
	const char *const *names; /* in strcmp's order, each once */
	size_t count;
	/* File `index`, which is a program, as rg_program_read needs it (see rg_program_head_size);
	 * borrowed until the next call. */
	rg_error *(*read_program)(void *context, size_t index, rg_bytes *out);
	rg_error *(*size)(void *context, size_t index, uint64_t *out);
	/* Names, in strcmp's order, of what is there and could not be had, which has been said: not
	 * among `names`, and no more said to be missing. */
	const char *const *refused;
	size_t refused_count;
	/* A model with a problem is named and no part of the goldens, nor are its tensors: the rest
	 * can be packed. */
	bool skip_incomplete;
	void *context;
} rg_artifact_files;

typedef struct {
	const char **problems; /* sentences that begin with the file's or model's name */
	size_t problem_count, problem_capacity;
	bool *part;    /* names[i] belongs to a golden: programs, their data and tensors */
	bool *skipped; /* names[i] belongs to a model that is left out */
	size_t flows, models, inputs, outputs, strays, skipped_models;
	rg_arena arena;
} rg_artifact_check;

/* Is it a program, its data or a tensor by its name? */
bool rg_artifact_is_part(const char *name);

/* Finds all problems. An error is only for what keeps files from being read. `out` is released
 * whatever comes back. */
RG_CHECKED rg_error *rg_artifact_check_files(rg_artifact_check *out,
					     const rg_artifact_files *files);
void rg_artifact_check_release(rg_artifact_check *check);

#endif
