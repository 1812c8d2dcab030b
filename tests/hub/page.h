/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_PAGE_H
#define REGILD_TESTS_HUB_PAGE_H

#include "hub/reply.h"

/* One page of a list. */
typedef struct {
	size_t number, size;
	size_t total, reachable; /* items in all; those that pages give out */
	size_t first, end;       /* first … end - 1 are on it */
} page;

/* The page that the request asks for, of `fallback` items where it does not say. */
page page_of(const request *req, size_t total, size_t reachable, size_t fallback);
size_t page_last(const page *at);
/* The Link header; `base` is the list's address without a query. `last`: name the last page. */
void page_add_links(reply *out, const request *req, const page *at, const char *base, bool last);

#endif
