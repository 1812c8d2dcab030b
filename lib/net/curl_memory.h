/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_CURL_MEMORY_H
#define REGILD_NET_CURL_MEMORY_H

#include "net/curl.h"

#include <stdbool.h>

/* Starts libcurl, which is loaded, once for all threads, with allocators that note what fails. */
CURLcode rg_curl_start(void);
/* Has an allocation of libcurl failed in this thread since this was last asked? libcurl also says
 * "out of memory" of limits of its own, and goes on without a header that it could not copy. */
bool rg_curl_memory_failed(void);

#endif
