/* SPDX-License-Identifier: Apache-2.0 */
#include "net/response_header.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void rg_http_response_init(rg_http_response *response)
{
	*response = (rg_http_response){
		.limit = {-1, -1, -1}, .total = UINT64_MAX, .length = UINT64_MAX, .next_page = -1};
	rg_buf_init(&response->error_body, 65536);
}

void rg_http_response_release(rg_http_response *response)
{
	free(response->location);
	free(response->link);
	free(response->etag);
	free(response->file_name);
	rg_buf_release(&response->error_body);
	rg_http_response_init(response);
}

static void keep_text(char **slot, const char *value, size_t length)
{
	free(*slot);
	*slot = rg_strndup(value, length);
}

static void keep_number(int64_t *slot, const char *value, size_t length)
{
	int64_t number;
	if (rg_int64_parse(value, length, &number) && number >= 0)
		*slot = number;
}

/* "bytes 5-9/100", "bytes 5-9/" and a star, "bytes " and a star "/100". */
static void keep_range(rg_http_response *out, const char *value, size_t length)
{
	const char *end = value + length;
	uint64_t first, last;

	out->has_range = false;
	if (length < 6 || strncasecmp(value, "bytes ", 6))
		return;
	value += 6;
	const char *slash = memchr(value, '/', (size_t)(end - value));
	if (!slash)
		return;
	if (!rg_uint64_parse(slash + 1, (size_t)(end - slash - 1), &out->total))
		out->total = UINT64_MAX;
	const char *dash = memchr(value, '-', (size_t)(slash - value));
	if (!dash || !rg_uint64_parse(value, (size_t)(dash - value), &first) ||
	    !rg_uint64_parse(dash + 1, (size_t)(slash - dash - 1), &last) || last < first ||
	    last >= out->total)
		return;
	out->has_range = true;
	out->first = first;
	out->last = last;
}

/* The file name in a Content-Disposition: filename="x" or filename=x. */
static void keep_file_name(rg_http_response *out, const char *value, size_t length)
{
	static const char key[] = "filename=";
	const char *end = value + length, *p, *stop;

	for (p = value; end - p > (ptrdiff_t)strlen(key); p++)
		if (!strncasecmp(p, key, strlen(key)))
			break;
	if (end - p <= (ptrdiff_t)strlen(key))
		return;
	p += strlen(key);
	if (*p == '"') {
		p++;
		stop = memchr(p, '"', (size_t)(end - p));
	} else {
		stop = memchr(p, ';', (size_t)(end - p));
	}
	keep_text(&out->file_name, p, (size_t)((stop ? stop : end) - p));
}

void rg_http_header(rg_http_response *out, const char *line, size_t size)
{
	while (size && strchr("\r\n \t", line[size - 1]) && line[size - 1])
		size--;
	if (size > 5 && !memcmp(line, "HTTP/", 5)) {
		/* A proxy's answer to CONNECT, or 100: its headers are not the server's. */
		rg_http_response_release(out);
		return;
	}
	const char *colon = size ? memchr(line, ':', size) : NULL, *value = colon;
	if (!colon || memchr(line, '\0', size))
		return;
	do
		value++;
	while (value < line + size && (*value == ' ' || *value == '\t'));
	const size_t length = (size_t)(line + size - value), name_length = (size_t)(colon - line);
#define IS(text) (name_length == sizeof(text) - 1 && !strncasecmp(line, text, name_length))
	if (IS("location"))
		keep_text(&out->location, value, length);
	else if (IS("link"))
		keep_text(&out->link, value, length);
	else if (IS("x-next-page"))
		keep_number(&out->next_page, value, length);
	else if (IS("etag"))
		keep_text(&out->etag, value, length);
	else if (IS("content-disposition"))
		keep_file_name(out, value, length);
	else if (IS("content-length") && !rg_uint64_parse(value, length, &out->length))
		out->length = UINT64_MAX;
	else if (IS("content-range"))
		keep_range(out, value, length);
	else if (IS("retry-after"))
		keep_number(&out->limit.retry_after, value, length);
	else if (IS("x-ratelimit-remaining") || IS("ratelimit-remaining"))
		keep_number(&out->limit.remaining, value, length);
	else if (IS("x-ratelimit-reset") || IS("ratelimit-reset"))
		keep_number(&out->limit.reset, value, length);
#undef IS
}
