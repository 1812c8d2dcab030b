/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_BUNDLE_VERIFY_H
#define REGILD_FLOW_BUNDLE_VERIFY_H

#include "base/fields.h"
#include "base/buf.h"
#include "flow/bundle.h"
#include "golden/runtime_check.h"

/* A runtime's outputs, held against those that a bundled program expects. */

typedef enum {
	RG_CASE_PASSED,
	RG_CASE_FAILED,
	RG_CASE_NOT_CHECKED, /* it expects nothing */
} rg_case_state;

/* "pass", "FAIL", "not checked" */
extern const char *const rg_case_state_names[];

/* One of rg_bundle.cases. */
typedef struct {
	rg_case_state state;
	size_t first_extra,
		extras;           /* outputs that nothing expects, into rg_bundle_verdict.extras */
	rg_runtime_errors errors; /* over its outputs */
	bool has_errors;          /* the runtime has statistics of them */
} rg_case_verdict;

typedef struct {
	rg_bundle_result file;
	rg_runtime_verdict *verdicts; /* by value; an input's says nothing */
	rg_case_verdict *cases;
	char **extras; /* names of files: "output_2.npy" */
	size_t extra_count, extra_capacity;
	size_t passed_cases, failed_cases, unchecked_cases;
	size_t passed, failed; /* outputs */
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
