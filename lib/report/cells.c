/* SPDX-License-Identifier: Apache-2.0 */
#include "report/cells.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "compare/checks.h"
#include "golden/table_text.h"
#include "report/words.h"
#include "story/golden_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rg_figure_text(double value, char out[static RG_FIGURE_SIZE])
{
	double size = fabs(value);
	if (value == 0)
		snprintf(out, RG_FIGURE_SIZE, "0");
	else if (isnan(value))
		snprintf(out, RG_FIGURE_SIZE, "nan"); /* C may write a sign */
	else if (size < 1e-4 || size >= 1e4)
		snprintf(out, RG_FIGURE_SIZE, "%.3e", value);
	else
		snprintf(out, RG_FIGURE_SIZE, "%.6f", value);
}

void rg_cell_add_text(rg_buf *out, const rg_column *column, const rg_cell *cell)
{
	char figure[RG_FIGURE_SIZE];
	switch (cell->kind) {
	case RG_CELL_NONE:
		rg_buf_str(out, "-");
		break;
	case RG_CELL_TEXT:
		rg_buf_add(out, cell->text, cell->length);
		break;
	case RG_CELL_COUNT:
		rg_buf_printf(out, "%" PRIu64, cell->count);
		break;
	case RG_CELL_STEP:
		rg_buf_printf(out, "%" PRId64, cell->step);
		break;
	case RG_CELL_NUMBER:
		if (column->flags & RG_COLUMN_SHARE && !isnan(cell->number)) {
			rg_say_change(out, cell->number);
			break;
		}
		rg_figure_text(cell->number, figure);
		rg_buf_str(out, figure);
		break;
	case RG_CELL_TRUTH:
		rg_buf_str(out, cell->truth ? "yes" : "no");
		break;
	}
}

/* --- marks of checks --- */

enum { MARK_SIZE = 64 };

/* A check's mark, by its place: as much of its name as no other one begins with, "D" or "Ap". */
static void write_mark(const rg_checks *checks, size_t at, char out[static MARK_SIZE])
{
	const char *name = checks->items[at].name;
	size_t longest = 0;

	for (size_t i = 0; i < checks->count; i++) {
		size_t common = 0;
		while (i != at && name[common] &&
		       tolower((unsigned char)name[common]) ==
			       tolower((unsigned char)checks->items[i].name[common]))
			common++;
		longest = common > longest ? common : longest;
	}
	while ((name[longest + (name[longest] != 0)] & 0xc0) == 0x80)
		longest++;
	snprintf(out, MARK_SIZE, "%.*s", (int)longest + 1, name);
	*out = (char)toupper((unsigned char)*out);
}

/* "D: fails deterministic; A: fails approximate", of the marks that are there. */
static void append_key(rg_buf *out, const rg_table_rows *rows, size_t width)
{
	size_t line = 0;
	uint32_t fails = 0;
	char mark[MARK_SIZE];

	for (size_t r = 0; r < rows->count; r++)
		fails |= rows->rows[r]->check_fails;
	for (size_t i = 0; rows->checks && i < rows->checks->count; i++) {
		const char *name = rows->checks->items[i].name;
		size_t begin = out->length, length;

		if (!(fails >> i & 1))
			continue;
		write_mark(rows->checks, i, mark);
		length = strlen(mark) + strlen(": fails ") + strlen(name);
		if (begin && width && line + length > width)
			line = 0;
		rg_buf_str(out, !begin ? "" : line ? "; " : ";\n");
		rg_utf8_add_safe(out, mark, strlen(mark));
		rg_buf_str(out, ": fails ");
		rg_utf8_add_safe(out, name, strlen(name));
		line += length + 2;
	}
}

/* --- the table --- */

const char *const rg_look_marks[] = {
	[RG_LOOK_NONE] = "",
	[RG_LOOK_MUST] = RG_TABLE_MUST_LOOK,
	[RG_LOOK_FAILS] = RG_TABLE_FAILS,
};

/* A table while it is filled. */
typedef struct {
	rg_table table;
	rg_buf text; /* of one cell */
	const rg_column_list *columns;
	const rg_column_context *context;
	const rg_table_rows *rows;
	bool brief; /* goldens have names, not their paths */
	rg_test_names names;
} table_state;

static void table_state_release(table_state *f)
{
	rg_buf_release(&f->text);
	rg_test_names_release(&f->names);
	rg_table_release(&f->table);
}

static rg_look look_of(const rg_table_rows *rows, size_t i)
{
	return rows->looks ? rows->looks[i] : RG_LOOK_NONE;
}

static bool is_checks(const rg_column *column)
{
	return !strcmp(column->name, "checks");
}

/* A window has no room for paths: a golden is named by its test there. */
static void append_cell(table_state *f, const rg_column *column, const rg_row *row)
{
	rg_cell cell = column->cell(row, f->context);
	rg_buf_clear(&f->text);
	if (f->brief && !strcmp(column->name, "file"))
		rg_buf_str(&f->text, rg_test_names_find(&f->names, row->file));
	else if (is_checks(column)) {
		/* "D A", of the checks that a row fails; "-" for none. */
		char mark[MARK_SIZE];
		for (size_t i = 0; f->rows->checks && i < f->rows->checks->count; i++) {
			if (!(row->check_fails >> i & 1))
				continue;
			write_mark(f->rows->checks, i, mark);
			rg_buf_printf(&f->text, "%s%s", f->text.length ? " " : "", mark);
		}
		if (!f->text.length)
			rg_buf_char(&f->text, '-');
	} else
		rg_cell_add_text(&f->text, column, &cell);
	rg_table_add(&f->table, f->text.data, f->text.length);
}

