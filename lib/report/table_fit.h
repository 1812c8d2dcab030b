/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TABLE_FIT_H
#define REGILD_REPORT_TABLE_FIT_H

#include "report/table.h"

/*
 * How wide each column of a table is, so that no row is wider than `limit` columns of a terminal
 * (0: as wide as it is). Texts, which are aligned to the left, become narrower, the widest first,
 * down to what their column keeps; numbers never do. Where that is not enough the last columns go.
 * Returns how many columns are shown, at least one of those there are; `widths` has an entry for
 * each column.
 */
size_t rg_table_fit(size_t *widths, const rg_table *table, size_t limit);

/* Blanks before a column. */
size_t rg_table_gap(const rg_table *table, size_t column);

#endif
