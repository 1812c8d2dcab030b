/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITHUB_H
#define REGILD_SOURCE_GITHUB_H

#include "net/http.h"
#include "source/run_url.h"
#include "source/source.h"
#include "store/cache.h"

/* rg_http_options.service for GitHub. */
extern const rg_http_service rg_github_service;

/* GitHub Actions' REST API. `http` and `cache` (NULL: no answer is kept) are borrowed, `repository`
 * is copied. */
rg_source *rg_github_new(rg_http *http, const rg_repository *repository, rg_cache *cache,
			 const rg_log *log);

/* The runs of a repository on GitHub. It gives out at most 1,000 runs of a search: beyond them the
 * search is narrowed to `created` up to the oldest that was seen, as often as it takes. */
RG_CHECKED rg_error *rg_github_list_runs(rg_run_list *out, rg_http *http,
					 const rg_repository *repository,
					 const rg_run_query *query);

#endif
