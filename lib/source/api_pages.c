/* SPDX-License-Identifier: Apache-2.0 */
#include "source/api_pages.h"

#include "base/memory.h"
#include "net/url.h"
#include "source/api_json.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES_MAX = 200, PAGE_BYTES_MAX = 32 << 20 };

rg_error *rg_api_ask(cJSON **out, rg_http *http, const char *service,
		     const rg_http_request *request, char **next)
{
	rg_http_response response;
	rg_buf body;

	*out = NULL;
	rg_buf_init(&body, PAGE_BYTES_MAX);
	rg_http_response_init(&response);
	rg_error *err = rg_http_get(http, request, &body, &response);
	if (!err && response.status != 200)
		err = rg_http_status_error(http, request, &response);
	if (!err && next)
		err = rg_link_follow(next, response.link);
	if (!err)
		err = rg_api_parse(out, service, body.data, body.length);
	rg_http_response_release(&response);
	rg_buf_release(&body);
	return err;
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
	rg_error *err = NULL;
	for (int pages = 0; !err && url; pages++) {
		const rg_http_request request = {.url = url, .what = what};
		char *next = rg_strdup(url);
		cJSON *page = NULL;

		if (pages == PAGES_MAX)
			err = rg_error_new(RG_E_LIMIT, "%s: over %d pages", what, PAGES_MAX);
		if (!err)
			err = rg_api_ask(&page, http, service, &request, &next);
		if (!err)
			err = rg_error_wrap(read_page(page, read, context), "%s", what);
		if (!err && next && !strcmp(url, next))
			err = rg_error_new(RG_E_PARSE, "%s: the list goes in circles", what);
		cJSON_Delete(page);
		free(url);
		url = next;
	}
	free(url);
	return err;
}
