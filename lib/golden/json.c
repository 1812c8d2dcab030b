/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/json_golden.h"
#include "base/order.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/id_names.h"
#include "golden/json_table.h"
#include "golden/unread_json.h"
#include "base/json.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Megatron-LM's goldens: training series
 *
 *	{"lm loss": {"start_step": 1, "end_step": 50, "step_interval": 1, "values": {"1": 10.9, …}}}
 *
 * and inference results, whose requests are flattened into REQUEST/FIELD and REQUEST/FIELD/KEY.
 */

enum { NAME_MAX_BYTES = 64 * 1024 };

/* An object's members, ascending by key, of equal keys only the last. */
typedef struct {
	const cJSON **items;
	size_t count;
	size_t duplicates; /* that were dropped, and the key of one */
	const char *duplicate_key;
} members;

RG_ORDER_OF_POINTERS(compare_members, cJSON, RG_BY_TEXT(string));

static members members_of(const cJSON *object)
{
	const cJSON *dropped = NULL;
	size_t capacity = 0;
	members m = {0};

	for (const cJSON *item = object->child; item; item = item->next)
		*RG_PUSH(m.items, m.count, capacity) = item;
	const size_t count = m.count;
	rg_sort_keep_last(m.items, &m.count, sizeof(*m.items), compare_members, &dropped);
	m.duplicates = count - m.count;
	if (m.duplicates)
		m.duplicate_key = dropped->string;
	return m;
}

static void members_release(members *m)
{
	free(m->items);
}

/* The last member of that name, or NULL. For the few fixed keys of a block. */
static const cJSON *last_member(const cJSON *object, const char *name)
{
	const cJSON *found = NULL;
	for (const cJSON *item = object->child; item; item = item->next)
		if (!strcmp(item->string, name))
			found = item;
	return found;
}

static bool is_nan_literal(const cJSON *item)
{
	return cJSON_IsString(item) && !strcmp(item->valuestring, RG_JSON_NAN);
}

/* A number, a boolean or a bare NaN; with `texts`, also a string that is a number. */
static bool number_of(const cJSON *item, bool texts, double *out)
{
	if (cJSON_IsNumber(item))
		*out = item->valuedouble;
	else if (cJSON_IsBool(item))
		*out = cJSON_IsTrue(item) ? 1 : 0;
	else if (is_nan_literal(item))
		*out = NAN;
	else if (texts && cJSON_IsString(item))
		return rg_plain_number_parse(item->valuestring, strlen(item->valuestring), out);
	else
		return false;
	return true;
}

static void append_step(rg_golden_builder *builder, int64_t step, const cJSON *item)
{
	double value;
	if (!number_of(item, true, &value)) {
		rg_golden_builder_no_value(builder, step);
		return;
	}
	rg_json_take(item);
	if (cJSON_IsString(item) && !is_nan_literal(item))
		rg_golden_builder_note_quoted(builder);
	if (item->valuestring)
		rg_golden_builder_note_whole(builder, item->valuestring, strlen(item->valuestring),
					     value);
	rg_golden_builder_value(builder, step, value);
}

/* A block's own words about its steps; all zero where it says nothing or nothing sensible. */
typedef struct {
	bool has_start, has_end, has_interval, all;
	int64_t start, end, interval;
} block_steps;

/* A list's steps are these; an object has steps of its own, and these may repeat them. */
static block_steps steps_of(const cJSON *block, bool is_list)
{
	const cJSON *start = last_member(block, "start_step");
	const cJSON *end = last_member(block, "end_step");
	const cJSON *interval = last_member(block, "step_interval");
	block_steps steps = {0};

	steps.has_start = rg_json_is_step(start, &steps.start);
	steps.has_end = rg_json_is_step(end, &steps.end);
	steps.has_interval = rg_json_is_step(interval, &steps.interval);
	steps.all = steps.has_start && steps.has_end && steps.has_interval;
	if (steps.has_start && (steps.all || is_list))
		rg_json_take(start);
	if (steps.has_interval && (steps.all || is_list))
		rg_json_take(interval);
	if (steps.all)
		rg_json_take(end);
	return steps;
}

