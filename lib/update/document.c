#include "update/document.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

void rg_document_fail(rg_document_writer *w, rg_error *err)
{
	w->err = rg_error_first(w->err, err);
}

void rg_document_put_text(rg_document_writer *w, cJSON *object, const char *key, const char *text)
{
	if (!(text ? cJSON_AddStringToObject(object, key, text)
		   : cJSON_AddNullToObject(object, key)))
		rg_document_fail(w, rg_error_nomem());
}

void rg_document_put_number(rg_document_writer *w, cJSON *object, const char *key, uint64_t number)
{
	char digits[32];

	if (number > RG_DOCUMENT_NUMBER_MAX)
		rg_document_fail(w, rg_error_new(RG_E_LIMIT, "%s: %llu is over 2^53", key,
						 (unsigned long long)number));
	/* Of a number of 16 digits cJSON itself would print 15. */
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	if (!cJSON_AddRawToObject(object, key, digits))
		rg_document_fail(w, rg_error_nomem());
}

/* cJSON ignores NULL containers, so that what follows a failure is harmless. */
cJSON *rg_document_put_object(rg_document_writer *w, cJSON *parent, const char *key)
{
	cJSON *object = cJSON_AddObjectToObject(parent, key);

	if (!object)
		rg_document_fail(w, rg_error_nomem());
	return object;
}

cJSON *rg_document_put_array(rg_document_writer *w, cJSON *parent, const char *key)
{
	cJSON *array = cJSON_AddArrayToObject(parent, key);

	if (!array)
		rg_document_fail(w, rg_error_nomem());
	return array;
}

cJSON *rg_document_put_item(rg_document_writer *w, cJSON *array)
{
	cJSON *item = cJSON_CreateObject();

	if (!item || !cJSON_AddItemToArray(array, item)) {
		cJSON_Delete(item);
		rg_document_fail(w, rg_error_nomem());
		return NULL;
	}
	return item;
}

rg_error *rg_document_wrong(const char *key, const char *what)
{
	return rg_error_new(RG_E_PARSE, "'%s' %s", key, what);
}

rg_error *rg_document_get_text(rg_arena *arena, const cJSON *object, const char *key, bool required,
			       const char **out)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
	const char *text = cJSON_GetStringValue(value);

	*out = NULL;
	if (!text && (required || (value && !cJSON_IsNull(value))))
		return rg_document_wrong(key, value ? "is not a string" : "is missing");
	if (!text)
		return NULL;
	return rg_arena_text(arena, text, out);
}

rg_error *rg_document_get_number(const cJSON *object, const char *key, uint64_t max, uint64_t *out)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
	double number = value && cJSON_IsNumber(value) ? value->valuedouble : -1;

	if (!value)
		return rg_document_wrong(key, "is missing");
	if (!(number >= 0 && number <= (double)max) || number != (double)(uint64_t)number)
		return rg_document_wrong(key, "is no whole number in its range");
	*out = (uint64_t)number;
	return NULL;
}

rg_error *rg_document_get_path(rg_arena *arena, const cJSON *object, const char *key,
			       const char **out)
{
	RG_TRY(rg_document_get_text(arena, object, key, true, out));
	return rg_error_wrap(rg_path_check(*out), "'%s'", key);
}

rg_error *rg_document_get_sha256(const cJSON *object, const char *key,
				 char out[static RG_SHA256_HEX])
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	if (!text || strlen(text) != RG_SHA256_HEX - 1 ||
	    strspn(text, "0123456789abcdef") != RG_SHA256_HEX - 1)
		return rg_document_wrong(key, "is not 64 lower-case hexadecimal digits");
	memcpy(out, text, RG_SHA256_HEX);
	return NULL;
}

rg_error *rg_document_get_array(const cJSON *root, const char *key, const cJSON **out,
				size_t *count)
{
	const cJSON *item;

	*count = 0;
	*out = cJSON_GetObjectItemCaseSensitive(root, key);
	if (!cJSON_IsArray(*out))
		return rg_document_wrong(key, "is not a list");
	cJSON_ArrayForEach(item, *out)
	{
		if (!cJSON_IsObject(item))
			return rg_document_wrong(key, "holds something that is no object");
		if (++*count > RG_DOCUMENT_ITEMS_MAX)
			return rg_document_wrong(key, "is too long");
	}
	return NULL;
}

rg_error *rg_document_finish(rg_document_writer *w, cJSON *root, rg_buf *out, const char *what)
{
	char *text = w->err ? NULL : cJSON_Print(root);

	if (!w->err && !text)
		rg_document_fail(w, rg_error_nomem());
	if (text) {
		rg_buf_str(out, text);
		rg_buf_char(out, '\n');
		rg_document_fail(w, rg_buf_check(out, what));
	}
	cJSON_free(text);
	cJSON_Delete(root);
	return w->err;
}

rg_error *rg_document_parse(cJSON **out, const char *text, size_t length)
{
	const char *end = text;
	size_t at;

	*out = cJSON_ParseWithLengthOpts(text, length, &end, false);
	at = (size_t)(end - text);
	while (*out && at < length && text[at] && strchr(" \t\r\n", text[at]))
		at++;
	if (*out && at == length)
		return NULL;
	cJSON_Delete(*out);
	*out = NULL;
	return rg_error_new(RG_E_PARSE, "not JSON at byte %zu", at);
}
