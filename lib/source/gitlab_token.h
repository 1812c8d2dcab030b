/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_GITLAB_TOKEN_H
#define REGILD_SOURCE_GITLAB_TOKEN_H

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

#endif
