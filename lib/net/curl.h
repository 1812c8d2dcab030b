#ifndef REGILD_NET_CURL_H
#define REGILD_NET_CURL_H

#include "base/error.h"

#include <curl/curl.h>

/*
 * libcurl comes with some twenty-five libraries, and the dynamic linker takes longer to load them
 * than regild to compare a hundred goldens; most commands never talk to anybody. So libcurl is
 * loaded when it is needed, and called as rg_curl.easy_init() instead of curl_easy_init().
 */
/* clang-format off */
#define RG_CURL_FUNCTIONS(X)                                        \
	X(global_init) X(free)                                      \
	X(easy_init) X(easy_reset) X(easy_cleanup)                  \
	X(easy_setopt) X(easy_perform) X(easy_getinfo)              \
	X(easy_strerror) X(easy_escape)                             \
	X(slist_append) X(slist_free_all)                           \
	X(url) X(url_set) X(url_get) X(url_strerror) X(url_cleanup)
/* clang-format on */

#define RG_CURL_POINTER(name) __typeof__ (&curl_##name)(name);

typedef struct {
	RG_CURL_FUNCTIONS(RG_CURL_POINTER)
} rg_curl_functions;

/* All set once rg_curl_load has succeeded, and not to be touched before. */
extern rg_curl_functions rg_curl;

/* Any thread may call it, any number of times. RG_E_NET where libcurl is not there. */
RG_CHECKED rg_error *rg_curl_load(void);

#endif
