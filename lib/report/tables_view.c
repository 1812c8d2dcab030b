/* SPDX-License-Identifier: Apache-2.0 */
#include "report/tables_view.h"

#include "base/memory.h"
#include "base/fields.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the keys --- */

static const rg_json_field text_cell_fields[] = {
	RG_SAID("record", TEXT, "The record's key."),
	RG_SAID("column", TEXT, "The column."),
	RG_SAID_OR_NULL("old", VALUE, "The old cell; null: the record has none there."),
	RG_SAID_OR_NULL("new", VALUE, "The new one."),
	{0}};

static const rg_json_field number_cell_fields[] = {
	RG_SAID("record", TEXT, "The record's key."),
	RG_SAID("column", TEXT, "The column."),
	RG_SAID_OR_NULL("old", VALUE, "The old cell; null: the record has none there."),
	RG_SAID_OR_NULL("new", VALUE, "The new one."),
	RG_SAID_OR_NULL("relative", NUMBER,
			"(new - old) / |old|; null where a side has no number."),
	{0}};

static const rg_json_field record_fields[] = {RG_SAID("record", TEXT, "Its key."), {0}};

const rg_json_field rg_table_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID("changed", COUNT, "Records on both sides that differ."),
	RG_SAID("lost_count", COUNT, "Records on the old side only."),
	RG_SAID("gained_count", COUNT, "Records on the new side only."),
	RG_SAID_OF("texts", LIST, ALWAYS, text_cell_fields, "Cells of texts that differ."),
	RG_SAID("texts_more", COUNT, "Further ones."),
	RG_SAID_OF("numbers", LIST, ALWAYS, number_cell_fields,
		   "Cells of numbers that differ, the largest relative change first."),
	RG_SAID("numbers_more", COUNT, "Further ones."),
	RG_SAID_OF("lost", LIST, ALWAYS, record_fields, "Records on the old side only."),
	RG_SAID("lost_more", COUNT, "Further ones."),
	RG_SAID_OF("gained", LIST, ALWAYS, record_fields, "Records on the new side only."),
	RG_SAID("gained_more", COUNT, "Further ones."),
	{0}};

/* What a report has room for, over all tables: cells and keys of records. */
enum { CELLS_MAX = 4000 };

typedef struct {
	size_t room;
} build;

static size_t take_room(build *b, size_t count)
{
	size_t taken = count < b->room ? count : b->room;
	b->room -= taken;
	return taken;
}

/* As a share of what it was; NaN where there is no number. */
static double relative(const rg_difference *d)
{
	if (!d->old.there || !d->fresh.there)
		return NAN;
	return (d->fresh.number - d->old.number) / fabs(d->old.number);
}

/* "numbers" or "texts", and how many more there are. */
static void put_cells(build *b, cJSON *table, const char *name, const char *more,
		      const rg_differences *cells, bool numbers)
{
	cJSON *list = rg_build_list(table, name), *item;
	size_t shown = take_room(b, cells->count);

	for (size_t i = 0; i < shown; i++) {
		const rg_difference *d = &cells->items[i];
		item = rg_build_item(list);
		rg_build_text(item, "record", d->at);
		rg_build_text(item, "column", d->metric);
		rg_build_value(item, "old", &d->old);
		rg_build_value(item, "new", &d->fresh);
		if (numbers)
			rg_build_defined(item, "relative", relative(d));
	}
	rg_build_count(table, more, cells->all - shown);
}

static void put_keys(build *b, cJSON *table, const char *name, const char *more,
		     const char *const *keys, size_t count, size_t all)
{
	cJSON *list = rg_build_list(table, name);
	size_t shown = take_room(b, count);

	for (size_t i = 0; i < shown; i++)
		rg_build_text(rg_build_item(list), "record", keys[i]);
	rg_build_count(table, more, all - shown);
}

static void put_table(build *b, cJSON *list, const rg_file_outcome *file)
{
	const rg_table_differences *t = file->table;
	cJSON *item = rg_build_item(list);

	rg_build_text(item, "file", file->file);
	rg_build_count(item, "changed", t->changed);
	rg_build_count(item, "lost_count", t->lost_count);
	rg_build_count(item, "gained_count", t->gained_count);
	put_cells(b, item, "texts", "texts_more", &t->texts, false);
	put_cells(b, item, "numbers", "numbers_more", &t->numbers, true);
	put_keys(b, item, "lost", "lost_more", t->lost, t->lost_shown, t->lost_count);
	put_keys(b, item, "gained", "gained_more", t->gained, t->gained_shown, t->gained_count);
}

static double size_of(const rg_file_outcome *file)
{
	return file->table->numbers.count ? file->table->numbers.items[0].size : 0;
}

static int compare_tables(const void *a, const void *b)
{
	const rg_file_outcome *x = *(const rg_file_outcome *const *)a,
			      *y = *(const rg_file_outcome *const *)b;
	double p = size_of(x), q = size_of(y);

	if (p != q)
		return p > q ? -1 : 1;
	return (x > y) - (x < y);
}

rg_error *rg_tables_view_add(cJSON **formats, const rg_comparison *comparison)
{
	const rg_file_outcome **tables = rg_calloc(comparison->file_count + 1, sizeof(*tables));
	build b = {.room = CELLS_MAX};
	size_t count = 0;
	for (size_t i = 0; i < comparison->file_count; i++)
		if (comparison->files[i].table)
			tables[count++] = &comparison->files[i];
	if (!count) {
		free(tables);
		return NULL;
	}
	qsort(tables, count, sizeof(*tables), compare_tables);
	if (!*formats)
		*formats = cJSON_CreateObject();
	cJSON *list = rg_build_cut_list(*formats, "tables");
	for (size_t i = 0; i < count; i++)
		put_table(&b, list, tables[i]);
	free(tables);
	return rg_summary_view_finish(list);
}
