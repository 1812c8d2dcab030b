/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_ROUTE_H
#define REGILD_TESTS_HUB_ROUTE_H

#include "hub/hub.h"

/* Where a request leads: the parts of "/repos/O/N/…" behind the repository, and behind "actions".
 */
typedef struct {
	hub *state;
	const request *req;
	reply *out;
	const char *below;    /* what is behind the repository, with its slash */
	char link[1024];      /* the address in Link, which has the repository's id */
	char repository[256]; /* "" where it came as /repositories/ID */
	uint64_t repository_id;
	bool actions;
	char *parts[6];
	size_t count;
	char *copy; /* what `parts` point into */
} route;

bool route_is_to(const route *to, const fixture_run *run);
bool id_parse(const char *text, uint64_t *out);
void answer_not_found(const route *to);

/* The jobs as attempt `attempt` shows them, or those of all attempts. */
void answer_jobs(const route *to, const fixture_run *run, unsigned attempt, bool all);
void answer_artifacts(const route *to, const fixture_run *run);
void answer_workflows(const route *to);
/* `workflow` (a number or its file's name) NULL: the whole repository's. */
void answer_runs(const route *to, const char *workflow);

#endif
