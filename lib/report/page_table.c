/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_table.h"

#include "base/memory.h"
#include "base/fields.h"
#include "report/review.h"
#include "report/template_data.h"
#include "report/test_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the keys --- */

static const rg_json_field page_row_fields[] = {
	RG_SAID_OR_NULL("variant", TEXT,
			"On what the golden is, out of its path; null where that has none."),
	RG_SAID("row", COUNT, "Its place in rows, from 0."),
	RG_SAID("look", TRUTH, "A reviewer must look at it."),
	RG_SAID("own", TRUTH, "Its change is not the run's."),
	{0}};

const rg_json_field rg_page_fields[] = {
	RG_SAID("columns", TEXTS, "Its columns."),
	RG_SAID_OF("rows", LIST, ALWAYS, page_row_fields, "Its rows."),
	RG_SAID("more", COUNT, "Rows that the table leaves out."),
	{0}};

static size_t shown_rows(const rg_page_rows *page)
{
	return page->row_count < RG_PAGE_ROWS ? page->row_count : RG_PAGE_ROWS;
}

static void add_heading(cJSON *list, const rg_column *column)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "name", column->name);
	rg_build_text(item, "help", column->help);
	rg_build_truth(item, "right", column->flags & RG_COLUMN_RIGHT);
}

/* What figures and filters know of a row beside its cells: values of these columns. */
static const char *const fact_names[] = {"file",    "metric",       "stage",   "checks",
					 "verdict", "avg_rel_diff", "max_rel", "left_out"};
enum { FACTS = sizeof(fact_names) / sizeof(*fact_names) };

static void add_facet(cJSON *list, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "name", name);
	rg_build_text(item, "value", value);
}

/* Once the facts are there. */
static void add_facets(cJSON *row, const char *variant)
{
	static const char *const names[] = {"metric", "stage", "variant", "checks", "verdict"};
	const cJSON *facts = rg_json_member(row, "facts");
	cJSON *list = rg_build_list(row, "facets");

	if (cJSON_IsTrue(rg_json_member(row, "look")))
		add_facet(list, "look", "needs a look");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_facet(list, names[i],
			  strcmp(names[i], "variant") != 0
				  ? cJSON_GetStringValue(rg_json_member(facts, names[i]))
				  : variant);
	/* Not a choice, but said where a row is opened. */
	add_facet(list, "left", cJSON_GetStringValue(rg_json_member(facts, "left_out")));
}

/* Past 2^53 JSON has a text. */
static void add_whole(cJSON *item, const char *key, bool negative, uint64_t size)
{
	if (size > RG_JSON_EXACT_MAX)
		rg_build_textf(item, key, "%s%" PRIu64, negative ? "-" : "", size);
	else
		rg_build_number(item, key, negative ? -(double)size : (double)size);
}

static void add_value(cJSON *item, const char *key, const rg_cell *cell)
{
	switch (cell->kind) {
	case RG_CELL_NONE:
		break;
	case RG_CELL_TEXT:
		rg_build_textf(item, key, "%.*s", (int)cell->length, cell->text);
		break;
	case RG_CELL_COUNT:
		add_whole(item, key, false, cell->count);
		break;
	case RG_CELL_STEP:
		add_whole(item, key, cell->step < 0,
			  cell->step < 0 ? 0 - (uint64_t)cell->step : (uint64_t)cell->step);
		break;
	case RG_CELL_NUMBER:
		rg_build_number(item, key, cell->number);
		break;
	case RG_CELL_TRUTH:
		rg_build_text(item, key, cell->truth ? "yes" : "no");
		break;
	}
}

/* A row of a comparison, or as its document has it. */
typedef struct {
	const rg_row *row;
	const rg_column_context *context;
	const cJSON *read; /* NULL: `row` and `context` count */
	bool look, own;
	const char *variant; /* the stars of its path; NULL: it has none */
} source;

static rg_cell cell_of(const source *from, const rg_column *column)
{
	const cJSON *value = rg_json_member(from->read, column->name);
	const char *text = cJSON_GetStringValue(value);
	double number;

	if (!from->read)
		return column->cell(from->row, from->context);
	if (cJSON_IsBool(value))
		return (rg_cell){.kind = RG_CELL_TRUTH, .truth = cJSON_IsTrue(value)};
	if (cJSON_IsNumber(value) ||
	    (column->flags & RG_COLUMN_SHARE && rg_json_is_number(value, &number)))
		return (rg_cell){.kind = RG_CELL_NUMBER,
				 .number = text ? number : value->valuedouble};
	return (rg_cell){.kind = text ? RG_CELL_TEXT : RG_CELL_NONE,
			 .text = text,
			 .length = text ? strlen(text) : 0};
}

