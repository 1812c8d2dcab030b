/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TABLE_FIT_H
#define REGILD_REPORT_TABLE_FIT_H

#include "base/shorten.h"
#include "report/table.h"

/*
 * How wide each column of a table is, so that no row is wider than `limit` columns of a terminal
 * (0: as wide as it is). Texts, which are aligned to the left, become narrower, the widest first,
 * down to what their column keeps and to what they are told apart by; numbers never do. Where that
 * is not enough the last columns go. *shown is how many columns are left, at least one of those
 * there are; `widths` has an entry for each column.
 */
void rg_table_fit(size_t *shown, size_t *widths, const rg_table *table, size_t limit);

/* The texts of a column, sorted; the caller releases them, whatever comes back. */
void rg_table_texts(rg_apart *out, const rg_table *table, size_t column);

/* Blanks before a column. */
size_t rg_table_gap(const rg_table *table, size_t column);

#endif
