/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITLAB_API_H
#define REGILD_SOURCE_GITLAB_API_H

#include "base/buf.h"
#include "net/http.h"
#include "source/repository.h"

/* As who GitLab is asked. */
typedef enum {
	RG_GITLAB_NOBODY,   /* there is no token: what is public can be read */
	RG_GITLAB_WITHHELD, /* there is one, and not for a host that the user has not named */
	RG_GITLAB_USER,
	RG_GITLAB_JOB, /* a job's own token, which may read little */
} rg_gitlab_access;

/*
 * The first of these that is set and may go to the repository's host:
 * - GITLAB_TOKEN: to gitlab.com, and to a host that --run, --repo, git's own configuration
 *   (rg_repository.named), GITLAB_HOST or CI_SERVER_HOST names;
 * - RO_API_TOKEN: to a host that GITLAB_ENDPOINT, --run or --repo (rg_repository.in_call) names;
 * - CI_JOB_TOKEN: to the host of CI_API_V4_URL.
 * A host that only .regild or a remote names gets none. *token is the caller's, freed with
 * rg_token_free; NULL where there is none.
 */
void rg_gitlab_token_find(char **token, rg_gitlab_access *access, const rg_repository *repository);

/* Requests to GitLab's REST API, and what their refusals mean. */
typedef struct {
	rg_http *http; /* borrowed */
	rg_gitlab_access access;
	rg_repository repository;
	char *projects; /* "https://HOST/api/v4/projects" */
	char *own;      /* that of the repository: "…/projects/group%2Fproject" */
} rg_gitlab_api;

/* rg_http_options.service: with a user's token or with none, and with a job's own. */
extern const rg_http_service rg_gitlab_service, rg_gitlab_job_service;

/* `repository` is copied. Released after success alone. */
RG_CHECKED rg_error *rg_gitlab_api_init(rg_gitlab_api *out, rg_http *http,
					const rg_repository *repository, rg_gitlab_access access);
void rg_gitlab_api_release(rg_gitlab_api *api);

/* A URL below a project's; `project` 0: the repository's own. The text is the caller's to free. */
char *rg_gitlab_url(const rg_gitlab_api *api, uint64_t project, const char *format, ...)
	RG_PRINTF(3, 4);

/* The error for an unexpected status: what it means for who asks so, and what to do about it.
 * Codes as of rg_http_status_error. */
RG_CHECKED rg_error *rg_gitlab_refusal(const rg_gitlab_api *api, const rg_http_request *request,
				       const rg_http_response *response);

/* A page of a list, or the only one, into `body`, which is initialised. *url is freed and becomes
 * the next page's, NULL after the last one. `what` is the subject of errors. */
RG_CHECKED rg_error *rg_gitlab_get(const rg_gitlab_api *api, char **url, const char *what,
				   rg_buf *body);

/* All pages of a list. */
typedef struct {
	rg_buf *items;
	size_t count, capacity;
} rg_gitlab_pages;

/* `url` is freed. RG_E_LIMIT past 200 pages. Released whatever comes back. */
RG_CHECKED rg_error *rg_gitlab_get_pages(rg_gitlab_pages *out, const rg_gitlab_api *api, char *url,
					 const char *what);
void rg_gitlab_pages_release(rg_gitlab_pages *pages);

/* The most bytes of a page of the API. */
#define RG_GITLAB_PAGE_MAX ((size_t)32 << 20)

#endif
