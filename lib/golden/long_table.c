/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/long_table.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
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
	int order = left->metric == right->metric ? 0 : strcmp(left->metric, right->metric);

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

/* --- records that are steps --- */

/* A metric's cell as its step has it. */
typedef struct {
	int64_t step;
	const rg_long_cell *cell;
} step_cell;

static int compare_step_cells(const void *a, const void *b)
{
	const step_cell *left = a, *right = b;
	if (left->step != right->step)
		return left->step > right->step ? 1 : -1;
	return (left->cell->record > right->cell->record) -
	       (left->cell->record < right->cell->record);
}

static bool is_same(const rg_long_cell *a, const rg_long_cell *b)
{
	if (a->text || b->text)
		return a->text && b->text && !strcmp(a->text, b->text);
	return a->value == b->value || (isnan(a->value) && isnan(b->value));
}

/* Sorts the cells, keeps the last of each step, and says how many others had another value than the
 * next one of that step, and the step of the first. */
static size_t keep_last(step_cell *cells, size_t *count, int64_t *twice)
{
	size_t kept = 0, others = 0;
	qsort(cells, *count, sizeof(*cells), compare_step_cells);
	for (size_t i = 0; i < *count; i++) {
		if (i + 1 == *count || cells[i + 1].step != cells[i].step)
			cells[kept++] = cells[i];
		else if (!is_same(cells[i].cell, cells[i + 1].cell) && !others++)
			*twice = cells[i].step;
	}
	*count = kept;
	return others;
}

static rg_error *refuse_two_values(const step_cell *cells, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (cells[i].cell->record == cells[i - 1].cell->record)
			return rg_error_new(RG_E_PARSE, "step %" PRId64 " has two values of '%s'",
					    cells[i].step, cells[i].cell->metric);
	return NULL;
}

/* All cells that are texts, or all that are not; nothing where there are none. */
static rg_error *add_step_column(rg_golden_builder *builder, const step_cell *cells, size_t count,
				 bool texts, const char *name, size_t duplicates, int64_t twice)
{
	rg_record_column column = {0};
	for (size_t i = 0; i < count; i++) {
		const rg_long_cell *cell = cells[i].cell;
		if (texts && cell->text)
			rg_record_column_text(&column, cells[i].step, cell->text);
		else if (!texts && !cell->text)
			rg_record_column_number(&column, cells[i].step, cell->value);
	}
	rg_error *err = NULL;
	if (column.count || column.text_count)
		err = rg_record_column_finish(&column, builder, NULL, name);
	if (!err && duplicates) {
		rg_metric *metric = &builder->metrics[builder->count - 1];
		metric->duplicate_keys = duplicates;
		metric->duplicate_step = twice;
	}
	rg_record_column_release(&column);
	return err;
}

static rg_error *add_step_metric(rg_golden_builder *builder, step_cell *cells, size_t count)
{
	const char *name = cells[0].cell->metric;
	size_t texts = 0;
	int64_t twice = 0;

	RG_TRY(refuse_two_values(cells, count));
	const size_t duplicates = keep_last(cells, &count, &twice);
	for (size_t i = 0; i < count; i++)
		texts += cells[i].cell->text != NULL;
	if (!texts || texts == count)
		return add_step_column(builder, cells, count, texts, name, duplicates, twice);
	char *apart = rg_textf("%s (texts)", name);
	rg_error *err = add_step_column(builder, cells, count, false, name, duplicates, twice);
	if (!err)
		err = add_step_column(builder, cells, count, true, apart, 0, 0);
	free(apart);
	return err;
}

rg_error *rg_long_table_finish_steps(rg_long_table *table, rg_golden_builder *builder,
				     const int64_t *steps)
{
	step_cell *cells = rg_malloc((table->count + 1) * sizeof(*cells));
	rg_error *err = NULL;
	size_t end;

	if (table->count)
		qsort(table->cells, table->count, sizeof(*table->cells), compare_cells);
	for (size_t i = 0; i < table->count; i++)
		cells[i] = (step_cell){steps[table->cells[i].record], &table->cells[i]};
	for (size_t from = 0; from < table->count && !err; from = end) {
		for (end = from + 1; end < table->count &&
				     !strcmp(table->cells[end].metric, table->cells[from].metric);)
			end++;
		err = add_step_metric(builder, cells + from, end - from);
	}
	free(cells);
	return err;
}
