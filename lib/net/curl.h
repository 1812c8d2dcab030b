/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_CURL_H
#define REGILD_NET_CURL_H

#include "base/error.h"

#include <curl/curl.h>

/*
 * libcurl, which loads thirty more libraries, is loaded when it is first asked for:
 * libcurl.curl_easy_init(...). No call before rg_curl_load has succeeded.
 */
/* Macros of its header that a member's name would call. */
#undef curl_easy_getinfo
#undef curl_easy_setopt

/* clang-format off */
#define RG_CURL_FUNCTIONS(X) \
	X(curl_easy_cleanup) X(curl_easy_escape) X(curl_easy_getinfo) X(curl_easy_init) \
	X(curl_easy_perform) X(curl_easy_reset) X(curl_easy_setopt) X(curl_easy_strerror) \
	X(curl_free) X(curl_global_init) X(curl_slist_append) X(curl_slist_free_all) \
	X(curl_url) X(curl_url_cleanup) X(curl_url_get) X(curl_url_set) X(curl_url_strerror)
/* clang-format on */

/* A declaration takes no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
typedef struct {
#define RG_MEMBER(name) __typeof__(name) *name;
	RG_CURL_FUNCTIONS(RG_MEMBER)
#undef RG_MEMBER
} rg_curl_functions;
/* NOLINTEND(bugprone-macro-parentheses) */

extern rg_curl_functions libcurl;

/* Loads it by rg_library_load(); the static program, which has the library, loads nothing. */
RG_CHECKED rg_error *rg_curl_load(void);

#endif