/* Values whose keys are not steps. */
typedef struct {
	size_t count;
	uint64_t sum;
} no_steps;

/* "values": {"1": …}; a key that is not an integer has no step and is counted as no value. */
static void append_keyed_values(rg_golden_builder *builder, const cJSON *values, no_steps *strange)
{
	double value;
	int64_t step;

	for (const cJSON *item = values->child; item; item = item->next) {
		if (rg_int64_parse(item->string, strlen(item->string), &step)) {
			append_step(builder, step, item);
			continue;
		}
		uint64_t hash = rg_hash_bytes(RG_HASH_NONE, item->string, strlen(item->string) + 1);
		rg_json_take(item);
		if (number_of(item, true, &value))
			hash = rg_hash_bytes(hash, &value, sizeof(value));
		else if (cJSON_IsString(item))
			hash = rg_hash_bytes(hash, item->valuestring, strlen(item->valuestring));
		strange->sum += hash;
		strange->count++;
	}
}

/* "values": […]: value i is step start + i * interval. */
static rg_error *append_listed_values(rg_golden_builder *builder, const cJSON *values,
				      const block_steps *block)
{
	int64_t step = block->has_start ? block->start : 0;
	int64_t interval = block->has_interval ? block->interval : 1;

	for (const cJSON *item = values->child; item; item = item->next) {
		append_step(builder, step, item);
		if (item->next && __builtin_add_overflow(step, interval, &step))
			return rg_error_new(RG_E_PARSE, "its steps do not fit 64 bits");
	}
	return NULL;
}

typedef struct {
	rg_golden_builder *builder;
	rg_json_table *table; /* lists of objects */
	rg_buf name;          /* of the value under way, its parts joined by '/' */
} reader;

static void reader_release(reader *r)
{
	rg_buf_release(&r->name);
}

/* Notes the keys of the object called `name`, "" for the whole file, that appeared twice. */
static void note_duplicates(reader *r, const char *name, const members *m)
{
	rg_golden *golden = r->builder->golden;
	golden->duplicate_keys += m->duplicates;
	if (m->duplicates && !golden->duplicate_key)
		golden->duplicate_key = rg_arena_textf(&golden->arena, "%s%s%s", name,
						       *name ? "/" : "", m->duplicate_key);
}

static rg_error *append_block(reader *r, const char *name, const cJSON *block, const cJSON *values)
{
	rg_golden_builder *builder = r->builder;
	block_steps steps = steps_of(block, cJSON_IsArray(values));
	const char *precision = cJSON_GetStringValue(last_member(block, "value_precision"));
	RG_AUTO(members) fields = members_of(block);
	no_steps strange = {0};
	rg_metric *metric;

	if (cJSON_IsArray(values))
		RG_TRY(rg_error_wrap(append_listed_values(builder, values, &steps), "metric '%s'",
				     name));
	else
		append_keyed_values(builder, values, &strange);
	note_duplicates(r, name, &fields);
	RG_TRY(rg_golden_builder_series(builder, name, strlen(name), &metric));
	metric->invalid_values += strange.count;
	metric->no_step_keys = strange.count;
	metric->no_step_sum = strange.sum;
	metric->precision = precision && !strcmp(precision, "full") ? RG_PRECISION_FULL
								    : RG_PRECISION_MISSING;
	if (steps.all)
		rg_golden_builder_steps(builder, metric, steps.start, steps.end, steps.interval);
	return NULL;
}

