/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TABLE_ROUND_H
#define REGILD_GOLDEN_TABLE_ROUND_H

#include "golden/table_text.h"

/* Numbers in the cells of tables that are written. */

/* All significant digits that a double has. */
enum { RG_TABLE_DIGITS_MAX = 17 };

/*
 * The cell's number with so many significant digits, as short as it can be written: an integer
 * stays one, other numbers are as rg_double_repr has them. The text itself where it is no finite
 * number, or `digits` is 0.
 */
void rg_table_round(const rg_table_cell *cell, unsigned digits, rg_arena *arena, const char **text,
		    size_t *length);
/* Do two cells say the same, as texts or as numbers? With `digits`, as rounded numbers. */
bool rg_table_cells_agree(const rg_table_cell *a, const rg_table_cell *b, unsigned digits);

#endif
