/* SPDX-License-Identifier: Apache-2.0 */
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

/* Nothing for a cell that is wider than its column. */
static void pad(rg_buf *out, size_t column, size_t cell)
{
	for (; cell < column; cell++)
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
		pad(out, width, cell->width);
	rg_buf_add(out, text, cell->length);
	if (!table->columns[column].right && !last)
		pad(out, width, cell->width);
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
			widths[i % columns] = table->cells[i].width < RG_TABLE_WIDTH_MAX
						      ? table->cells[i].width
						      : RG_TABLE_WIDTH_MAX;
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

/* Ends the field at *at and returns it; *at moves to the next one of the line, or becomes NULL. */
static char *next_field(char **at)
{
	char *field = *at, *tab = strchr(field, '\t');

	if (tab)
		*tab = '\0';
	*at = tab ? tab + 1 : NULL;
	return field;
}

/* The headings of a line: '>' in front of one aligns its column to the right. */
static rg_error *read_headings(rg_table_column **columns, size_t *count, char *line)
{
	size_t capacity = 0;

	while (line) {
		const char *heading = next_field(&line);
		bool right = *heading == '>';

		RG_TRY(rg_grow(columns, &capacity, *count + 1, sizeof(**columns)));
		(*columns)[(*count)++] = (rg_table_column){heading + right, right};
	}
	return NULL;
}

rg_error *rg_table_from_lines(rg_buf *out, const char *lines, size_t length, bool color)
{
	char *text = NULL, *line, *next;
	rg_table_column *columns = NULL;
	size_t count = 0;
	rg_error *err;
	rg_table table;

	rg_table_init(&table, NULL, 0);
	err = rg_strndup(&text, lines, length);
	for (line = text; !err && line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line == text) {
			err = read_headings(&columns, &count, line);
			rg_table_init(&table, columns, count);
			continue;
		}
		while (!err && line) {
			const char *cell = next_field(&line);

			err = rg_table_add(&table, cell, strlen(cell));
		}
	}
	if (!err)
		err = rg_table_write(&table, out, color);
	rg_table_release(&table);
	free(columns);
	free(text);
	return err;
}

void rg_terminal_text(rg_buf *out, const char *text, size_t length)
{
	rg_utf8_add_safe(out, text, length);
}
