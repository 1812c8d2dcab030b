/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_MERGE_BASE_H
#define REGILD_SOURCE_MERGE_BASE_H

#include "net/http.h"
#include "source/repository.h"

/* The commit at which another one parted from a branch of the repository (NULL: the default one),
 * as the API has it: also for a fork's commit, which no checkout has. */
RG_CHECKED rg_error *rg_api_merge_base(char out[static 41], rg_http *http,
				       const rg_repository *repository, const char *branch,
				       const char *commit);

#endif
