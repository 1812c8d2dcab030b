/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_COMMENTS_H
#define REGILD_SOURCE_COMMENTS_H

#include "base/memory.h"
#include "net/http.h"
#include "source/repository.h"

/*
 * Comments of pull requests on GitHub, and notes of merge requests on GitLab: what regild wrote
 * itself is found by a marker that its text begins with and by who wrote it, which has to be whose
 * token it is. What comes from the server is not trusted.
 */

typedef struct {
	rg_http *http;
	const rg_repository *repository;
	uint64_t pull; /* the request's number */
} rg_commented;

typedef struct {
	uint64_t id;
	const char *node; /* GitHub's other name for it; NULL on GitLab */
	const char *by;   /* GitHub's login of who wrote it; NULL on GitLab */
	const char *body;
	bool minimized; /* somebody has hidden it */
} rg_comment;

/* Starts all zero. */
typedef struct {
	rg_comment *items; /* oldest first */
	size_t count, capacity;
	rg_arena arena;
} rg_comments;

void rg_comments_init(rg_comments *comments);
void rg_comments_release(rg_comments *comments);

/* RG_E_AUTH where the token is known not to be able to write: GitLab's CI_JOB_TOKEN, or none. */
RG_CHECKED rg_error *rg_comments_check(const rg_commented *on);
/* The commit that the request is at now, 40 digits; *out is the caller's to free. */
RG_CHECKED rg_error *rg_comments_head(char **out, const rg_commented *on);
/* Reads from all pages the token's own comments with the marker, into initialised ones. */
RG_CHECKED rg_error *rg_comments_find(rg_comments *out, const rg_commented *on, const char *marker);

/* Not tried again: what came of it is seen by rg_comments_find. */
RG_CHECKED rg_error *rg_comments_create(const rg_commented *on, const char *body);
RG_CHECKED rg_error *rg_comments_update(const rg_commented *on, uint64_t id, const char *body);
/* One that is gone already is as good. */
RG_CHECKED rg_error *rg_comments_delete(const rg_commented *on, uint64_t id);

/* The request that would be sent, "POST https://…", without its body; the caller frees it. */
char *rg_comments_request(const rg_commented *on, const char *method, uint64_t id);

#endif
