/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_BUNDLE_H
#define REGILD_FLOW_BUNDLE_H

#include "base/map.h"
#include "golden/bpte.h"
#include "golden/runtime_check.h"

/* A bundled program (.bpte): its values as files, and a runtime's outputs held against them. */

/* The values of one case, which come one after the other. */
typedef struct {
	size_t first, count; /* into rg_bundle.values */
	bool failed;
} rg_bundle_case;

typedef struct {
	rg_map map;
	rg_bundle bundle; /* borrows the map */
	/* extract: how many files are there, also after an error. */
	size_t written;
	/* verify-outputs */
	rg_runtime_verdict *verdicts; /* by value; an input's says nothing */
	rg_bundle_case *cases;
	size_t case_count, failed_cases;
	size_t passed, failed; /* outputs */
} rg_bundle_result;

/* Both release `out` whatever comes back. */

/* Writes METHOD/CASE/input_i and output_i, as .npy where `npy` is set and NumPy has the type, else
 * raw as .bin, and program.pte. RG_E_UNSAFE, with nothing written, for a method's name that is not
 * a path. */
RG_CHECKED rg_error *rg_bundle_extract(rg_bundle_result *out, const char *file, const char *folder,
				       bool npy);

typedef struct {
	const char *folder; /* with the runtime's outputs, named as rg_bundle_extract names them */
	double rtol, atol;
} rg_verify_options;

/* What is wrong with an output's file is that output's verdict. RG_E_NOTFOUND where the program
 * comes with no expected output. */
RG_CHECKED rg_error *rg_bundle_verify(rg_bundle_result *out, const char *file,
				      const rg_verify_options *options);

void rg_bundle_result_release(rg_bundle_result *result);

#endif
