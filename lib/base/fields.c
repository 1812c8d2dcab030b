/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fields.h"

#include <math.h>
#include <string.h>

/* --- members --- */

static uint64_t count_at(const void *at, size_t size)
{
	return size == sizeof(unsigned) ? *(const unsigned *)at : *(const uint64_t *)at;
}

static const char *word_at(const rg_json_field *field, const void *at)
{
	unsigned word = field->size == sizeof(bool) ? *(const bool *)at : *(const unsigned *)at;
	return word < field->word_count ? field->words[word] : NULL;
}

static const void *member_of(const rg_json_field *field, const void *from)
{
	if (field->via)
		from = *(const void *const *)(const void *)((const char *)from + field->via - 1);
	const void *at = (const char *)from + field->offset;
	return field->to ? *(const void *const *)at : at;
}

static size_t list_count(const rg_json_field *field, const void *from)
{
	if (field->fixed)
		return field->fixed;
	return *(const size_t *)(const void *)((const char *)from + field->count_offset);
}

static bool is_there_first(const rg_json_field *fields, const void *from);

/* Is there something to be said of it? */
static bool is_there(const rg_json_field *field, const void *from)
{
	const void *at = member_of(field, from);
	bool or_null = field->presence == RG_JSON_OR_NULL;

	switch (field->kind) {
	case RG_JSON_TEXT:
		return field->name || *(const char *const *)at != NULL;
	case RG_JSON_NUMBER:
		return field->presence == RG_JSON_FINITE ? isfinite(*(const double *)at)
							 : !isnan(*(const double *)at);
	case RG_JSON_TRUTH:
		return or_null || *(const bool *)at;
	case RG_JSON_COUNT:
	case RG_JSON_WHOLE:
		return or_null || count_at(at, field->size) != 0;
	case RG_JSON_WORD:
		return field->presence != RG_JSON_OPTIONAL || word_at(field, at);
	case RG_JSON_TEXTS:
	case RG_JSON_NUMBERS:
	case RG_JSON_DEFINED:
		return list_count(field, from) != 0;
	case RG_JSON_VALUE:
		return ((const rg_json_value *)at)->there;
	case RG_JSON_LIST:
		return field->inside || field->always || *(const void *const *)at != NULL;
	case RG_JSON_OBJECT: /* a member without its first is not there */
		return at && (field->to || field->presence != RG_JSON_OPTIONAL ||
			      is_there_first(field->nested, at));
	default:
		return true;
	}
}

static bool is_there_first(const rg_json_field *fields, const void *from)
{
	rg_json_field first = *fields;
	if (first.spread)
		return is_there_first(first.nested, member_of(&first, from));
	first.presence = RG_JSON_OPTIONAL;
	return first.put || first.say || is_there(&first, from);
}

/* --- writing --- */

static void write_object(rg_json_out *json, bool flat, const rg_json_field *fields,
			 const void *from, const void *context)
{
	if (flat)
		rg_json_open_flat(json, '{');
	else
		rg_json_open(json, '{');
	rg_json_put_fields(json, fields, from, context);
	rg_json_close(json, '}');
}

static void write_list(rg_json_out *json, const rg_json_field *list, const char *items,
		       size_t count, const void *context)
{
	rg_json_open(json, '[');
	for (size_t i = 0; i < count; i++)
		write_object(json, !list->tall, list->nested, items + i * list->stride, context);
	rg_json_close(json, ']');
}

void rg_json_key_list(rg_json_out *json, const char *key, const rg_json_field *fields,
		      const void *items, size_t count, size_t stride, const void *context)
{
	rg_json_key(json, key);
	write_list(json, &(rg_json_field){.nested = fields, .stride = stride}, items, count,
		   context);
}

