/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

#include "base/utf8.h"
#include "report/cells.h"
#include "report/template_data.h"
#include "report/words.h"
#include "story/golden_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of the document, as the table has it. */
typedef struct {
	size_t place, rank;
	bool look, own;
	bool marks[RG_MARKS]; /* by the bits of a rg_story_place */
	size_t card;          /* 1 is the first; 0: none */
	const char *why, *variant, *name;
} shown_row;

#define OF shown_row
static const rg_json_field page_row_fields[] = {
	RG_KEY_AS("row", place, "Its place in rows, from 0."),
	RG_KEY(rank, "Its place in the order of all rows, from 0: what needs review first."),
	RG_KEY(look, "It needs review."),
	RG_KEY_IF("stands_out", marks[0], RG_JSON_OPTIONAL,
		  "It is an outlier of its group, or of what was measured."),
	RG_KEY_IF("fails_check", marks[1], RG_JSON_OPTIONAL,
		  "It fails one of the project's checks."),
	RG_KEY_IF("over_level", marks[2], RG_JSON_OPTIONAL, "It is at or over its level."),
	RG_KEY_IF("cancels", marks[3], RG_JSON_OPTIONAL, "Opposite halves cancel in avg_rel_diff."),
	RG_KEY_IF("lost", marks[4], RG_JSON_OPTIONAL, "Values are gone or not finite."),
	RG_KEY_OPTIONAL(why, "Why it needs review, in words."),
	RG_KEY_OPTIONAL(card, "Its metric's place in \"moved\", from 1."),
	RG_KEY(own, "Its change is not the run's."),
	RG_KEY_OR_NULL(variant, "On what the golden is, out of its path; null where that has "
				"none."),
	RG_KEY_OPTIONAL(name, "What the golden is called, as no other of the page is."),
	{0}};
#undef OF

#define OF rg_page_rows
const rg_json_field rg_page_fields[] = {
	RG_SAID("columns", TEXTS, "Its columns."),
	RG_SAID_OF("rows", LIST, ALWAYS, page_row_fields, "Its rows."),
	RG_SAID("more", COUNT, "Rows that the table leaves out."),
	RG_KEY_OPTIONAL(old_url, "What is before a golden's path in its address, as the old "
				 "side's commit has it."),
	RG_KEY_OPTIONAL(new_url, "The same of the new side."),
	{0}};
#undef OF

/* The columns that figures and filters need beside a row's cells. */
static const char fact_names[] = "file,metric,stage,checks,verdict,avg_rel_diff,max_rel,"
				 "left_out,change,median_rel_diff";

static size_t count_shown(const rg_page_rows *page)
{
	return page->row_count < RG_PAGE_ROWS ? page->row_count : RG_PAGE_ROWS;
}

/* --- in the JSON --- */

/* Texts that are made for it are in the arena. */
static shown_row show(const rg_page_rows *page, size_t i, rg_arena *arena)
{
	const rg_row *row = page->told[i];
	const rg_story_place *has =
		&page->story->places[row - page->story->summary->comparison->rows];
	const rg_name_part variant = rg_test_name_split(row->file, page->context).variant;
	shown_row shown = {.rank = has->place,
			   .look = has->look != RG_LOOK_NONE,
			   .card = has->metric + 1,
			   .own = rg_refresh_is_own(page->refresh, row->file),
			   .name = rg_test_names_find(&page->story->names, row->file)};

	if (variant.text)
		shown.variant = rg_arena_copy(arena, variant.text, variant.length);
	for (size_t k = 0; k < RG_MARKS; k++)
		shown.marks[k] = has->marks >> k & 1;
	RG_AUTO(rg_buf) why = rg_buf_of(RG_BUF_TEXT);
	rg_row_say_why(&why, page->story, row);
	if (why.length)
		shown.why = rg_arena_text(arena, why.data);
	return shown;
}

