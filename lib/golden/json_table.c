/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/sections.h"
#include "golden/json_table.h"
#include "golden/unread_json.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/number.h"
#include "base/order.h"
#include "golden/column_list.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_BYTES = 64 * 1024 };

rg_json_table rg_json_table_of(rg_golden_builder *builder, const rg_input *in,
			       const rg_golden_options *options)
{
	rg_json_table table = {.builder = builder,
			       .file = rg_path_name(in->name),
			       .rule = rg_table_rule_of(options, in->name),
			       .like = options->like,
			       .path = rg_buf_of(PATH_MAX_BYTES),
			       .key_text = rg_buf_of(RG_BUF_TEXT)};
	table.name_room = in->size > SIZE_MAX / 32 ? SIZE_MAX : in->size * 16 + 65536;
	return table;
}

void rg_json_table_release(rg_json_table *table)
{
	rg_long_table_release(&table->cells);
	rg_long_table_release(&table->step_cells);
	free(table->names);
	rg_buf_release(&table->key_text);
	rg_buf_release(&table->path);
}

static rg_error *take_room(rg_json_table *table, size_t length)
{
	if (length > table->name_room)
		return rg_error_new(RG_E_LIMIT, "the names of its metrics are too long");
	table->name_room -= length;
	return NULL;
}

/* A copy that lives as long as the golden. */
static rg_error *keep(rg_json_table *table, const char *text, size_t length, const char **out)
{
	RG_TRY(take_room(table, length));
	*out = rg_arena_copy(&table->builder->golden->arena, text, length);
	return NULL;
}

rg_error *rg_json_table_record(rg_json_table *table, rg_buf *key)
{
	RG_TRY(rg_buf_check(key, "a record's key"));
	const char *name = rg_records_share_name(table->like, table->count, key->data, key->length);
	if (!name)
		RG_TRY(keep(table, key->data, key->length, &name));
	*RG_PUSH(table->names, table->count, table->capacity) = name;
	rg_buf_clear(key);
	return NULL;
}

static rg_error *append_cell(rg_json_table *table, const char *metric, rg_long_cell *cell)
{
	const rg_table_rule *rule = table->rule;
	rg_long_table *cells = table->by_step ? &table->step_cells : &table->cells;
	const size_t before = cells->count;

	table->builder->golden->heeded |= RG_SET_COLUMNS;
	if (rule && rule->columns && !rg_column_list_has(rule->columns, metric, strlen(metric)))
		return NULL;
	cell->record = (table->by_step ? cells->step_count : table->count) - 1;
	cell->tolerance = NAN;
	if (table->unit_of && !cell->unit)
		cell->unit = table->unit_of(table, metric);
	cell->metric = metric;
	cell->metric_length = strlen(metric);
	rg_long_table_add(cells, cell);
	return cells->count > before ? take_room(table, cell->metric_length) : NULL;
}

rg_error *rg_json_table_number(rg_json_table *table, const char *metric, double value, double error)
{
	rg_long_cell cell = {.value = value, .error = error};
	return append_cell(table, metric, &cell);
}

/* --- an object's cells --- */

