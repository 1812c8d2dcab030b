/* SPDX-License-Identifier: Apache-2.0 */
#include "report/table.h"

#include "base/memory.h"
#include "base/shorten.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

void rg_table_init(rg_table *table, const rg_table_column *columns, size_t column_count)
{
	*table = (rg_table){.columns = columns, .column_count = column_count};
	rg_buf_init(&table->texts, RG_BUF_ANY); /* what the table is written into has a limit */
}

void rg_table_release(rg_table *table)
{
	free(table->cells);
	rg_buf_release(&table->texts);
	*table = (rg_table){0};
}

void rg_table_add(rg_table *table, const char *text, size_t length)
{
	size_t begin = table->texts.length;
	size_t width = rg_utf8_add_safe(&table->texts, text, length);
	*RG_PUSH(table->cells, table->count, table->capacity) =
		(rg_shown_cell){begin, table->texts.length - begin, width};
}

void rg_terminal_text(rg_buf *out, const char *text, size_t length)
{
	rg_utf8_add_safe(out, text, length);
}

/* --- widths --- */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Blanks before a column: a mark is close to what it marks. */
static size_t gap_before(const rg_table *table, size_t column)
{
	return !column ? 0 : table->marked && column == 1 ? 1 : 2;
}

/* The texts of a column, sorted; the caller releases them, whatever comes back. */
static void column_texts(rg_apart *out, const rg_table *table, size_t column)
{
	rg_apart_init(out);
	for (size_t i = column; i < table->count; i += table->column_count)
		rg_apart_add(out, table->texts.data + table->cells[i].begin,
			     table->cells[i].length);
	rg_apart_sort(out);
}

/* The least that a column can have. Its heading is always whole. */
static void find_least(size_t *out, const rg_table *table, size_t column, size_t width)
{
	const rg_table_column *c = &table->columns[column];
	size_t text = larger(larger(strlen(c->heading), RG_TABLE_TEXT_MIN), c->least), apart = 0;

	*out = c->right ? width : smaller(width, text);
	if (*out == width)
		return;
	RG_AUTO(rg_apart) texts = {0};
	column_texts(&texts, table, column);
	rg_apart_least(&texts, &apart);
	*out = larger(*out, smaller(width, apart));
}

/* The first columns of which none has to be narrower than it can be. */
static size_t count_shown(const size_t *least, const rg_table *table, size_t limit)
{
	size_t c, sum = 0;
	for (c = 0; c < table->column_count; c++) {
		sum += gap_before(table, c) + least[c];
		if (sum > limit)
			break;
	}
	return larger(c, 1);
}

/* The widest text that can be narrower; false where none can. */
static bool find_widest(size_t *out, const size_t *widths, const size_t *least, size_t shown)
{
	bool found = false;
	for (size_t c = 0; c < shown; c++) {
		if (widths[c] == least[c] || (found && widths[c] <= widths[*out]))
			continue;
		*out = c;
		found = true;
	}
	return found;
}

/*
 * How wide each column of a table is, so that no row is wider than `limit` columns of a terminal
 * (0: as wide as it is). Texts, which are aligned to the left, become narrower, the widest first,
 * down to what their column keeps and to what they are told apart by; numbers never do. Where that
 * is not enough the last columns go. *shown is how many columns are left, at least one of those
 * there are; `widths` has an entry for each column.
 */
static void fit(size_t *shown, size_t *widths, const rg_table *table, size_t limit)
{
	size_t sum = 0, c;
	*shown = table->column_count;
	/* Each column is as wide as its widest cell. */
	for (size_t k = 0; k < table->column_count; k++) {
		widths[k] = strlen(table->columns[k].heading);
		for (size_t i = k; i < table->count; i += table->column_count)
			widths[k] = larger(widths[k],
					   smaller(table->cells[i].width, RG_TABLE_WIDTH_MAX));
	}
	if (!limit || !*shown)
		return;
	RG_AUTO_FREE size_t *least = rg_calloc(*shown, sizeof(*least));
	for (c = 0; c < *shown; c++)
		find_least(&least[c], table, c, widths[c]);
	*shown = count_shown(least, table, limit);
	for (c = 0; c < *shown; c++)
		sum += gap_before(table, c) + widths[c];
	for (; sum > limit && find_widest(&c, widths, least, *shown); sum--)
		widths[c]--;
}

/* --- writing --- */

/* A table while it is written. */
typedef struct {
	const rg_table *table;
	rg_buf *out;
	const rg_table_style *style;
	size_t *widths;
	rg_apart *texts; /* of each column that is too narrow for them; else none */
	size_t shown;    /* columns */
} table_writer;

static void table_writer_release(table_writer *w)
{
	for (size_t c = 0; c < w->table->column_count; c++)
		rg_apart_release(&w->texts[c]);
	free(w->texts);
	free(w->widths);
}

