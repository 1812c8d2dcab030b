/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/json_table.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/number.h"
#include "golden/column_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_BYTES = 64 * 1024 };

void rg_json_table_init(rg_json_table *table, rg_golden_builder *builder, const rg_input *in,
			const rg_golden_options *options)
{
	*table = (rg_json_table){.builder = builder,
				 .file = rg_path_name(in->name),
				 .rule = rg_table_rule_of(options, in->name)};
	table->name_room = in->size > SIZE_MAX / 32 ? SIZE_MAX : in->size * 16 + 65536;
	rg_buf_init(&table->path, PATH_MAX_BYTES);
}

void rg_json_table_release(rg_json_table *table)
{
	rg_long_table_release(&table->cells);
	free(table->names);
	rg_buf_release(&table->path);
}

/* A copy that lives as long as the golden. */
static rg_error *keep(rg_json_table *table, const char *text, size_t length, const char **out)
{
	if (length > table->name_room)
		return rg_error_new(RG_E_LIMIT, "the names of its metrics are too long");
	table->name_room -= length;
	*out = rg_arena_copy(&table->builder->golden->arena, text, length);
	return NULL;
}

rg_error *rg_json_table_record(rg_json_table *table, rg_buf *key)
{
	RG_TRY(rg_buf_check(key, "a record's key"));
	rg_grow(&table->names, &table->capacity, table->count + 1, sizeof(*table->names));
	RG_TRY(keep(table, key->data, key->length, &table->names[table->count]));
	table->count++;
	rg_buf_clear(key);
	return NULL;
}

static rg_error *add_cell(rg_json_table *table, const char *metric, rg_long_cell *cell)
{
	const rg_table_rule *rule = table->rule;
	if (rule && rule->columns && !rg_column_list_has(rule->columns, metric, strlen(metric)))
		return NULL;
	cell->record = table->count - 1;
	cell->tolerance = NAN;
	RG_TRY(keep(table, metric, strlen(metric), &cell->metric));
	rg_long_table_add(&table->cells, cell);
	return NULL;
}

rg_error *rg_json_table_number(rg_json_table *table, const char *metric, double value, double error)
{
	rg_long_cell cell = {.value = value, .error = error};
	return add_cell(table, metric, &cell);
}

/* --- an object's cells --- */

static bool is_left_out(const char *name, const char *const *left_out)
{
	for (; left_out && *left_out; left_out++)
		if (!strcmp(name, *left_out))
			return true;
	return false;
}

static rg_error *add_item(rg_json_table *table, const cJSON *item, const char *const *left_out);

/* A member of an object or, by its place, of a list. */
static rg_error *add_member(rg_json_table *table, const char *name, const cJSON *item,
			    const char *const *left_out)
{
	size_t length = table->path.length;
	rg_error *err = NULL;

	if (length)
		rg_buf_char(&table->path, '/');
	rg_buf_str(&table->path, name);
	RG_TRY(rg_buf_check(&table->path, "a nested field's name"));
	if (!is_left_out(table->path.data, left_out))
		err = add_item(table, item, left_out);
	rg_buf_truncate(&table->path, length);
	return err;
}

/* Recursion is bounded by the depth that rg_json_parse allowed. */
static rg_error *add_item(rg_json_table *table, const cJSON *item, const char *const *left_out)
{
	rg_long_cell cell = {.error = NAN};
	const cJSON *member;
	size_t index = 0;
	char place[24];

	if (cJSON_IsObject(item) || cJSON_IsArray(item)) {
		cJSON_ArrayForEach(member, item)
		{
			snprintf(place, sizeof(place), "%zu", index++);
			RG_TRY(add_member(table, member->string ? member->string : place, member,
					  left_out));
		}
		return NULL;
	}
	if (cJSON_IsBool(item))
		cell.value = cJSON_IsTrue(item) ? 1 : 0;
	else if (cJSON_IsString(item) && !rg_json_is_number(item, &cell.value))
		RG_TRY(keep(table, item->valuestring, strlen(item->valuestring), &cell.text));
	else if (!rg_json_is_number(item, &cell.value))
		return NULL; /* null says nothing */
	if (!cell.text && item->valuestring)
		cell.digits = rg_whole_digits(&table->builder->golden->arena, item->valuestring,
					      strlen(item->valuestring), cell.value);
	return add_cell(table, table->path.data, &cell);
}

