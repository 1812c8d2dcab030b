/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines as GitLab lists them, page by page, and who gets which token. */
#include "unit/unit.h"

#include "source/gitlab.h"
#include "source/gitlab_api.h"
#include "source/settings.h"
#include "unit/scripted_server.h"

#include <stdlib.h>

#define HEAD(more) "HTTP/1.1 200 OK\r\nConnection: close\r\n" more "\r\n"
#define PIPELINE(id, status, more)                                                                 \
	"{\"id\": " id ", \"project_id\": 7, \"sha\": \"a\", \"ref\": \"main\", \"source\": "      \
	"\"push\", \"status\": \"" status "\", \"created_at\": \"2026-03-0" id "T00:00:00Z\"" more \
	"}"

#define OF_REQUEST(id, project, sha)                                    \
	"{\"id\": " id ", \"project_id\": " project ", \"sha\": \"" sha \
	"\", \"ref\": \"b\", \"status\": \"success\", \"created_at\": \"2026-03-01T00:00:00Z\"}"

typedef struct {
	scripted_server server;
	rg_http *http;
	rg_source *source;
} fixture;

static void start(fixture *f, const scripted_answer *answers, size_t count)
{
	rg_http_options options = rg_http_options_default();
	rg_repository repository;

	assert_true(script_start(&f->server, answers, count));
	options.service = &rg_gitlab_service;
	options.api_url = f->server.url;
	options.token = "secret";
	options.retries = 0;
	assert_success(rg_http_new(&f->http, &options));
	assert_success(rg_repository_parse(&repository, "g/sub/p", RG_SOURCE_GITLAB));
	assert_success(rg_gitlab_new(&f->source, f->http, &repository, RG_GITLAB_USER, NULL));
	rg_repository_release(&repository);
}

static void stop(fixture *f)
{
	f->source->free(f->source);
	rg_http_free(f->http);
	script_stop(&f->server);
}

static rg_error *list(fixture *f, const rg_run_query *query, rg_run_list *out)
{
	return f->source->list(f->source, query, out);
}

/* By x-next-page, and by Link where a proxy has taken that away. */
TEST(lists_pages_up_to_the_last)
{
	const scripted_answer answers[] = {
		{HEAD("x-next-page: 2\r\n") "[" PIPELINE("9", "success",
							 "") "," PIPELINE("8", "running", "") "]",
		 false, NULL},
		{HEAD("Link: </next>; rel=\"next\"\r\n") "[" PIPELINE(
			 "8", "success", "") "," PIPELINE("7", "failed",
							  ", \"name\": \"Nightly\"") "]",
		 false, "&page=2"},
		{HEAD("x-next-page: \r\n") "[" PIPELINE("7", "failed", "") "," PIPELINE(
			 "6", "canceled", "") "," PIPELINE("5", "success", "") "]",
		 false, "/next"},
	};
	const rg_run_query query = {.last = 4, .branch = "main"};
	rg_run_list runs;
	fixture f;

	start(&f, answers, 3);
	assert_success(list(&f, &query, &runs));
	assert_int_equal(runs.count, 4);
	assert_int_equal(runs.items[0].id, 9);
	assert_string_equal(runs.items[0].conclusion, "success");
	assert_string_equal(runs.items[0].event, "push");
	assert_int_equal(runs.items[1].id, 8);
	assert_string_equal(runs.items[2].title, "Nightly");
	assert_int_equal(runs.items[3].id, 6);
	assert_non_null(strstr(f.server.by_answer[0],
			       "GET /projects/g%2Fsub%2Fp/pipelines?order_by=id&sort=desc&per_page="
			       "100&scope=finished&ref=main "));
	assert_non_null(strstr(f.server.by_answer[0], "PRIVATE-TOKEN: secret\r\n"));
	rg_run_list_release(&runs);
	stop(&f);
}

