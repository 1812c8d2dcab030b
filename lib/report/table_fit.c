/* SPDX-License-Identifier: Apache-2.0 */
#include "report/table_fit.h"

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
	size_t c, i;

	for (c = 0; c < table->column_count; c++)
		widths[c] = strlen(table->columns[c].heading);
	for (i = 0; i < table->count; i++) {
		c = i % table->column_count;
		widths[c] = larger(widths[c], smaller(table->cells[i].width, RG_TABLE_WIDTH_MAX));
	}
}

/* The least that a column can have. Its heading is always whole. */
static size_t least(const rg_table *table, size_t column, size_t width)
{
	const rg_table_column *c = &table->columns[column];
	size_t text = larger(larger(strlen(c->heading), RG_TABLE_TEXT_MIN), c->least);

	return c->right ? width : smaller(width, text);
}

/* The first columns of which none has to be narrower than it can be. */
static size_t count_shown(const size_t *widths, const rg_table *table, size_t limit)
{
	size_t c, sum = 0;

	for (c = 0; c < table->column_count; c++) {
		sum += rg_table_gap(table, c) + least(table, c, widths[c]);
		if (sum > limit)
			break;
	}
	return larger(c, 1);
}

/* The widest text that can be narrower; false where none can. */
static bool find_widest(size_t *out, const size_t *widths, const rg_table *table, size_t shown)
{
	bool found = false;
	size_t c;

	for (c = 0; c < shown; c++) {
		if (widths[c] == least(table, c, widths[c]) || (found && widths[c] <= widths[*out]))
			continue;
		*out = c;
		found = true;
	}
	return found;
}

size_t rg_table_fit(size_t *widths, const rg_table *table, size_t limit)
{
	size_t shown = table->column_count, sum = 0, c;

	if (!shown)
		return 0;
	measure(widths, table);
	if (!limit)
		return shown;
	shown = count_shown(widths, table, limit);
	for (c = 0; c < shown; c++)
		sum += rg_table_gap(table, c) + widths[c];
	for (; sum > limit && find_widest(&c, widths, table, shown); sum--)
		widths[c]--;
	return shown;
}