static void write_items(rg_json_out *json, const rg_json_field *field, const void *from)
{
	const char *items = *(const char *const *)member_of(field, from);
	size_t count = list_count(field, from);

	rg_json_open_flat(json, '[');
	for (size_t i = 0; i < count; i++) {
		const void *at = items + i * field->stride + field->inner;
		double number = field->kind == RG_JSON_TEXTS ? 0 : *(const double *)at;
		if (field->kind == RG_JSON_TEXTS)
			rg_json_text(json, ((const char *const *)(const void *)items)[i]);
		else if (field->kind == RG_JSON_DEFINED && isnan(number))
			rg_json_null(json);
		else if (field->whole && number == floor(number) &&
			 fabs(number) <= (double)RG_JSON_EXACT_MAX)
			rg_json_integer(json, (int64_t)number);
		else
			rg_json_number(json, number);
	}
	rg_json_close(json, ']');
}

static void write_said(rg_json_out *json, const rg_json_field *field, const void *from)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	field->say(&text, member_of(field, from));
	if (text.is_full) {
		rg_buf_clear(&text);
		rg_buf_printf(&text, "(left out: more than %zu bytes)", text.max);
	}
	if (text.length || field->presence != RG_JSON_OPTIONAL)
		rg_json_key_text(json, field->key,
				 text.length || field->presence == RG_JSON_ALWAYS ? text.data
										  : NULL);
}

static void write_member(rg_json_out *json, const rg_json_field *field, const void *from,
			 const void *context)
{
	const void *at = member_of(field, from);
	const rg_json_value *value = at;

	switch (field->kind) {
	case RG_JSON_TEXT:
	case RG_JSON_PATH:
		rg_json_text(json, field->name ? field->name(context, *(const size_t *)at)
					       : *(const char *const *)at);
		break;
	case RG_JSON_SHA256:
		rg_json_text(json, at);
		break;
	case RG_JSON_COUNT:
	case RG_JSON_WHOLE:
		rg_json_count(json, count_at(at, field->size));
		break;
	case RG_JSON_INTEGER:
		rg_json_integer(json, *(const int64_t *)at);
		break;
	case RG_JSON_NUMBER:
		rg_json_number(json, *(const double *)at);
		break;
	case RG_JSON_TRUTH:
		rg_json_truth(json, *(const bool *)at);
		break;
	case RG_JSON_WORD:
		rg_json_text(json, word_at(field, at));
		break;
	case RG_JSON_OBJECT:
		write_object(json, field->flat, field->nested, at, context);
		break;
	case RG_JSON_LIST:
		write_list(json, field,
			   field->always   ? field->always
			   : field->inside ? at
					   : *(const char *const *)at,
			   list_count(field, from), context);
		break;
	case RG_JSON_TEXTS:
	case RG_JSON_NUMBERS:
	case RG_JSON_DEFINED:
		write_items(json, field, from);
		break;
	case RG_JSON_VALUE:
		if (value->text)
			rg_json_text(json, value->text);
		else
			rg_json_number(json, value->number);
		break;
	default: /* said by hand */
		break;
	}
}

void rg_json_put_fields(rg_json_out *json, const rg_json_field *fields, const void *from,
			const void *context)
{
	for (; fields->key; fields++) {
		if (fields->by_caller)
			continue;
		if (fields->spread) {
			const void *at = member_of(fields, from);
			if (!fields->to || at)
				rg_json_put_fields(json, fields->nested, at, context);
			continue;
		}
		if (fields->say) {
			write_said(json, fields, from);
			continue;
		}
		bool there = fields->put || is_there(fields, from);
		if (!there && fields->presence == RG_JSON_OPTIONAL)
			continue;
		if (!fields->put || fields->presence != RG_JSON_OPTIONAL)
			rg_json_key(json, fields->key);
		if (fields->put)
			fields->put(json, member_of(fields, from), context);
		else if (!there && fields->presence != RG_JSON_ALWAYS)
			rg_json_null(json);
		else
			write_member(json, fields, from, context);
	}
}

