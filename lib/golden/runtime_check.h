/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_RUNTIME_CHECK_H
#define REGILD_GOLDEN_RUNTIME_CHECK_H

#include "golden/tensor.h"

/*
 * ExecuTorch's own rule for an output (devtools/bundled_program/bundled_program.cpp), to the bit:
 * equal types and shapes, then for float32, float64 and float16 |a - b| <= atol + |rtol * b| where
 * a is the expected one and b the actual one; float32's difference is rounded to float32. NaN is
 * equal to NaN, an infinity to itself, and NaN to -inf, because the runtime asks of two values that
 * are not finite only whether both are over 0 or neither is. With both tolerances 0 values must be
 * equal. All other types, bfloat16, 8-bit floats and complex numbers among them, are equal in
 * bytes.
 */
#define RG_RUNTIME_RTOL 1e-5
#define RG_RUNTIME_ATOL 1e-8

typedef struct {
	bool passed;
	char why[2 * RG_TENSOR_TYPE_TEXT + 64]; /* where it failed: a sentence without a subject */
	size_t wrong;                           /* elements that broke the rule */
} rg_runtime_verdict;

/* Both checked. */
void rg_runtime_check(rg_runtime_verdict *out, const rg_tensor *expected, const rg_tensor *actual,
		      double rtol, double atol);

/* The runtime's error statistics, summed in the order that it has: as the expected elements lie in
 * memory. */
typedef struct {
	double sum_abs, max_abs, sum_rel, max_rel;
	size_t count;
} rg_runtime_errors;

/* Adds an output's. False, and nothing added, where the runtime has none: for types but float32,
 * and another number of elements than expected. Both checked. */
bool rg_runtime_errors_add(rg_runtime_errors *errors, const rg_tensor *expected,
			   const rg_tensor *actual);

#endif
