/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITHUB_H
#define REGILD_SOURCE_GITHUB_H

#include "net/http.h"
#include "source/run_url.h"
#include "source/source.h"
#include "store/cache.h"

/* What rg_http_options.service is for GitHub. */
extern const rg_http_service rg_github_service;

/* GitHub Actions' REST API. `http` and `cache` (NULL: no answer is kept) are borrowed, `repository`
 * is copied. */
rg_source *rg_github_new(rg_http *http, const rg_repository *repository, rg_cache *cache,
			 const rg_log *log);

#endif
