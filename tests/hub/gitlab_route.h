/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_GITLAB_ROUTE_H
#define REGILD_TESTS_HUB_GITLAB_ROUTE_H

#include "hub/hub.h"

typedef enum { NOBODY, MEMBER, JOB } visitor; /* by the token that came along */

/* Where a request below /api/v4/projects leads. */
typedef struct {
	hub *state;
	const request *req;
	reply *out;
	visitor who;
	const fixture_pipeline *project; /* one of its pipelines, which stands for it */
	char *parts[5];                  /* behind the project, unescaped */
	size_t count;
	char *rest; /* behind "artifacts/", unescaped; NULL where there is no such thing */
} gitlab_route;

/* {"message": "404 WHAT Not Found"}; `what` "" or "Project ". */
void gitlab_not_found(const gitlab_route *to, const char *what);
void gitlab_message(const gitlab_route *to, unsigned status, const char *message);
bool gitlab_in_project(const gitlab_route *to, const fixture_pipeline *pipeline);

void gitlab_answer_pipelines(const gitlab_route *to);
void gitlab_answer_jobs(const gitlab_route *to, const fixture_pipeline *pipeline);
void gitlab_answer_bridges(const gitlab_route *to, const fixture_pipeline *pipeline);
/* The pipelines of merge request `number`. */
void gitlab_answer_merge_pipelines(const gitlab_route *to, uint64_t number);

/* What is in a job's archive: the whole, its list, one file. */
void gitlab_answer_archive(const gitlab_route *to, const fixture_step *job);
void gitlab_answer_tree(const gitlab_route *to, const fixture_step *job);
void gitlab_answer_file(const gitlab_route *to, const fixture_step *job, const char *path);
void gitlab_answer_trace(const gitlab_route *to, const fixture_step *job);

/* An array's page, with its headers; `render` makes one item of `context`'s. */
void gitlab_answer_list(const gitlab_route *to, size_t total,
			cJSON *(*render)(const gitlab_route *to, const void *context, size_t i),
			const void *context);

#endif
