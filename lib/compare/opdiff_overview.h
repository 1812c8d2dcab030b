/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_OPDIFF_OVERVIEW_H
#define REGILD_COMPARE_OPDIFF_OVERVIEW_H

#include "golden/opdiff.h"

/* What backends have in common, as opdiff's own support report shows it. */

typedef struct {
	const char *id, *op;
	size_t bad, ok; /* backends, by whether their status is OK */
} rg_opdiff_problem;

/* Operators where both of two backends have a status, and where both are OK. */
typedef struct {
	size_t seen, ok;
} rg_opdiff_overlap;

/* Backends in the matrix at most: it grows by the square. */
#define RG_OPDIFF_MATRIX_MAX 64

typedef struct {
	rg_opdiff_problem *problems; /* operators that some backend fails, the most failed first */
	size_t problem_count, problem_capacity;
	const char **backends; /* borrowed names, ascending */
	size_t backend_count, left_out;
	rg_opdiff_overlap *overlaps; /* row by row */
} rg_opdiff_overview;

/* `backends` are ascending, and so are those of an operator. Borrows all names. `out` is released
 * whatever comes back. */
void rg_opdiff_overview_make(rg_opdiff_overview *out, const rg_opdiff_run *run,
			     const char *const *backends, size_t count);
void rg_opdiff_overview_release(rg_opdiff_overview *overview);

#endif
