/* SPDX-License-Identifier: Apache-2.0 */
#include "report/csv.h"

#include "base/number.h"
#include "golden/table_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void rg_csv_field(rg_buf *out, bool first, const char *text, size_t length)
{
	if (!first)
		rg_buf_char(out, ',');
	if (rg_table_needs_quotes(text, length, ','))
		rg_buf_quoted(out, text, length);
	else
		rg_buf_add(out, text, length);
}

void rg_csv_end(rg_buf *out)
{
	rg_buf_add(out, "\r\n", 2);
}

void rg_csv_add_cell(rg_buf *out, bool first, const rg_cell *cell)
{
	char text[RG_DOUBLE_REPR_SIZE] = "";
	switch (cell->kind) {
	case RG_CELL_NONE:
		break;
	case RG_CELL_TEXT:
		rg_csv_field(out, first, cell->text, cell->length);
		return;
	case RG_CELL_COUNT:
		snprintf(text, sizeof(text), "%" PRIu64, cell->count);
		break;
	case RG_CELL_STEP:
		snprintf(text, sizeof(text), "%" PRId64, cell->step);
		break;
	case RG_CELL_NUMBER:
		rg_double_repr(cell->number, text);
		break;
	case RG_CELL_TRUTH:
		snprintf(text, sizeof(text), "%s", cell->truth ? "true" : "false");
		break;
	}
	rg_csv_field(out, first, text, strlen(text));
}

rg_error *rg_csv_rows(rg_buf *out, const rg_row *const *rows, size_t count,
		      const rg_column_list *columns, const rg_column_context *context)
{
	for (size_t c = 0; c < columns->count; c++)
		rg_csv_field(out, !c, columns->items[c]->name, strlen(columns->items[c]->name));
	rg_csv_end(out);
	for (size_t r = 0; r < count; r++) {
		size_t start = out->length;
		for (size_t c = 0; c < columns->count; c++) {
			rg_cell cell = columns->items[c]->cell(rows[r], context);
			rg_csv_add_cell(out, !c, &cell);
		}
		/* A line with nothing in it would be none to most readers. */
		if (columns->count == 1 && out->length == start)
			rg_buf_str(out, "\"\"");
		rg_csv_end(out);
	}
	return rg_buf_check(out, "CSV");
}
