/* SPDX-License-Identifier: Apache-2.0 */
#include "source/pull_of_run.h"

#include "base/memory.h"
#include "net/url.h"
#include "source/api_pages.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
	const rg_run *run;
	bool gitlab;
	uint64_t found, moved; /* 0: none */
	char *now;             /* where the one that has moved is */
	rg_arena arena;
} find_state;

static void find_state_release(find_state *s)
{
	free(s->now);
	rg_arena_release(&s->arena);
}

/* Both are of the run's branch; GitHub's list has forks' branches of that name, too. */
static rg_error *read_pull(find_state *s, const rg_json_in *in, const cJSON *item)
{
	const cJSON *head = item, *repository;
	const char *sha, *branch, *name = NULL;
	uint64_t number;

	RG_TRY(rg_json_get_count(in, item, s->gitlab ? "iid" : "number", RG_JSON_EXACT_MAX,
				 &number));
	if (!s->gitlab) {
		RG_TRY(rg_json_get_object(in, item, "head", &head));
		repository = rg_json_member(head, "repo"); /* null: it was deleted */
		if (repository)
			RG_TRY(rg_json_get_text(in, repository, "full_name", &name));
		if (!name || !s->run->head_repository || strcasecmp(name, s->run->head_repository))
			return NULL;
	}
	RG_TRY(rg_json_get_text(in, head, s->gitlab ? "source_branch" : "ref", &branch));
	RG_TRY(rg_json_get_text(in, head, "sha", &sha));
	if (strcmp(branch, s->run->branch) != 0)
		return NULL;
	if (!strcmp(sha, s->run->head_commit)) {
		s->found = number;
		return NULL;
	}
	s->moved = number;
	free(s->now);
	s->now = rg_strdup(sha);
	return NULL;
}

static rg_error *read_page(void *context, const cJSON *page)
{
	find_state *s = context;
	const rg_json_in in = {page, &s->arena};
	const cJSON *item;

	cJSON_ArrayForEach(item, page) if (!s->found) RG_TRY(read_pull(s, &in, item));
	return NULL;
}

static rg_error *list_url(char **out, rg_http *http, const rg_repository *repository,
			  const find_state *s)
{
	const char *api = rg_http_api_url(http), *of = s->run->head_repository;
	RG_AUTO_FREE char *branch = NULL;
	RG_AUTO_FREE char *path = NULL;

	RG_TRY(rg_url_escape(&branch, s->run->branch));
	if (s->gitlab) {
		RG_TRY(rg_url_escape(&path, repository->path));
		*out = rg_textf("%s/projects/%s/merge_requests?state=opened&source_branch=%s"
				"&per_page=100",
				api, path, branch);
	} else {
		*out = rg_textf("%s/repos/%s/pulls?state=open&head=%.*s:%s&per_page=100", api,
				repository->path, (int)strcspn(of, "/"), of, branch);
	}
	return NULL;
}

/* A run of "refs/merge-requests/5/head" is of that one, wherever the branch is by now, and so is
 * one of "gh-readonly-queue/main/pr-5-COMMIT", which only GitHub's merge queue makes: a fork's
 * branch may have that name, too. */
static bool is_of_request(find_state *s, const rg_repository *repository)
{
	const char *begin = s->gitlab ? "refs/merge-requests/" : "gh-readonly-queue/", *at;
	char *end;

	if (strncmp(s->run->branch, begin, strlen(begin)) != 0)
		return false;
	at = s->run->branch + strlen(begin);
	if (!s->gitlab) {
		at = strrchr(at, '/');
		if (!at || strncmp(at, "/pr-", 4) != 0 || !s->run->event ||
		    strcmp(s->run->event, "merge_group") != 0 ||
		    strcasecmp(s->run->head_repository, repository->path) != 0)
			return false;
		at += 4;
	}
	s->found = *at >= '1' && *at <= '9' ? strtoull(at, &end, 10) : 0;
	if (s->found && *end == (s->gitlab ? '/' : '-'))
		return true;
	s->found = 0;
	return false;
}

static rg_error *answer(const find_state *s, uint64_t *out)
{
	unsigned long long run = s->run->id;
	*out = s->found;
	if (s->found)
		return NULL;
	if (s->moved)
		return rg_error_new(RG_E_CONFLICT,
				    "request %llu is at %.10s by now, and run %llu was of %.10s",
				    (unsigned long long)s->moved, s->now, run, s->run->head_commit);
	return rg_error_new(RG_E_NOTFOUND,
			    "no open request is of the repository, branch and commit of run %llu",
			    run);
}

rg_error *rg_pull_of_run(uint64_t *out, rg_http *http, const rg_repository *repository,
			 const rg_run *run)
{
	RG_AUTO(find_state) s = {.run = run, .gitlab = repository->kind == RG_SOURCE_GITLAB};
	char *url;

	if (!run->branch || !run->head_commit || (!s.gitlab && !run->head_repository))
		return rg_error_new(
			RG_E_NOTFOUND,
			"run %llu does not say of which repository, branch and commit it "
			"is",
			(unsigned long long)run->id);
	if (is_of_request(&s, repository))
		return answer(&s, out);
	RG_TRY(list_url(&url, http, repository, &s));
	RG_TRY(rg_api_pages(http, s.gitlab ? "GitLab" : "GitHub", url, "the requests that are open",
			    read_page, &s));
	return answer(&s, out);
}
