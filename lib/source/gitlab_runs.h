/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITLAB_RUNS_H
#define REGILD_SOURCE_GITLAB_RUNS_H

#include "source/gitlab_api.h"
#include "source/run_list.h"

/* A project's pipelines, but for those that hang off others; `workflow` is not asked for. Errors as
 * rg_run_query has them. */
RG_CHECKED rg_error *rg_gitlab_list_runs(rg_run_list *out, const rg_gitlab_api *api,
					 const rg_run_query *query);

#endif
