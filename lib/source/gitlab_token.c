/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab_token.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool may_be_users(const rg_repository *repository)
{
	return repository->named || !strcmp(repository->host, "gitlab.com") ||
	       rg_host_is_in("GITLAB_HOST", repository->host) ||
	       rg_host_is_in("CI_SERVER_HOST", repository->host);
}

static bool may_be_read_only(const rg_repository *repository)
{
	return (repository->named && repository->in_call) ||
	       rg_host_is_in("GITLAB_ENDPOINT", repository->host);
}

static bool may_be_jobs(const rg_repository *repository)
{
	return rg_host_is_in("CI_API_V4_URL", repository->host);
}

void rg_gitlab_token_find(char **token, rg_gitlab_access *access, const rg_repository *repository)
{
	static const struct {
		const char *variable;
		bool (*may_have)(const rg_repository *);
		rg_gitlab_access access;
	} known[] = {
		{"GITLAB_TOKEN", may_be_users, RG_GITLAB_USER},
		{"RO_API_TOKEN", may_be_read_only, RG_GITLAB_USER},
		{"CI_JOB_TOKEN", may_be_jobs, RG_GITLAB_JOB},
	};

	*token = NULL;
	*access = RG_GITLAB_NOBODY;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const char *value = getenv(known[i].variable);
		if (!value || !*value)
			continue;
		if (!known[i].may_have(repository)) {
			if (!repository->named && known[i].access == RG_GITLAB_USER)
				*access = RG_GITLAB_WITHHELD;
			continue;
		}
		*access = known[i].access;
		*token = rg_strdup(value);
		return;
	}
}