void rg_page_table_write(rg_json_out *json, const rg_page_rows *page, const rg_comparison *c,
			 const rg_row *const *order, size_t count)
{
	size_t shown = count_shown(page);
	RG_AUTO_FREE size_t *places = rg_calloc(c->row_count + 1, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		places[order[i] - c->rows] = i;
	rg_json_key_open(json, "page", '{');
	rg_json_key_open_flat(json, "columns", '[');
	for (size_t i = 0; i < page->columns->count; i++)
		rg_json_text(json, page->columns->items[i]->name);
	rg_json_close(json, ']');
	rg_json_key_open(json, "rows", '[');
	for (size_t i = 0; i < shown; i++) {
		RG_AUTO(rg_arena) arena = {0};
		shown_row one = show(page, i, &arena);
		one.place = places[page->rows[i] - c->rows];
		rg_json_put_item(json, page_row_fields, &one, NULL);
	}
	rg_json_close(json, ']');
	rg_json_key_count(json, "more", page->row_count - shown);
	rg_json_put_fields(json, rg_page_fields, page, NULL);
	rg_json_close(json, '}');
}

/* --- the data of a template --- */

/* Does every row begin with it, beside its name? It has no column of its own. */
static bool is_first(const rg_column *column)
{
	return !strcmp(column->name, "file") || !strcmp(column->name, "metric") ||
	       !strcmp(column->name, "avg_rel_diff");
}

void rg_page_row_id(char out[static RG_PAGE_ROW_ID], const char *file, const char *metric)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789-_";
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

	/* As it is read from a document, too. */
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_utf8_add_valid(&text, file, strlen(file));
	rg_buf_char(&text, '\0');
	rg_utf8_add_valid(&text, metric, strlen(metric));
	for (size_t i = 0; i < text.length; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3;
	hash ^= hash >> 32;
	for (size_t i = 0; i < RG_PAGE_ROW_ID - 1; i++, hash >>= 6)
		out[i] = digits[hash & 63];
	out[RG_PAGE_ROW_ID - 1] = '\0';
}

static void append_facet(cJSON *list, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "name", name);
	rg_build_text(item, "value", value);
}

static void append_facets(cJSON *item, const cJSON *row, const shown_row *shown)
{
	static const struct {
		const char *name, *column; /* NULL: the variant */
	} facets[] = {{"metric", "metric"},
		      {"stage", "stage"},
		      {"variant", NULL},
		      {"checks", "checks"},
		      {"verdict", "verdict"},
		      /* Not a choice, but said where a row is opened. */
		      {"left", "left_out"}};
	cJSON *list = rg_build_list(item, "facets");

	if (shown->look)
		append_facet(list, "look", "needs review");
	for (size_t i = 0; i < RG_MARKS; i++)
		if (shown->marks[i])
			append_facet(list, "look", rg_story_mark_names[i]);
	for (size_t i = 0; i < sizeof(facets) / sizeof(*facets); i++)
		append_facet(list, facets[i].name,
			     facets[i].column
				     ? cJSON_GetStringValue(rg_json_member(row, facets[i].column))
				     : shown->variant);
}

/* A cell's text, and its number where it has one: what it sorts by. "-" where there is nothing. */
static void append_value(cJSON *item, const rg_column *column, const cJSON *value)
{
	const char *said = cJSON_GetStringValue(value);
	rg_cell share = {.kind = RG_CELL_NUMBER};
	double number = cJSON_IsNumber(value) ? value->valuedouble : NAN;
	bool whole = number == floor(number) && fabs(number) < 1e15;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	if (column->flags & RG_COLUMN_SHARE && rg_json_is_number(value, &share.number))
		rg_cell_add_text(&text, column, &share);
	else if (cJSON_IsNumber(value)) /* three digits, as a template writes numbers */
		rg_buf_printf(&text, whole ? "%.0f" : "%.3g", number == 0 ? 0 : number);
	else if (cJSON_IsBool(value))
		rg_buf_str(&text, cJSON_IsTrue(value) ? "yes" : "no");
	else
		rg_buf_str(&text, said ? said : "-");
	if (cJSON_IsNumber(value) && (column->flags & RG_COLUMN_SHARE || is_first(column))) {
		/* From its point on a number has so much room, of blanks as wide as a digit: points
		 * are below each other. */
		enum { ROOM = 7 };
		size_t end = strcspn(text.data, " "), point = strcspn(text.data, ".e ");
		for (size_t used = end - point; used < ROOM; used++)
			rg_buf_str(&text, "\u2007");
	}
	rg_build_written(item, "value", &text);
	if (cJSON_IsNumber(value))
		cJSON_AddNumberToObject(item, "number", number);
}

