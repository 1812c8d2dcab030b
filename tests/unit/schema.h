#ifndef REGILD_TESTS_UNIT_SCHEMA_H
#define REGILD_TESTS_UNIT_SCHEMA_H

/* As much of JSON Schema as GitHub's OpenAPI description uses. */

#include "base/buf.h"

#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static inline bool schema_check(const cJSON *schema, const cJSON *value, rg_buf *path);

static inline bool schema_misfit(rg_buf *path, const char *what, const char *name)
{
	rg_buf_printf(path, ": %s%s", what, name);
	return false;
}

static inline bool schema_is_date_time(const char *text)
{
	struct tm when;
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &when);

	return end && (strcmp(end, "Z") == 0 || *end == '+' || *end == '-' || *end == '.');
}

static inline bool schema_format_fits(const char *format, const cJSON *value)
{
	if (!cJSON_IsString(value))
		return true;
	if (strcmp(format, "date-time") == 0)
		return schema_is_date_time(value->valuestring);
	if (strcmp(format, "uri") == 0)
		return strstr(value->valuestring, "://") != NULL;
	if (strcmp(format, "email") == 0)
		return strchr(value->valuestring, '@') != NULL;
	return true;
}

static inline bool schema_type_fits(const char *type, const cJSON *value)
{
	if (strcmp(type, "object") == 0)
		return cJSON_IsObject(value);
	if (strcmp(type, "array") == 0)
		return cJSON_IsArray(value);
	if (strcmp(type, "string") == 0)
		return cJSON_IsString(value);
	if (strcmp(type, "boolean") == 0)
		return cJSON_IsBool(value);
	if (strcmp(type, "integer") == 0)
		return cJSON_IsNumber(value) && value->valuedouble == floor(value->valuedouble);
	return strcmp(type, "number") == 0 && cJSON_IsNumber(value);
}

static inline bool schema_enum_fits(const cJSON *list, const cJSON *value)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list) if (cJSON_Compare(item, value, true)) return true;
	return false;
}

static inline bool schema_check_object(const cJSON *schema, const cJSON *value, rg_buf *path)
{
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties");
	const cJSON *more = cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties");
	const cJSON *item;

	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(schema, "required")) if (
		!cJSON_HasObjectItem(value,
				     item->valuestring)) return schema_misfit(path, "it lacks ",
									      item->valuestring);
	cJSON_ArrayForEach(item, value)
	{
		const cJSON *known = cJSON_GetObjectItemCaseSensitive(properties, item->string);
		size_t length = path->length;

		if (!known && cJSON_IsObject(more))
			known = more;
		if (!known && cJSON_IsFalse(more))
			return schema_misfit(path, "unknown property ", item->string);
		rg_buf_printf(path, "/%s", item->string);
		if (known && !schema_check(known, item, path))
			return false;
		rg_buf_truncate(path, length);
	}
	return true;
}

static inline bool schema_check_array(const cJSON *schema, const cJSON *value, rg_buf *path)
{
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(schema, "items"), *item;
	int index = 0;

	cJSON_ArrayForEach(item, value)
	{
		size_t length = path->length;

		rg_buf_printf(path, "/%d", index++);
		if (items && !schema_check(items, item, path))
			return false;
		rg_buf_truncate(path, length);
	}
	return true;
}

/* A keyword that this checker does not know is a failure: nothing of the description may be passed
 * over in silence. */
static inline bool schema_keyword_is_known(const char *keyword)
{
	static const char *const known[] = {
		"type",  "nullable", "required", "properties", "additionalProperties",
		"items", "enum",     "format",   "title",      "description",
		"anyOf", "example",  "examples", "default",    "deprecated"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i], keyword) == 0)
			return true;
	return false;
}

static inline bool schema_any_fits(const cJSON *list, const cJSON *value)
{
	const cJSON *schema;
	rg_buf unused;
	bool fits = false;

	rg_buf_init(&unused, RG_BUF_TEXT);
	cJSON_ArrayForEach(schema, list) fits = fits || schema_check(schema, value, &unused);
	rg_buf_release(&unused);
	return fits;
}

/* False with a message behind the path in `path`, which is as it was otherwise. */
static inline bool schema_check(const cJSON *schema, const cJSON *value, rg_buf *path)
{
	const cJSON *type = cJSON_GetObjectItemCaseSensitive(schema, "type");
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(schema, "enum");
	const cJSON *format = cJSON_GetObjectItemCaseSensitive(schema, "format");
	const cJSON *any = cJSON_GetObjectItemCaseSensitive(schema, "anyOf");
	const cJSON *keyword;

	cJSON_ArrayForEach(keyword, schema) if (
		!schema_keyword_is_known(
			keyword->string)) return schema_misfit(path, "the checker does not know ",
							       keyword->string);
	if (cJSON_IsNull(value))
		return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(schema, "nullable")) ||
		       schema_misfit(path, "it is null", "");
	if (type && !schema_type_fits(type->valuestring, value))
		return schema_misfit(path, "it is no ", type->valuestring);
	if (list && !schema_enum_fits(list, value))
		return schema_misfit(path, "not one of its enum", "");
	if (any && !schema_any_fits(any, value))
		return schema_misfit(path, "none of its kinds fits", "");
	if (format && !schema_format_fits(format->valuestring, value))
		return schema_misfit(path, "it is no ", format->valuestring);
	if (cJSON_IsObject(value))
		return schema_check_object(schema, value, path);
	return !cJSON_IsArray(value) || schema_check_array(schema, value, path);
}

static inline bool schema_fits(const cJSON *schema, const cJSON *value, bool loud)
{
	rg_buf path;
	bool result;

	rg_buf_init(&path, RG_BUF_TEXT);
	result = schema_check(schema, value, &path);
	if (!result && loud)
		fprintf(stderr, "%s\n", path.data);
	rg_buf_release(&path);
	return result;
}

#endif
