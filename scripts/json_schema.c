/* SPDX-License-Identifier: Apache-2.0 */
#include "json_schema.h"

#include <string.h>

static void write_table(rg_json_out *json, const rg_json_field *fields, bool or_null);

static void write_one(rg_json_out *json, const char *key, const char *text)
{
	rg_json_open(json, '{');
	rg_json_key_text(json, key, text);
	rg_json_close(json, '}');
}

/* Writes those of a definition, a type and null that are there. */
static void write_types(rg_json_out *json, const char *ref, const char *type, bool or_null)
{
	const char *types[] = {type, "null"};

	if (!ref && or_null) {
		rg_json_key_texts(json, "type", types, 2);
	} else if (!ref || (!type && !or_null)) {
		rg_json_key_text(json, ref ? "$ref" : "type", ref ? ref : type);
	} else {
		rg_json_key_open_flat(json, "anyOf", '[');
		write_one(json, "$ref", ref);
		if (type)
			write_one(json, "type", type);
		if (or_null)
			write_one(json, "type", "null");
		rg_json_close(json, ']');
	}
}

static void write_words(rg_json_out *json, const rg_json_field *field, bool or_null)
{
	rg_json_key_open_flat(json, "enum", '[');
	for (size_t i = 0; i < field->word_count; i++)
		if (field->words[i])
			rg_json_text(json, field->words[i]);
		else
			or_null = true;
	if (or_null)
		rg_json_null(json);
	rg_json_close(json, ']');
}

#define NUMBER "#/$defs/number"
#define WHOLE  "#/$defs/whole"

/* The schema of a kind that is neither a word nor an object: a type, a definition, or either, and
 * the type of a list's items. */
static const struct {
	const char *type, *ref;
	rg_json_kind item;
	rg_json_presence item_is;
} kinds[] = {
	[RG_JSON_TEXT] = {"string", NULL, 0, 0},
	[RG_JSON_PATH] = {"string", NULL, 0, 0},
	[RG_JSON_SHA256] = {"string", NULL, 0, 0},
	[RG_JSON_COUNT] = {"integer", NULL, 0, 0},
	[RG_JSON_WHOLE] = {NULL, WHOLE, 0, 0},
	[RG_JSON_INTEGER] = {"integer", NULL, 0, 0},
	[RG_JSON_NUMBER] = {NULL, NUMBER, 0, 0},
	[RG_JSON_TRUTH] = {"boolean", NULL, 0, 0},
	[RG_JSON_STEP] = {"string", WHOLE, 0, 0},
	[RG_JSON_VALUE] = {"string", NUMBER, 0, 0},
	[RG_JSON_MAP] = {"object", NULL, 0, 0},
	[RG_JSON_VIEW] = {"object", NULL, 0, 0},
	[RG_JSON_LIST] = {"array", NULL, RG_JSON_OBJECT, 0},
	[RG_JSON_TEXTS] = {"array", NULL, RG_JSON_TEXT, 0},
	[RG_JSON_COUNTS] = {"array", NULL, RG_JSON_COUNT, 0},
	[RG_JSON_INTEGERS] = {"array", NULL, RG_JSON_INTEGER, 0},
	[RG_JSON_NUMBERS] = {"array", NULL, RG_JSON_NUMBER, 0},
	[RG_JSON_DEFINED] = {"array", NULL, RG_JSON_NUMBER, RG_JSON_OR_NULL},
	[RG_JSON_VALUES] = {"array", NULL, RG_JSON_VALUE, RG_JSON_OR_NULL},
	[RG_JSON_STEPS] = {"array", NULL, RG_JSON_STEP, 0},
};

static void write_kind(rg_json_out *json, const rg_json_field *field)
{
	const rg_json_kind kind = field->kind;
	const rg_json_field item = {
		.kind = kinds[kind].item, .presence = kinds[kind].item_is, .nested = field->nested};
	bool or_null = field->presence == RG_JSON_OR_NULL || field->presence == RG_JSON_FINITE ||
		       field->presence == RG_JSON_EITHER;

	if (kind == RG_JSON_WORD)
		write_words(json, field, or_null);
	else if (kind == RG_JSON_OBJECT)
		write_table(json, field->nested, or_null);
	else
		write_types(json, kinds[kind].ref, kinds[kind].type, or_null);
	if (kind == RG_JSON_SHA256)
		rg_json_key_text(json, "pattern", "^[0-9a-f]{64}$");
	if (kind == RG_JSON_COUNT)
		rg_json_key_count(json, "minimum", 0);
	if (kind == RG_JSON_MAP) {
		rg_json_key_open(json, "additionalProperties", '{');
		write_table(json, field->nested, false);
		rg_json_close(json, '}');
	}
	if (kinds[kind].type && !strcmp(kinds[kind].type, "array")) {
		rg_json_key_open(json, "items", '{');
		write_kind(json, &item);
		rg_json_close(json, '}');
	}
}

