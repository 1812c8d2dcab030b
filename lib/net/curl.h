/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_CURL_H
#define REGILD_NET_CURL_H

#include "base/error.h"

#include <curl/curl.h>

/*
 * libcurl, which loads thirty more libraries, is loaded when it is first asked for. Its functions
 * have their own names here, and are not to be called before rg_curl_load has succeeded.
 */
#ifdef REGILD_STATIC
static inline rg_error *rg_curl_load(void)
{
	return NULL;
}
#else
/* clang-format off */
#define RG_CURL_FUNCTIONS(X) \
	X(curl_easy_cleanup) X(curl_easy_escape) X(curl_easy_getinfo) X(curl_easy_init) \
	X(curl_easy_perform) X(curl_easy_reset) X(curl_easy_setopt) X(curl_easy_strerror) \
	X(curl_free) X(curl_global_init) X(curl_slist_append) X(curl_slist_free_all) \
	X(curl_url) X(curl_url_cleanup) X(curl_url_get) X(curl_url_set) X(curl_url_strerror)
/* clang-format on */

typedef struct {
#define RG_MEMBER(name) __typeof__(name) *name##_;
	RG_CURL_FUNCTIONS(RG_MEMBER)
#undef RG_MEMBER
} rg_curl_functions;

extern rg_curl_functions rg_curl;

/* As rg_library_load. */
RG_CHECKED rg_error *rg_curl_load(void);

#undef curl_easy_getinfo
#undef curl_easy_setopt
#define curl_easy_cleanup   rg_curl.curl_easy_cleanup_
#define curl_easy_escape    rg_curl.curl_easy_escape_
#define curl_easy_getinfo   rg_curl.curl_easy_getinfo_
#define curl_easy_init      rg_curl.curl_easy_init_
#define curl_easy_perform   rg_curl.curl_easy_perform_
#define curl_easy_reset     rg_curl.curl_easy_reset_
#define curl_easy_setopt    rg_curl.curl_easy_setopt_
#define curl_easy_strerror  rg_curl.curl_easy_strerror_
#define curl_free           rg_curl.curl_free_
#define curl_global_init    rg_curl.curl_global_init_
#define curl_slist_append   rg_curl.curl_slist_append_
#define curl_slist_free_all rg_curl.curl_slist_free_all_
#define curl_url            rg_curl.curl_url_
#define curl_url_cleanup    rg_curl.curl_url_cleanup_
#define curl_url_get        rg_curl.curl_url_get_
#define curl_url_set        rg_curl.curl_url_set_
#define curl_url_strerror   rg_curl.curl_url_strerror_

#endif
#endif