/* A cell of the table, which says so where there is no value. */
static void add_cell(cJSON *cells, const rg_column *column, const rg_cell *cell)
{
	cJSON *item = rg_build_item(cells);
	rg_build_truth(item, "right", column->flags & RG_COLUMN_RIGHT);
	if (cell->kind == RG_CELL_NONE)
		rg_build_text(item, "value", "-");
	else if (column->flags & RG_COLUMN_SHARE)
		rg_build_cell(item, "value", column, cell);
	else
		add_value(item, "value", cell);
}

static rg_error *add_row(cJSON *list, size_t id, const source *from, const rg_column_list *columns)
{
	cJSON *item = rg_build_item(list);
	const rg_column *column;
	rg_cell cell;

	rg_build_count(item, "id", id);
	rg_build_truth(item, "look", from->look);
	rg_build_truth(item, "own", from->own);
	cJSON *facts = rg_build_object(item, "facts");
	for (size_t k = 0; k < FACTS; k++) {
		RG_TRY(rg_column_find(&column, fact_names[k], strlen(fact_names[k])));
		cell = cell_of(from, column);
		add_value(facts, fact_names[k], &cell);
	}
	add_facets(item, from->variant);
	cJSON *cells = rg_build_list(item, "cells");
	for (size_t k = 0; k < columns->count; k++) {
		cell = cell_of(from, columns->items[k]);
		add_cell(cells, columns->items[k], &cell);
	}
	return NULL;
}

static void add_headings(cJSON *table, const rg_column_list *columns)
{
	cJSON *list = rg_build_list(table, "columns");
	for (size_t k = 0; k < columns->count; k++)
		add_heading(list, columns->items[k]);
}

/* The stars of a path, as a text of the caller's; NULL where it has none. */
static char *variant_of(const char *file, const rg_column_context *context)
{
	const rg_name_part variant = rg_test_name_split(file, context).variant;
	return variant.text ? rg_textf("%.*s", (int)variant.length, variant.text) : NULL;
}

static rg_error *make_row(cJSON *list, size_t id, const rg_page_rows *page, const rg_row *row)
{
	source from = {.row = row,
		       .context = page->context,
		       .look = rg_row_look(row) != RG_LOOK_NONE,
		       .own = rg_refresh_is_own(page->refresh, row->file)};
	char *variant = variant_of(row->file, page->context);
	from.variant = variant;
	rg_error *err = add_row(list, id, &from, page->columns);
	free(variant);
	return err;
}

rg_error *rg_page_table_make(cJSON **out, const rg_page_rows *page)
{
	size_t shown = shown_rows(page);
	cJSON *table = cJSON_CreateObject();
	add_headings(table, page->columns);

	cJSON *list = rg_build_list(table, "rows");
	rg_error *err = NULL;
	for (size_t i = 0; i < shown && !err; i++)
		err = make_row(list, i + 1, page, page->rows[i]);
	rg_build_count(table, "more", page->row_count - shown);
	*out = err ? NULL : table;
	if (err)
		cJSON_Delete(table);
	return err;
}

/* --- in the JSON --- */

static int compare_pointers(const void *a, const void *b)
{
	const rg_row *x = **(const rg_row *const *const *)a, *y = **(const rg_row *const *const *)b;
	return x < y ? -1 : x > y;
}

static int compare_row(const void *row, const void *place)
{
	const rg_row *x = row, *y = **(const rg_row *const *const *)place;
	return x < y ? -1 : x > y;
}

/* Where each row of the document is, by the row. */
static void index_rows(const rg_row *const ***out, const rg_row *const *order, size_t count)
{
	*out = rg_malloc((count + 1) * sizeof(**out));
	for (size_t i = 0; i < count; i++)
		(*out)[i] = &order[i];
	if (count)
		qsort(*out, count, sizeof(**out), compare_pointers);
}

static void write_variant(rg_json_out *json, const char *file, const rg_column_context *context)
{
	const rg_name_part variant = rg_test_name_split(file, context).variant;
	rg_json_key(json, "variant");
	if (variant.text)
		rg_json_text_bytes(json, variant.text, variant.length);
	else
		rg_json_null(json);
}

