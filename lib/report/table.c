#include "report/table.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

void rg_table_init(rg_table *table, const rg_table_column *columns, size_t column_count)
{
	*table = (rg_table){.columns = columns, .column_count = column_count};
	rg_arena_init(&table->arena);
}

void rg_table_release(rg_table *table)
{
	free(table->cells);
	rg_arena_release(&table->arena);
	*table = (rg_table){0};
}

rg_error *rg_table_add(rg_table *table, const char *text, size_t length)
{
	rg_table_cell *cell;
	rg_error *err;
	rg_buf safe;

	RG_TRY(rg_grow(&table->cells, &table->capacity, table->count + 1, sizeof(*table->cells)));
	cell = &table->cells[table->count];
	rg_buf_init(&safe, RG_BUF_TEXT);
	cell->width = rg_utf8_add_safe(&safe, text, length);
	err = rg_buf_check(&safe, "table cell");
	if (!err) {
		cell->text = rg_arena_copy(&table->arena, safe.data, safe.length);
		if (cell->text)
			table->count++;
		else
			err = rg_error_nomem();
	}
	rg_buf_release(&safe);
	return err;
}

static void pad(rg_buf *out, size_t width)
{
	while (width--)
		rg_buf_char(out, ' ');
}

/* A cell in its column; nothing is padded at a line's end. */
static void write_cell(const rg_table *table, rg_buf *out, size_t column, const rg_table_cell *cell,
		       size_t width)
{
	bool last = column + 1 == table->column_count;

	if (column)
		rg_buf_str(out, "  ");
	if (table->columns[column].right)
		pad(out, width - cell->width);
	rg_buf_add(out, cell->text, strlen(cell->text));
	if (!table->columns[column].right && !last)
		pad(out, width - cell->width);
}

rg_error *rg_table_write(const rg_table *table, rg_buf *out, bool color)
{
	size_t columns = table->column_count, rows = columns ? table->count / columns : 0, c, r;
	size_t *widths = calloc(columns + 1, sizeof(*widths));

	if (!widths)
		return rg_error_nomem();
	for (c = 0; c < columns; c++)
		widths[c] = strlen(table->columns[c].heading);
	for (r = 0; r < rows; r++)
		for (c = 0; c < columns; c++)
			if (table->cells[r * columns + c].width > widths[c])
				widths[c] = table->cells[r * columns + c].width;
	if (color)
		rg_buf_str(out, "\x1b[1m");
	for (c = 0; c < columns; c++) {
		const char *heading = table->columns[c].heading;
		rg_table_cell cell = {heading, strlen(heading)};

		write_cell(table, out, c, &cell, widths[c]);
	}
	rg_buf_str(out, color ? "\x1b[0m\n" : "\n");
	for (r = 0; r < rows; r++) {
		for (c = 0; c < columns; c++)
			write_cell(table, out, c, &table->cells[r * columns + c], widths[c]);
		rg_buf_char(out, '\n');
	}
	free(widths);
	return rg_buf_check(out, "table");
}
