/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/page.h"

#include "base/buf.h"
#include "base/number.h"

#include <string.h>

static bool argument_number(const request *req, const char *name, uint64_t *out)
{
	const char *text = request_argument(req, name);

	return text && rg_uint64_parse(text, strlen(text), out) && *out > 0;
}

page page_of(const request *req, size_t total, size_t reachable, size_t fallback)
{
	page at = {.number = 1, .size = fallback, .total = total, .reachable = reachable};
	uint64_t value;

	if (argument_number(req, "per_page", &value))
		at.size = value > 100 ? 100 : (size_t)value;
	if (argument_number(req, "page", &value) && value < 1u << 20)
		at.number = (size_t)value;
	at.first = (at.number - 1) * at.size;
	at.end = at.first + at.size;
	if (at.end > reachable)
		at.end = reachable;
	if (at.first > at.end)
		at.first = at.end;
	return at;
}

size_t page_last(const page *at)
{
	return (at->reachable + at->size - 1) / at->size;
}

/* The query again, with another page. */
static void add_link(rg_buf *link, const request *req, const char *base, size_t number,
		     const char *relation)
{
	const char *at = req->query;

	rg_buf_printf(link, "%s<%s?", link->length ? ", " : "", base);
	while (*at) {
		size_t length = strcspn(at, "&");

		if (strncmp(at, "page=", 5) != 0 && length) {
			rg_buf_add(link, at, length);
			rg_buf_char(link, '&');
		}
		at += length + (at[length] == '&');
	}
	rg_buf_printf(link, "page=%zu>; rel=\"%s\"", number, relation);
}

void page_add_links(reply *out, const request *req, const page *at, const char *base, bool last)
{
	size_t end = page_last(at);
	rg_buf link;

	rg_buf_init(&link, 4000);
	if (at->number > 1 && end > 0)
		add_link(&link, req, base, at->number - 1 < end ? at->number - 1 : end, "prev");
	if (at->number < end) {
		add_link(&link, req, base, at->number + 1, "next");
		if (last)
			add_link(&link, req, base, end, "last");
	}
	if (at->number > 1 && end > 0)
		add_link(&link, req, base, 1, "first");
	if (link.length)
		reply_header(out, "Link", "%s", link.data);
	rg_buf_release(&link);
}
