/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_BUNDLE_H
#define REGILD_FLOW_BUNDLE_H

#include "base/map.h"
#include "golden/bpte.h"

/* A bundled program (.bpte): its values as files. */

typedef struct {
	rg_map map;
	rg_bundle bundle; /* borrows the map */
	/* extract: how many files are there, also after an error. */
	size_t written;
} rg_bundle_result;

RG_CHECKED rg_error *rg_bundle_open(rg_bundle_result *out, const char *file);
/* "METHOD/CASE/output_0.npy"; the caller frees it. */
char *rg_bundle_file_name(const rg_bundle_value *value, const char *extension);

/* Both release `out` whatever comes back. */

/* Writes METHOD/CASE/input_i and output_i, as .npy where `npy` is set and NumPy has the type, else
 * raw as .bin, and program.pte. RG_E_UNSAFE, with nothing written, for a method's name that is not
 * a path. */
RG_CHECKED rg_error *rg_bundle_extract(rg_bundle_result *out, const char *file, const char *folder,
				       bool npy);

void rg_bundle_result_release(rg_bundle_result *result);

#endif
