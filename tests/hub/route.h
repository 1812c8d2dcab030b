/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_ROUTE_H
#define REGILD_TESTS_HUB_ROUTE_H

#include "hub/hub.h"

/* Where a request leads: the parts of "/repos/O/N/actions/…" after "actions". */
typedef struct {
	hub *state;
	const request *req;
	reply *out;
	const char *repository_path; /* "repositories/ID/actions/…" in Link has this behind it */
	char repository[256];        /* "" where it came as /repositories/ID */
	uint64_t repository_id;
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
/* `workflow` (a number or its file's name) NULL: the whole repository's. */
void answer_runs(const route *to, const char *workflow);

#endif