/* *is_tokens stays false where an element is not an integer. */
static rg_error *append_tokens(rg_golden_builder *builder, const char *name, const cJSON *list,
			       bool *is_tokens)
{
	size_t count = 0, capacity = 0;
	RG_AUTO_FREE int64_t *tokens = NULL;
	int64_t token;

	*is_tokens = false;
	for (const cJSON *item = list->child; item; item = item->next) {
		if (!rg_json_is_step(item, &token))
			return NULL;
		*RG_PUSH(tokens, count, capacity) = token;
	}
	*is_tokens = true;
	for (const cJSON *item = list->child; item; item = item->next)
		rg_json_take(item);
	return rg_golden_builder_tokens(builder, name, strlen(name), tokens, count);
}

/* Numbers, numbers in strings and nulls: a series. A list with any other text, list or object in it
 * is flattened element by element. */
static bool is_number_list(const cJSON *list)
{
	double value;
	for (const cJSON *item = list->child; item; item = item->next)
		if (!cJSON_IsNull(item) && !number_of(item, true, &value))
			return false;
	return true;
}

static rg_error *append_number_list(rg_golden_builder *builder, const char *name, const cJSON *list)
{
	int64_t step = 0;
	for (const cJSON *item = list->child; item; item = item->next)
		append_step(builder, step++, item);
	return rg_golden_builder_series(builder, name, strlen(name), NULL);
}

static rg_error *append_value(reader *r, const cJSON *item);

static rg_error *append_part(reader *r, const char *part, const cJSON *item)
{
	size_t length = r->name.length;
	rg_buf_char(&r->name, '/');
	rg_buf_str(&r->name, part);
	RG_TRY(rg_buf_check(&r->name, "a nested field's name"));
	rg_error *err = append_value(r, item);
	rg_buf_truncate(&r->name, length);
	return err;
}

static rg_error *append_list(reader *r, const cJSON *list)
{
	size_t index = 0;
	bool is_tokens;

	if (rg_names_ids(r->name.data)) {
		RG_TRY(append_tokens(r->builder, r->name.data, list, &is_tokens));
		if (is_tokens)
			return NULL;
	}
	if (is_number_list(list))
		return append_number_list(r->builder, r->name.data, list);
	for (const cJSON *item = list->child; item; item = item->next) {
		char part[24];
		snprintf(part, sizeof(part), "%zu", index++);
		RG_TRY(append_part(r, part, item));
	}
	return NULL;
}

/* Recursion is bounded by the depth that rg_json_parse allowed. */
static rg_error *append_value(reader *r, const cJSON *item)
{
	const char *name = r->name.data;
	size_t length = r->name.length;
	rg_text_number number;
	double value;

	if (number_of(item, false, &value)) {
		append_step(r->builder, 0, item);
		return rg_golden_builder_series(r->builder, name, length, NULL);
	}
	if (rg_json_text_number(item, &number)) {
		rg_json_take(item);
		rg_golden_builder_note_quoted(r->builder);
		rg_golden_builder_note_whole(r->builder, item->valuestring, number.length,
					     number.value);
		rg_golden_builder_value(r->builder, 0, number.value);
		RG_TRY(rg_golden_builder_series(r->builder, name, length, NULL));
		rg_golden_builder_unit(r->builder, number.unit);
		return NULL;
	}
	if (cJSON_IsString(item))
		return rg_golden_builder_text(r->builder, name, length, item->valuestring,
					      strlen(item->valuestring));
	if (cJSON_IsArray(item))
		return append_list(r, item);
	if (!cJSON_IsObject(item))
		return NULL; /* null says nothing */
	RG_AUTO(members) fields = members_of(item);
	note_duplicates(r, name, &fields);
	for (size_t i = 0; i < fields.count; i++)
		RG_TRY(append_part(r, fields.items[i]->string, fields.items[i]));
	return NULL;
}

/* {"1": 0.25, "2": 0.24}: an object whose keys are all integers, and its values numbers. */
static bool is_step_map(const cJSON *object)
{
	int64_t step;
	double value;

	if (!cJSON_IsObject(object) || !object->child)
		return false;
	for (const cJSON *item = object->child; item; item = item->next)
		if (!rg_int64_parse(item->string, strlen(item->string), &step) ||
		    (!cJSON_IsNull(item) && !number_of(item, true, &value)))
			return false;
	return true;
}

