/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITLAB_H
#define REGILD_SOURCE_GITLAB_H

#include "source/gitlab_api.h"
#include "source/source.h"

/* GitLab CI's REST API: runs are pipelines. `http` is borrowed, `repository` copied. */
RG_CHECKED rg_error *rg_gitlab_new(rg_source **out, rg_http *http, const rg_repository *repository,
				   rg_gitlab_access access, const rg_log *log);

#endif
