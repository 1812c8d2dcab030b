/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITLAB_FILES_H
#define REGILD_SOURCE_GITLAB_FILES_H

#include "source/gitlab_api.h"
#include "source/source.h"

/*
 * A job's artifacts without their zip: the list that `artifacts/tree` gives, and of it each file
 * that is wanted by a request of its own. As rg_source.take; *taken is false, and nothing has come,
 * where the zip is the better way: there is no such list (*listed is false: the instance may be too
 * old for it, or the artifacts are gone), it is long, or what is wanted is many files or large
 * ones.
 */
RG_CHECKED rg_error *rg_gitlab_take_files(const rg_gitlab_api *api, const rg_artifact *artifact,
					  const rg_take_request *request, rg_selection *selection,
					  bool *listed, bool *taken);

#endif
