/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What names a place: --run, --repo, remotes, URLs and the headers of answers. What is taken is
 * safe to ask for, and means the same when it is written out again.
 */
#include "require.h"

#include "net/response_header.h"
#include "net/url.h"
#include "source/run_url.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A repository that was taken: its address may be asked, and its name is its name. */
static void check_repository(const rg_repository *repository)
{
	char *name = NULL, *api = NULL;
	rg_repository again;
	name = rg_textf("https://%s/%s", repository->host, repository->path);
	rg_error *err = NULL;

	require(!err, "no memory");
	err = rg_repository_parse(&again, name, repository->kind);
	require(!err && rg_repository_equal(repository, &again), "a repository's own name");
	rg_repository_release(&again);
	api = rg_repository_api_url(repository);
	rg_error_free(rg_url_check(api)); /* "a..b" is a host for us and none for curl */
	require(!strpbrk(api, "?#@ \\%") && !strstr(api, "/../"),
		"an address with more than a path");
	free(api);
	free(name);
}

static void check_names(const char *text, rg_source_kind kind)
{
	rg_repository repository;
	rg_run_name run;
	rg_error *err = rg_repository_parse(&repository, text, kind);
	bool known;

	if (!err) {
		check_repository(&repository);
		rg_repository_release(&repository);
	}
	rg_error_free(err);
	rg_repository_from_remote(&repository, text, kind, &known);
	err = NULL;
	require(!err, "no memory");
	if (known)
		check_repository(&repository);
	rg_repository_release(&repository);
	err = rg_run_name_parse(&run, text);
	if (!err) {
		require(run.id || run.job, "a run's id, or a job's of GitLab");
		if (run.has_repository)
			check_repository(&run.repository);
		rg_run_name_release(&run);
	}
	rg_error_free(err);
}

static void check_url(const char *text)
{
	static const char base[] = "https://api.github.com/repos/o/n/actions/runs?page=1";
	char *shown, *resolved, *again;
	rg_error *err = rg_url_shown(&shown, text);

	if (!err) {
		require(!strpbrk(shown, "?#"), "a query is shown");
		free(shown);
	}
	rg_error_free(err);
	err = rg_url_resolve(&resolved, base, text);
	if (!err) {
		require(!rg_url_check(resolved), "what is resolved is refused");
		require(!rg_url_resolve(&again, base, resolved) && !strcmp(resolved, again),
			"what is resolved moves on");
		require(rg_url_same_origin(resolved, again), "the origin");
		require(!rg_url_is_below(resolved, base) || rg_url_same_origin(resolved, base),
			"below another origin");
		free(again);
		free(resolved);
	}
	rg_error_free(err);
	(void)rg_url_is_loopback(text);
}

static void check_headers(const char *text)
{
	rg_http_response response;
	const char *line, *end;
	char *next = strdup("https://a.example/");

	rg_error_free(rg_link_follow(&next, text));
	free(next);
	rg_http_response_init(&response);
	for (line = text; *line; line = end) {
		end = strchr(line, '\n');
		end = end ? end + 1 : line + strlen(line);
		rg_http_header(&response, line, (size_t)(end - line));
		require(!response.has_range ||
				(response.first <= response.last && response.last < response.total),
			"a range");
		require(response.limit.retry_after >= -1 && response.limit.remaining >= -1 &&
				response.limit.reset >= -1,
			"a limit");
	}
	rg_http_response_release(&response);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	check_names(text, RG_SOURCE_ANY);
	check_names(text, RG_SOURCE_GITLAB);
	check_url(text);
	check_headers(text);
	free(text);
	return 0;
}
