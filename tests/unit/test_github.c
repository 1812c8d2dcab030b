/* SPDX-License-Identifier: Apache-2.0 */
/* A run as GitHub lists it, page by page, from a server that lies. */
#include "unit/unit.h"

#include "base/file.h"
#include "source/github.h"
#include "unit/scripted_server.h"

#include <stdlib.h>

#define HEAD(more) "HTTP/1.1 200 OK\r\nConnection: close\r\n" more "\r\n"
#define RUN        HEAD("") "{\"id\": 5, \"head_sha\": \"a\", \"status\": \"completed\"}"
#define JOB(id)    "{\"id\": " #id ", \"name\": \"g/t" #id "\", \"status\": \"completed\"}"
#define ARTIFACT                                                                           \
	"{\"id\": 7, \"name\": \"logs-t-5-x\", \"size_in_bytes\": 3, \"expired\": false, " \
	"\"created_at\": null}"
#define ARTIFACTS HEAD("") "{\"total_count\": 1, \"artifacts\": [" ARTIFACT "]}"
#define NEXT      "Link: </repositories/1/jobs?page=2>; rel=\"next\"\r\n"

typedef struct {
	scripted_server server;
	rg_http *http;
	rg_cache *cache;
	rg_source *source;
	rg_run run;
} fixture;

static void start(fixture *f, const scripted_answer *answers, size_t count, const char *cache)
{
	rg_http_options options = rg_http_options_default();
	rg_repository repository;

	memset(f, 0, sizeof(*f));
	assert_true(script_start(&f->server, answers, count));
	options.api_url = f->server.url;
	options.retries = 0;
	assert_success(rg_http_new(&f->http, &options));
	if (cache)
		assert_success(rg_cache_open(&f->cache, cache, 0, NULL));
	assert_success(rg_repository_parse(&repository, "o/n", RG_SOURCE_ANY));
	f->source = rg_github_new(f->http, &repository, f->cache, NULL);
	rg_repository_release(&repository);
	rg_run_init(&f->run);
}

static void stop(fixture *f)
{
	rg_run_release(&f->run);
	f->source->free(f->source);
	rg_cache_free(f->cache);
	rg_http_free(f->http);
	script_stop(&f->server);
}

static rg_error *load(fixture *f)
{
	return f->source->load(f->source, 5, 0, &f->run);
}

TEST(reads_all_pages)
{
	const scripted_answer answers[] = {
		{RUN, false, NULL},
		{HEAD(NEXT) "{\"total_count\": 3, \"jobs\": [" JOB(9) "," JOB(2) "]}", false,
		 "/jobs"},
		{HEAD("") "{\"total_count\": 3, \"jobs\": [" JOB(4) "]}", false, "/jobs"},
		{ARTIFACTS, false, "/artifacts"},
	};
	fixture f;

	start(&f, answers, 4, NULL);
	assert_success(load(&f));
	assert_int_equal(f.run.job_count, 3);
	assert_int_equal(f.run.jobs[0].id, 2);
	assert_int_equal(f.run.jobs[2].id, 9);
	assert_string_equal(f.run.repository, "o/n");
	assert_string_equal(f.run.host, "github.com");
	assert_non_null(strstr(f.server.by_answer[0], "GET /repos/o/n/actions/runs/5 "));
	assert_non_null(strstr(f.server.by_answer[1],
			       "GET /repos/o/n/actions/runs/5/jobs?filter=latest&per_page=100 "));
	assert_non_null(strstr(f.server.by_answer[2], "GET /repositories/1/jobs?page=2 "));
	stop(&f);
}

