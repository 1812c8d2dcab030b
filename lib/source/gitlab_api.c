/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab_api.h"

#include "base/cancel.h"
#include "base/memory.h"
#include "base/number.h"
#include "net/url.h"

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

enum { PAGES_MAX = 200 };

static const char *const headers[] = {"Accept: application/json", NULL};
/* gitlab.com takes 2,000 requests a minute; other instances say in their answers what is left. */
static const rg_pace pace = {500, 25};
const rg_http_service rg_gitlab_service = {"GitLab", "PRIVATE-TOKEN: ", headers, NULL, &pace, NULL};
const rg_http_service rg_gitlab_job_service = {"GitLab", "JOB-TOKEN: ", headers, NULL, &pace, NULL};

rg_error *rg_gitlab_api_init(rg_gitlab_api *out, rg_http *http, const rg_repository *repository,
			     rg_gitlab_access access)
{
	RG_AUTO_FREE char *escaped = NULL;

	RG_TRY(rg_url_escape(&escaped, repository->path));
	*out = (rg_gitlab_api){.http = http, .access = access};
	rg_repository_copy(&out->repository, repository);
	out->projects = rg_textf("%s/projects", rg_http_api_url(http));
	out->own = rg_textf("%s/%s", out->projects, escaped);
	return NULL;
}

void rg_gitlab_api_release(rg_gitlab_api *api)
{
	free(api->own);
	free(api->projects);
	rg_repository_release(&api->repository);
	*api = (rg_gitlab_api){0};
}

char *rg_gitlab_url(const rg_gitlab_api *api, uint64_t project, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	RG_AUTO_FREE char *rest = rg_vtextf(format, args);
	va_end(args);
	return project ? rg_textf("%s/%llu%s", api->projects, (unsigned long long)project, rest)
		       : rg_textf("%s%s", api->own, rest);
}

/* ---- refusals ---- */

/* In the order of rg_gitlab_access. */
static const char *const meanings[] = {
	"it is not there, or not open to everybody: set GITLAB_TOKEN to a token with the scope "
	"read_api",
	"it is not there, or not open to everybody, and no token is sent to a host that only "
	".regild or a remote names; if you trust it, name it with --repo or GITLAB_HOST",
	NULL,
	"a job's own token, CI_JOB_TOKEN, may not read it: set GITLAB_TOKEN to a token with the "
	"scope read_api",
};

static const char *meaning_for_token(long status)
{
	switch (status) {
	case 401:
		return "the token was refused; check GITLAB_TOKEN, or RO_API_TOKEN";
	case 403:
		return "the token may not read this; it needs the scope read_api, and its owner "
		       "the role Reporter in the project";
	default:
		return "not found; check the id and the project, and that the token may read it";
	}
}

rg_error *rg_gitlab_refusal(const rg_gitlab_api *api, const rg_http_request *request,
			    const rg_http_response *response)
{
	const char *meaning = meanings[api->access];
	long status = response->status;

	if (status != 401 && status != 403 && status != 404)
		return rg_http_status_error(api->http, request, response);
	return rg_http_refusal(request, response, meaning ? meaning : meaning_for_token(status));
}

/* ---- pages ---- */

/* Makes it "…&page=3", whatever page the URL has. */
static rg_error *at_page(char **url, int64_t page)
{
	static const char key[] = "&page=";
	char *end = strstr(*url, key);
	uint64_t current = 1;

	if (end)
		rg_uint64_parse(end + strlen(key), strlen(end + strlen(key)), &current);
	if ((uint64_t)page <= current)
		return rg_error_new(RG_E_PARSE, "after page %llu comes page %lld",
				    (unsigned long long)current, (long long)page);
	RG_AUTO_FREE char *old = *url;
	*url = rg_textf("%.*s%s%lld", end ? (int)(end - old) : (int)strlen(old), old, key,
			(long long)page);
	return NULL;
}

rg_error *rg_gitlab_get(const rg_gitlab_api *api, char **url, const char *what, rg_buf *body)
{
	const rg_http_request request = {.url = *url, .what = what};
	RG_AUTO(rg_http_response) response = {0};

	rg_http_response_init(&response);
	RG_TRY(rg_http_get(api->http, &request, body, &response));
	if (response.status != 200)
		return rg_gitlab_refusal(api, &request, &response);
	return rg_error_wrap(response.next_page > 0 ? at_page(url, response.next_page)
						    : rg_link_follow(url, response.link),
			     "%s", what);
}

rg_error *rg_gitlab_get_pages(rg_gitlab_pages *out, const rg_gitlab_api *api, char *url,
			      const char *what)
{
	RG_AUTO_FREE char *next = url;
	while (next) {
		RG_TRY(rg_cancel_check());
		if (out->count == PAGES_MAX)
			return rg_error_new(RG_E_LIMIT, "%s: more than %d pages", what, PAGES_MAX);
		rg_buf *page = RG_PUSH(out->items, out->count, out->capacity);
		rg_buf_init(page, RG_GITLAB_PAGE_MAX);
		RG_TRY(rg_gitlab_get(api, &next, what, page));
	}
	return NULL;
}

void rg_gitlab_pages_release(rg_gitlab_pages *pages)
{
	while (pages->count)
		rg_buf_release(&pages->items[--pages->count]);
	free(pages->items);
	*pages = (rg_gitlab_pages){0};
}
