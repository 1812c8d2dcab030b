/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_FIXTURE_H
#define REGILD_TESTS_HUB_FIXTURE_H

#include "base/error.h"
#include "base/memory.h"
#include "hub/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the hub serves, read from a folder (README.md has the format). The parsed JSON is kept and
 * answers are rendered from it; every struct here points into it.
 */

/* The bytes of an artifact: a zip, or the one file of an artifact that is stored as it is; or those
 * of a job's log. Artifacts made from the same contents share one. */
typedef struct {
	char *key;  /* what it was made from */
	char *name; /* of a file that is stored as it is; NULL for a zip */
	unsigned char *bytes;
	size_t length;
	bool kept;       /* by hub/kept.h */
	char digest[80]; /* "sha256:…" */
} fixture_body;

#define NO_BODY SIZE_MAX

typedef struct {
	const cJSON *json;
	uint64_t id;
	const char *name, *created_at;
	bool expired;
	size_t body; /* index into fixture.bodies */
} fixture_artifact;

typedef struct {
	const cJSON *json;
	uint64_t id, replaces; /* replaces 0: a first execution */
	unsigned attempt;
	size_t log; /* index into fixture.bodies, or NO_BODY */
} fixture_job;

typedef struct {
	cJSON *document;
	const cJSON *json;      /* its "run" */
	const char *repository; /* "OWNER/NAME" */
	uint64_t id, repository_id;
	bool is_private;
	unsigned attempts;
	fixture_job *jobs; /* by id */
	size_t job_count, job_capacity;
	fixture_artifact *artifacts; /* newest (highest id) first, as GitHub lists them */
	size_t artifact_count, artifact_capacity;
} fixture_run;

/* A job of a GitLab pipeline, or a bridge. */
typedef struct {
	const cJSON *json;
	uint64_t id;
	const char *name;
	bool retried;
	const cJSON *artifacts; /* its "artifacts", or NULL */
	size_t archive, log;    /* indices into fixture.bodies, or NO_BODY */
} fixture_step;

typedef struct {
	cJSON *document;
	const cJSON *json;   /* its "pipeline" */
	const char *project; /* "GROUP/PROJECT" */
	uint64_t id, project_id;
	bool is_private;
	fixture_step *jobs, *bridges; /* newest (highest id) first, as GitLab lists them */
	size_t job_count, job_capacity, bridge_count, bridge_capacity;
} fixture_pipeline;

typedef struct {
	fixture_run *runs; /* newest first */
	size_t run_count, run_capacity;
	fixture_pipeline *pipelines; /* newest first */
	size_t pipeline_count, pipeline_capacity;
	fixture_body *bodies;
	size_t body_count, body_capacity;
} fixture;

RG_CHECKED rg_error *fixture_load(fixture *out, const char *folder);
void fixture_release(fixture *data);

/* NULL where there is none of that id. */
const fixture_artifact *fixture_find_artifact(const fixture *data, uint64_t id,
					      const fixture_run **run);
const fixture_job *fixture_find_job(const fixture *data, uint64_t id, const fixture_run **run);
const fixture_pipeline *fixture_find_pipeline(const fixture *data, uint64_t id);
const fixture_step *fixture_find_step(const fixture *data, uint64_t id,
				      const fixture_pipeline **pipeline);

/* Seconds since 1970 of "2026-03-01T04:05:06Z", of one with an offset such as +02:00, or of a date
 * alone; false when it is neither. */
bool time_parse(const char *text, int64_t *out);
#define TIME_TEXT 32
void time_text(int64_t seconds, char out[static TIME_TEXT]);

#endif
