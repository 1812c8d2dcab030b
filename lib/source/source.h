/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_SOURCE_H
#define REGILD_SOURCE_SOURCE_H

#include "archive/select.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A project's runs, as a source lists them. */
typedef struct {
	uint64_t id;
	unsigned attempt;
	const char *created_at;              /* as the API has it */
	const char *branch, *commit, *event; /* "" where there is none */
	const char *workflow;                /* its file's path, or "" */
	const char *title;                   /* or "" */
	const char *status, *conclusion;     /* as in rg_run */
	bool fork;                           /* another repository's commit */
} rg_listed_run;

typedef struct {
	rg_listed_run *items; /* newest first, each once */
	size_t count, capacity;
	size_t forks; /* runs among them that `own` has left out */
	rg_arena arena;
} rg_run_list;

/* RG_E_NOTFOUND where there is no such workflow or pull request; RG_E_USAGE for a `since` that is
 * not a date; RG_E_PARSE for answers that make no sense; RG_E_LIMIT where `lists_max` searches, or
 * one for the runs of a second, do not reach the last. */
typedef struct {
	const char *workflow;       /* a file's name ("nightly.yml") or a workflow's number; NULL:
				       any */
	size_t last;                /* so many at most; over 0 */
	const char *branch, *event; /* NULL: any */
	const char *commit;         /* a whole SHA; NULL: any */
	uint64_t pull;              /* of the head of that pull or merge request; 0: any */
	const char *since;          /* "2026-04-01" or a time; NULL: however old */
	bool unfinished;            /* those that are not completed, too */
	bool own;                   /* no run of a fork, whose branches may have any name */
	unsigned lists_max;         /* searches, of 1,000 runs each; 0: 1,000 (fewer in tests) */
} rg_run_query;

void rg_run_list_release(rg_run_list *list);

/*
 * Where new goldens come from: a CI run with its jobs and artifacts. What a run is made of is plain
 * data (all strings in its arena); how it is found, listed and opened is behind rg_source, and
 * nothing above knows which of its implementations it is (github.c).
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
	const char *via;  /* what a downstream pipeline hangs off, "functional:run_dev_dgx_h100"; or
			     NULL */
	const char *url;  /* its page, or NULL */
	uint64_t project; /* where its log and its artifacts are asked for; 0: in the run's */
	/* It stands for a downstream pipeline that could not be read: why. NULL: an ordinary job */
	const char *unread;
	/* NULL where the source does not know them: its name tells. */
	const char *stage, *test;
} rg_job;

typedef struct {
	uint64_t id;
	const char *name;
	uint64_t job_id;        /* of the job that made it; 0: names and times have to tell */
	size_t log;             /* not uploaded, but that job's log as the rule has it whose place
				   is one less (log_rule.h); 0: an artifact */
	uint64_t size;          /* bytes, as listed; 0: not known */
	const char *digest;     /* "sha256:…" or NULL */
	const char *created_at; /* as the API has it, or NULL */
	int64_t created;        /* epoch seconds or RG_TIME_NONE */
	const char *expires_at; /* or NULL */
	const char *erased_at;  /* somebody erased it; or NULL */
	bool expired;           /* it is there no longer, for whichever reason */
	uint64_t project;       /* as rg_job's */
	bool empty;             /* it is known that no golden is in it */
	const char *fault;      /* why it cannot be had at all, or NULL */
	const char *test;       /* where what is in it tells, and not its name; else NULL */
	/* Its members are called as their targets are below the root: no rule is asked, and all of
	 * them are taken, as the run's. */
	bool placed;
} rg_artifact;

typedef struct {
	const char *source, *host, *repository; /* "github", "github.com", "OWNER/NAME" */
	const char *head_repository; /* whose commit it ran on, "OWNER/NAME"; NULL: not known */
	bool fork;                   /* that is another than `repository` */
	uint64_t id;                 /* 0: it has none (a folder) */
	unsigned attempt;            /* of the jobs below */
	unsigned latest_attempt;     /* of the run */
	/* NULL where the API has none, but for head_commit and status. */
	const char *head_commit, *branch, *event, *workflow, *status, *conclusion, *created_at,
		*url;
	const char *workflow_file; /* its path; GitHub's alone */
	rg_job *jobs;              /* by id */
	size_t job_count, job_capacity;
	/* The jobs are not the run's, but the tests that the repository has: one that no artifact
	 * belongs to does not count. */
	bool assumed;
	/* The folder or archives, as the user named them, if it is no run. */
	const char **paths;
	size_t path_count, path_capacity;
	/* Executions that a later attempt replaced, where these are the latest ones; not in `jobs`.
	 */
	rg_job *earlier;
	size_t earlier_count, earlier_capacity;
	rg_artifact *artifacts; /* by id */
	size_t artifact_count, artifact_capacity;
	rg_arena arena, artifact_arena; /* the latter for artifacts, which are listed by a thread of
					   their own */
} rg_run;

