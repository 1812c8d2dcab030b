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
