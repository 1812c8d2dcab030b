/* SPDX-License-Identifier: Apache-2.0 */
#include "report/template_data.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/cells.h"
#include "report/mustache.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

static cJSON *checked(bool *failed, cJSON *made)
{
	*failed |= !made;
	return made;
}

cJSON *rg_build_object(bool *failed, cJSON *parent, const char *name)
{
	return checked(failed, cJSON_AddObjectToObject(parent, name));
}

cJSON *rg_build_list(bool *failed, cJSON *parent, const char *name)
{
	return checked(failed, cJSON_AddArrayToObject(parent, name));
}

cJSON *rg_build_cut_list(bool *failed, cJSON *parent, const char *name)
{
	cJSON *list = rg_build_list(failed, parent, name);
	if (list)
		rg_mustache_cut(list, RG_MUSTACHE_LIST);
	return list;
}

cJSON *rg_build_item(bool *failed, cJSON *list)
{
	(void)failed;
	cJSON *item = cJSON_CreateObject();
	cJSON_AddItemToArray(list, item);
	return item;
}

void rg_build_fields(bool *failed, cJSON *object, const rg_json_field *fields, const void *from)
{
	rg_json_out json;
	rg_json_tree_init(&json, object);
	rg_json_put_fields(&json, fields, from, NULL);
	*failed |= json.failed;
}

void rg_build_items(bool *failed, cJSON *parent, const char *name, const rg_json_field *fields,
		    const void *items, size_t count, size_t stride)
{
	rg_json_out json;
	rg_json_tree_init(&json, parent);
	rg_json_key_list(&json, name, fields, items, count, stride, NULL);
	*failed |= json.failed;
}

void rg_build_text(bool *failed, cJSON *parent, const char *name, const char *text)
{
	*failed |= text ? !cJSON_AddStringToObject(parent, name, text)
			: !cJSON_AddNullToObject(parent, name);
}

void rg_build_textf(bool *failed, cJSON *parent, const char *name, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = rg_vtextf(format, args);
	va_end(args);
	rg_build_text(failed, parent, name, text);
	free(text);
}

void rg_build_written(bool *failed, cJSON *parent, const char *name, rg_buf *text)
{
	*failed |= text->is_full;
	rg_build_text(failed, parent, name, text->data);
	rg_buf_clear(text);
}

void rg_build_remove(cJSON *parent, const char *name)
{
	while (cJSON_GetObjectItemCaseSensitive(parent, name))
		cJSON_DeleteItemFromObjectCaseSensitive(parent, name);
}

void rg_build_markup(bool *failed, cJSON *parent, const char *name, rg_buf *text)
{
	rg_build_remove(parent, name);
	rg_build_written(failed, parent, name, text);
}

void rg_build_cell(bool *failed, cJSON *parent, const char *name, const rg_column *column,
		   const rg_cell *cell)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_cell_add_text(&text, column, cell);
	rg_build_written(failed, parent, name, &text);
	rg_buf_release(&text);
}

void rg_build_count(bool *failed, cJSON *parent, const char *name, size_t count)
{
	*failed |= !cJSON_AddNumberToObject(parent, name, (double)count);
}

void rg_build_number(bool *failed, cJSON *parent, const char *name, double number)
{
	char text[RG_DOUBLE_REPR_SIZE];
	if (isfinite(number)) {
		*failed |= !cJSON_AddNumberToObject(parent, name, number == 0 ? 0 : number);
		return;
	}
	rg_double_repr(number, text);
	rg_build_text(failed, parent, name, text);
}

void rg_build_value(bool *failed, cJSON *parent, const char *name, const rg_differing_value *value)
{
	if (!value->there || value->text)
		rg_build_text(failed, parent, name, value->text);
	else
		rg_build_number(failed, parent, name, value->number);
}

void rg_build_defined(bool *failed, cJSON *parent, const char *name, double number)
{
	if (isnan(number))
		*failed |= !cJSON_AddNullToObject(parent, name);
	else
		rg_build_number(failed, parent, name, number);
}

void rg_build_truth(bool *failed, cJSON *parent, const char *name, bool truth)
{
	*failed |= !cJSON_AddBoolToObject(parent, name, truth);
}
