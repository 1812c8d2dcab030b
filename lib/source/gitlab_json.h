/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITLAB_JSON_H
#define REGILD_SOURCE_GITLAB_JSON_H

#include "base/json.h"
#include "source/source.h"

/*
 * GitLab's documents into the run. Everything is checked as hostile input: RG_E_PARSE says which
 * field of which item is missing or has the wrong type. Ids are whole numbers from 1 to 2^53.
 */

/* The conclusion that a status of a pipeline or a job stands for: "success", "failure",
 * "cancelled", "skipped"; NULL while there is more to come. */
const char *rg_gitlab_conclusion(const char *status);

/* GET …/pipelines/ID, and the number of its project; 0: the answer does not say. */
RG_CHECKED rg_error *rg_gitlab_read_pipeline(rg_run *run, uint64_t *project, const char *text,
					     size_t length);

/* The pipeline that a page of jobs is of. */
typedef struct {
	uint64_t project; /* as in rg_job */
	const char *via;  /* as in rg_job */
	bool finished;    /* jobs of it that did not start are skipped */
} rg_gitlab_jobs_of;

/* A page of …/pipelines/ID/jobs, appended to the run's jobs, and to its artifacts those that they
 * have left, or had. */
RG_CHECKED rg_error *rg_gitlab_read_jobs(rg_run *run, const rg_gitlab_jobs_of *of, const char *text,
					 size_t length);
/* The jobs from `first` on are one pipeline's. Moves those that were retried, so that a later one
 * has the name, to `earlier`. */
void rg_gitlab_split_retried(rg_run *run, size_t first);

typedef struct {
	uint64_t id;
	const char *name, *stage;
	const char *status;
	uint64_t pipeline;                          /* 0: it led nowhere */
	uint64_t project;                           /* of the pipeline */
	const char *pipeline_status, *pipeline_url; /* the latter may be NULL */
} rg_gitlab_bridge;

typedef struct {
	rg_gitlab_bridge *items;
	size_t count, capacity;
} rg_gitlab_bridges;

/* A page of …/pipelines/ID/bridges, appended; texts go into `arena`. */
RG_CHECKED rg_error *rg_gitlab_read_bridges(rg_gitlab_bridges *out, rg_arena *arena,
					    const char *text, size_t length);

/* GET …/merge_requests/N. */
typedef struct {
	const char *source_branch, *sha;
	const char
		*pipeline_sha; /* of its newest pipeline, which may be of a merged commit; NULL */
	uint64_t project;      /* that it is a request to */
	bool fork;             /* its branch is another project's */
} rg_gitlab_merge_request;

RG_CHECKED rg_error *rg_gitlab_read_merge_request(rg_gitlab_merge_request *out, rg_arena *arena,
						  const char *text, size_t length);

/* Hands each object of a page, which is a list, to `read`. Messages name the list `key`. */
typedef rg_error *rg_gitlab_item_fn(void *context, const rg_json_in *in, const cJSON *item);
RG_CHECKED rg_error *rg_gitlab_read_list(const char *key, const char *text, size_t length,
					 rg_arena *arena, rg_gitlab_item_fn *read, void *context);

#endif