static bool any_needs_look(const rg_table_rows *rows)
{
	size_t r;
	for (r = 0; r < rows->count && look_of(rows, r) == RG_LOOK_NONE; r++)
		;
	return r < rows->count;
}

rg_error *rg_rows_table(rg_buf *out, const rg_table_rows *rows, const rg_column_list *columns,
			const rg_column_context *context, const rg_table_style *style)
{
	rg_table_column headings[RG_COLUMNS_MAX + 1];
	bool marked = any_needs_look(rows);
	RG_AUTO(rg_buf) key = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(table_state) f = {.columns = columns, .context = context, .rows = rows};

	f.brief = style->width > 0;
	append_key(&key, rows, style->width);
	headings[0] = (rg_table_column){.heading = ""};
	for (size_t c = 0; c < columns->count; c++)
		headings[marked + c] = (rg_table_column){
			.heading = columns->items[c]->name,
			.right = columns->items[c]->flags & RG_COLUMN_RIGHT,
			.key = is_checks(columns->items[c]) && key.length ? key.data : NULL,
		};
	rg_table_init(&f.table, headings, marked + columns->count);
	f.table.marked = marked;
	rg_test_names_init(&f.names);
	rg_buf_init(&f.text, RG_BUF_ANY);
	for (size_t r = 0; f.brief && r < rows->count; r++)
		rg_test_names_add(&f.names, rows->rows[r]->file);
	rg_test_names_make(&f.names, context);
	for (size_t r = 0; r < rows->count; r++) {
		const char *mark = rg_look_marks[look_of(rows, r)];
		if (marked)
			rg_table_add(&f.table, mark, strlen(mark));
		for (size_t c = 0; c < columns->count; c++)
			append_cell(&f, columns->items[c], rows->rows[r]);
	}
	return rg_table_write(&f.table, out, style);
}

typedef struct {
	rg_cell cell;
	const rg_row *row;
	size_t place;
	int direction;
} sort_item;

static int compare_items(const void *a, const void *b)
{
	const sort_item *x = a, *y = b;
	int order = rg_cell_compare(&x->cell, &y->cell);
	bool undefined = x->cell.kind == RG_CELL_NONE || y->cell.kind == RG_CELL_NONE;

	if (!order)
		return x->place < y->place ? -1 : 1;
	return undefined ? -order : order * x->direction;
}

rg_error *rg_rows_sort(const rg_row **rows, size_t count, const char *by,
		       const rg_column_context *context)
{
	bool turned = by[0] == '-';
	const rg_column *column;

	RG_TRY(rg_column_find(&column, by + turned, strlen(by + turned)));
	RG_AUTO_FREE sort_item *items = rg_calloc(count + 1, sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		bool falling = (column->flags & RG_COLUMN_RIGHT) != 0;
		items[i] = (sort_item){column->cell(rows[i], context), rows[i], i,
				       falling != turned ? -1 : 1};
	}
	qsort(items, count, sizeof(*items), compare_items);
	for (size_t i = 0; i < count; i++)
		rows[i] = items[i].row;
	return NULL;
}

/* --- CSV --- */

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

/* Doubles as rg_double_repr writes them; truths as "true" and "false"; what is not defined as an
 * empty field. */
static void append_csv_cell(rg_buf *out, bool first, const rg_cell *cell)
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

void rg_csv_heading(rg_buf *out, const rg_column_list *columns)
{
	for (size_t c = 0; c < columns->count; c++)
		rg_csv_field(out, !c, columns->items[c]->name, strlen(columns->items[c]->name));
	rg_csv_end(out);
}

void rg_csv_row(rg_buf *out, const rg_column_list *columns, const void *row, const void *context)
{
	size_t start = out->length;
	for (size_t c = 0; c < columns->count; c++) {
		rg_cell cell = columns->items[c]->cell(row, context);
		append_csv_cell(out, !c, &cell);
	}
	/* A line with nothing in it would be none to most readers. */
	if (columns->count == 1 && out->length == start)
		rg_buf_str(out, "\"\"");
	rg_csv_end(out);
}

rg_error *rg_csv_rows(rg_buf *out, const rg_row *const *rows, size_t count,
		      const rg_column_list *columns, const rg_column_context *context)
{
	rg_csv_heading(out, columns);
	for (size_t r = 0; r < count; r++)
		rg_csv_row(out, columns, rows[r], context);
	return rg_buf_check(out, "CSV");
}

void rg_json_cell(rg_json_out *json, const rg_cell *cell)
{
	switch (cell->kind) {
	case RG_CELL_NONE:
		rg_json_null(json);
		break;
	case RG_CELL_TEXT:
		rg_json_text_bytes(json, cell->text, cell->length);
		break;
	case RG_CELL_COUNT:
		rg_json_count(json, cell->count);
		break;
	case RG_CELL_STEP:
		rg_json_integer(json, cell->step);
		break;
	case RG_CELL_NUMBER:
		rg_json_number(json, cell->number);
		break;
	case RG_CELL_TRUTH:
		rg_json_truth(json, cell->truth);
		break;
	}
}