bool rg_json_is_listed(const char *name, const char *const *list)
{
	for (; list && *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

static rg_error *append_item(rg_json_table *table, const cJSON *item, const char *const *left_out);

/* Adds a member of an object or, by its place, of a list. */
static rg_error *append_member(rg_json_table *table, const char *name, const cJSON *item,
			       const char *const *left_out)
{
	size_t length = table->path.length;

	if (length)
		rg_buf_char(&table->path, '/');
	rg_buf_str(&table->path, name);
	RG_TRY(rg_buf_check(&table->path, "a nested field's name"));
	if (!rg_json_is_listed(table->path.data + table->inside, left_out))
		RG_TRY(append_item(table, item, left_out));
	rg_buf_truncate(&table->path, length);
	return NULL;
}

bool rg_json_text_number(const cJSON *item, rg_text_number *out)
{
	const char *text = cJSON_GetStringValue(item);
	const size_t length = text ? strlen(text) : 0;
	return length && !isspace((unsigned char)*text) &&
	       !isspace((unsigned char)text[length - 1]) &&
	       rg_cell_number_parse(out, text, length, false) && isfinite(out->value);
}

/* Recursion is bounded by the depth that rg_json_parse allowed. */
static rg_error *append_item(rg_json_table *table, const cJSON *item, const char *const *left_out)
{
	rg_long_cell cell = {.error = NAN};
	rg_text_number number = {0};
	const cJSON *member;
	size_t index = 0;
	char place[24];

	if (cJSON_IsObject(item) || cJSON_IsArray(item)) {
		cJSON_ArrayForEach(member, item)
		{
			snprintf(place, sizeof(place), "%zu", index++);
			RG_TRY(append_member(table, member->string ? member->string : place, member,
					     left_out));
		}
		return NULL;
	}
	if (cJSON_IsBool(item))
		cell.value = cJSON_IsTrue(item) ? 1 : 0;
	else if (rg_json_is_number(item, &cell.value))
		number.length = item->valuestring ? strlen(item->valuestring) : 0;
	else if (rg_json_text_number(item, &number))
		cell.value = number.value;
	else if (cJSON_IsString(item))
		RG_TRY(keep(table, item->valuestring, strlen(item->valuestring), &cell.text));
	else
		return NULL; /* null says nothing */
	rg_json_take(item);
	cell.unit = number.unit;
	if (!cell.text && item->valuestring)
		cell.digits = rg_whole_digits(&table->builder->golden->arena, item->valuestring,
					      number.length, cell.value);
	if (table->suffix)
		rg_buf_printf(&table->path, " %s", table->suffix);
	RG_TRY(rg_buf_check(&table->path, "a nested field's name"));
	return append_cell(table, table->path.data, &cell);
}

rg_error *rg_json_table_cells(rg_json_table *table, const cJSON *object,
			      const char *const *left_out)
{
	const cJSON *member;
	cJSON_ArrayForEach(member, object)
	{
		RG_TRY(append_member(table, member->string, member, left_out));
	}
	return NULL;
}

/* --- keys --- */

const cJSON *rg_json_path_member(const cJSON *object, const char *path)
{
	char name[256];
	while (object) {
		size_t length = strcspn(path, "/");
		const cJSON *whole = rg_json_member(object, path);

		if (whole || !path[length] || length >= sizeof(name))
			return whole;
		memcpy(name, path, length);
		name[length] = '\0';
		object = rg_json_member(object, name);
		path += length + 1;
	}
	return NULL;
}

static bool split_key(rg_json_table_key *out, const char *list)
{
	size_t used = 0;
	*out = (rg_json_table_key){.count = 0};
	while (list) {
		rg_column_name name = rg_column_list_next(&list);
		if (out->count == RG_JSON_TABLE_KEY_PARTS ||
		    name.length >= sizeof(out->text) - used)
			return false;
		memcpy(out->text + used, name.name, name.length);
		out->parts[out->count++] = out->text + used;
		used += name.length + 1;
	}
	return true;
}

/* False where the object does not have all of them. */
static bool append_key(rg_buf *out, const cJSON *object, const rg_json_table_key *key)
{
	char number[RG_DOUBLE_REPR_SIZE];
	for (size_t i = 0; i < key->count; i++) {
		const cJSON *part = rg_json_path_member(object, key->parts[i]);
		const char *text = cJSON_GetStringValue(part);

		if (cJSON_IsNumber(part)) {
			rg_json_take(part);
			snprintf(number, sizeof(number), "%.17g", part->valuedouble);
			text = number;
		}
		if (!text)
			return false;
		rg_record_key_add(out, text, strlen(text), i, key->count);
	}
	return true;
}

bool rg_json_is_step(const cJSON *item, int64_t *out)
{
	const double limit = (double)RG_JSON_EXACT_MAX;
	if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) <= limit) ||
	    item->valuedouble != floor(item->valuedouble))
		return false;
	*out = (int64_t)item->valuedouble;
	return true;
}

