/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_OPAQUE_ROW_H
#define REGILD_COMPARE_OPAQUE_ROW_H

#include "compare/row.h"

/*
 * Fills the row of two goldens of which at least one is opaque: the exact row of the file as a
 * whole. If only one of them is opaque, they differ; if that is the new one, the row is reshaped.
 * All that is kept is in `arena`; nothing borrows the goldens.
 */
RG_CHECKED rg_error *rg_opaque_row_fill(rg_row *row, rg_arena *arena, const rg_golden *old,
					const rg_golden *fresh);

/* A golden that is on one side only, the other being NULL; *out stays NULL where it is not opaque.
 */
RG_CHECKED rg_error *rg_opaque_alone(rg_opaque **out, rg_arena *arena, const rg_golden *old,
				     const rg_golden *fresh);

/* The description of a file's opaque golden; NULL: it is not opaque, or is the same on both sides.
 */
rg_opaque *rg_opaque_of(const rg_comparison *comparison, const rg_file_outcome *file);

#endif
