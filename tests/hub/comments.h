/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_COMMENTS_H
#define REGILD_TESTS_HUB_COMMENTS_H

#include "hub/gitlab_route.h"
#include "hub/hub.h"
#include "hub/route.h"

/* Comments of pull requests, and notes of merge requests: what --comments names, a list of
 * {"id", "pull", "login", "body", "minimized"}, is read at the start and written at each change. */

rg_error *comments_load(hub *state);
void comments_release(hub *state);

/* Is it one of the few requests that may be other than a GET? */
bool comments_take(const request *req);

/* GitHub's issues/N/comments and issues/comments/ID; `locked`: of a request of that number. */
void answer_comments(const route *to,
		     bool (*is_locked)(const route *to, uint64_t pull, bool *found));
/* /user and /graphql; false where it is neither. */
bool answer_viewer(hub *state, const request *req, reply *out);
/* GitLab's merge_requests/N/notes and below, and /api/v4/user. */
void gitlab_answer_notes(const gitlab_route *to);
void gitlab_answer_user(const gitlab_route *to);

#endif
