/* SPDX-License-Identifier: Apache-2.0 */
#include "report/template_data.h"

#include "base/memory.h"

#include <stdarg.h>

cJSON *rg_build_object(cJSON *parent, const char *name)
{
	return cJSON_AddObjectToObject(parent, name);
}

cJSON *rg_build_list(cJSON *parent, const char *name)
{
	return cJSON_AddArrayToObject(parent, name);
}

cJSON *rg_build_item(cJSON *list)
{
	cJSON *item = cJSON_CreateObject();
	cJSON_AddItemToArray(list, item);
	return item;
}

void rg_build_fields(cJSON *object, const rg_json_field *fields, const void *from)
{
	rg_json_out json;
	rg_json_tree_init(&json, object);
	rg_json_put_fields(&json, fields, from, NULL);
}

void rg_build_items(cJSON *parent, const char *name, const rg_json_field *fields, const void *items,
		    size_t count, size_t stride)
{
	rg_json_out json;
	rg_json_tree_init(&json, parent);
	rg_json_key_list(&json, name, fields, items, count, stride, NULL);
}

void rg_build_text(cJSON *parent, const char *name, const char *text)
{
	if (text)
		cJSON_AddStringToObject(parent, name, text);
	else
		cJSON_AddNullToObject(parent, name);
}

void rg_build_textf(cJSON *parent, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	RG_AUTO_FREE char *text = rg_vtextf(format, args);
	va_end(args);
	rg_build_text(parent, name, text);
}

void rg_build_written(cJSON *parent, const char *name, rg_buf *text)
{
	if (text->is_full)
		rg_build_textf(parent, name, "(left out: more than %zu bytes)", text->max);
	else
		rg_build_text(parent, name, text->data);
	rg_buf_clear(text);
}

void rg_build_remove(cJSON *parent, const char *name)
{
	while (cJSON_GetObjectItemCaseSensitive(parent, name))
		cJSON_DeleteItemFromObjectCaseSensitive(parent, name);
}

void rg_build_markup(cJSON *parent, const char *name, rg_buf *text)
{
	rg_build_remove(parent, name);
	rg_build_written(parent, name, text);
}

void rg_build_count(cJSON *parent, const char *name, size_t count)
{
	cJSON_AddNumberToObject(parent, name, (double)count);
}

void rg_build_truth(cJSON *parent, const char *name, bool truth)
{
	cJSON_AddBoolToObject(parent, name, truth);
}
