/* SPDX-License-Identifier: Apache-2.0 */
#include "report/cells.h"

#include "report/review.h"
#include "report/table_write.h"
#include "report/test_name.h"

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

void rg_cell_add_text(rg_buf *out, const rg_cell *cell)
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
		rg_figure_text(cell->number, figure);
		rg_buf_str(out, figure);
		break;
	case RG_CELL_TRUTH:
		rg_buf_str(out, cell->truth ? "yes" : "no");
		break;
	}
}

/* A table while it is filled. */
typedef struct {
	rg_table table;
	rg_buf text; /* of one cell */
	const rg_column_list *columns;
	const rg_column_context *context;
	const rg_look *looks; /* or NULL */
	bool names;           /* of goldens, not their paths */
} filling;

static rg_look look_of(const rg_row *const *rows, const rg_look *looks, size_t i)
{
	return looks ? looks[i] : rg_row_look(rows[i]);
}

static bool is_checks(const rg_column *column)
{
	return !strcmp(column->name, "checks");
}

/* A window has no room for paths and long texts: a golden is named by its test there, and of checks
 * those that fail. */
static rg_error *add_cell(filling *f, const rg_column *column, const rg_row *row)
{
	rg_cell cell = column->cell(row, f->context);

	rg_buf_clear(&f->text);
	if (f->names && !strcmp(column->name, "file"))
		rg_test_name_add(&f->text, row->file, f->context);
	else if (f->names && is_checks(column) && row->checks_brief)
		rg_buf_str(&f->text, row->checks_brief);
	else
		rg_cell_add_text(&f->text, &cell);
	RG_TRY(rg_buf_check(&f->text, column->name));
	return rg_table_add(&f->table, f->text.data, f->text.length);
}

static rg_error *fill_table(filling *f, const rg_row *const *rows, size_t count)
{
	static const char *const marks[] = {
		[RG_LOOK_NONE] = "",
		[RG_LOOK_MUST] = RG_TABLE_MUST_LOOK,
		[RG_LOOK_FAILS] = RG_TABLE_FAILS,
	};
	size_t r, c;

	for (r = 0; r < count; r++) {
		const char *mark = marks[look_of(rows, f->looks, r)];

		if (f->table.marked)
			RG_TRY(rg_table_add(&f->table, mark, strlen(mark)));
		for (c = 0; c < f->columns->count; c++)
			RG_TRY(add_cell(f, f->columns->items[c], rows[r]));
	}
	return NULL;
}

static bool any_needs_look(const rg_row *const *rows, const rg_look *looks, size_t count)
{
	size_t r;

	for (r = 0; r < count && look_of(rows, looks, r) == RG_LOOK_NONE; r++)
		;
	return r < count;
}

rg_error *rg_rows_table(rg_buf *out, const rg_row *const *rows, const rg_look *looks, size_t count,
			const rg_column_list *columns, const rg_column_context *context,
			const rg_table_style *style)
{
	rg_table_column headings[RG_COLUMNS_MAX + 1];
	bool marked = any_needs_look(rows, looks, count);
	filling f = {
		.columns = columns, .context = context, .looks = looks, .names = style->width > 0};
	rg_error *err;
	size_t c;

	headings[0] = (rg_table_column){.heading = ""};
	for (c = 0; c < columns->count; c++)
		headings[marked + c] = (rg_table_column){
			.heading = columns->items[c]->name,
			.right = columns->items[c]->flags & RG_COLUMN_RIGHT,
			/* Without its middle "fails" could be "passes". */
			.least = is_checks(columns->items[c]) ? SIZE_MAX : 0,
		};
	rg_table_init(&f.table, headings, marked + columns->count);
	f.table.marked = marked;
	rg_buf_init(&f.text, RG_BUF_TEXT);
	err = fill_table(&f, rows, count);
	if (!err)
		err = rg_table_write(&f.table, out, style);
	rg_buf_release(&f.text);
	rg_table_release(&f.table);
	return err;
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
	sort_item *items;
	size_t i;

	RG_TRY(rg_column_find(&column, by + turned, strlen(by + turned)));
	items = calloc(count + 1, sizeof(*items));
	if (!items)
		return rg_error_nomem();
	for (i = 0; i < count; i++) {
		bool falling = (column->flags & RG_COLUMN_RIGHT) != 0;

		items[i] = (sort_item){column->cell(rows[i], context), rows[i], i,
				       falling != turned ? -1 : 1};
	}
	qsort(items, count, sizeof(*items), compare_items);
	for (i = 0; i < count; i++)
		rows[i] = items[i].row;
	free(items);
	return NULL;
}
