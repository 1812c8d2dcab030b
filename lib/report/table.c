#include "report/table.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void rg_table_init(rg_table *table, const rg_table_column *columns, size_t column_count)
{
	*table = (rg_table){.columns = columns, .column_count = column_count};
	rg_buf_init(&table->texts, SIZE_MAX / 4); /* what the table is written into has a limit */
}

void rg_table_release(rg_table *table)
{
	free(table->cells);
	rg_buf_release(&table->texts);
	*table = (rg_table){0};
}

rg_error *rg_table_add(rg_table *table, const char *text, size_t length)
{
	size_t begin = table->texts.length, width;

	RG_TRY(rg_grow(&table->cells, &table->capacity, table->count + 1, sizeof(*table->cells)));
	width = rg_utf8_add_safe(&table->texts, text, length);
	RG_TRY(rg_buf_check(&table->texts, "table"));
	table->cells[table->count++] = (rg_table_cell){begin, table->texts.length - begin, width};
	return NULL;
}

static void pad(rg_buf *out, size_t width)
{
	while (width--)
		rg_buf_char(out, ' ');
}

/* A cell in its column; nothing is padded at a line's end. */
static void write_cell(const rg_table *table, rg_buf *out, size_t column, const char *text,
		       const rg_table_cell *cell, size_t width)
{
	bool last = column + 1 == table->column_count;

	if (column)
		rg_buf_str(out, "  ");
	if (table->columns[column].right)
		pad(out, width - cell->width);
	rg_buf_add(out, text, cell->length);
	if (!table->columns[column].right && !last)
		pad(out, width - cell->width);
}

rg_error *rg_table_write(const rg_table *table, rg_buf *out, bool color)
{
	size_t columns = table->column_count,
	       whole = columns ? table->count / columns * columns : 0;
	size_t *widths = calloc(columns + 1, sizeof(*widths)), c, i;

	if (!widths)
		return rg_error_nomem();
	for (c = 0; c < columns; c++)
		widths[c] = strlen(table->columns[c].heading);
	for (i = 0; i < whole; i++)
		if (table->cells[i].width > widths[i % columns])
			widths[i % columns] = table->cells[i].width;
	if (color)
		rg_buf_str(out, "\x1b[1m");
	for (c = 0; c < columns; c++) {
		const char *heading = table->columns[c].heading;
		size_t length = strlen(heading);

		write_cell(table, out, c, heading, &(rg_table_cell){0, length, length}, widths[c]);
	}
	rg_buf_str(out, color ? "\x1b[0m\n" : "\n");
	for (i = 0; i < whole; i++) {
		const rg_table_cell *cell = &table->cells[i];

		c = i % columns;
		write_cell(table, out, c, table->texts.data + cell->begin, cell, widths[c]);
		if (c + 1 == columns)
			rg_buf_char(out, '\n');
	}
	free(widths);
	return rg_buf_check(out, "table");
}
