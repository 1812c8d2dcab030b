/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITHUB_JSON_H
#define REGILD_SOURCE_GITHUB_JSON_H

#include "base/json.h"
#include "source/source.h"

/*
 * The API's documents into the run. Everything is checked as hostile input: RG_E_PARSE says which
 * field of which item is missing or has the wrong type. Ids are whole numbers from 1 to 2^53.
 */

/*
 * Whose commit a run is of: "OWNER/NAME", NULL where that is not known. *fork says that it is
 * another repository than the run's own, or one that was deleted.
 */
RG_CHECKED rg_error *rg_github_get_head(const rg_json_in *in, const cJSON *run, const char **name,
					bool *fork);
/* GET …/actions/runs/ID. */
RG_CHECKED rg_error *rg_github_read_run(rg_run *run, const char *text, size_t length);
/* One page of a list, appended; *total is its total_count. */
RG_CHECKED rg_error *rg_github_read_jobs(rg_run *run, const char *text, size_t length,
					 uint64_t *total);
/* The same of all attempts, into `earlier`. */
RG_CHECKED rg_error *rg_github_read_earlier(rg_run *run, const char *text, size_t length,
					    uint64_t *total);
RG_CHECKED rg_error *rg_github_read_artifacts(rg_run *run, const char *text, size_t length,
					      uint64_t *total);

#endif
