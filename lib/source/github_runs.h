/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITHUB_RUNS_H
#define REGILD_SOURCE_GITHUB_RUNS_H

#include "net/http.h"
#include "source/run_list.h"
#include "source/run_url.h"

/* The runs of a repository on GitHub. It gives out at most 1,000 runs of a search: beyond them the
 * search is narrowed to `created` up to the oldest that was seen, as often as it takes. */
RG_CHECKED rg_error *rg_github_list_runs(rg_run_list *out, rg_http *http,
					 const rg_repository *repository,
					 const rg_run_query *query);

#endif
