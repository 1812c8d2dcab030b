/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_FIXTURE_PARTS_H
#define REGILD_TESTS_HUB_FIXTURE_PARTS_H

#include "hub/fixture.h"

/* What the readers of runs and of pipelines share. */

/* Every time in a fixture is checked once here, so that answers never hold a bad one. */
RG_CHECKED rg_error *fixture_check_times(const cJSON *json, const char *what);
/* The body made from the same contents before, or a new one. */
RG_CHECKED rg_error *fixture_find_body(fixture *data, const char *folder, const cJSON *artifact,
				       size_t *index);
/* That of the job's log; NO_BODY where it has none. */
RG_CHECKED rg_error *fixture_find_log(fixture *data, const char *folder, const cJSON *job,
				      size_t *index);

/* Takes `document` over, also when it fails. */
RG_CHECKED rg_error *fixture_load_pipeline(fixture *data, const char *folder, cJSON *document);
void fixture_sort_pipelines(fixture *data);

#endif