/* Writes the names of the keys that are always there. */
static void write_required(rg_json_out *json, const rg_json_field *fields)
{
	for (; fields && fields->key; fields++)
		if (fields->presence == RG_JSON_OPTIONAL || fields->presence == RG_JSON_EITHER)
			continue;
		else if (fields->spread)
			write_required(json, fields->nested);
		else
			rg_json_text(json, fields->key);
}

static void write_properties(rg_json_out *json, const rg_json_field *fields)
{
	for (; fields && fields->key; fields++) {
		if (fields->spread) {
			write_properties(json, fields->nested);
			continue;
		}
		rg_json_key_open(json, fields->key, '{');
		if (fields->help)
			rg_json_key_text(json, "description", fields->help);
		write_kind(json, fields);
		rg_json_close(json, '}');
	}
}

static void write_table(rg_json_out *json, const rg_json_field *fields, bool or_null)
{
	write_types(json, NULL, "object", or_null);
	rg_json_key_truth(json, "additionalProperties", false);
	rg_json_key_open_flat(json, "required", '[');
	write_required(json, fields);
	rg_json_close(json, ']');
	rg_json_key_open(json, "properties", '{');
	write_properties(json, fields);
	rg_json_close(json, '}');
}

static void write_constant(rg_json_out *json, const char *key, const char *text, const char *help)
{
	rg_json_key_open(json, key, '{');
	rg_json_key_text(json, "description", help);
	if (text)
		rg_json_key_text(json, "const", text);
	else
		rg_json_key_count(json, "const", 1);
	rg_json_close(json, '}');
}

static void write_definitions(rg_json_out *json)
{
	static const char *const not_finite[] = {"nan", "inf", "-inf"};

	rg_json_key_open(json, "$defs", '{');
	rg_json_key_open(json, "number", '{');
	rg_json_key_text(json, "description", "A number. One that is not finite is a text.");
	rg_json_key_open_flat(json, "anyOf", '[');
	write_one(json, "type", "number");
	rg_json_open(json, '{');
	rg_json_key_texts(json, "enum", not_finite, 3);
	rg_json_close(json, '}');
	rg_json_close(json, ']');
	rg_json_close(json, '}');
	rg_json_key_open(json, "whole", '{');
	rg_json_key_text(json, "description", "A whole number. One past 2^53 is a text.");
	rg_json_key_open_flat(json, "anyOf", '[');
	write_one(json, "type", "integer");
	rg_json_open(json, '{');
	rg_json_key_text(json, "type", "string");
	rg_json_key_text(json, "pattern", "^-?[0-9]+$");
	rg_json_close(json, '}');
	rg_json_close(json, ']');
	rg_json_close(json, '}');
	rg_json_close(json, '}');
}

void json_schema_write(rg_buf *out, const rg_json_document_kind *document)
{
	rg_json_out json;
	rg_json_out_init(&json, out);
	rg_json_open(&json, '{');
	rg_json_key_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	rg_json_key_text(&json, "title", document->title);
	rg_json_key_text(&json, "description", document->about);
	rg_json_key_text(&json, "type", "object");
	rg_json_key_truth(&json, "additionalProperties", false);
	rg_json_key_open_flat(&json, "required", '[');
	rg_json_text(&json, "schema");
	rg_json_text(&json, "version");
	write_required(&json, document->fields);
	write_required(&json, document->more);
	write_required(&json, document->last);
	rg_json_close(&json, ']');
	rg_json_key_open(&json, "properties", '{');
	write_constant(&json, "schema", document->name, "The kind of document.");
	write_constant(&json, "version", NULL,
		       "Goes up when a field changes its meaning or is removed.");
	write_properties(&json, document->fields);
	write_properties(&json, document->more);
	write_properties(&json, document->last);
	rg_json_close(&json, '}');
	write_definitions(&json);
	rg_json_close(&json, '}');
}
