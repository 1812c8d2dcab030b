/* SPDX-License-Identifier: Apache-2.0 */
#include "source/merge_base.h"

#include "base/memory.h"
#include "net/url.h"
#include "source/api_pages.h"

#include <string.h>

static rg_error *ask(cJSON **out, rg_http *http, bool gitlab, const char *url, const char *what)
{
	const rg_http_request request = {.url = url, .what = what};
	return rg_api_ask(out, http, gitlab ? "GitLab" : "GitHub", &request, NULL);
}

rg_error *rg_api_merge_base(char out[static 41], rg_http *http, const rg_repository *repository,
			    const char *branch, const char *commit)
{
	const bool gitlab = repository->kind == RG_SOURCE_GITLAB;
	RG_AUTO(rg_arena) arena = {0};
	RG_AUTO_PTR(cJSON) about = NULL;
	RG_AUTO_PTR(cJSON) root = NULL;
	RG_AUTO_FREE char *path = NULL;
	RG_AUTO_FREE char *escaped = NULL;
	const char *found;

	if (gitlab)
		RG_TRY(rg_url_escape(&path, repository->path));
	RG_AUTO_FREE char *base = rg_textf("%s/%s/%s", rg_http_api_url(http),
					   gitlab ? "projects" : "repos",
					   path ? path : repository->path);
	if (!branch) {
		RG_TRY(ask(&about, http, gitlab, base, "the repository"));
		const rg_json_in in = {about, &arena};
		RG_TRY(rg_json_get_text(&in, about, "default_branch", &branch));
	}
	RG_TRY(rg_url_escape(&escaped, branch));
	RG_AUTO_FREE char *url =
		gitlab ? rg_textf("%s/repository/merge_base?refs%%5B%%5D=%s&refs%%5B%%5D=%s", base,
				  escaped, commit)
		       : rg_textf("%s/compare/%s...%s?per_page=1", base, escaped, commit);
	RG_TRY(ask(&root, http, gitlab, url, "the merge base"));
	const rg_json_in in = {root, &arena};
	const cJSON *object = root;
	if (!gitlab)
		RG_TRY(rg_json_get_object(&in, root, "merge_base_commit", &object));
	RG_TRY(rg_json_get_text(&in, object, gitlab ? "id" : "sha", &found));
	if (strlen(found) != 40 || strspn(found, "0123456789abcdef") != 40)
		return rg_error_new(RG_E_PARSE, "the merge base: '%s' is not a commit", found);
	memcpy(out, found, 41);
	return NULL;
}