/* What an older server does not filter is left out here. */
TEST(leaves_out_what_is_not_asked_for)
{
	const scripted_answer answers[] = {
		{HEAD("x-next-page: 2\r\n") "[" PIPELINE("9", "running", "") "," PIPELINE(
			 "6", "success", "") "," PIPELINE("3", "success", "") "]",
		 false, NULL},
	};
	const rg_run_query query = {.last = 9, .since = "2026-03-04"};
	rg_run_list runs;
	fixture f;

	start(&f, answers, 1);
	assert_success(list(&f, &query, &runs));
	assert_int_equal(runs.count, 1);
	assert_int_equal(runs.items[0].id, 6);
	rg_run_list_release(&runs);
	stop(&f);
}

/* Of a merge request its newest commit's, merged or not; a fork's own run elsewhere. */
TEST(lists_a_merge_requests_pipelines)
{
	const scripted_answer answers[] = {
		{HEAD("") "{\"source_branch\": \"b\", \"sha\": \"a\", \"source_project_id\": 7, "
			  "\"target_project_id\": 7, \"head_pipeline\": {\"sha\": \"merged\"}}",
		 false, "/merge_requests/3 "},
		{HEAD("") "[" OF_REQUEST("9", "7", "older") "," OF_REQUEST(
			 "8", "99", "a") "," OF_REQUEST("6", "7", "merged") "," OF_REQUEST("5", "7",
											   "a") "]",
		 false, "/merge_requests/3/pipelines?"},
	};
	const rg_run_query query = {.last = 9, .pull = 3, .own = true};
	rg_run_list runs;
	fixture f;

	start(&f, answers, 2);
	assert_success(list(&f, &query, &runs));
	assert_int_equal(runs.forks, 1);
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.items[0].id, 6);
	assert_int_equal(runs.items[1].id, 5);
	rg_run_list_release(&runs);
	stop(&f);
}

TEST(ends_on_lies)
{
	static const struct {
		const char *answer, *message;
	} cases[] = {
		{HEAD("x-next-page: 1\r\n") "[" PIPELINE("9", "success", "") "]",
		 "pipelines of g/sub/p: after page 1 comes page 1"},
		{HEAD("Link: <https://evil.example/>; rel=\"next\"\r\n") "[" PIPELINE(
			 "9", "success", "") "]",
		 "pipelines of g/sub/p: the next page is on another host"},
		{HEAD("") "{\"message\": \"hello\"}",
		 "pipelines of g/sub/p: 'pipelines' is not a list"},
		{HEAD("") "[{\"id\": 1}]",
		 "pipelines of g/sub/p: 'pipelines[0].created_at' is missing"},
		{"HTTP/1.1 403 No\r\nConnection: close\r\n\r\n{\"message\": \"no, secret\"}",
		 "pipelines of g/sub/p: the token may not read this; it needs the scope read_api, "
		 "and "
		 "its owner the role Reporter in the project (403: no, ******)"},
	};
	const rg_run_query query = {.last = 9};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const scripted_answer answers[] = {{cases[i].answer, false, NULL}};
		rg_run_list runs;
		rg_error *err;
		fixture f;

		start(&f, answers, 1);
		err = list(&f, &query, &runs);
		assert_non_null(err);
		assert_string_equal(rg_error_message(err), cases[i].message);
		rg_error_free(err);
		stop(&f);
	}
}

/* ---- tokens ---- */

static const char *const variables[] = {"GITLAB_TOKEN", "RO_API_TOKEN",   "CI_JOB_TOKEN",
					"GITLAB_HOST",  "CI_SERVER_HOST", "GITLAB_ENDPOINT",
					"CI_API_V4_URL"};

enum { BY_CLONE, BY_CONFIG, BY_CALL };

