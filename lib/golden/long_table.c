/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/long_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void rg_long_table_add(rg_long_table *table, const rg_long_cell *cell)
{
	rg_grow(&table->cells, &table->capacity, table->count + 1, sizeof(*table->cells));
	table->cells[table->count++] = *cell;
}

void rg_long_table_release(rg_long_table *table)
{
	free(table->cells);
	*table = (rg_long_table){0};
}

/* A name where it came. */
typedef struct {
	const char *name;
	size_t at;
} place;

static int compare_places(const void *a, const void *b)
{
	const place *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : (left->at > right->at) - (left->at < right->at);
}

/* records[i]: the place among the different names of names[i]. *different is how many there are,
 * and kept[…] those, in the order in which they came first. */
static void merge_names(const char **kept, size_t *records, const char *const *names, size_t count,
			size_t *different)
{
	place *sorted = rg_malloc((count + 1) * sizeof(*sorted));
	size_t first = 0;

	*different = 0;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (place){names[i], i};
	qsort(sorted, count, sizeof(*sorted), compare_places);
	/* For now the place where the name came first. */
	for (size_t i = 0; i < count; i++) {
		if (i && strcmp(sorted[i].name, sorted[i - 1].name) != 0)
			first = i;
		records[sorted[i].at] = sorted[first].at;
	}
	free(sorted);
	for (size_t i = 0; i < count; i++) {
		if (records[i] == i) {
			kept[*different] = names[i];
			records[i] = (*different)++;
		} else {
			records[i] = records[records[i]];
		}
	}
}

static int compare_cells(const void *a, const void *b)
{
	const rg_long_cell *left = a, *right = b;
	int order = strcmp(left->metric, right->metric);

	return order ? order : (left->record > right->record) - (left->record < right->record);
}

static rg_error *add_metric(const rg_long_table *table, rg_golden_builder *builder,
			    const rg_records *records, size_t from, size_t end)
{
	rg_record_column column = {0};
	rg_error *err = NULL;

	for (size_t i = from; i < end && !err; i++) {
		const rg_long_cell *cell = &table->cells[i];
		int64_t step = (int64_t)cell->record;

		if (i > from && cell->record == cell[-1].record)
			err = rg_error_new(RG_E_PARSE, "record '%s' has two values of '%s'",
					   records->names[cell->record], cell->metric);
		else if (cell->text)
			rg_record_column_text(&column, step, cell->text);
		else
			rg_record_column_number(&column, step, cell->value);
		if (!err && !cell->text)
			rg_record_column_digits(&column, step, cell->digits);
		if (!err && !cell->text)
			rg_record_column_tolerance(&column, cell->tolerance);
		if (!err && !cell->text)
			rg_record_column_error(&column, cell->error);
	}
	if (!err)
		err = rg_record_column_finish(&column, builder, records, table->cells[from].metric);
	rg_record_column_release(&column);
	return err;
}

static rg_error *add_metrics(rg_long_table *table, rg_golden_builder *builder,
			     const rg_records *records)
{
	size_t end;
	if (table->count)
		qsort(table->cells, table->count, sizeof(*table->cells), compare_cells);
	for (size_t from = 0; from < table->count; from = end) {
		for (end = from + 1; end < table->count &&
				     !strcmp(table->cells[end].metric, table->cells[from].metric);)
			end++;
		RG_TRY(add_metric(table, builder, records, from, end));
	}
	return NULL;
}

rg_error *rg_long_table_finish(rg_long_table *table, rg_golden_builder *builder,
			       const char *const *names, size_t count)
{
	rg_arena *arena = &builder->golden->arena;
	const char **kept = rg_arena_alloc(arena, count * sizeof(*kept));
	size_t *places = rg_malloc((count + 1) * sizeof(*places)), different;
	rg_records *records = NULL;

	merge_names(kept, places, names, count, &different);
	rg_error *err = rg_records_new(&records, arena, kept, different);
	for (size_t i = 0; !err && i < table->count; i++)
		table->cells[i].record = places[table->cells[i].record];
	free(places);
	RG_TRY(err);
	builder->golden->records = records;
	RG_TRY(add_metrics(table, builder, records));
	return builder->count || !count ? NULL : rg_records_add_keys(builder, records, "(keys)");
}
