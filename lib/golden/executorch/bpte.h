/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BPTE_H
#define REGILD_GOLDEN_BPTE_H

#include "golden/executorch/pte.h"

/*
 * An ExecuTorch bundled program (.bpte, devtools/bundled_program/schema, identifier BP08): a
 * program with test cases for its methods, each with inputs and expected outputs.
 */
typedef struct {
	const char *method;
	size_t case_index; /* from 0, within the method */
	bool output;       /* an expected output; else an input */
	size_t index;      /* from 0, within the case */
	/* Numbers that are not tensors are scalars of int64, bool or float64 here. Of what cannot
	 * be read, only `data` and `size` are set. */
	rg_tensor tensor;
	rg_program_value as;    /* the same as programs say it */
	const char *unreadable; /* why it cannot be read; NULL: it can */
} rg_bundle_value;

/* The values of one case, which come one after the other: inputs, then outputs. */
typedef struct {
	const char *method;
	size_t index; /* from 0, within the method */
	size_t first; /* into rg_bundle.values */
	size_t inputs, outputs;
} rg_bundle_case;

typedef struct {
	uint32_t version;
	rg_bytes program;        /* a whole .pte, inside the input */
	rg_bundle_value *values; /* by method and case as they are, inputs before outputs */
	size_t count, capacity;
	rg_bundle_case *cases;
	size_t case_count, case_capacity;
	const char **methods; /* that have suites, ascending */
	size_t method_count;
	size_t tensor_bytes; /* in all */
	rg_arena arena;      /* owns the names and `methods`; the others are malloc'd */
} rg_bundle;

/* Borrows `data`. `out` needs rg_bundle_release afterwards, whatever comes back. RG_E_PARSE and
 * RG_E_LIMIT for what is truncated or hostile. */
RG_CHECKED rg_error *rg_bundle_read(rg_bundle *out, const void *data, size_t size);
void rg_bundle_release(rg_bundle *bundle);

/* "METHOD/CASE/output/i", the caller's to free. */
char *rg_bundle_value_name(const rg_bundle_value *value);

#endif
