/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/differences.h"

#include "base/memory.h"
#include "compare/differences.h"

#include <stdlib.h>

static bool is_looked_at(const rg_row *row, const rg_filter *filter)
{
	return !row->identical && !row->ignored && rg_filter_takes_metric(filter, row->metric);
}

static rg_error *add_elements(rg_row *row, rg_arena *arena, const rg_golden *old,
			      const rg_golden *fresh)
{
	const rg_metric *before = rg_golden_find(old, row->metric);
	const rg_metric *after = rg_golden_find(fresh, row->metric);

	if (!row->tensor || !before || !after)
		return NULL;
	return rg_differing_elements(&row->elements, arena, before, after);
}

/* The columns that the rows and, where none of a column's records counts, the gaps are of. */
static void add_columns(rg_column_pair *columns, size_t *count, const rg_row *rows,
			size_t row_count, const rg_golden *old, const rg_golden *fresh,
			const rg_filter *filter)
{
	for (size_t i = 0; i < row_count; i++) {
		const rg_metric *before = rg_golden_find(old, rows[i].metric);
		const rg_metric *after = rg_golden_find(fresh, rows[i].metric);

		if (is_looked_at(&rows[i], filter) && before && after && before->records &&
		    before->records == after->records)
			columns[(*count)++] = (rg_column_pair){before, after};
	}
}

static void add_table(rg_comparison *c, rg_file_outcome *file, const rg_golden *old,
		      const rg_golden *fresh, const rg_filter *filter)
{
	rg_column_pair *columns =
		rg_calloc(file->row_count + file->gap_count + 1, sizeof(*columns));
	size_t count = 0;
	add_columns(columns, &count, c->rows + file->first_row, file->row_count, old, fresh,
		    filter);
	add_columns(columns, &count, c->gaps + file->first_gap, file->gap_count, old, fresh,
		    filter);
	rg_table_differences_find(&file->table, &c->arenas[0], columns, count, old->records);
	free(columns);
}

rg_error *rg_differences_add(rg_comparison *comparison, const rg_golden *old,
			     const rg_golden *fresh, const rg_filter *filter)
{
	rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	rg_row *rows = comparison->rows + file->first_row;

	for (size_t i = 0; i < file->row_count; i++)
		if (is_looked_at(&rows[i], filter))
			RG_TRY(add_elements(&rows[i], &comparison->arenas[0], old, fresh));
	if (!old->records || old->records != fresh->records)
		return NULL;
	add_table(comparison, file, old, fresh, filter);
	return NULL;
}
