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
	rg_apart *texts; /* of each column that is too narrow for them; else none */
	size_t shown;    /* columns */
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
	if (taken > width && w->style->width) {
		const rg_apart_text *found = rg_apart_find(&w->texts[column], text, cell->length);
		rg_buf_add(w->out, w->texts[column].shown.data + found->begin, found->size);
		taken = found->width;
	} else {
		rg_buf_add(w->out, text, cell->length);
	}
	if (!right && column + 1 < w->shown)
		pad(w->out, width, taken);
}

static void write_headings(const writer *w)
{
	if (w->style->color)
		rg_buf_str(w->out, "\x1b[1m");
	for (size_t c = 0; c < w->shown; c++) {
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
	rg_buf_str(w->out, color);
	for (size_t c = 0; c < w->shown; c++)
		write_cell(w, c, w->table->texts.data + cells[c].begin, &cells[c]);
	rg_buf_str(w->out, *color ? "\x1b[0m\n" : "\n");
}

/* Which columns have no room, as far as their names have some. */
static rg_error *name_hidden(const writer *w)
{
	size_t count = w->table->column_count - w->shown;
	rg_buf line;

	if (!count)
		return NULL;
	rg_buf_init(&line, RG_BUF_TEXT);
	rg_buf_printf(&line, "%zu more in a wider window", count);
	for (size_t c = w->shown; c < w->table->column_count; c++) {
		const char *name = w->table->columns[c].heading;
		size_t rest = c + 1 < w->table->column_count ? strlen(", .") : 0;
		bool fits = line.length + 2 + strlen(name) + rest <= w->style->width;

		rg_buf_printf(&line, "%s%s", c == w->shown ? ": " : ", ", fits ? name : "…");
		if (!fits)
			break;
	}
	rg_error *err = rg_buf_check(&line, "table");
	rg_text_shorten(w->out, line.data, line.length, w->style->width);
	rg_buf_char(w->out, '\n');
	rg_buf_release(&line);
	return err;
}

/* The texts of columns that may be narrower than they are. */
static rg_error *shorten_texts(const writer *w)
{
	for (size_t c = 0; w->style->width && c < w->shown; c++) {
		rg_table_texts(&w->texts[c], w->table, c);
		RG_TRY(rg_apart_shorten(&w->texts[c], w->widths[c]));
	}
	return NULL;
}

static rg_error *write_table(writer *w)
{
	const rg_table *table = w->table;
	rg_table_fit(&w->shown, w->widths, table, w->style->width);
	RG_TRY(shorten_texts(w));
	write_headings(w);
	for (size_t i = 0; i + table->column_count <= table->count; i += table->column_count)
		write_row(w, &table->cells[i]);
	for (size_t c = 0; c < w->shown; c++)
		if (table->columns[c].key)
			rg_buf_printf(w->out, "%s\n", table->columns[c].key);
	return name_hidden(w);
}

rg_error *rg_table_write(const rg_table *table, rg_buf *out, const rg_table_style *style)
{
	size_t columns = table->column_count;
	writer w = {.table = table,
		    .out = out,
		    .style = style,
		    .widths = rg_calloc(columns + 1, sizeof(*w.widths)),
		    .texts = rg_calloc(columns + 1, sizeof(*w.texts))};
	rg_error *err = NULL;

	for (size_t c = 0; !err && c < columns; c++)
		rg_apart_init(&w.texts[c]);
	if (!err && columns)
		err = write_table(&w);
	for (size_t c = 0; w.texts && c < columns; c++)
		rg_apart_release(&w.texts[c]);
	free(w.texts);
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
static void read_headings(rg_table_column **columns, size_t *count, char *line)
{
	size_t capacity = 0;
	while (line) {
		const char *heading = next_field(&line);
		bool right = *heading == '>';

		rg_grow(columns, &capacity, *count + 1, sizeof(**columns));
		(*columns)[(*count)++] =
			(rg_table_column){.heading = heading + right, .right = right};
	}
}

rg_error *rg_table_from_lines(rg_buf *out, const char *lines, size_t length,
			      const rg_table_style *style)
{
	char *text = NULL, *line, *next;
	rg_table_column *columns = NULL;
	size_t count = 0;
	rg_table table;

	rg_table_init(&table, NULL, 0);
	text = rg_strndup(lines, length);
	rg_error *err = NULL;
	for (line = text; !err && line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line == text) {
			read_headings(&columns, &count, line);
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