void rg_json_put_item(rg_json_out *json, const rg_json_field *fields, const void *from,
		      const void *context)
{
	write_object(json, true, fields, from, context);
}

rg_error *rg_json_write(rg_buf *out, const char *name, const rg_json_field *fields,
			const void *from, const void *context)
{
	rg_json_out json;
	rg_json_document(&json, out, name);
	rg_json_put_fields(&json, fields, from, context);
	rg_json_close(&json, '}');
	return rg_buf_check(out, name);
}

/* --- reading --- */

static rg_error *get_sha256(const rg_json_in *in, const cJSON *object, const char *key,
			    char out[static RG_SHA256_HEX])
{
	const char *text = cJSON_GetStringValue(rg_json_member(object, key));
	if (text && strlen(text) == RG_SHA256_HEX - 1 &&
	    strspn(text, "0123456789abcdef") == RG_SHA256_HEX - 1) {
		memcpy(out, text, RG_SHA256_HEX);
		return NULL;
	}
	return rg_json_wrong(in, object, key,
			     rg_json_member(object, key) ? "is not 64 lower-case hexadecimal digits"
							 : "is missing");
}

static rg_error *get_member(const rg_json_in *in, const cJSON *object, const rg_json_field *field,
			    void *to)
{
	uint64_t count;
	size_t word;

	switch (field->kind) {
	case RG_JSON_TEXT:
		return field->presence == RG_JSON_ALWAYS
			       ? rg_json_get_text(in, object, field->key, to)
			       : rg_json_get_optional(in, object, field->key, to);
	case RG_JSON_PATH:
		return rg_json_get_path(in, object, field->key, to);
	case RG_JSON_SHA256:
		return get_sha256(in, object, field->key, to);
	case RG_JSON_COUNT:
	case RG_JSON_WHOLE:
		if (field->size != sizeof(unsigned))
			return rg_json_get_count(in, object, field->key, UINT64_MAX, to);
		RG_TRY(rg_json_get_count(in, object, field->key, UINT32_MAX, &count));
		*(unsigned *)to = (unsigned)count;
		return NULL;
	case RG_JSON_NUMBER:
		*(double *)to = NAN;
		return field->presence == RG_JSON_ALWAYS || rg_json_member(object, field->key)
			       ? rg_json_get_number(in, object, field->key, to)
			       : NULL;
	case RG_JSON_TRUTH:
		return rg_json_get_truth(in, object, field->key, to);
	case RG_JSON_WORD:
		RG_TRY(rg_json_get_word(in, object, field->key, field->words, field->word_count,
					&word));
		if (field->size == sizeof(bool))
			*(bool *)to = word;
		else
			*(unsigned *)to = (unsigned)word;
		return NULL;
	default: /* the caller's to read */
		return NULL;
	}
}

rg_error *rg_json_get_fields(const rg_json_in *in, const cJSON *object, const rg_json_field *fields,
			     void *out)
{
	for (; fields->key; fields++) {
		if (fields->spread) {
			if (!fields->to)
				RG_TRY(rg_json_get_fields(in, object, fields->nested,
							  (char *)out + fields->offset));
			continue;
		}
		/* A number that is missing is NaN. */
		if (fields->presence == RG_JSON_OPTIONAL && fields->kind == RG_JSON_NUMBER &&
		    !fields->put && !fields->via && fields->size == sizeof(double))
			*(double *)(void *)((char *)out + fields->offset) = NAN;
		/* A truth that an older document does not tell is false. */
		if ((fields->presence == RG_JSON_OPTIONAL || fields->kind == RG_JSON_TRUTH) &&
		    !rg_json_member(object, fields->key))
			continue;
		if (!fields->put && !fields->say && !fields->name && !fields->via && fields->size)
			RG_TRY(get_member(in, object, fields, (char *)out + fields->offset));
	}
	return NULL;
}

/* --- the schema --- */

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

void rg_json_schema(rg_buf *out, const rg_json_document_kind *document)
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