/* Its facts are the item's own from here on, or the document's. */
static void append_row(cJSON *list, const shown_row *shown, cJSON *facts, bool own,
		       const rg_column_list *columns)
{
	static const rg_column figure = {.name = "avg_rel_diff"};
	const char *file = cJSON_GetStringValue(rg_json_member(facts, "file"));
	const char *metric = cJSON_GetStringValue(rg_json_member(facts, "metric"));
	cJSON *item = rg_build_item(list);
	char id[RG_PAGE_ROW_ID];

	rg_page_row_id(id, file ? file : "", metric ? metric : "");
	rg_build_text(item, "id", id);
	rg_build_text(item, "file", file);
	rg_build_text(item, "name", shown->name ? shown->name : file);
	rg_build_text(item, "metric", metric);
	append_value(rg_build_object(item, "figure"), &figure,
		     rg_json_member(facts, "avg_rel_diff"));
	rg_build_count(item, "rank", shown->rank);
	rg_build_truth(item, "look", shown->look);
	rg_build_count(item, "card", shown->card);
	rg_build_text(item, "why", shown->why ? shown->why : "");
	rg_build_truth(item, "own", shown->own);
	if (own)
		cJSON_AddItemToObject(item, "facts", facts);
	else
		cJSON_AddItemReferenceToObject(item, "facts", facts);
	append_facets(item, facts, shown);
	cJSON *cells = rg_build_list(item, "cells");
	for (size_t k = 0; k < columns->count; k++) {
		if (is_first(columns->items[k]))
			continue;
		cJSON *cell = rg_build_item(cells);
		rg_build_truth(cell, "right", columns->items[k]->flags & RG_COLUMN_RIGHT);
		append_value(cell, columns->items[k],
			     rg_json_member(facts, columns->items[k]->name));
	}
}

static rg_error *read_columns(rg_column_list *out, const rg_json_in *in, const cJSON *page)
{
	const cJSON *names = rg_json_member(page, "columns"), *name;
	*out = (rg_column_list){0};
	cJSON_ArrayForEach(name, names)
	{
		if (!cJSON_IsString(name) || out->count == RG_COLUMNS_MAX)
			return rg_json_wrong(in, page, "columns", "is not a list of columns");
		const char *text = name->valuestring;
		RG_AUTO_PTR(rg_error) unknown = NULL;
		unknown = rg_column_find(&out->items[out->count++], text, strlen(text));
		if (unknown)
			return rg_json_wrong(in, page, "columns",
					     "has a name that is not a column");
	}
	return NULL;
}

/* --- its rows, one at a time --- */

/* The row's keys, as the JSON of a document would have them. */
static cJSON *make_facts(const rg_page_table *table, const rg_row *row)
{
	cJSON *facts = cJSON_CreateObject();
	rg_json_out json;
	rg_json_tree_init(&json, facts);
	for (size_t i = 0; i < table->facts.count; i++) {
		const rg_cell cell = table->facts.items[i]->cell(row, table->page->context);
		rg_json_key(&json, table->facts.items[i]->name);
		rg_json_cell(&json, &cell);
	}
	return facts;
}

/* A row and its facts, which are the caller's where the table is of a comparison. */
static rg_error *row_at(shown_row *out, cJSON **facts, const rg_page_table *table, size_t i,
			rg_arena *arena)
{
	*out = (shown_row){0};
	if (table->page) {
		*out = show(table->page, i, arena);
		*facts = make_facts(table, table->page->rows[i]);
		return NULL;
	}
	const rg_json_in in = {.root = table->in->root, .arena = arena};
	RG_TRY(rg_json_get_fields(&in, table->items[i], page_row_fields, out));
	if (out->place >= table->all_count)
		return rg_json_wrong(&in, table->items[i], "row", "is not a row of the document");
	*facts = table->all[out->place];
	return NULL;
}

rg_error *rg_page_table_add(const rg_page_table *table, size_t i, cJSON *list)
{
	RG_AUTO(rg_arena) arena = {0};
	cJSON *facts = NULL;
	shown_row row;

	RG_TRY(row_at(&row, &facts, table, i, &arena));
	append_row(list, &row, facts, table->page != NULL, &table->columns);
	return NULL;
}

/* How far it moved, positive where new is the larger number: of a time its median step. NaN: no
 * figure says. */
static double moved(const cJSON *facts)
{
	double value = NAN;
	if (rg_json_is_number(rg_json_member(facts, "median_rel_diff"), &value))
		return 0 - value;
	return rg_json_is_number(rg_json_member(facts, "change"), &value) ? value : NAN;
}

/* As a page has it: itself, where it `stays` and is valid. */
static const char *valid_text(rg_page_table *table, const char *text, bool stays)
{
	RG_AUTO(rg_buf) valid = rg_buf_of(RG_BUF_TEXT);
	rg_utf8_add_valid(&valid, text, strlen(text));
	return stays && !strcmp(valid.data, text) ? text : rg_arena_text(&table->arena, valid.data);
}

