/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TABLE_WRITE_H
#define REGILD_REPORT_TABLE_WRITE_H

#include "report/table.h"

/* Appends the heading and all whole rows; with colours, the heading in bold. */
RG_CHECKED rg_error *rg_table_write(const rg_table *table, rg_buf *out,
				    const rg_table_style *style);

/* A table out of lines of cells between tabs, the headings first: '>' in front of one aligns its
 * column to the right, and a first one that is empty is of marks. */
RG_CHECKED rg_error *rg_table_from_lines(rg_buf *out, const char *lines, size_t length,
					 const rg_table_style *style);

#endif
