/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_SOURCE_H
#define REGILD_SOURCE_SOURCE_H

#include "base/error.h"
#include "base/memory.h"
#include "net/remote_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where new goldens come from: a CI run with its jobs and artifacts. What a run is made of is plain
 * data (all strings in its arena); how it is got and how an artifact is opened is behind
 * rg_source, one implementation a file (github.c).
 */

/* No such time. */
#define RG_TIME_NONE INT64_MIN

typedef struct {
	uint64_t id;
	const char *name;
	const char *status;         /* "completed", "in_progress", … */
	const char *conclusion;     /* "success", "failure", …; NULL while it runs */
	int64_t started, completed; /* epoch seconds or RG_TIME_NONE */
	int64_t upload_started, upload_completed; /* of its step that uploads */
	unsigned attempt;
} rg_job;

typedef struct {
	uint64_t id;
	const char *name;
	uint64_t size;          /* bytes, as listed */
	const char *digest;     /* "sha256:…" or NULL */
	const char *created_at; /* as the API has it, or NULL */
	int64_t created;        /* epoch seconds or RG_TIME_NONE */
	const char *expires_at; /* or NULL */
	bool expired;
} rg_artifact;

typedef struct {
	const char *source, *host, *repository; /* "github", "github.com", "OWNER/NAME" */
	uint64_t id;
	unsigned attempt;        /* of the jobs below */
	unsigned latest_attempt; /* of the run */
	/* NULL where the API has none, but for head_commit and status. */
	const char *head_commit, *branch, *event, *workflow, *status, *conclusion, *created_at,
		*url;
	rg_job *jobs; /* by id */
	size_t job_count, job_capacity;
	/* Executions that a later attempt replaced, where these are the latest ones; not in `jobs`.
	 */
	rg_job *earlier;
	size_t earlier_count, earlier_capacity;
	rg_artifact *artifacts; /* by id */
	size_t artifact_count, artifact_capacity;
	rg_arena arena, artifact_arena; /* the latter for artifacts, which are listed by a thread of
					   their own */
} rg_run;

void rg_run_init(rg_run *run);
void rg_run_release(rg_run *run);
/* Is there more to come? */
bool rg_run_is_finished(const rg_run *run);

typedef struct rg_source rg_source;
struct rg_source {
	/* Fills an initialised run. `attempt` 0: the latest. */
	rg_error *(*load)(rg_source *source, uint64_t id, unsigned attempt, rg_run *out);
	/* Asks for the URL that holds an artifact's bytes now; *url is the caller's to free.
	 * RG_E_GONE where it expired. From any thread. */
	rg_error *(*locate)(rg_source *source, const rg_artifact *artifact, char **url);
	void (*free)(rg_source *source);
};

/* Seconds since 1970 of an ISO 8601 time ("2026-11-21T03:00:00Z", with fractions and offsets as
 * well); false where it is none. */
bool rg_time_parse(const char *text, int64_t *out);

#endif
