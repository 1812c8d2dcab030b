/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_CELLS_H
#define REGILD_REPORT_CELLS_H

#include "base/json.h"
#include "report/columns.h"
#include "story/review.h"
#include "report/table.h"

/* Figures as people read them: "0", "%.6f", or "%.3e" under 1e-4 or from 1e4; "nan", "inf". */
#define RG_FIGURE_SIZE 32
void rg_figure_text(double value, char out[static RG_FIGURE_SIZE]);

/* A cell as people read it: figures as above, shares as "+244 %", truths "yes" and "no", what is
 * not defined "-". */
void rg_cell_add_text(rg_buf *out, const rg_column *column, const rg_cell *cell);

/* The marks of a row in a table. */
extern const char *const rg_look_marks[RG_LOOK_FAILS + 1];

struct rg_checks; /* compare/checks.h */

typedef struct {
	const rg_row *const *rows;
	const rg_look *looks; /* of each, as the story has it; NULL: none is marked */
	size_t count;
	const struct rg_checks *checks; /* that the rows were checked by; NULL: none */
} rg_table_rows;

/* A table of rows for the terminal; where one of them needs a look, with marks. Of checks it has
 * those that fail, as short marks with a key below it. In a window goldens are named by test and
 * variant, else by their paths. */
RG_CHECKED rg_error *rg_rows_table(rg_buf *out, const rg_table_rows *rows,
				   const rg_column_list *columns, const rg_column_context *context,
				   const rg_table_style *style);

/*
 * Sorts rows by a column: texts ascending, figures falling, "-" in front of the name the other way
 * round; what is not defined comes last; ties keep their order. RG_E_USAGE for a column that is
 * none.
 */
RG_CHECKED rg_error *rg_rows_sort(const rg_row **rows, size_t count, const char *by,
				  const rg_column_context *context);

/* RFC 4180: fields with a comma, quote, CR or LF are quoted, quotes doubled; lines end with CRLF.
 */
void rg_csv_field(rg_buf *out, bool first, const char *text, size_t length);
void rg_csv_end(rg_buf *out);

/* The columns' names, and their cells of one row. An empty field is quoted where it is the line's
 * only one. */
void rg_csv_heading(rg_buf *out, const rg_column_list *columns);
void rg_csv_row(rg_buf *out, const rg_column_list *columns, const void *row, const void *context);
/* A heading and a line for each row. */
RG_CHECKED rg_error *rg_csv_rows(rg_buf *out, const rg_row *const *rows, size_t count,
				 const rg_column_list *columns, const rg_column_context *context);

/* A cell as a value: null where it is not defined. */
void rg_json_cell(rg_json_out *json, const rg_cell *cell);

#endif
