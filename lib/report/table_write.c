/* SPDX-License-Identifier: Apache-2.0 */
#include "report/table_write.h"

#include "base/memory.h"
#include "base/shorten.h"
#include "report/table_fit.h"

#include <stdlib.h>
#include <string.h>

/* A table while it is written. */
typedef struct {
	const rg_table *table;
	rg_buf *out;
	const rg_table_style *style;
	size_t *widths;
	size_t shown; /* columns */
} writer;

/* Nothing for a cell that is wider than its column. */
static void pad(rg_buf *out, size_t column, size_t cell)
{
	for (; cell < column; cell++)
		rg_buf_char(out, ' ');
}

/* A cell in its column; nothing is padded at a line's end. */
static void write_cell(const writer *w, size_t column, const char *text, const rg_table_cell *cell)
{
	size_t width = w->widths[column], taken = cell->width;
	bool right = w->table->columns[column].right;

	pad(w->out, rg_table_gap(w->table, column), 0);
	if (right)
		pad(w->out, width, taken);
	if (taken <= width || !w->style->width)
		rg_buf_add(w->out, text, cell->length);
	else
		taken = rg_text_shorten(w->out, text, cell->length, width);
	if (!right && column + 1 < w->shown)
		pad(w->out, width, taken);
}

static void write_headings(const writer *w)
{
	size_t c;

	if (w->style->color)
		rg_buf_str(w->out, "\x1b[1m");
	for (c = 0; c < w->shown; c++) {
		const char *heading = w->table->columns[c].heading;
		size_t length = strlen(heading);

		write_cell(w, c, heading, &(rg_table_cell){0, length, length});
	}
	rg_buf_str(w->out, w->style->color ? "\x1b[0m\n" : "\n");
}

/* Of a row by its mark; "" for none. */
static const char *color_of(const writer *w, const rg_table_cell *mark)
{
	const char *text = w->table->texts.data + mark->begin;

	if (!w->style->color || !w->table->marked || !mark->length)
		return "";
	return *text == *RG_TABLE_FAILS ? "\x1b[31m" : "\x1b[33m";
}

static void write_row(const writer *w, const rg_table_cell *cells)
{
	const char *color = color_of(w, cells);
	size_t c;

	rg_buf_str(w->out, color);
	for (c = 0; c < w->shown; c++)
		write_cell(w, c, w->table->texts.data + cells[c].begin, &cells[c]);
	rg_buf_str(w->out, *color ? "\x1b[0m\n" : "\n");
}

/* Which columns have no room, as far as their names have some. */
static rg_error *name_hidden(const writer *w)
{
	size_t count = w->table->column_count - w->shown, c;
	rg_error *err;
	rg_buf line;

	if (!count)
		return NULL;
	rg_buf_init(&line, RG_BUF_TEXT);
	rg_buf_printf(&line, "%zu more in a wider window", count);
	for (c = w->shown; c < w->table->column_count; c++) {
		const char *name = w->table->columns[c].heading;
		size_t rest = c + 1 < w->table->column_count ? strlen(", .") : 0;
		bool fits = line.length + 2 + strlen(name) + rest <= w->style->width;

		rg_buf_printf(&line, "%s%s", c == w->shown ? ": " : ", ", fits ? name : "…");
		if (!fits)
			break;
	}
	err = rg_buf_check(&line, "table");
	rg_text_shorten(w->out, line.data, line.length, w->style->width);
	rg_buf_char(w->out, '\n');
	rg_buf_release(&line);
	return err;
}

rg_error *rg_table_write(const rg_table *table, rg_buf *out, const rg_table_style *style)
{
	size_t columns = table->column_count, i;
	writer w = {.table = table, .out = out, .style = style};
	rg_error *err;

	if (!columns)
		return NULL;
	w.widths = calloc(columns, sizeof(*w.widths));
	if (!w.widths)
		return rg_error_nomem();
	w.shown = rg_table_fit(w.widths, table, style->width);
	write_headings(&w);
	for (i = 0; i + columns <= table->count; i += columns)
		write_row(&w, &table->cells[i]);
	err = name_hidden(&w);
	free(w.widths);
	return err ? err : rg_buf_check(out, "table");
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
		(*columns)[(*count)++] =
			(rg_table_column){.heading = heading + right, .right = right};
	}
	return NULL;
}

rg_error *rg_table_from_lines(rg_buf *out, const char *lines, size_t length,
			      const rg_table_style *style)
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
			table.marked = count && !*columns->heading;
			continue;
		}
		while (!err && line) {
			const char *cell = next_field(&line);

			err = rg_table_add(&table, cell, strlen(cell));
		}
	}
	if (!err)
		err = rg_table_write(&table, out, style);
	rg_table_release(&table);
	free(columns);
	free(text);
	return err;
}