TEST(reads_what_was_run_again)
{
	const scripted_answer answers[] = {
		{HEAD("") "{\"id\": 5, \"head_sha\": \"a\", \"status\": \"completed\", "
			  "\"run_attempt\": 2}",
		 false, NULL},
		{HEAD("") "{\"total_count\": 2, \"jobs\": [" JOB(9) "," JOB(2) "]}", false,
		 "/jobs?filter=latest"},
		{HEAD("") "{\"total_count\": 3, \"jobs\": [" JOB(1) "," JOB(9) "," JOB(2) "]}",
		 false, "/jobs?filter=all"},
		{ARTIFACTS, false, "/artifacts"},
	};
	fixture f;

	start(&f, answers, 4, NULL);
	assert_success(load(&f));
	assert_int_equal(f.run.attempt, 2);
	assert_int_equal(f.run.job_count, 2);
	assert_int_equal(f.run.earlier_count, 1);
	assert_int_equal(f.run.earlier[0].id, 1);
	stop(&f);
}

TEST(ends_on_lies)
{
	static const struct {
		scripted_answer second, third;
		const char *message;
	} cases[] = {
		{{HEAD(NEXT) "{\"total_count\": 1, \"jobs\": [" JOB(1) "]}", false, "/jobs"},
		 {HEAD(NEXT) "{\"total_count\": 1, \"jobs\": [" JOB(1) "]}", false, "/jobs"},
		 "jobs of run 5: its pages go on after the 1 items that it counts"},
		{{HEAD(NEXT) "{\"total_count\": 9, \"jobs\": [" JOB(1) "]}", false, "/jobs"},
		 {HEAD(NEXT) "{\"total_count\": 9, \"jobs\": []}", false, "/jobs"},
		 "jobs of run 5: an empty page that has a next one"},
		{{HEAD("") "{\"total_count\": 9, \"jobs\": [" JOB(1) "]}", false, "/jobs"},
		 {NULL, false, NULL},
		 "jobs of run 5: it counts 9 items, but its pages hold 1"},
		{{HEAD("Link: <https://evil.example/>; rel=\"next\"\r\n") "{\"total_count\": 9, "
									  "\"jobs\": [" JOB(1) "]}",
		  false, "/jobs"},
		 {NULL, false, NULL},
		 "jobs of run 5: the next page is on another host"},
		{{HEAD("Link: <http://evil.example/>; rel=\"next\"\r\n") "{\"total_count\": 9, "
									 "\"jobs\": [" JOB(1) "]}",
		  false, "/jobs"},
		 {NULL, false, NULL},
		 "jobs of run 5: http://evil.example: refused; only https is used, and http to "
		 "this "
		 "machine alone"},
		{{HEAD("") "<html>sorry</html>", false, "/jobs"},
		 {NULL, false, NULL},
		 "jobs of run 5: the answer is not that of GitHub's API; check its address: not "
		 "JSON: line 1, at '<html>sorry</html>'"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const scripted_answer answers[] = {
			{RUN, false, NULL}, cases[i].second, cases[i].third};
		rg_error *err;
		fixture f;

		start(&f, answers, 3, NULL);
		err = load(&f);
		assert_non_null(err);
		assert_string_equal(rg_error_message(err), cases[i].message);
		rg_error_free(err);
		stop(&f);
	}
}

TEST(refuses_another_run)
{
	const scripted_answer answers[] = {
		{HEAD("") "{\"id\": 6, \"head_sha\": \"a\", \"status\": \"completed\"}", false,
		 NULL}};
	fixture f;

	start(&f, answers, 1, NULL);
	assert_error(load(&f), RG_E_PARSE, "run 5 of o/n: the answer is about run 6");
	stop(&f);
}

/* The same job on two pages: one of them is a page that was there before. */
TEST(refuses_twice_listed_jobs)
{
	const scripted_answer answers[] = {
		{RUN, false, NULL},
		{HEAD(NEXT) "{\"total_count\": 2, \"jobs\": [" JOB(1) "]}", false, "/jobs"},
		{HEAD("") "{\"total_count\": 2, \"jobs\": [" JOB(1) "]}", false, "/jobs"},
		{ARTIFACTS, false, "/artifacts"},
	};
	fixture f;

	start(&f, answers, 4, NULL);
	assert_error(load(&f), RG_E_PARSE, "run 5: the list has job 1 twice");
	stop(&f);
}

/* In a run that goes on, a job that began meanwhile pushes another onto the second page. */
TEST(lists_may_grow)
{
	const scripted_answer answers[] = {
		{HEAD("") "{\"id\": 5, \"head_sha\": \"a\", \"status\": \"in_progress\"}", false,
		 NULL},
		{HEAD(NEXT) "{\"total_count\": 2, \"jobs\": [" JOB(1) "]}", false, "/jobs"},
		{HEAD("") "{\"total_count\": 3, \"jobs\": [" JOB(1) ", " JOB(2) "]}", false,
		 "/jobs"},
		{ARTIFACTS, false, "/artifacts"},
	};
	fixture f;

	start(&f, answers, 4, NULL);
	assert_success(load(&f));
	assert_int_equal(f.run.job_count, 2);
	assert_int_equal(f.run.jobs[1].id, 2);
	stop(&f);
}

TEST(revalidates_what_it_kept)
{
	const scripted_answer answers[] = {
		{HEAD("ETag: \"r\"\r\n") "{\"id\": 5, \"head_sha\": \"a\", \"status\": "
					 "\"completed\"}",
		 false, NULL},
		{HEAD("ETag: \"j1\"\r\n" NEXT) "{\"total_count\": 2, \"jobs\": [" JOB(1) "]}",
		 false, "/jobs"},
		{HEAD("ETag: \"j2\"\r\n") "{\"total_count\": 2, \"jobs\": [" JOB(2) "]}", false,
		 "/jobs"},
		{ARTIFACTS, false, "/artifacts"},
		{"HTTP/1.1 304 x\r\nConnection: close\r\n\r\n", false, "/runs/5 "},
		{"HTTP/1.1 304 x\r\nConnection: close\r\n\r\n", false, "/jobs?filter"},
		{"HTTP/1.1 304 x\r\nConnection: close\r\n\r\n", false, "/jobs?page=2"},
		{ARTIFACTS, false, "/artifacts"},
	};
	char folder[] = "/tmp/regild-github-XXXXXX";
	fixture f;

	assert_non_null(mkdtemp(folder));
	start(&f, answers, 8, folder);
	assert_success(load(&f));
	rg_run_release(&f.run);
	assert_success(load(&f));
	assert_int_equal(f.run.job_count, 2);
	assert_non_null(strstr(f.server.by_answer[4], "If-None-Match: \"r\"\r\n"));
	assert_non_null(strstr(f.server.by_answer[6], "If-None-Match: \"j2\"\r\n"));
	assert_null(strstr(f.server.by_answer[7], "If-None-Match"));
	stop(&f);
	assert_success(rg_remove_tree(folder));
}

/* Never called: nothing comes. */
static rg_error *take_none(void *context, const rg_selected *selected)
{
	(void)context;
	(void)selected;
	fail();
	return NULL;
}

TEST(says_why_there_is_no_address)
{
	const scripted_answer answers[] = {
		{"HTTP/1.1 410 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false, NULL},
		{"HTTP/1.1 302 x\r\nConnection: close\r\nLocation: http://store.example/a?sig=1\r\n"
		 "Content-Length: 0\r\n\r\n",
		 false, NULL},
	};
	const rg_artifact artifact = {.id = 7, .name = "x", .expires_at = "2026-03-11T05:00:00Z"};
	const rg_take_request request = {
		.limits = rg_zip_limits_default(), .folder = "/tmp", .take = take_none};
	rg_selection selection;
	const char *check;
	fixture f;

	start(&f, answers, 2, NULL);
	rg_selection_init(&selection);
	assert_error(f.source->take(f.source, &artifact, &request, &selection, &check), RG_E_GONE,
		     "on 2026-03-11; re-run the job to make it again");
	assert_error(f.source->take(f.source, &artifact, &request, &selection, &check), RG_E_UNSAFE,
		     "its address: http://store.example: refused; only https is used, and http to "
		     "this machine alone");
	rg_selection_release(&selection);
	stop(&f);
}
