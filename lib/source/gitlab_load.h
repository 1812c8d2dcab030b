/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITLAB_LOAD_H
#define REGILD_SOURCE_GITLAB_LOAD_H

#include "source/gitlab_api.h"
#include "source/gitlab_json.h"
#include "source/source.h"

/*
 * A pipeline with its jobs and those of all pipelines that hang off it, however deep and in which
 * project, into an initialised run. One that cannot be read is a job that says why (rg_job.unread);
 * a pipeline that is met twice counts once. It has finished once all of them have. RG_E_LIMIT past
 * 500 pipelines, or 20 below each other.
 */
RG_CHECKED rg_error *rg_gitlab_load(const rg_gitlab_api *api, uint64_t id, rg_run *out);
/* The pipeline that a job is of. */
RG_CHECKED rg_error *rg_gitlab_find_pipeline(const rg_gitlab_api *api, uint64_t job, uint64_t *out);
/* GET …/merge_requests/NUMBER. */
RG_CHECKED rg_error *rg_gitlab_get_merge_request(rg_gitlab_merge_request *out, rg_arena *arena,
						 const rg_gitlab_api *api, uint64_t number);

#endif
