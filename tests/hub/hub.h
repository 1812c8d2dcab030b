/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_HUB_H
#define REGILD_TESTS_HUB_HUB_H

#include "hub/fault.h"
#include "hub/fixture.h"
#include "hub/reply.h"

#include <pthread.h>
#include <stdio.h>

/* The fake GitHub as a whole: what both servers share. Unchanging once they run, but for the parts
 * under `lock`. */

typedef struct hub {
	fixture data;
	const char *token;
	char api[64], store[64]; /* "http://127.0.0.1:PORT" */
	int url_lifetime;        /* seconds that a signed URL is good for */
	unsigned char key[32];   /* that signs them */
	FILE *log, *secrets;     /* or NULL */

	pthread_mutex_t lock;
	pthread_cond_t stop;
	bool stopping;
	fault_list faults;
	uint64_t rate_limit, rate_used;
	int64_t rate_reset, rate_window; /* seconds */
} hub;

/* api.github.com. */
void api_answer(hub *state, const request *req, reply *out);
/* The artifacts' store. */
void store_answer(hub *state, const request *req, reply *out);

/* The signed address at which the store gives the artifact out until `expires` (seconds since
 * 1970). False when memory ran out. */
bool store_sign(hub *state, const fixture_artifact *artifact, int64_t expires, char *url,
		size_t size);

/* Sleeps, but for no longer than the hub runs: false when it is stopping. */
bool hub_sleep(hub *state, double seconds);
/* A line into the log of requests. */
void hub_log(hub *state, const char *line);

#endif
