/* SPDX-License-Identifier: Apache-2.0 */
#include "source/api_pages.h"

#include "base/memory.h"
#include "net/url.h"
#include "source/api_json.h"

#include <string.h>

enum { PAGES_MAX = 200, PAGE_BYTES_MAX = 32 << 20 };

rg_error *rg_api_ask(cJSON **out, rg_http *http, const char *service,
		     const rg_http_request *request, char **next)
{
	RG_AUTO(rg_buf) body = rg_buf_of(PAGE_BYTES_MAX);
	RG_AUTO(rg_http_response) response = {0};

	*out = NULL;
	rg_http_response_init(&response);
	RG_TRY(rg_http_get(http, request, &body, &response));
	if (response.status != 200)
		return rg_http_status_error(http, request, &response);
	if (next)
		RG_TRY(rg_link_follow(next, response.link));
	return rg_api_parse(out, service, body.data, body.length);
}

static rg_error *read_page(const cJSON *page, rg_api_page_fn *read, void *context)
{
	const cJSON *item;
	if (!cJSON_IsArray(page))
		return rg_error_new(RG_E_PARSE, "the answer is not a list");
	cJSON_ArrayForEach(item, page) if (!cJSON_IsObject(item)) return rg_error_new(
		RG_E_PARSE, "the answer is not a list of objects");
	return read(context, page);
}

rg_error *rg_api_pages(rg_http *http, const char *service, char *url, const char *what,
		       rg_api_page_fn *read, void *context)
{
	RG_AUTO_FREE char *next = url;
	for (int pages = 0; next; pages++) {
		RG_AUTO_FREE char *now = rg_strdup(next);
		const rg_http_request request = {.url = now, .what = what};
		RG_AUTO_PTR(cJSON) page = NULL;

		if (pages == PAGES_MAX)
			return rg_error_new(RG_E_LIMIT, "%s: over %d pages", what, PAGES_MAX);
		RG_TRY(rg_api_ask(&page, http, service, &request, &next));
		RG_TRY(rg_error_wrap(read_page(page, read, context), "%s", what));
		if (next && !strcmp(now, next))
			return rg_error_new(RG_E_PARSE, "%s: the list goes in circles", what);
	}
	return NULL;
}