rg_error *rg_json_table_cells(rg_json_table *table, const cJSON *object,
			      const char *const *left_out)
{
	const cJSON *member;
	cJSON_ArrayForEach(member, object)
	{
		RG_TRY(add_member(table, member->string, member, left_out));
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

/* The columns of a key, NUL-terminated one by one. */
enum { KEY_PARTS = 16 };
typedef struct {
	char text[1024];
	const char *parts[KEY_PARTS + 1]; /* NULL-terminated */
	size_t count;
} key_parts;

static bool split_key(key_parts *out, const char *list)
{
	size_t used = 0;
	*out = (key_parts){.count = 0};
	while (list) {
		rg_column_name name = rg_column_list_next(&list);
		if (out->count == KEY_PARTS || name.length >= sizeof(out->text) - used)
			return false;
		memcpy(out->text + used, name.name, name.length);
		out->parts[out->count++] = out->text + used;
		used += name.length + 1;
	}
	return true;
}

/* False where the object has not all of them. */
static bool add_key(rg_buf *out, const cJSON *object, const key_parts *key)
{
	char number[RG_DOUBLE_REPR_SIZE];
	for (size_t i = 0; i < key->count; i++) {
		const cJSON *part = rg_json_path_member(object, key->parts[i]);
		const char *text = cJSON_GetStringValue(part);

		if (cJSON_IsNumber(part)) {
			snprintf(number, sizeof(number), "%.17g", part->valuedouble);
			text = number;
		}
		if (!text)
			return false;
		if (key->count == 1)
			rg_buf_str(out, text);
		else
			rg_record_key_add(out, text, strlen(text), !i);
	}
	return true;
}

/* The first of the rule's keys that the first object has, or "name". */
static rg_error *choose_key(const rg_json_table *table, const cJSON *list, key_parts *out)
{
	static const char *const usual[] = {"name"};
	const rg_table_rule *rule = table->rule;
	bool ruled = rule && rule->key_count, has = false;
	const char *const *keys = ruled ? rule->keys : usual;
	size_t count = ruled ? rule->key_count : 1;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < count && !has; i++) {
		rg_buf_clear(&text);
		has = split_key(out, keys[i]) && add_key(&text, list->child, out);
	}
	rg_buf_release(&text);
	if (has)
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "its objects have no '%s': name the fields that tell them apart in "
			    ".regild: [table \"%s\"] key = FIELD,FIELD",
			    keys[count - 1], table->file);
}

static rg_error *add_objects(rg_json_table *table, const char *prefix, const cJSON *list,
			     const key_parts *key, rg_buf *text)
{
	const cJSON *object;
	size_t index = 0;

	cJSON_ArrayForEach(object, list)
	{
		if (!add_key(text, object, key))
			return rg_error_new(RG_E_PARSE, "its object %zu has no '%s'", index,
					    key->parts[0]);
		RG_TRY(rg_json_table_record(table, text));
		rg_buf_clear(&table->path);
		rg_buf_str(&table->path, prefix);
		RG_TRY(rg_json_table_cells(table, object, key->parts));
		index++;
	}
	rg_buf_clear(&table->path);
	return NULL;
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
	key_parts key;
	rg_buf text;

	RG_TRY(choose_key(table, list, &key));
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_error *err = add_objects(table, prefix, list, &key, &text);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_json_table_finish(rg_json_table *table)
{
	if (!table->count)
		return NULL;
	return rg_long_table_finish(&table->cells, table->builder, table->names, table->count);
}
