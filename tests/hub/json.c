/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/json.h"

#include <stdarg.h>
#include <stdio.h>

const char *json_text(const cJSON *json, const char *key, const char *fallback)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);

	return cJSON_IsString(item) ? item->valuestring : fallback;
}

uint64_t json_count(const cJSON *json, const char *key, uint64_t fallback)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);

	return cJSON_IsNumber(item) && item->valuedouble >= 0 ? (uint64_t)item->valuedouble
							      : fallback;
}

bool json_flag(const cJSON *json, const char *key, bool fallback)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);

	return cJSON_IsBool(item) ? cJSON_IsTrue(item) : fallback;
}

void json_add_text(cJSON *json, const char *key, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	cJSON_AddStringToObject(json, key, text);
}

void json_add_text_or_null(cJSON *json, const char *key, const char *text)
{
	if (text)
		cJSON_AddStringToObject(json, key, text);
	else
		cJSON_AddNullToObject(json, key);
}

void json_add_number(cJSON *json, const char *key, uint64_t number)
{
	cJSON_AddNumberToObject(json, key, (double)number);
}
