/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_TENSOR_GOLDEN_H
#define REGILD_TESTS_TENSOR_GOLDEN_H

#include "golden/tensor.h"

/* A golden of one tensor. */
static inline rg_error *tensor_golden(rg_golden *golden, const rg_tensor *tensor)
{
	rg_golden_builder builder;
	rg_error *err;

	rg_golden_builder_init(&builder, golden, tensor->size);
	err = rg_tensor_add(&builder, "tensor", tensor);
	if (!err)
		rg_golden_builder_finish(&builder);
	rg_golden_builder_release(&builder);
	return err;
}

#endif
