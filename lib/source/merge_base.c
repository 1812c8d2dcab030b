/* SPDX-License-Identifier: Apache-2.0 */
#include "source/merge_base.h"

#include "base/memory.h"
#include "net/url.h"
#include "source/api_pages.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_http *http;
	bool gitlab;
	char *base; /* "https://api.github.com/repos/OWNER/NAME" */
	rg_arena arena;
} asking;

static rg_error *ask(const asking *a, cJSON **out, char *url, const char *what)
{
	const rg_http_request request = {.url = url, .what = what};
	rg_error *err = rg_api_ask(out, a->http, a->gitlab ? "GitLab" : "GitHub", &request, NULL);
	free(url);
	return err;
}

static rg_error *find_base(asking *a, const rg_repository *repository)
{
	char *path = NULL;

	if (a->gitlab)
		RG_TRY(rg_url_escape(&path, repository->path));
	a->base = rg_textf("%s/%s/%s", rg_http_api_url(a->http), a->gitlab ? "projects" : "repos",
			   path ? path : repository->path);
	free(path);
	return NULL;
}

static rg_error *default_branch(asking *a, const char **out)
{
	cJSON *root;
	RG_TRY(ask(a, &root, rg_strdup(a->base), "the repository"));
	const rg_json_in in = {root, &a->arena};
	rg_error *err = rg_json_get_text(&in, root, "default_branch", out);
	cJSON_Delete(root);
	return err;
}

static rg_error *compare(asking *a, const char *branch, const char *commit, const char **out)
{
	char *escaped, *url;
	cJSON *root;
	const cJSON *object;

	RG_TRY(rg_url_escape(&escaped, branch));
	url = a->gitlab ? rg_textf("%s/repository/merge_base?refs%%5B%%5D=%s&refs%%5B%%5D=%s",
				   a->base, escaped, commit)
			: rg_textf("%s/compare/%s...%s?per_page=1", a->base, escaped, commit);
	free(escaped);
	RG_TRY(ask(a, &root, url, "the merge base"));
	const rg_json_in in = {root, &a->arena};
	object = root;
	rg_error *err = a->gitlab ? NULL
				  : rg_json_get_object(&in, root, "merge_base_commit", &object);
	if (!err)
		err = rg_json_get_text(&in, object, a->gitlab ? "id" : "sha", out);
	if (!err && (strlen(*out) != 40 || strspn(*out, "0123456789abcdef") != 40))
		err = rg_error_new(RG_E_PARSE, "the merge base: '%s' is not a commit", *out);
	cJSON_Delete(root);
	return err;
}

rg_error *rg_api_merge_base(char out[static 41], rg_http *http, const rg_repository *repository,
			    const char *branch, const char *commit)
{
	asking a = {.http = http, .gitlab = repository->kind == RG_SOURCE_GITLAB};
	const char *found = NULL;

	rg_arena_init(&a.arena);
	rg_error *err = find_base(&a, repository);
	if (!err && !branch)
		err = default_branch(&a, &branch);
	if (!err)
		err = compare(&a, branch, commit, &found);
	if (!err)
		memcpy(out, found, 41);
	free(a.base);
	rg_arena_release(&a.arena);
	return err;
}
