/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_RENDER_H
#define REGILD_TESTS_HUB_RENDER_H

#include "hub/hub.h"

/* The API's objects as GitHub's OpenAPI description has them, all required fields included. NULL
 * when memory ran out. `attempt` 0: the latest. */
cJSON *render_run(const hub *state, const fixture_run *run, unsigned attempt);
cJSON *render_job(const hub *state, const fixture_run *run, const fixture_job *job);
cJSON *render_artifact(const hub *state, const fixture_run *run, const fixture_artifact *artifact);
/* The workflow that the run is of, the repository that it is in, and a "pulls" item of its file. */
cJSON *render_workflow(const hub *state, const fixture_run *run);
cJSON *render_repository(const hub *state, const fixture_run *run);
cJSON *render_pull(const hub *state, const fixture_run *run, const cJSON *pull);

/* What a run's fields are where the fixture does not say. */
const char *run_status(const fixture_run *run);
const char *run_conclusion(const fixture_run *run); /* NULL: none yet */
const char *run_text(const fixture_run *run,
		     const char *key); /* head_branch, event, path, head_sha */
uint64_t run_workflow(const fixture_run *run);

#endif