static rg_error *append_step_map(reader *r, const char *name, const cJSON *map)
{
	no_steps none = {0};
	append_keyed_values(r->builder, map, &none);
	return rg_golden_builder_series(r->builder, name, strlen(name), NULL);
}

static rg_error *append_top(reader *r, const cJSON *item)
{
	const cJSON *values = cJSON_IsObject(item) ? last_member(item, "values") : NULL;
	if (values && (cJSON_IsObject(values) || cJSON_IsArray(values)))
		return append_block(r, item->string, item, values);
	if (is_step_map(item))
		return append_step_map(r, item->string, item);
	if (rg_json_is_object_list(item))
		return rg_error_wrap(rg_json_table_list(r->table, item->string, item), "'%s'",
				     item->string);
	rg_buf_clear(&r->name);
	rg_buf_str(&r->name, item->string);
	RG_TRY(rg_buf_check(&r->name, "a field's name"));
	return append_value(r, item);
}

static const char *kind_of(const cJSON *item)
{
	if (cJSON_IsString(item))
		return "a string";
	if (cJSON_IsArray(item))
		return "a list";
	if (cJSON_IsNumber(item))
		return "a number";
	return cJSON_IsNull(item) ? "null" : "a boolean";
}

static rg_error *read_document(rg_json_table *table, const cJSON *document)
{
	RG_AUTO(reader) r = {.builder = table->builder, .table = table};
	bool taken;

	rg_buf_init(&r.name, NAME_MAX_BYTES);
	RG_TRY(rg_benchmark_json_read(table, document, &taken));
	if (taken)
		return NULL;
	if (rg_json_is_object_list(document))
		return rg_json_table_list(table, "", document);
	if (is_step_map(document))
		return append_step_map(&r, "value", document);
	if (cJSON_IsArray(document) && document->child) {
		/* Reads a list of anything but objects alone. Numbers are the series "value", as in
		 * a list of steps; other items are called by their places. */
		size_t index = 0;

		if (is_number_list(document))
			return append_number_list(r.builder, "value", document);
		for (const cJSON *item = document->child; item; item = item->next) {
			rg_buf_clear(&r.name);
			rg_buf_printf(&r.name, "%zu", index++);
			RG_TRY(append_value(&r, item));
		}
		return NULL;
	}
	if (!cJSON_IsObject(document)) {
		table->builder->gave_up = true;
		return rg_error_new(RG_E_PARSE, "holds %s, not an object of metrics",
				    kind_of(document));
	}
	RG_AUTO(members) top = members_of(document);
	note_duplicates(&r, "", &top);
	for (size_t i = 0; i < top.count; i++)
		RG_TRY(append_top(&r, top.items[i]));
	return NULL;
}

static int bid(const rg_input *in)
{
	rg_cursor c = rg_cursor_of(in->data, in->size);
	return rg_format_bid(rg_ends_with(in->name, ".json"), rg_cursor_take_sign(&c, '{'));
}

rg_error *rg_json_golden_read(rg_golden_builder *builder, const rg_input *in,
			      const rg_golden_options *options, const cJSON *document)
{
	RG_AUTO(rg_json_table) table = rg_json_table_of(builder, in, options);
	RG_TRY(read_document(&table, document));
	RG_TRY(rg_json_table_finish(&table));
	rg_unread_json(&builder->golden->unread, &builder->golden->arena, "", document);
	return NULL;
}

static rg_error *read_json(rg_golden_builder *builder, const rg_input *in,
			   const rg_golden_options *options)
{
	RG_AUTO_PTR(cJSON) document = NULL;
	if (rg_json_list_read(builder, in, options))
		return NULL;
	RG_TRY(rg_json_parse(&document, in->data, in->size));
	return rg_json_golden_read(builder, in, options, document);
}

const rg_format rg_format_json = {.name = "json", .bid = bid, .read = read_json, .in_order = true};