void rg_page_table_write(rg_json_out *json, const rg_page_rows *page, const rg_row *const *order,
			 size_t count)
{
	size_t shown = shown_rows(page);
	const rg_row *const **index;

	index_rows(&index, order, count);
	rg_json_key_open(json, "page", '{');
	rg_json_key_open_flat(json, "columns", '[');
	for (size_t i = 0; i < page->columns->count; i++)
		rg_json_text(json, page->columns->items[i]->name);
	rg_json_close(json, ']');
	rg_json_key_open(json, "rows", '[');
	for (size_t i = 0; i < shown; i++) {
		const rg_row *row = page->rows[i];
		const rg_row *const *const *place =
			bsearch(row, index, count, sizeof(*index), compare_row);

		rg_json_open_flat(json, '{');
		rg_json_key_count(json, "row", (uint64_t)(*place - order));
		rg_json_key_truth(json, "look", rg_row_look(row) != RG_LOOK_NONE);
		rg_json_key_truth(json, "own", rg_refresh_is_own(page->refresh, row->file));
		write_variant(json, row->file, page->context);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_key_count(json, "more", page->row_count - shown);
	rg_json_close(json, '}');
	free(index);
}

static rg_error *read_columns(rg_column_list *out, const rg_json_in *in, const cJSON *page)
{
	const cJSON *names = rg_json_member(page, "columns"), *name;
	*out = (rg_column_list){0};
	cJSON_ArrayForEach(name, names)
	{
		if (!cJSON_IsString(name) || out->count == RG_COLUMNS_MAX)
			return rg_json_wrong(in, page, "columns", "is not a list of columns");
		rg_error *err = rg_column_find(&out->items[out->count++], name->valuestring,
					       strlen(name->valuestring));
		rg_error_free(err);
		if (err)
			return rg_json_wrong(in, page, "columns",
					     "has a name that is not a column");
	}
	return NULL;
}

/* A row of the table out of the document's rows. */
static rg_error *read_row(cJSON *list, size_t id, const rg_json_in *in, const cJSON *item,
			  const cJSON *const *rows, size_t count, const rg_column_list *columns)
{
	source from;
	uint64_t place;

	RG_TRY(rg_json_get_truth(in, item, "look", &from.look));
	RG_TRY(rg_json_get_truth(in, item, "own", &from.own));
	RG_TRY(rg_json_get_count(in, item, "row", UINT64_MAX, &place));
	RG_TRY(rg_json_get_optional(in, item, "variant", &from.variant));
	if (place >= count)
		return rg_json_wrong(in, item, "row", "is not a row of the document");
	from.read = rows[place];
	return add_row(list, id, &from, columns);
}

/* The document's rows by their place: a list of cJSON has no index. */
static rg_error *list_rows(const cJSON ***out, size_t *count, const rg_json_in *in)
{
	const cJSON *rows, *item;
	size_t i = 0;

	RG_TRY(rg_json_get_objects(in, in->root, "rows", &rows, count));
	*out = rg_malloc((*count + 1) * sizeof(const cJSON *));
	cJSON_ArrayForEach(item, rows)(*out)[i++] = item;
	return NULL;
}

static rg_error *read_table(cJSON *table, const rg_json_in *in, const cJSON *const *rows,
			    size_t count)
{
	const cJSON *page, *shown, *item;
	rg_column_list columns;
	uint64_t more;
	size_t number, k;

	RG_TRY(rg_json_get_object(in, in->root, "page", &page));
	RG_TRY(read_columns(&columns, in, page));
	RG_TRY(rg_json_get_objects(in, page, "rows", &shown, &number));
	RG_TRY(rg_json_get_count(in, page, "more", UINT64_MAX, &more));
	if (number > RG_PAGE_ROWS)
		return rg_json_wrong(in, page, "rows", "has more rows than a page");
	add_headings(table, &columns);
	cJSON *list = rg_build_list(table, "rows");
	k = 0;
	cJSON_ArrayForEach(item, shown)
		RG_TRY(read_row(list, ++k, in, item, rows, count, &columns));
	rg_build_count(table, "more", (size_t)more);
	return NULL;
}

rg_error *rg_page_table_read(cJSON **out, const rg_json_in *in)
{
	cJSON *table = cJSON_CreateObject();
	const cJSON **rows = NULL;
	size_t count = 0;
	rg_error *err = list_rows(&rows, &count, in);

	if (!err)
		err = read_table(table, in, rows, count);
	free(rows);
	*out = err ? NULL : table;
	if (err)
		cJSON_Delete(table);
	return err;
}
