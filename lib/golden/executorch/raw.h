/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_RAW_H
#define REGILD_GOLDEN_RAW_H

#include "golden/executorch/pte.h"
#include "golden/tensor.h"

#include <stdbool.h>

/*
 * Raw tensors (.bin): elements and nothing else. ExecuTorch's golden artifacts call them
 * MODEL_input[_i].bin and MODEL_expected_output[_i].bin, beside the program MODEL.pte that says
 * what they are.
 */

typedef struct {
	size_t model_length; /* of MODEL, from the start of the name (folders included) */
	bool output;
	size_t index; /* 0 where the name has none */
} rg_raw_name;

/* False for a name that is not of this form. */
bool rg_raw_name_parse(const char *name, rg_raw_name *out);

/*
 * Sets type and shape of a tensor that is such an input or output of a program. Where the program
 * only bounds the shape, it comes out of the tensor's size; where that does not tell it, the tensor
 * has one dimension, and *why (static; NULL otherwise; may be NULL) says so. RG_E_PARSE for a value
 * that holds no numbers, and for a size that no shape within the bounds has.
 */
RG_CHECKED rg_error *rg_raw_type_of(rg_tensor *out, const rg_program_value *value,
				    const char **why);

#endif
