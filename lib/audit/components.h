/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_COMPONENTS_H
#define REGILD_AUDIT_COMPONENTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The sources of a spread: variance between variants of a test, between commits of a variant, and
 * between re-runs of a commit. Nested analysis of variance with unequal numbers by the method of
 * moments, in which a negative estimate is 0 (Searle, Casella, McCulloch, Variance Components,
 * 1992, chapters 3 and 5).
 */
typedef struct rg_component_analysis rg_component_analysis;
typedef struct {
	size_t variant, commit, run;
	double value;
} rg_component_value;

/* Shares of the whole, 0 … 1. NaN where the runs do not tell it apart. */
typedef struct {
	double variants;
	double commits, reruns; /* both or neither */
	/* The interval of the re-runs' share, given that of variants: 95 %, for normal values, by
	 * F. All values of one run move together, so that each run and each commit counts once. */
	double reruns_low, reruns_high;
} rg_components;

/* Commits and runs are under `runs`. */
void rg_components_begin(rg_component_analysis **out, size_t runs);
/* All values of one kind: what is never compared with another, a metric of a test. They are finite,
 * and are reordered. Values that are all equal tell nothing. */
void rg_components_add(rg_component_analysis *analysis, rg_component_value *values, size_t count);
void rg_components_finish(rg_components *out, rg_component_analysis *analysis);
/* Is anything told apart? */
bool rg_components_are_told(const rg_components *components);

#endif