/* Chooses the finest of the fields that training logs count by. */
static bool choose_step(rg_json_table *table, const cJSON *list)
{
	static const char *const usual[] = {"step",      "global_step", "_step",
					    "iteration", "iter",        "epoch"};
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		size_t count = 0, with = 0;
		const cJSON *object;
		int64_t step;
		cJSON_ArrayForEach(object, list)
		{
			count++;
			with += rg_json_is_step(rg_json_member(object, usual[i]), &step);
		}
		if (with && with >= count - with)
			return split_key(&table->key, usual[i]);
	}
	return false;
}

typedef struct {
	const char *name;
	const cJSON *object;
} named;

RG_ORDER(compare_named, named, RG_BY_TEXT(name));

/* Has an object no name, or another's name and one of its other fields, too? An object of the same
 * name with other fields only is a part of the same record. */
static bool are_nameless(const cJSON *list)
{
	RG_AUTO_FREE named *objects =
		rg_calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(*objects));
	const cJSON *object, *field;
	size_t count = 0;
	bool found = false;

	cJSON_ArrayForEach(object, list)
	{
		const cJSON *name = rg_json_member(object, "name");
		found |= !cJSON_IsString(name) && !cJSON_IsNumber(name);
		if (cJSON_IsString(name))
			objects[count++] = (named){name->valuestring, object};
	}
	qsort(objects, count, sizeof(*objects), compare_named);
	for (size_t i = 1; i < count && !found; i++) {
		if (strcmp(objects[i - 1].name, objects[i].name) != 0)
			continue;
		cJSON_ArrayForEach(field, objects[i].object)
		{
			found |= strcmp(field->string, "name") != 0 &&
				 rg_json_member(objects[i - 1].object, field->string);
		}
	}
	return found;
}

/* Chooses the first of the rule's keys that the first object has, or "name", a step or a place. */
rg_error *rg_json_table_begin(rg_json_table *table, const char *prefix, const cJSON *list)
{
	static const char *const usual[] = {"name"};
	const rg_table_rule *rule = table->rule;
	bool ruled = rule && rule->key_count, has = false;
	const char *const *keys = ruled ? rule->keys : usual;
	size_t count = ruled ? rule->key_count : 1;

	table->prefix = prefix;
	table->index = 0;
	table->builder->golden->heeded |= RG_SET_KEY | RG_SET_COLUMNS;
	for (size_t i = 0; i < count && !has; i++) {
		rg_buf_clear(&table->key_text);
		has = split_key(&table->key, keys[i]) &&
		      append_key(&table->key_text, list->child, &table->key);
	}
	rg_buf_clear(&table->key_text);
	table->by_place = (rule && rule->by_place) ||
			  (has && !ruled && (table->nameless || are_nameless(list)));
	table->by_name |= has && !ruled;
	table->by_step = !has && !ruled && !table->by_place && choose_step(table, list);
	if ((has && !table->by_place) || table->by_step)
		return NULL;
	table->key.parts[0] = NULL;
	table->by_place |= !ruled;
	if (table->by_place)
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "its objects have no '%s': name the fields that tell them apart in "
			    ".regild: [table \"%s\"] key = FIELD,FIELD",
			    keys[count - 1], table->file);
}

rg_error *rg_json_table_object(rg_json_table *table, const cJSON *object)
{
	if (table->by_step) {
		rg_long_table *cells = &table->step_cells;
		const size_t n = cells->step_count;
		const cJSON *member = rg_json_member(object, table->key.parts[0]);
		int64_t step = n && table->index ? cells->steps[n - 1] : 0;

		if (member && !rg_json_is_step(member, &step))
			return rg_error_new(RG_E_PARSE, "'%s' of its object %zu is not a step",
					    table->key.parts[0], table->index);
		if (member)
			rg_json_take(member);
		*RG_PUSH(cells->steps, cells->step_count, cells->step_capacity) = step;
	} else {
		if (table->by_place)
			rg_buf_printf(&table->key_text, "place %zu", table->index + 1);
		else if (!append_key(&table->key_text, object, &table->key))
			return rg_error_new(RG_E_PARSE, "its object %zu has no '%s'", table->index,
					    table->key.parts[0]);
		RG_TRY(rg_json_table_record(table, &table->key_text));
	}
	table->index++;
	rg_buf_clear(&table->path);
	rg_buf_str(&table->path, table->prefix);
	table->inside = table->path.length ? table->path.length + 1 : 0;
	RG_TRY(rg_json_table_cells(table, object, table->key.parts));
	rg_buf_clear(&table->path);
	table->inside = 0;
	return NULL;
}

