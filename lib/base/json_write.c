/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 65536 }; /* as much is handed over at once, where there is a drain */

void rg_json_out_init(rg_json_out *json, rg_buf *out)
{
	*json = (rg_json_out){.out = out, .first = true};
}

void rg_json_tree_init(rg_json_out *json, cJSON *root)
{
	*json = (rg_json_out){.open = {root}, .depth = 1, .failed = !root};
}

/* Appends to the object or list of the tree that is open. */
static void append(rg_json_out *json, cJSON *made)
{
	cJSON *parent = json->depth <= RG_JSON_TREE_DEPTH ? json->open[json->depth - 1] : NULL;
	bool added = made && parent &&
		     (json->name ? cJSON_AddItemToObject(parent, json->name, made)
				 : cJSON_AddItemToArray(parent, made));

	json->name = NULL;
	if (added)
		return;
	json->failed = true;
	cJSON_Delete(made);
}

/* A line is whole, and a document that is reopened has its end. */
static void new_line(rg_json_out *json)
{
	if (json->flat) {
		if (!json->first)
			rg_buf_char(json->out, ' ');
		return;
	}
	rg_buf_pour(json->out, BLOCK);
	rg_buf_char(json->out, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		rg_buf_char(json->out, ' ');
}

/* Writes what is before every value and key. */
static void lead(rg_json_out *json)
{
	if (json->keyed) {
		json->keyed = false;
		return;
	}
	if (!json->depth)
		return;
	if (!json->first)
		rg_buf_char(json->out, ',');
	new_line(json);
	json->first = false;
}

void rg_json_open(rg_json_out *json, char bracket)
{
	if (json->out) {
		lead(json);
		rg_buf_char(json->out, bracket);
		json->first = true;
	} else {
		cJSON *made = bracket == '{' ? cJSON_CreateObject() : cJSON_CreateArray();
		append(json, made);
		if (json->depth < RG_JSON_TREE_DEPTH)
			json->open[json->depth] = json->failed ? NULL : made;
	}
	json->depth++;
}

void rg_json_open_flat(rg_json_out *json, char bracket)
{
	rg_json_open(json, bracket);
	if (json->out && !json->flat)
		json->flat = json->depth;
}

void rg_json_reopen(rg_json_out *json, rg_buf *document)
{
	rg_json_out_init(json, document);
	json->depth = 1;
	json->first = false;
	document->length -= strlen("\n}\n");
}

void rg_json_close(rg_json_out *json, char bracket)
{
	bool was_flat = json->flat != 0;
	if (!json->out) {
		json->depth--;
		return;
	}
	if (json->flat == json->depth)
		json->flat = 0;
	json->depth--;
	if (!was_flat && !json->first)
		new_line(json);
	rg_buf_char(json->out, bracket);
	json->first = false;
	if (!json->depth)
		rg_buf_char(json->out, '\n');
}

/* With `raw`, bytes that are not UTF-8 stay. */
static void write_text(rg_buf *out, const char *text, size_t left, bool raw)
{
	size_t length;
	rg_buf_char(out, '"');
	for (; left; text += length, left -= length) {
		length = rg_utf8_length(text, left);
		if (*text == '"' || *text == '\\')
			rg_buf_char(out, '\\');
		if (length && rg_utf8_is_control(text)) {
			/* A character past the first 65,536 is escaped as two halves. */
			uint32_t c = rg_utf8_character(text, length);
			if (c > 0xffff)
				rg_buf_printf(out, "\\u%04x", (unsigned)(0xd7c0 + (c >> 10)));
			rg_buf_printf(out, "\\u%04x",
				      (unsigned)(c > 0xffff ? 0xdc00 | (c & 0x3ff) : c));
		} else if (length || raw) {
			rg_buf_add(out, text, length ? length : 1);
		} else {
			rg_utf8_add_valid(out, text, 1);
		}
		length = length ? length : 1;
	}
	rg_buf_char(out, '"');
}

void rg_json_key(rg_json_out *json, const char *key)
{
	json->name = key;
	if (!json->out)
		return;
	lead(json);
	write_text(json->out, key, strlen(key), false);
	rg_buf_str(json->out, ": ");
	json->keyed = true;
}

void rg_json_null(rg_json_out *json)
{
	if (!json->out) {
		append(json, cJSON_CreateNull());
		return;
	}
	lead(json);
	rg_buf_str(json->out, "null");
}

void rg_json_text_bytes(rg_json_out *json, const char *text, size_t length)
{
	if (!json->out) {
		RG_AUTO_FREE char *copy = rg_strndup(text, length);
		append(json, cJSON_CreateString(copy));
		return;
	}
	lead(json);
	write_text(json->out, text, length, false);
}

void rg_json_text(rg_json_out *json, const char *text)
{
	if (text && !json->out)
		append(json, cJSON_CreateString(text));
	else if (text)
		rg_json_text_bytes(json, text, strlen(text));
	else
		rg_json_null(json);
}

void rg_json_path(rg_json_out *json, const char *path)
{
	lead(json);
	write_text(json->out, path, strlen(path), true);
}

void rg_json_number(rg_json_out *json, double value)
{
	char text[RG_DOUBLE_REPR_SIZE];
	size_t length = rg_double_repr(value, text);

	if (!isfinite(value)) {
		rg_json_text_bytes(json, text, length);
		return;
	}
	if (!json->out) {
		append(json, cJSON_CreateNumber(value == 0 ? 0 : value));
		return;
	}
	lead(json);
	rg_buf_add(json->out, text, length);
}

/* Past 2^53, where readers make doubles of numbers, it is a text. */
static void write_whole(rg_json_out *json, bool negative, uint64_t size)
{
	const char *quote = size > RG_JSON_EXACT_MAX ? "\"" : "";
	char text[24];

	if (!json->out) {
		snprintf(text, sizeof(text), "%s%" PRIu64, negative ? "-" : "", size);
		append(json, *quote ? cJSON_CreateString(text)
				    : cJSON_CreateNumber(negative ? -(double)size : (double)size));
		return;
	}
	lead(json);
	rg_buf_printf(json->out, "%s%s%" PRIu64 "%s", quote, negative ? "-" : "", size, quote);
}

void rg_json_count(rg_json_out *json, uint64_t value)
{
	write_whole(json, false, value);
}

void rg_json_integer(rg_json_out *json, int64_t value)
{
	write_whole(json, value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void rg_json_truth(rg_json_out *json, bool value)
{
	if (!json->out) {
		append(json, cJSON_CreateBool(value));
		return;
	}
	lead(json);
	rg_buf_str(json->out, value ? "true" : "false");
}

/* Writes the members of an object or list. */
static void write_members(rg_json_out *json, const cJSON *value)
{
	const cJSON *item;
	bool list = cJSON_IsArray(value);

	cJSON_ArrayForEach(item, value)
	{
		if (!list)
			rg_json_key(json, item->string);
		if (list && cJSON_IsObject(item)) {
			rg_json_open_flat(json, '{');
			write_members(json, item);
			rg_json_close(json, '}');
		} else {
			rg_json_tree(json, item);
		}
	}
}

void rg_json_tree(rg_json_out *json, const cJSON *value)
{
	double number;

	if (cJSON_IsString(value)) {
		rg_json_text(json, value->valuestring);
	} else if (cJSON_IsNumber(value)) {
		number = value->valuedouble;
		if (number == floor(number) && fabs(number) <= (double)RG_JSON_EXACT_MAX)
			rg_json_integer(json, (int64_t)number);
		else
			rg_json_number(json, number);
	} else if (cJSON_IsBool(value)) {
		rg_json_truth(json, cJSON_IsTrue(value));
	} else if (cJSON_IsArray(value) || cJSON_IsObject(value)) {
		if (cJSON_IsArray(value) && cJSON_IsNumber(value->child))
			rg_json_open_flat(json, '[');
		else
			rg_json_open(json, cJSON_IsArray(value) ? '[' : '{');
		write_members(json, value);
		rg_json_close(json, cJSON_IsArray(value) ? ']' : '}');
	} else {
		rg_json_null(json);
	}
}

void rg_json_key_open(rg_json_out *json, const char *key, char bracket)
{
	rg_json_key(json, key);
	rg_json_open(json, bracket);
}

void rg_json_key_open_flat(rg_json_out *json, const char *key, char bracket)
{
	rg_json_key(json, key);
	rg_json_open_flat(json, bracket);
}

void rg_json_key_text(rg_json_out *json, const char *key, const char *text)
{
	rg_json_key(json, key);
	rg_json_text(json, text);
}

void rg_json_key_number(rg_json_out *json, const char *key, double value)
{
	rg_json_key(json, key);
	rg_json_number(json, value);
}

void rg_json_key_count(rg_json_out *json, const char *key, uint64_t value)
{
	rg_json_key(json, key);
	rg_json_count(json, value);
}

void rg_json_key_truth(rg_json_out *json, const char *key, bool value)
{
	rg_json_key(json, key);
	rg_json_truth(json, value);
}

void rg_json_key_texts(rg_json_out *json, const char *key, const char *const *texts, size_t count)
{
	rg_json_key_open_flat(json, key, '[');
	for (size_t i = 0; i < count; i++)
		rg_json_text(json, texts[i]);
	rg_json_close(json, ']');
}

void rg_json_document(rg_json_out *json, rg_buf *out, const char *name)
{
	rg_json_out_init(json, out);
	rg_json_open(json, '{');
	rg_json_key_text(json, "schema", name);
	rg_json_key_count(json, "version", 1);
}
