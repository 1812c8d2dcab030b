/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_API_PAGES_H
#define REGILD_SOURCE_API_PAGES_H

#include "base/json.h"
#include "net/http.h"

/* Lists of an API by their pages, in the order of its Link headers. */

/* A page, which is a list. */
typedef rg_error *rg_api_page_fn(void *context, const cJSON *page);

/* An answer of 200; *out is the caller's to cJSON_Delete. `next` (NULL: of no interest) is the
 * request's URL, the caller's, and becomes the next page's, NULL after the last one. */
RG_CHECKED rg_error *rg_api_ask(cJSON **out, rg_http *http, const char *service,
				const rg_http_request *request, char **next);
/* `url` is freed. RG_E_PARSE for what is no list, or goes in circles; RG_E_NET for a page on
 * another host; RG_E_LIMIT past 200 pages. */
RG_CHECKED rg_error *rg_api_pages(rg_http *http, const char *service, char *url, const char *what,
				  rg_api_page_fn *read, void *context);

#endif
