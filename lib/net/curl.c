/* SPDX-License-Identifier: Apache-2.0 */
#include "net/curl.h"

#ifdef REGILD_STATIC

#define RG_FUNCTION(name) .name = name,
rg_curl_functions libcurl = {RG_CURL_FUNCTIONS(RG_FUNCTION)};

rg_error *rg_curl_load(void)
{
	return NULL;
}

#else

#include "base/library.h"

rg_curl_functions libcurl;

#define RG_NAME(name) #name,
static const char *const names[] = {RG_CURL_FUNCTIONS(RG_NAME)};

rg_error *rg_curl_load(void)
{
	static rg_library library = {.path = REGILD_LIBCURL,
				     .package = "libcurl4",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &libcurl};

	return rg_library_load(&library);
}

#endif
