/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/long_table.h"

#include "base/memory.h"
#include "base/order.h"
#include "golden/text_token.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void rg_long_cell_set(rg_long_cell *cell, const char *text, size_t length, bool comma,
		      rg_arena *arena)
{
	rg_text_number number;
	const bool is_number = rg_cell_number_parse(&number, text, length, comma);
	cell->text = is_number ? NULL : rg_arena_copy(arena, text, length);
	cell->value = number.value;
	cell->unit = is_number ? number.unit : NULL;
	cell->digits = is_number ? rg_whole_digits(arena, text, number.length, number.value) : NULL;
}

void rg_long_table_add(rg_long_table *table, const rg_long_cell *cell)
{
	size_t place = table->next;
	/* Columns come in the same order again and again. */
	if (place == table->count ||
	    strncmp(table->columns[place].metric, cell->metric, cell->metric_length) != 0 ||
	    table->columns[place].metric[cell->metric_length]) {
		if (!table->count)
			rg_text_names_init(&table->names, &table->arena);
		place = rg_text_names_keep(&table->names, cell->metric, cell->metric_length);
		if (place == table->count)
			*RG_PUSH(table->columns, table->count, table->capacity) =
				(rg_long_column){.metric = table->names.names[place]};
	}
	table->next = place + 1 < table->count ? place + 1 : 0;
	rg_record_column *column = &table->columns[place].cells;
	if (cell->text) {
		rg_record_column_text(column, (int64_t)cell->record, cell->text);
		return;
	}
	rg_record_column_number(column, (int64_t)cell->record, cell->value);
	rg_record_column_digits(column, (int64_t)cell->record, cell->digits);
	rg_record_column_unit(column, cell->unit);
	rg_record_column_tolerance(column, cell->tolerance);
	rg_record_column_error(column, cell->error);
}

void rg_long_table_release(rg_long_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		rg_record_column_release(&table->columns[i].cells);
	free(table->columns);
	free(table->steps);
	rg_text_names_release(&table->names);
	rg_arena_release(&table->arena);
	*table = (rg_long_table){0};
}

/* --- columns in the order of what their records stand for --- */

/* A cell while they are sorted. */
typedef struct {
	int64_t step, record;
	size_t at; /* in the column's numbers, or its texts */
	bool is_text;
} placed;

RG_ORDER(compare_placed, placed, RG_RISING(step) || RG_RISING(record));

static int64_t record_at(const rg_record_column *column, size_t at)
{
	return column->steps ? column->steps[at] : (int64_t)at;
}

/* All cells by their steps, which steps[record] is; the caller frees them. */
static placed *sort_cells(const rg_record_column *column, const int64_t *steps)
{
	const size_t count = column->count + column->text_count;
	placed *cells = rg_malloc((count + 1) * sizeof(*cells));

	for (size_t i = 0; i < column->count; i++)
		cells[i] = (placed){steps[record_at(column, i)], record_at(column, i), i, false};
	for (size_t i = 0; i < column->text_count; i++)
		cells[column->count + i] =
			(placed){steps[column->texts[i].step], column->texts[i].step, i, true};
	qsort(cells, count, sizeof(*cells), compare_placed);
	return cells;
}

static const char *digits_of(const rg_record_column *column, int64_t record)
{
	return rg_record_text_at(column->digits, column->digit_count, record);
}

/* Leaves these cells of the column, at their steps. */
static void keep_cells(rg_record_column *column, const placed *cells, size_t count)
{
	rg_record_column out = {0};
	for (size_t i = 0; i < count; i++) {
		const size_t at = cells[i].at;
		if (cells[i].is_text) {
			rg_record_column_text(&out, cells[i].step, column->texts[at].text);
			continue;
		}
		rg_record_column_number(&out, cells[i].step, column->values[at]);
		rg_record_column_digits(&out, cells[i].step, digits_of(column, cells[i].record));
		rg_record_column_unit(&out, column->unit ? column->unit
							 : rg_record_text_at(column->units,
									     column->unit_count,
									     cells[i].record));
		if (column->tolerances && at < column->tolerance_capacity)
			rg_record_column_tolerance(&out, column->tolerances[at]);
		if (column->errors && at < column->error_capacity)
			rg_record_column_error(&out, column->errors[at]);
	}
	rg_record_column_release(column);
	*column = out;
}

/* Are there numbers alone, whose steps ascend strictly? */
static bool ascends(const rg_record_column *column, const int64_t *steps)
{
	for (size_t i = 1; i < column->count; i++)
		if (steps[record_at(column, i - 1)] >= steps[record_at(column, i)])
			return false;
	return !column->text_count;
}

/* Replaces records by steps wherever a column has them. */
static void set_steps(rg_record_column *column, const int64_t *steps)
{
	for (size_t i = 0; column->steps && i < column->count; i++)
		column->steps[i] = steps[column->steps[i]];
	for (size_t i = 0; i < column->digit_count; i++)
		column->digits[i].step = steps[column->digits[i].step];
	for (size_t i = 0; i < column->unit_count; i++)
		column->units[i].step = steps[column->units[i].step];
}

/* --- records by name --- */

/* records[i]: the place among the different names of names[i]. *different is how many there are,
 * and kept[…] those, in the order in which they came first. */
static void merge_names(const char **kept, int64_t *records, const char *const *names, size_t count,
			size_t *different)
{
	RG_AUTO_FREE const char *const **sorted = rg_names_sorted(names, count);
	size_t first = 0;

	*different = 0;
	/* At first, records[i] is the place where the name came first. */
	for (size_t i = 0; i < count; i++) {
		if (i && strcmp(*sorted[i], *sorted[i - 1]) != 0)
			first = i;
		records[sorted[i] - names] = sorted[first] - names;
	}
	for (size_t i = 0; i < count; i++) {
		if (records[i] == (int64_t)i) {
			kept[*different] = names[i];
			records[i] = (int64_t)(*different)++;
		} else {
			records[i] = records[records[i]];
		}
	}
}

