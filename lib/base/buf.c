/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An empty buffer points here. Nothing is written to it: capacity 0 says that nothing is allocated.
 */
static char empty_text[1] = "";

size_t rg_buf_most(uint64_t bytes)
{
	return bytes < RG_BUF_ANY ? (size_t)bytes : RG_BUF_ANY;
}

rg_buf rg_buf_of(size_t max)
{
	return (rg_buf){.data = empty_text, .max = max};
}

void rg_buf_init(rg_buf *buf, size_t max)
{
	*buf = rg_buf_of(max);
}

void rg_buf_release(rg_buf *buf)
{
	if (buf->capacity)
		free(buf->data);
	rg_buf_init(buf, buf->max);
}

void rg_buf_clear(rg_buf *buf)
{
	buf->length = 0;
	buf->is_full = false;
	if (buf->capacity)
		buf->data[0] = '\0';
}

static bool fail(rg_buf *buf)
{
	rg_buf_release(buf);
	buf->is_full = true;
	return false;
}

bool rg_buf_reserve(rg_buf *buf, size_t extra)
{
	if (buf->is_full)
		return false;
	if (extra > buf->max || buf->length > buf->max - extra)
		return fail(buf);
	size_t need = buf->length + extra + 1;
	if (need <= buf->capacity)
		return true;
	/* Doubled, so that appending byte by byte costs no copy each, but never past the maximum.
	 */
	size_t capacity = buf->capacity ? buf->capacity : 32;
	capacity = capacity > buf->max / 2 ? buf->max + 1 : capacity * 2;
	if (capacity < need)
		capacity = need;
	char *data = rg_realloc(buf->capacity ? buf->data : NULL, capacity);
	data[buf->length] = '\0';
	buf->data = data;
	buf->capacity = capacity;
	return true;
}

void rg_buf_add(rg_buf *buf, const void *bytes, size_t length)
{
	const bool has_room = length < buf->capacity - buf->length;
	if (!length || (!has_room && !rg_buf_reserve(buf, length)))
		return;
	memcpy(buf->data + buf->length, bytes, length);
	buf->length += length;
	buf->data[buf->length] = '\0';
}

void rg_buf_str(rg_buf *buf, const char *text)
{
	rg_buf_add(buf, text, strlen(text));
}

void rg_buf_quoted(rg_buf *buf, const char *text, size_t length)
{
	rg_buf_char(buf, '"');
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"')
			rg_buf_char(buf, '"');
		rg_buf_char(buf, text[i]);
	}
	rg_buf_char(buf, '"');
}

void rg_buf_printf(rg_buf *buf, const char *format, ...)
{
	size_t room = buf->capacity - buf->length; /* as a rule there is enough */
	va_list args;

	va_start(args, format);
	int length = vsnprintf(buf->capacity ? buf->data + buf->length : NULL, room, format, args);
	va_end(args);
	if (length > 0 && (size_t)length >= room) {
		if (!rg_buf_reserve(buf, (size_t)length))
			return;
		va_start(args, format);
		vsnprintf(buf->data + buf->length, (size_t)length + 1, format, args);
		va_end(args);
	}
	if (length > 0)
		buf->length += (size_t)length;
	else if (buf->capacity)
		buf->data[buf->length] = '\0';
}

void rg_buf_truncate(rg_buf *buf, size_t length)
{
	if (length < buf->length) {
		buf->length = length;
		buf->data[length] = '\0';
	}
}

void rg_buf_pour(rg_buf *buf, size_t at_least)
{
	rg_buf_drain *drain = buf->drain;
	if (!drain || buf->is_full || buf->length < at_least)
		return;
	if (!drain->err)
		drain->err = drain->write(drain->to, buf->data, buf->length);
	rg_buf_clear(buf);
}

void rg_buf_inherit(rg_buf *buf, const rg_buf *part)
{
	if (part->is_full && !buf->is_full)
		fail(buf);
}

rg_error *rg_buf_check(const rg_buf *buf, const char *what)
{
	return buf->is_full ? rg_error_new(RG_E_LIMIT, "%s: more than %zu bytes", what, buf->max)
			    : NULL;
}

char *rg_buf_keep(rg_buf *buf, rg_arena *arena)
{
	char *text = rg_arena_copy(arena, buf->data, buf->length);
	rg_buf_release(buf);
	return text;
}

char *rg_buf_detach(rg_buf *buf)
{
	if (!rg_buf_reserve(buf, 0))
		return NULL;
	char *data = buf->data;
	buf->capacity = 0;
	rg_buf_init(buf, buf->max);
	return data;
}
