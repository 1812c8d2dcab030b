/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_BUNDLE_H
#define REGILD_FLOW_BUNDLE_H

#include "base/buf.h"
#include "base/fields.h"
#include "base/map.h"
#include "golden/executorch/bpte.h"
#include "golden/runtime_check.h"

/* A bundled program (.bpte): its values as files. */

typedef struct {
	rg_map map;
	rg_bundle bundle; /* borrows the map */
	/* extract: how many files are there, also after an error. */
	size_t written;
} rg_bundle_result;

/* Both release `out` whatever comes back. */

/* Writes METHOD/CASE/input_i and output_i, as .npy where `npy` is set and NumPy has the type, else
 * raw as .bin, and program.pte. RG_E_UNSAFE, with nothing written, for a method's name that is not
 * a path. */
RG_CHECKED rg_error *rg_bundle_extract(rg_bundle_result *out, const char *file, const char *folder,
				       bool npy);

void rg_bundle_result_release(rg_bundle_result *result);

/* A runtime's outputs, compared with those that a bundled program expects. */

typedef enum {
	RG_CASE_PASSED,
	RG_CASE_FAILED,
	RG_CASE_NOT_CHECKED, /* it expects nothing */
} rg_case_state;

/* "pass", "FAIL", "not checked" */
extern const char *const rg_case_state_names[];

/* The runtime's error statistics over a case's outputs. */
typedef struct {
	double mean_abs, max_abs, mean_rel, max_rel;
} rg_case_errors;

typedef struct {
	rg_bundle_case of;
	rg_case_state state;
	const rg_runtime_verdict *outputs; /* of.outputs of them */
	const char **extras; /* files of outputs that nothing expects: "output_2.npy" */
	size_t extra_count, extra_capacity;
	rg_runtime_errors sums;
	rg_case_errors means;
	const rg_case_errors *errors; /* NULL: the runtime has none of them */
} rg_case_verdict;

typedef struct {
	rg_bundle_result file;
	rg_runtime_verdict *verdicts; /* by value; an input's says nothing */
	rg_case_verdict *cases;       /* of rg_bundle.cases */
	size_t passed_cases, failed_cases, unchecked_cases;
	size_t passed, failed; /* outputs */
	rg_arena arena;
} rg_bundle_verdict;

typedef struct {
	const char *folder; /* with the runtime's outputs, named as rg_bundle_extract names them */
	double rtol, atol;
} rg_verify_options;

/* What is wrong with an output's file is that output's verdict. RG_E_NOTFOUND where the program
 * comes with no expected output. `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_bundle_verify(rg_bundle_verdict *out, const char *file,
				      const rg_verify_options *options);
/* The document "regild-outputs". */
RG_CHECKED rg_error *rg_bundle_verdict_json(const rg_bundle_verdict *verdict,
					    const rg_verify_options *options, rg_buf *out);
void rg_bundle_verdict_release(rg_bundle_verdict *verdict);

extern const rg_json_field rg_outputs_fields[];

#endif
