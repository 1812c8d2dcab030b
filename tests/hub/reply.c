/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/reply.h"

#include "base/buf.h"

#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *request_header(const request *req, const char *name)
{
	return MHD_lookup_connection_value(req->connection, MHD_HEADER_KIND, name);
}

const char *request_argument(const request *req, const char *name)
{
	return MHD_lookup_connection_value(req->connection, MHD_GET_ARGUMENT_KIND, name);
}

typedef struct {
	const char *name, *value;
	bool any, found;
} search;

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *key,
			    const char *value)
{
	search *wanted = context;

	(void)kind;
	if (strcmp(key, wanted->name) == 0) {
		wanted->any = true;
		wanted->found |= value && strcmp(value, wanted->value) == 0;
	}
	return MHD_YES;
}

bool request_argument_admits(const request *req, const char *name, const char *value)
{
	search wanted = {.name = name, .value = value};

	MHD_get_connection_values(req->connection, MHD_GET_ARGUMENT_KIND, look, &wanted);
	return wanted.found || !wanted.any;
}

bool request_is_gitlab(const request *req)
{
	return strncmp(req->raw, "/api/v4/", 8) == 0;
}

void reply_init(reply *out)
{
	memset(out, 0, sizeof(*out));
	out->wire.cut_at = out->wire.stall_at = UINT64_MAX;
}

void reply_release(reply *out)
{
	for (size_t i = 0; i < out->header_count; i++)
		free(out->headers[i].value);
	free(out->owned);
	reply_init(out);
}

/* Takes `value` over. */
static void add_header(reply *out, const char *name, char *value)
{
	if (!value || out->header_count == REPLY_HEADERS) {
		free(value);
		out->failed = true;
		return;
	}
	out->headers[out->header_count].name = name;
	out->headers[out->header_count++].value = value;
}

void reply_header(reply *out, const char *name, const char *format, ...)
{
	char text[4096];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	add_header(out, name, length < 0 || (size_t)length >= sizeof(text) ? NULL : strdup(text));
}

const char *reply_find_header(const reply *out, const char *name)
{
	for (size_t i = 0; i < out->header_count; i++)
		if (strcasecmp(out->headers[i].name, name) == 0)
			return out->headers[i].value;
	return NULL;
}

void reply_set_header(reply *out, const char *name, const char *value)
{
	for (size_t i = 0; i < out->header_count; i++)
		if (strcasecmp(out->headers[i].name, name) == 0) {
			free(out->headers[i].value);
			out->headers[i].value = strdup(value);
			out->failed |= !out->headers[i].value;
			return;
		}
	add_header(out, name, strdup(value));
}

void reply_text(reply *out, unsigned status, const char *type, char *text)
{
	free(out->owned);
	out->status = status;
	out->owned = text;
	out->bytes = (const unsigned char *)text;
	out->length = text ? strlen(text) : 0;
	out->failed |= !text;
	reply_set_header(out, "Content-Type", type);
}

void reply_json(reply *out, unsigned status, cJSON *json)
{
	char *text = json ? cJSON_PrintUnformatted(json) : NULL;

	cJSON_Delete(json);
	reply_text(out, status, "application/json; charset=utf-8", text);
}

void reply_replace(reply *out, const char *from, const char *to)
{
	const char *at = out->owned, *found;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (; at && (found = strstr(at, from)) != NULL; at = found + strlen(from)) {
		rg_buf_add(&text, at, (size_t)(found - at));
		rg_buf_str(&text, to);
	}
	if (at && at != out->owned) {
		rg_buf_str(&text, at);
		free(out->owned);
		out->length = text.length;
		out->owned = rg_buf_detach(&text);
		out->bytes = (const unsigned char *)out->owned;
		out->failed |= !out->owned;
	}
	rg_buf_release(&text);
}

void reply_message(reply *out, unsigned status, const char *message)
{
	cJSON *json = cJSON_CreateObject();
	char code[16];

	snprintf(code, sizeof(code), "%u", status);
	cJSON_AddStringToObject(json, "message", message);
	cJSON_AddStringToObject(json, "documentation_url", "https://docs.github.com/rest");
	cJSON_AddStringToObject(json, "status", code);
	reply_json(out, status, json);
}
