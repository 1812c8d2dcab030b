/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_RUNTIME_CHECK_H
#define REGILD_GOLDEN_RUNTIME_CHECK_H

#include "golden/tensor.h"

/*
 * ExecuTorch's own rule for an output (devtools/bundled_program/bundled_program.cpp): equal shapes
 * and types, integers equal, floats |a - b| <= atol + rtol * |b| where a is the expected one and b
 * the actual one, NaN equal to NaN and an infinity to itself.
 */
#define RG_RUNTIME_RTOL 1e-5
#define RG_RUNTIME_ATOL 1e-8

typedef struct {
	bool passed;
	char why[2 * RG_SHAPE_TEXT + 64]; /* where it failed: a sentence without a subject */
	size_t wrong;                     /* elements that broke the rule */
} rg_runtime_verdict;

/* Both checked. */
void rg_runtime_check(rg_runtime_verdict *out, const rg_tensor *expected, const rg_tensor *actual,
		      double rtol, double atol);

#endif
