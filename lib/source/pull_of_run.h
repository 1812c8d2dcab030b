/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_PULL_OF_RUN_H
#define REGILD_SOURCE_PULL_OF_RUN_H

#include "net/http.h"
#include "source/repository.h"
#include "source/source.h"

/*
 * The pull or merge request that a run is of: among those that are open, the one of the run's own
 * repository, branch and commit. Nothing that the run left behind is asked. RG_E_NOTFOUND where
 * there is none; RG_E_CONFLICT where it is at another commit by now.
 */
RG_CHECKED rg_error *rg_pull_of_run(uint64_t *out, rg_http *http, const rg_repository *repository,
				    const rg_run *run);

#endif
