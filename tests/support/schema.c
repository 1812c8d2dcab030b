/* SPDX-License-Identifier: Apache-2.0 */
#include "support/schema.h"

#include "base/buf.h"
#include "flow/documents.h"
#include "json_schema.h"

#include <math.h>
#include <regex.h>
#include <string.h>
#include <time.h>

typedef struct {
	const cJSON *root; /* where "#/$defs/NAME" is found */
	rg_buf *path;      /* of the value, and then what is wrong with it */
} checker;

static bool check(const checker *c, const cJSON *schema, const cJSON *value);

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static bool misfit(const checker *c, const char *what, const char *name)
{
	rg_buf_printf(c->path, ": %s%s", what, name);
	return false;
}

static bool is_date_time(const char *text)
{
	struct tm when;
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &when);

	return end && (strcmp(end, "Z") == 0 || *end == '+' || *end == '-' || *end == '.');
}

static bool format_fits(const char *format, const cJSON *value)
{
	if (!cJSON_IsString(value))
		return true;
	if (strcmp(format, "date-time") == 0)
		return is_date_time(value->valuestring);
	if (strcmp(format, "uri") == 0)
		return strstr(value->valuestring, "://") != NULL;
	if (strcmp(format, "email") == 0)
		return strchr(value->valuestring, '@') != NULL;
	return true;
}

static bool pattern_fits(const char *pattern, const cJSON *value)
{
	regex_t regex;
	bool fits;

	if (!cJSON_IsString(value))
		return true;
	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	fits = regexec(&regex, value->valuestring, 0, NULL, 0) == 0;
	regfree(&regex);
	return fits;
}

static bool type_fits(const char *type, const cJSON *value)
{
	if (strcmp(type, "object") == 0)
		return cJSON_IsObject(value);
	if (strcmp(type, "array") == 0)
		return cJSON_IsArray(value);
	if (strcmp(type, "string") == 0)
		return cJSON_IsString(value);
	if (strcmp(type, "boolean") == 0)
		return cJSON_IsBool(value);
	if (strcmp(type, "null") == 0)
		return cJSON_IsNull(value);
	if (strcmp(type, "integer") == 0)
		return cJSON_IsNumber(value) && value->valuedouble == floor(value->valuedouble);
	return strcmp(type, "number") == 0 && cJSON_IsNumber(value);
}

/* One type, or a list of them. */
static bool types_fit(const cJSON *types, const cJSON *value)
{
	const cJSON *type;

	if (cJSON_IsString(types))
		return type_fits(types->valuestring, value);
	cJSON_ArrayForEach(type, types) if (type_fits(type->valuestring, value)) return true;
	return false;
}

static bool enum_fits(const cJSON *list, const cJSON *value)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list) if (cJSON_Compare(item, value, true)) return true;
	return false;
}

static bool any_fits(const checker *c, const cJSON *list, const cJSON *value)
{
	const cJSON *schema;
	rg_buf unused;
	bool fits = false;

	rg_buf_init(&unused, RG_BUF_TEXT);
	cJSON_ArrayForEach(schema, list)
	{
		fits = fits || check(&(checker){c->root, &unused}, schema, value);
	}
	rg_buf_release(&unused);
	return fits;
}

static bool check_object(const checker *c, const cJSON *schema, const cJSON *value)
{
	const cJSON *properties = member(schema, "properties");
	const cJSON *more = member(schema, "additionalProperties");
	const cJSON *item;

	cJSON_ArrayForEach(item, member(schema, "required"))
	{
		if (!member(value, item->valuestring))
			return misfit(c, "it lacks ", item->valuestring);
	}
	cJSON_ArrayForEach(item, value)
	{
		const cJSON *known = member(properties, item->string);
		size_t length = c->path->length;

		if (!known && cJSON_IsObject(more))
			known = more;
		if (!known && cJSON_IsFalse(more))
			return misfit(c, "unknown property ", item->string);
		rg_buf_printf(c->path, "/%s", item->string);
		if (known && !check(c, known, item))
			return false;
		rg_buf_truncate(c->path, length);
	}
	return true;
}