/* The texts that a run's manifest has under the same names (manifest.h). */
/* clang-format off */
#define RG_RUN_TEXTS(X) \
	X(source) X(repository) X(host) X(head_repository) X(head_commit) X(branch) X(event) \
	X(workflow) X(workflow_file) X(status) X(conclusion) X(created_at) X(url)
/* clang-format on */

void rg_run_init(rg_run *run);
void rg_run_release(rg_run *run);
/* Sorts jobs and artifacts by id; RG_E_PARSE where one appears twice, unless the run is still going
 * and the lists grew meanwhile: then it counts once. What is in `jobs` goes from `earlier`. */
RG_CHECKED rg_error *rg_run_sort(rg_run *run);
/* The job of that id, in a run whose jobs are sorted; NULL where there is none. */
const rg_job *rg_run_find_job(const rg_run *run, uint64_t id);
/* Is there more to come? */
bool rg_run_is_finished(const rg_run *run);

/* Did it end badly? One that was skipped or cancelled did not. */
bool rg_job_has_failed(const rg_job *job);

/* A request for an artifact's goldens, and who takes them. The functions are called by the thread
 * that called rg_source.take. */
typedef struct {
	const char *const *patterns; /* see archive/select.h */
	size_t pattern_count;
	rg_zip_limits limits;
	uint64_t artifact_max; /* bytes of an artifact that is fetched whole */
	uint64_t whole_under;  /* smaller artifacts are fetched whole at once */
	bool whole;            /* and so are all others */
	const char *folder;    /* for temporary files */
	const rg_log *log;
	/* Takes a golden. */
	rg_selected_fn *take;
	/* All that was taken does not count: it comes again, from the beginning. */
	rg_error *(*restart)(void *context);
	/* It is known where the bytes are, and they come next: may block until it is its turn. At
	 * most once, and not by a source that moves nothing over the network. */
	void (*begin)(void *context);
	/* Bytes came over the network. */
	void (*moved)(void *context, uint64_t bytes);
	void *context;
} rg_take_request;

typedef struct rg_source rg_source;
struct rg_source {
	/* The address of the API that the artifacts' ids are of. NULL: of none, and nothing of them
	 * is kept in the cache. */
	const char *address;
	/* The runs that fit, newest first; released with rg_run_list_release after success. Errors
	 * as rg_run_query has them. NULL: there is just one run. */
	rg_error *(*list)(rg_source *source, const rg_run_query *query, rg_run_list *out);
	/* Fills an initialised run. `attempt` 0: the latest. From any thread. */
	rg_error *(*load)(rg_source *source, uint64_t id, unsigned attempt, rg_run *out);
	/* The run that a job is of. NULL: its name says it, or there is just one run. */
	rg_error *(*find)(rg_source *source, uint64_t job, uint64_t *run);
	/* Hands the goldens of an artifact to request->take; `selection`, which is initialised,
	 * says what could not be had. *check is how all of it was verified ("sha256", "crc32"), or
	 * NULL. RG_E_GONE where it expired. From any thread. */
	rg_error *(*take)(rg_source *source, const rg_artifact *artifact,
			  const rg_take_request *request, rg_selection *selection,
			  const char **check);
	/* Hands a finished job's log to `sink`, from its first byte to its last; of the request,
	 * which is as for `take`, the limits, the folder and the hooks count. NULL: there are no
	 * logs. RG_E_GONE where it expired. From any thread. See remote_artifact.h. */
	rg_error *(*read_log)(rg_source *source, const rg_job *job, const rg_take_request *request,
			      rg_zip_sink *sink, void *context);
	void (*free)(rg_source *source);
};

/* The item of that id, in a list that is sorted by it and whose items begin with it; NULL: none. */
void *rg_find_by_id(void *items, size_t count, size_t size, uint64_t id);

/* A copy in the arena; NULL stays NULL. */
static inline const char *rg_text_copy(rg_arena *arena, const char *text)
{
	return text ? rg_arena_text(arena, text) : NULL;
}

/* Seconds since 1970 of an ISO 8601 time ("2026-11-21T03:00:00Z", with fractions and offsets as
 * well); false where it is none. */
bool rg_time_parse(const char *text, int64_t *out);
/* The same of rg_run_query.since: "2026-04-01", which begins in UTC, or a time. RG_E_USAGE. */
RG_CHECKED rg_error *rg_since_parse(const char *text, int64_t *out);

#endif