/* Replaces records by their places; RG_E_PARSE where one of `records` has two values. */
static rg_error *set_places(rg_long_column *column, const rg_records *records,
			    const int64_t *places)
{
	rg_record_column *cells = &column->cells;
	const size_t count = cells->count + cells->text_count;

	if (ascends(cells, places)) {
		if (cells->steps)
			set_steps(cells, places);
		return NULL;
	}
	RG_AUTO_FREE placed *sorted = sort_cells(cells, places);
	for (size_t i = 1; i < count; i++)
		if (sorted[i].step == sorted[i - 1].step)
			return rg_error_new(RG_E_PARSE, "record '%s' has two values of '%s'",
					    records->names[sorted[i].step], column->metric);
	keep_cells(cells, sorted, count);
	return NULL;
}

rg_error *rg_long_table_finish(rg_long_table *table, rg_golden_builder *builder,
			       const char *const *names, size_t count, const rg_records *like)
{
	rg_arena *arena = &builder->golden->arena;
	RG_AUTO_FREE int64_t *places = rg_malloc((count + 1) * sizeof(*places));
	rg_records *records = NULL;
	size_t different;

	for (size_t i = 0; i < count; i++)
		places[i] = (int64_t)i;
	if (!rg_records_share(&records, arena, like, names, count)) {
		const char **kept = rg_arena_alloc(arena, count * sizeof(*kept));
		merge_names(kept, places, names, count, &different);
		RG_TRY(rg_records_new(&records, arena, kept, different));
	}
	builder->golden->records = records;
	for (size_t i = 0; i < table->count; i++) {
		rg_long_column *column = &table->columns[i];
		RG_TRY(set_places(column, records, places));
		RG_TRY(rg_record_column_finish(&column->cells, builder, records, column->metric));
	}
	return builder->count || !count ? NULL : rg_records_add_keys(builder, records, "(keys)");
}

/* --- records that are steps --- */

static uint64_t shadow_of(const rg_record_column *column, const placed *cell)
{
	return cell->is_text ? rg_shadow_of(cell->step, 0, column->texts[cell->at].text)
			     : rg_shadow_of(cell->step, column->values[cell->at],
					    digits_of(column, cell->record));
}

/* Keeps the last cell of each step. `twice` gets how many of the others have another value, the
 * step of the first of these, and their sum. */
static rg_error *keep_last(const rg_long_column *column, placed *cells, size_t *count,
			   rg_metric *twice)
{
	const size_t all = *count;
	*count = 0;
	for (size_t i = 0, last; i < all; i = last + 1) {
		for (last = i; last + 1 < all && cells[last + 1].step == cells[i].step; last++)
			if (cells[last + 1].record == cells[last].record)
				return rg_error_new(RG_E_PARSE,
						    "step %" PRId64 " has two values of '%s'",
						    cells[i].step, column->metric);
		const uint64_t counts = shadow_of(&column->cells, &cells[last]);
		for (size_t k = i; k < last; k++) {
			const uint64_t shadow = shadow_of(&column->cells, &cells[k]);
			if (shadow == counts)
				continue;
			if (!twice->duplicate_keys++)
				twice->duplicate_step = cells[i].step;
			twice->shadowed += shadow;
		}
		cells[(*count)++] = cells[last];
	}
	return NULL;
}

static rg_error *append_sorted(rg_long_column *column, rg_golden_builder *builder,
			       const int64_t *steps)
{
	rg_record_column *cells = &column->cells;
	size_t count = cells->count + cells->text_count;
	RG_AUTO_FREE placed *sorted = sort_cells(cells, steps);
	rg_metric twice = {0};

	RG_TRY(keep_last(column, sorted, &count, &twice));
	keep_cells(cells, sorted, count);
	if (cells->count && cells->text_count) {
		/* The texts become a column of their own. */
		RG_AUTO_FREE char *name = rg_textf("%s (texts)", column->metric);
		RG_AUTO(rg_record_column) texts = {.text_count = cells->text_count};
		texts.texts = RG_TAKE(cells->texts);
		cells->text_count = cells->text_capacity = 0;
		RG_TRY(rg_record_column_finish(&texts, builder, NULL, name));
	}
	RG_TRY(rg_record_column_finish(cells, builder, NULL, column->metric));
	rg_metric *metric = &builder->metrics[builder->count - 1];
	metric->duplicate_keys = twice.duplicate_keys;
	metric->duplicate_step = twice.duplicate_step;
	metric->shadowed = twice.shadowed;
	return NULL;
}

rg_error *rg_long_table_finish_steps(rg_long_table *table, rg_golden_builder *builder)
{
	const int64_t *shared = table->steps;
	rg_arena_adopt(&builder->golden->arena, RG_TAKE(table->steps));
	for (size_t i = 0; i < table->count; i++) {
		rg_long_column *column = &table->columns[i];
		const bool is_first = !column->cells.steps; /* records 0 … count - 1 */
		if (!ascends(&column->cells, shared)) {
			RG_TRY(append_sorted(column, builder, shared));
			continue;
		}
		set_steps(&column->cells, shared);
		RG_TRY(rg_record_column_finish(&column->cells, builder, NULL, column->metric));
		if (is_first)
			builder->metrics[builder->count - 1].steps = shared;
	}
	return NULL;
}