/* Names the records, which were read by their places, by the cells of some columns. */
static rg_error *name_by(rg_json_table *table, const size_t *key, size_t count)
{
	for (size_t k = 0; k < table->count; k++) {
		rg_buf_clear(&table->key_text);
		for (size_t i = 0; i < count; i++) {
			const rg_record_column *c = &table->cells.columns[key[i]].cells;
			const char *text = rg_record_text_at(c->texts, c->text_count, (int64_t)k);
			char number[RG_DOUBLE_REPR_SIZE] = "";
			if (c->count)
				snprintf(number, sizeof(number), "%.17g", c->values[k]);
			text = text ? text : number;
			rg_record_key_add(&table->key_text, text, strlen(text), i, count);
		}
		RG_TRY(rg_buf_check(&table->key_text, "a record's key"));
		RG_TRY(keep(table, table->key_text.data, table->key_text.length, &table->names[k]));
	}
	rg_buf_clear(&table->key_text);
	return NULL;
}

/* Names the records of the only list, which were read by their places, by the fields that tell them
 * apart, if there are any. These fields are then no metrics. */
static rg_error *find_key(rg_json_table *table)
{
	rg_long_table *cells = &table->cells;
	size_t key[RG_RECORD_KEY_MAX], count, left = 0;
	RG_AUTO_FREE rg_key_column *columns = rg_calloc(cells->count + 1, sizeof(*columns));

	for (size_t i = 0; i < cells->count; i++)
		columns[i] = (rg_key_column){cells->columns[i].metric + table->inside_placed,
					     &cells->columns[i].cells};
	const char *found = rg_record_key_find(key, &count, &table->builder->golden->arena, columns,
					       cells->count, table->count);
	if (!count)
		return NULL;
	RG_TRY(name_by(table, key, count));
	table->found = found;
	table->placed = 0;
	for (size_t i = 0; i < count; i++)
		rg_record_column_release(&cells->columns[key[i]].cells);
	for (size_t i = 0; i < cells->count; i++)
		if (cells->columns[i].cells.count || cells->columns[i].cells.text_count)
			cells->columns[left++] = cells->columns[i];
	cells->count = left;
	return NULL;
}

void rg_json_table_end(rg_json_table *table)
{
	if (table->by_place) {
		table->placed += table->index;
		table->placed_lists++;
		table->inside_placed = *table->prefix ? strlen(table->prefix) + 1 : 0;
	}
	table->by_place = false;
	table->by_step = false; /* what comes without a list has records */
}

bool rg_json_is_object_list(const cJSON *item)
{
	const cJSON *member;
	if (!cJSON_IsArray(item) || !item->child)
		return false;
	cJSON_ArrayForEach(member, item)
	{
		if (!cJSON_IsObject(member))
			return false;
	}
	return true;
}

rg_error *rg_json_table_list(rg_json_table *table, const char *prefix, const cJSON *list)
{
	const cJSON *object;
	RG_TRY(rg_json_table_begin(table, prefix, list));
	cJSON_ArrayForEach(object, list)
	{
		RG_TRY(rg_json_table_object(table, object));
	}
	rg_json_table_end(table);
	return NULL;
}

rg_error *rg_json_table_finish(rg_json_table *table)
{
	if (table->step_cells.step_count)
		RG_TRY(rg_long_table_finish_steps(&table->step_cells, table->builder));
	if (!table->count)
		return NULL;
	if (table->placed == table->count && table->placed_lists == 1 &&
	    !(table->rule && table->rule->by_place))
		RG_TRY(find_key(table));
	if (table->placed && table->placed < table->count)
		rg_golden_builder_note(table->builder, RG_NOTE_READ,
				       "%zu of its %zu records are paired by position: no field "
				       "names them",
				       table->placed, table->count);
	table->builder->golden->record_key = table->placed == table->count ? "" : table->found;
	return rg_long_table_finish(&table->cells, table->builder, table->names, table->count,
				    table->like);
}
