/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BPTE_CHECK_H
#define REGILD_GOLDEN_BPTE_CHECK_H

#include "golden/executorch/bpte.h"

/* Holds a bundle's test cases against the program in it, and adds a note for each thing that the
 * runtime would stumble over: no program, a method that it lacks, inputs or outputs of another
 * number, type or shape. */
RG_CHECKED rg_error *rg_bundle_check(rg_golden_builder *builder, const rg_bundle *bundle);

#endif