/* A document's stays as long as the table, as does a comparison's. */
static const char *file_of(const rg_page_table *table, size_t i, const cJSON *facts)
{
	const char *file = table->page ? table->page->rows[i]->file
				       : cJSON_GetStringValue(rg_json_member(facts, "file"));
	return file ? file : "";
}

static rg_error *fill_brief(rg_page_table *table, size_t i, bool *any_why)
{
	rg_page_row *out = &table->rows[i];
	RG_AUTO(rg_arena) arena = {0};
	cJSON *facts = NULL;
	shown_row row;

	RG_TRY(row_at(&row, &facts, table, i, &arena));
	const char *metric = cJSON_GetStringValue(rg_json_member(facts, "metric"));
	out->file = valid_text(table, file_of(table, i, facts), true);
	out->name = row.name ? valid_text(table, row.name, table->page != NULL) : out->file;
	out->card = row.card;
	out->look = row.look;
	out->moved = moved(facts);
	rg_page_row_id(out->id, out->file, metric ? metric : "");
	*any_why |= row.why != NULL;
	if (table->page)
		cJSON_Delete(facts);
	return NULL;
}

/* --- the table --- */

/* Lists of cJSON have no index. */
static rg_error *list_items(cJSON ***out, size_t *count, const rg_json_in *in, const cJSON *object)
{
	const cJSON *list;
	size_t i = 0;

	RG_TRY(rg_json_get_objects(in, object, "rows", &list, count));
	*out = rg_malloc((*count + 1) * sizeof(cJSON *));
	for (cJSON *item = list->child; item; item = item->next)
		(*out)[i++] = item;
	return NULL;
}

static rg_error *read_table(rg_page_table *table, rg_page_rows *links, uint64_t *more)
{
	const rg_json_in *in = table->in;
	const cJSON *page;

	RG_TRY(list_items(&table->all, &table->all_count, in, in->root));
	RG_TRY(rg_json_get_object(in, in->root, "page", &page));
	RG_TRY(read_columns(&table->columns, in, page));
	RG_TRY(list_items(&table->items, &table->count, in, page));
	RG_TRY(rg_json_get_count(in, page, "more", UINT64_MAX, more));
	if (table->count > RG_PAGE_ROWS)
		return rg_json_wrong(in, page, "rows", "has more rows than a page");
	return rg_json_get_fields(in, page, rg_page_fields, links);
}

static rg_error *make_table(rg_page_table *table, rg_page_rows *links, uint64_t *more)
{
	*links = *table->page;
	table->columns = *links->columns;
	table->count = count_shown(links);
	*more = links->row_count - table->count;
	/* The columns that its rows need. */
	RG_TRY(rg_columns_parse(&table->facts, fact_names));
	for (size_t i = 0; i < links->columns->count; i++) {
		size_t k = 0;
		while (k < table->facts.count && table->facts.items[k] != links->columns->items[i])
			k++;
		if (k == table->facts.count)
			table->facts.items[table->facts.count++] = links->columns->items[i];
	}
	return NULL;
}

rg_error *rg_page_table_open(rg_page_table *out, const rg_json_in *in, const rg_page_rows *page)
{
	*out = (rg_page_table){.in = in, .page = page, .head = cJSON_CreateObject()};
	rg_arena_init(&out->arena);
	rg_page_rows links = {0};
	bool any_why = false;
	uint64_t more;

	RG_TRY(out->page ? make_table(out, &links, &more) : read_table(out, &links, &more));
	cJSON *list = rg_build_list(out->head, "columns");
	for (size_t k = 0; k < out->columns.count; k++) {
		const rg_column *column = out->columns.items[k];
		if (is_first(column))
			continue;
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "name", column->name);
		rg_build_text(item, "help", column->help);
		rg_build_truth(item, "right", column->flags & RG_COLUMN_RIGHT);
	}
	rg_build_list(out->head, "rows");
	out->rows = rg_calloc(out->count + 1, sizeof(*out->rows));
	for (size_t i = 0; i < out->count; i++)
		RG_TRY(fill_brief(out, i, &any_why));
	rg_build_truth(out->head, "any_why", any_why);
	rg_build_count(out->head, "more", (size_t)more);
	rg_build_text(out->head, "old_url", links.old_url);
	rg_build_text(out->head, "new_url", links.new_url);
	return NULL;
}

void rg_page_table_release(rg_page_table *table)
{
	cJSON_Delete(table->head);
	rg_arena_release(&table->arena);
	free(table->all);
	free(table->items);
	free(table->rows);
}
