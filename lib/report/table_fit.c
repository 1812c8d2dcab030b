/* SPDX-License-Identifier: Apache-2.0 */
#include "report/table_fit.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* A mark is close to what it marks. */
size_t rg_table_gap(const rg_table *table, size_t column)
{
	return !column ? 0 : table->marked && column == 1 ? 1 : 2;
}

/* As wide as the widest cell. */
static void measure(size_t *widths, const rg_table *table)
{
	for (size_t c = 0; c < table->column_count; c++) {
		widths[c] = strlen(table->columns[c].heading);
		for (size_t i = c; i < table->count; i += table->column_count)
			widths[c] = larger(widths[c],
					   smaller(table->cells[i].width, RG_TABLE_WIDTH_MAX));
	}
}

void rg_table_texts(rg_apart *out, const rg_table *table, size_t column)
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
	rg_apart texts;

	*out = c->right ? width : smaller(width, text);
	if (*out == width)
		return;
	rg_table_texts(&texts, table, column);
	rg_apart_least(&texts, &apart);
	rg_apart_release(&texts);
	*out = larger(*out, smaller(width, apart));
}

/* The first columns of which none has to be narrower than it can be. */
static size_t count_shown(const size_t *least, const rg_table *table, size_t limit)
{
	size_t c, sum = 0;
	for (c = 0; c < table->column_count; c++) {
		sum += rg_table_gap(table, c) + least[c];
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

void rg_table_fit(size_t *shown, size_t *widths, const rg_table *table, size_t limit)
{
	size_t sum = 0, c;
	*shown = table->column_count;
	measure(widths, table);
	if (!limit || !*shown)
		return;
	size_t *least = rg_calloc(*shown, sizeof(*least));
	for (c = 0; c < *shown; c++)
		find_least(&least[c], table, c, widths[c]);
	*shown = count_shown(least, table, limit);
	for (c = 0; c < *shown; c++)
		sum += rg_table_gap(table, c) + widths[c];
	for (; sum > limit && find_widest(&c, widths, least, *shown); sum--)
		widths[c]--;
	free(least);
}
