/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_EMPTY_RUN_H
#define REGILD_SOURCE_EMPTY_RUN_H

#include "source/manifest.h"

/* Why a download has found no golden. The texts are the manifest's. */
typedef struct {
	/* "3 of 3 jobs … left no artifact (…)", and what to do: "see in their logs …". Both NULL
	 * where something is missing: its outcome says it. */
	const char *why, *next;
	bool all_passed; /* only what failed was asked for, and nothing did */
} rg_empty_run;

/* Explains a manifest without goldens. */
void rg_empty_run_explain(rg_manifest *manifest, rg_empty_run *out);

#endif