static bool check_array(const checker *c, const cJSON *schema, const cJSON *value)
{
	const cJSON *items = member(schema, "items"), *item;
	int index = 0;

	cJSON_ArrayForEach(item, value)
	{
		size_t length = c->path->length;

		rg_buf_printf(c->path, "/%d", index++);
		if (items && !check(c, items, item))
			return false;
		rg_buf_truncate(c->path, length);
	}
	return true;
}

static bool keyword_is_known(const char *keyword)
{
	static const char *const known[] = {
		"type",    "nullable",    "required",   "properties", "additionalProperties",
		"items",   "enum",        "const",      "format",     "pattern",
		"minimum", "title",       "anyOf",      "$ref",       "$defs",
		"$schema", "description", "deprecated", "example",    "examples",
		"default"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i], keyword) == 0)
			return true;
	return false;
}

/* "#/$defs/NAME" */
static bool check_reference(const checker *c, const char *reference, const cJSON *value)
{
	static const char prefix[] = "#/$defs/";
	const cJSON *schema = NULL;

	if (strncmp(reference, prefix, strlen(prefix)) == 0)
		schema = member(member(c->root, "$defs"), reference + strlen(prefix));
	return schema ? check(c, schema, value) : misfit(c, "there is no ", reference);
}

/* What a value of any type is held to. */
static bool check_value(const checker *c, const cJSON *schema, const cJSON *value)
{
	const cJSON *type = member(schema, "type"), *list = member(schema, "enum");
	const cJSON *constant = member(schema, "const"), *any = member(schema, "anyOf");
	const cJSON *format = member(schema, "format"), *pattern = member(schema, "pattern");
	const cJSON *minimum = member(schema, "minimum"), *reference = member(schema, "$ref");

	if (type && !types_fit(type, value))
		return misfit(c, "it is not of its type", "");
	if (list && !enum_fits(list, value))
		return misfit(c, "not one of its enum", "");
	if (constant && !cJSON_Compare(constant, value, true))
		return misfit(c, "not what it always is", "");
	if (any && !any_fits(c, any, value))
		return misfit(c, "none of its kinds fits", "");
	if (format && !format_fits(format->valuestring, value))
		return misfit(c, "it is not a ", format->valuestring);
	if (pattern && !pattern_fits(pattern->valuestring, value))
		return misfit(c, "it does not look like ", pattern->valuestring);
	if (minimum && cJSON_IsNumber(value) && value->valuedouble < minimum->valuedouble)
		return misfit(c, "it is less than its minimum", "");
	return !reference || check_reference(c, reference->valuestring, value);
}

static bool check(const checker *c, const cJSON *schema, const cJSON *value)
{
	const cJSON *keyword;

	cJSON_ArrayForEach(keyword, schema)
	{
		if (!keyword_is_known(keyword->string))
			return misfit(c, "the checker does not know ", keyword->string);
	}
	if (cJSON_IsNull(value) && cJSON_IsTrue(member(schema, "nullable")))
		return true;
	if (!check_value(c, schema, value))
		return false;
	if (cJSON_IsObject(value))
		return check_object(c, schema, value);
	return !cJSON_IsArray(value) || check_array(c, schema, value);
}

bool schema_fits(const cJSON *schema, const cJSON *value, rg_buf *message)
{
	rg_buf path;
	bool fits;

	rg_buf_init(&path, RG_BUF_TEXT);
	fits = check(&(checker){schema, &path}, schema, value);
	if (!fits && message)
		rg_buf_str(message, path.data);
	rg_buf_release(&path);
	return fits;
}

cJSON *schema_of_document(const char *name)
{
	const rg_json_document_kind *document = rg_documents;
	rg_buf text;

	while (document->name && strcmp(document->name, name) != 0)
		document++;
	rg_buf_init(&text, RG_BUF_TEXT);
	if (document->name)
		json_schema_write(&text, document);
	cJSON *schema = cJSON_Parse(text.data);
	rg_buf_release(&text);
	return schema;
}
