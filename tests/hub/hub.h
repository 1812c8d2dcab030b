/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_HUB_H
#define REGILD_TESTS_HUB_HUB_H

#include "hub/fault.h"
#include "hub/fixture.h"
#include "hub/reply.h"

#include <pthread.h>
#include <stdio.h>

/* The fake GitHub and GitLab as a whole: what both servers share. Unchanging once they run, but for
 * the parts under `lock`. */

typedef struct hub {
	fixture data;
	const char *token;
	const char *api_version; /* the newest of GitHub's that is known */
	bool no_tree, stream;    /* an old GitLab; one without object storage */
	unsigned job_token_status;
	char api[64], store[64]; /* "http://127.0.0.1:PORT" */
	bool open_store;         /* needs no signature, as a public bucket */
	int url_lifetime;        /* seconds that a signed URL is good for */
	unsigned char key[32];   /* that signs them */
	FILE *log, *secrets;     /* or NULL */

	cJSON *comments; /* behind comments_lock; see comments.h */
	const char *comments_file, *login;
	bool read_only; /* the token may not write */
	pthread_mutex_t comments_lock;

	pthread_mutex_t lock;
	pthread_cond_t stop;
	bool stopping;
	fault_list faults;
	uint64_t rate_limit, rate_used;
	int64_t rate_reset, rate_window; /* seconds */
} hub;

/* api.github.com. */
void api_answer(hub *state, const request *req, reply *out);
/* gitlab.com/api/v4. */
void gitlab_answer(hub *state, const request *req, reply *out);
/* The artifacts' store. */
void store_answer(hub *state, const request *req, reply *out);

/* What the store has, under the ids of GitHub's artifacts, GitHub's jobs and GitLab's jobs. */
typedef enum { BLOB_ARTIFACT, BLOB_LOG, BLOB_ARCHIVE } blob_kind;

/* The signed address at which the store gives it out until `expires` (seconds since 1970). False
 * when memory ran out. */
bool store_sign(hub *state, blob_kind kind, uint64_t id, int64_t expires, char *url, size_t size);
/* 302 to such an address. */
void store_redirect(hub *state, const request *req, reply *out, blob_kind kind, uint64_t id);

/* Sleeps, but for no longer than the hub runs: false when it is stopping. */
bool hub_sleep(hub *state, double seconds);
/* Counts the request against the limit; false where nothing of that was left. */
bool limit_take(hub *state);
/* How much was used of it, and when (seconds since 1970) the next window begins. `refund`: the
 * request costs nothing after all. */
uint64_t limit_used(hub *state, bool refund, int64_t *reset);
/* An ETag for an answer with a body; 304 where the client has it already. True then. */
bool reply_revalidate(const request *req, reply *out);

/* What a job of GitLab's own shows in JOB-TOKEN. */
#define JOB_TOKEN "job-token"

/* What must never be in anybody's output goes into --secrets. */
void hub_secret(hub *state, const char *text);
/* A line into the log of requests. */
void hub_log(hub *state, const char *line);

#endif
