/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_CSV_H
#define REGILD_REPORT_CSV_H

#include "base/buf.h"
#include "report/columns.h"

/* RFC 4180: fields with a comma, quote, CR or LF are quoted, quotes doubled; lines end with CRLF.
 */
void rg_csv_field(rg_buf *out, bool first, const char *text, size_t length);
/* Doubles as rg_double_repr writes them; truths as "true" and "false"; what is not defined as an
 * empty field. */
void rg_csv_add_cell(rg_buf *out, bool first, const rg_cell *cell);
void rg_csv_end(rg_buf *out);

/* A heading line and a line for each row. An empty field is quoted where it is the line's only one.
 */
RG_CHECKED rg_error *rg_csv_rows(rg_buf *out, const rg_row *const *rows, size_t count,
				 const rg_column_list *columns, const rg_column_context *context);

#endif