TEST(gives_tokens_to_named_hosts_alone)
{
	static const struct {
		const char *token, *host;
		int named;
		const char *variable, *value;
		rg_gitlab_access access;
	} cases[] = {
		{"GITLAB_TOKEN", "gitlab.com", BY_CLONE, NULL, NULL, RG_GITLAB_USER},
		{"GITLAB_TOKEN", "lab.example", BY_CLONE, NULL, NULL, RG_GITLAB_WITHHELD},
		{"GITLAB_TOKEN", "gitlab.example", BY_CLONE, NULL, NULL, RG_GITLAB_WITHHELD},
		{"GITLAB_TOKEN", "gitlab.com.evil", BY_CLONE, NULL, NULL, RG_GITLAB_WITHHELD},
		{"GITLAB_TOKEN", "gitlab.com:444", BY_CLONE, NULL, NULL, RG_GITLAB_WITHHELD},
		{"GITLAB_TOKEN", "lab.example", BY_CONFIG, NULL, NULL, RG_GITLAB_USER},
		{"GITLAB_TOKEN", "lab.example", BY_CALL, NULL, NULL, RG_GITLAB_USER},
		{"GITLAB_TOKEN", "lab.example", BY_CLONE, "GITLAB_HOST", "Lab.example",
		 RG_GITLAB_USER},
		{"GITLAB_TOKEN", "lab.example", BY_CLONE, "GITLAB_HOST", "https://lab.example/",
		 RG_GITLAB_USER},
		{"GITLAB_TOKEN", "lab.example", BY_CLONE, "CI_SERVER_HOST", "lab.example",
		 RG_GITLAB_USER},
		{"GITLAB_TOKEN", "lab.example:1", BY_CLONE, "CI_SERVER_HOST", "lab.example",
		 RG_GITLAB_WITHHELD},
		{"GITLAB_TOKEN", "lab.example", BY_CLONE, "GITLAB_ENDPOINT", "lab.example",
		 RG_GITLAB_WITHHELD},
		{"GITLAB_TOKEN", "lab.example", BY_CLONE, "CI_API_V4_URL",
		 "https://lab.example/api/v4", RG_GITLAB_WITHHELD},
		{"RO_API_TOKEN", "gitlab.com", BY_CLONE, NULL, NULL, RG_GITLAB_WITHHELD},
		{"RO_API_TOKEN", "lab.example", BY_CONFIG, NULL, NULL, RG_GITLAB_NOBODY},
		{"RO_API_TOKEN", "lab.example", BY_CALL, NULL, NULL, RG_GITLAB_USER},
		{"RO_API_TOKEN", "lab.example", BY_CLONE, "GITLAB_ENDPOINT", "lab.example",
		 RG_GITLAB_USER},
		{"RO_API_TOKEN", "lab.example", BY_CLONE, "GITLAB_HOST", "lab.example",
		 RG_GITLAB_WITHHELD},
		{"CI_JOB_TOKEN", "lab.example", BY_CALL, NULL, NULL, RG_GITLAB_NOBODY},
		{"CI_JOB_TOKEN", "lab.example", BY_CLONE, "CI_SERVER_HOST", "lab.example",
		 RG_GITLAB_NOBODY},
		{"CI_JOB_TOKEN", "lab.example", BY_CLONE, "CI_API_V4_URL",
		 "https://lab.example/api/v4", RG_GITLAB_JOB},
		{"CI_JOB_TOKEN", "lab.example", BY_CLONE, "CI_API_V4_URL",
		 "https://lab.example.evil/api/v4", RG_GITLAB_NOBODY},
	};
	size_t i, k;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char path[] = "g/p", host[32];
		const rg_repository repository = {.kind = RG_SOURCE_GITLAB,
						  .host = host,
						  .path = path,
						  .named = cases[i].named != BY_CLONE,
						  .in_call = cases[i].named == BY_CALL};
		rg_gitlab_access access;
		char *token;

		for (k = 0; k < sizeof(variables) / sizeof(*variables); k++)
			unsetenv(variables[k]);
		snprintf(host, sizeof(host), "%s", cases[i].host);
		setenv(cases[i].token, "secret", 1);
		if (cases[i].variable)
			setenv(cases[i].variable, cases[i].value, 1);
		rg_gitlab_token_find(&token, &access, &repository);
		if (access != cases[i].access)
			fail_msg("%zu: %s to %s: %d", i, cases[i].token, cases[i].host, access);
		assert_int_equal(token != NULL,
				 access == RG_GITLAB_USER || access == RG_GITLAB_JOB);
		rg_token_free(token);
	}
}
