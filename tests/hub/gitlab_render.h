/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_GITLAB_RENDER_H
#define REGILD_TESTS_HUB_GITLAB_RENDER_H

#include "hub/hub.h"

/* The API's objects, with the fields that GitLab's own API gives them. NULL when memory ran out. */

cJSON *gitlab_render_project(const hub *state, const fixture_pipeline *project);
/* As in a list, and as asked for alone. */
cJSON *gitlab_render_pipeline(const hub *state, const fixture_pipeline *pipeline);
cJSON *gitlab_render_full_pipeline(const hub *state, const fixture_pipeline *pipeline);
cJSON *gitlab_render_job(const hub *state, const fixture_pipeline *pipeline,
			 const fixture_step *job);
cJSON *gitlab_render_bridge(const hub *state, const fixture_pipeline *pipeline,
			    const fixture_step *bridge);
/* The merge request that `pipeline`, its newest, says it is of. */
cJSON *gitlab_render_merge_request(const hub *state, const fixture_pipeline *pipeline);

/* A pipeline's fields where the fixture does not say. */
const char *pipeline_text(const fixture_pipeline *pipeline, const char *key);
const char *pipeline_updated(const fixture_pipeline *pipeline);
const char *step_status(const fixture_step *step);
/* The merge request that it is of, and of which project; 0: of none. */
uint64_t pipeline_merge_request(const fixture_pipeline *pipeline, uint64_t *project_id);

#endif