/* Nothing for a cell that is wider than its column. */
static void pad(rg_buf *out, size_t column, size_t cell)
{
	for (; cell < column; cell++)
		rg_buf_char(out, ' ');
}

/* A cell in its column; nothing is padded at a line's end. */
static void write_cell(const table_writer *w, size_t column, const char *text,
		       const rg_shown_cell *cell)
{
	size_t width = w->widths[column], taken = cell->width;
	bool right = w->table->columns[column].right;

	pad(w->out, gap_before(w->table, column), 0);
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

static void write_headings(const table_writer *w)
{
	if (w->style->color)
		rg_buf_str(w->out, "\x1b[1m");
	for (size_t c = 0; c < w->shown; c++) {
		const char *heading = w->table->columns[c].heading;
		size_t length = strlen(heading);

		write_cell(w, c, heading, &(rg_shown_cell){0, length, length});
	}
	rg_buf_str(w->out, w->style->color ? "\x1b[0m\n" : "\n");
}

/* The colour of a row by its mark; "" for none. */
static const char *color_of(const table_writer *w, const rg_shown_cell *mark)
{
	const char *text = w->table->texts.data + mark->begin;
	if (!w->style->color || !w->table->marked || !mark->length)
		return "";
	return *text == *RG_TABLE_FAILS ? "\x1b[31m" : "\x1b[33m";
}

static void write_row(const table_writer *w, const rg_shown_cell *cells)
{
	const char *color = color_of(w, cells);
	rg_buf_str(w->out, color);
	for (size_t c = 0; c < w->shown; c++)
		write_cell(w, c, w->table->texts.data + cells[c].begin, &cells[c]);
	rg_buf_str(w->out, *color ? "\x1b[0m\n" : "\n");
}

/* Which columns have no room, as far as their names have some. */
static void name_hidden(const table_writer *w)
{
	size_t count = w->table->column_count - w->shown;

	if (!count)
		return;
	RG_AUTO(rg_buf) line = rg_buf_of(RG_BUF_ANY);
	rg_buf_printf(&line, "%zu more in a wider window", count);
	for (size_t c = w->shown; c < w->table->column_count; c++) {
		const char *name = w->table->columns[c].heading;
		size_t rest = c + 1 < w->table->column_count ? strlen(", .") : 0;
		bool fits = line.length + 2 + strlen(name) + rest <= w->style->width;

		rg_buf_printf(&line, "%s%s", c == w->shown ? ": " : ", ", fits ? name : "…");
		if (!fits)
			break;
	}
	rg_text_shorten(w->out, line.data, line.length, w->style->width);
	rg_buf_char(w->out, '\n');
}

rg_error *rg_table_write(const rg_table *table, rg_buf *out, const rg_table_style *style)
{
	size_t columns = table->column_count;
	RG_AUTO(table_writer) w = {.table = table, .out = out, .style = style};

	w.widths = rg_calloc(columns + 1, sizeof(*w.widths));
	w.texts = rg_calloc(columns + 1, sizeof(*w.texts));
	for (size_t c = 0; c < columns; c++)
		rg_apart_init(&w.texts[c]);
	if (!columns)
		return rg_buf_check(out, "table");
	fit(&w.shown, w.widths, table, style->width);
	/* Columns may be narrower than their texts, which are shortened. */
	for (size_t c = 0; style->width && c < w.shown; c++) {
		column_texts(&w.texts[c], table, c);
		rg_apart_shorten(&w.texts[c], w.widths[c]);
	}
	write_headings(&w);
	for (size_t i = 0; i + columns <= table->count; i += columns)
		write_row(&w, &table->cells[i]);
	for (size_t c = 0; c < w.shown; c++)
		if (table->columns[c].key)
			rg_buf_printf(out, "%s\n", table->columns[c].key);
	name_hidden(&w);
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

rg_error *rg_table_from_lines(rg_buf *out, const char *lines, size_t length,
			      const rg_table_style *style)
{
	RG_AUTO_FREE char *text = rg_strndup(lines, length);
	RG_AUTO_FREE rg_table_column *columns = NULL;
	RG_AUTO(rg_table) table = {0};
	char *line, *next;
	size_t count = 0;

	rg_table_init(&table, NULL, 0);
	for (line = text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line == text) {
			/* The headings of a line: '>' in front of one aligns its column to the
			 * right. */
			size_t capacity = 0;
			while (line) {
				const char *heading = next_field(&line);
				bool right = *heading == '>';

				rg_grow(&columns, &capacity, count + 1, sizeof(*columns));
				columns[count++] = (rg_table_column){.heading = heading + right,
								     .right = right};
			}
			rg_table_init(&table, columns, count);
			table.marked = count && !*columns->heading;
			continue;
		}
		while (line) {
			const char *cell = next_field(&line);
			rg_table_add(&table, cell, strlen(cell));
		}
	}
	return rg_table_write(&table, out, style);
}
