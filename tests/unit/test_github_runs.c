/* SPDX-License-Identifier: Apache-2.0 */
/* A workflow's runs, as GitHub lists them: page by page, and beyond 1,000 window by window. */
#include "unit/unit.h"

#include "source/github.h"
#include "source/source.h"
#include "unit/scripted_server.h"

#include <stdlib.h>

#define HEAD(more) "HTTP/1.1 200 OK\r\nConnection: close\r\n" more "\r\n"
#define NEXT       "Link: </page?n=2>; rel=\"next\"\r\n"
#define AT(hour)   "2026-04-02T" #hour ":00:00Z"
#define RUN(id, hour)                                                                          \
	"{\"id\": " #id ", \"run_attempt\": 1, \"created_at\": \"" AT(hour) "\", "             \
									    "\"head_branch\":" \
									    " null}"
#define PAGE(total, runs) "{\"total_count\": " #total ", \"workflow_runs\": [" runs "]}"
#define LISTING           "GET /repos/o/n/actions/workflows/nightly.yml/runs?per_page=100&status=completed"

typedef struct {
	scripted_server server;
	rg_http *http;
	rg_repository repository;
	rg_run_list list;
} fixture;

static void start(fixture *f, const scripted_answer *answers, size_t count)
{
	rg_http_options options = rg_http_options_default();

	memset(f, 0, sizeof(*f));
	assert_true(script_start(&f->server, answers, count));
	options.api_url = f->server.url;
	options.retries = 0;
	assert_success(rg_http_new(&f->http, &options));
	assert_success(rg_repository_parse(&f->repository, "o/n", RG_SOURCE_ANY));
}

static void stop(fixture *f)
{
	rg_run_list_release(&f->list);
	rg_repository_release(&f->repository);
	rg_http_free(f->http);
	script_stop(&f->server);
}

static rg_error *list(fixture *f, size_t last)
{
	const rg_run_query query = {.workflow = "nightly.yml", .last = last};

	return rg_github_list_runs(&f->list, f->http, &f->repository, &query);
}

/* "9 8 7": the runs' ids, as they are listed. */
static void assert_ids(const fixture *f, const char *wanted)
{
	char text[256] = "";
	size_t i, length = 0;

	for (i = 0; i < f->list.count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%llu",
					   i ? " " : "", (unsigned long long)f->list.items[i].id);
	assert_string_equal(text, wanted);
}

/* Is it what the request asks for, to the end of its address? */
static void assert_asked(const fixture *f, size_t answer, const char *wanted)
{
	const char *request = f->server.by_answer[answer];
	size_t length = strlen(wanted);

	assert_non_null(request);
	if (strncmp(request, wanted, length) != 0 || request[length] != ' ')
		fail_msg("asked: %.*s", (int)strcspn(request, "\r"), request);
}

TEST(reads_what_a_run_says)
{
	const scripted_answer answers[] = {
		{HEAD("") PAGE(1, "{\"id\": 9007199254740992, \"run_attempt\": 3, \"created_at\": "
				  "\"2026-04-02T10:00:00Z\", \"head_branch\": \"main\", "
				  "\"head_sha\": \"abc\", \"event\": \"push\"}"),
		 false, NULL}};
	const rg_listed_run *run;
	fixture f;

	start(&f, answers, 1);
	assert_success(list(&f, 5));
	assert_int_equal(f.list.count, 1);
	run = &f.list.items[0];
	assert_true(run->id == 9007199254740992u);
	assert_int_equal(run->attempt, 3);
	assert_string_equal(run->created_at, AT(10));
	assert_string_equal(run->branch, "main");
	assert_string_equal(run->commit, "abc");
	assert_string_equal(run->event, "push");
	assert_asked(&f, 0, LISTING);
	stop(&f);
}

TEST(reads_pages_up_to_the_last_wanted)
{
	const scripted_answer answers[] = {
		{HEAD(NEXT) PAGE(9, RUN(9, 19) "," RUN(8, 18)), false, NULL},
		{HEAD(NEXT) PAGE(9, RUN(7, 17) "," RUN(6, 16)), false, NULL},
		{HEAD("") PAGE(9, RUN(5, 15)), false, NULL}};
	fixture f;

	start(&f, answers, 3);
	assert_success(list(&f, 3));
	assert_ids(&f, "9 8 7");
	assert_string_equal(f.list.items[2].branch, "");
	assert_string_equal(f.list.items[2].commit, "");
	assert_asked(&f, 1, "GET /page?n=2");
	/* Nothing is asked for that nobody wants. */
	assert_int_equal(f.server.served, 2);
	stop(&f);
}

/* Runs 7 and 6 are of one second, which the second window starts with. */
TEST(goes_on_in_a_window_up_to_the_oldest)
{
	const scripted_answer answers[] = {
		{HEAD("") PAGE(5, RUN(8, 18) "," RUN(7, 17) "," RUN(6, 17)), false, NULL},
		{HEAD("") PAGE(4, RUN(7, 17) "," RUN(6, 17) "," RUN(5, 15)), false, NULL},
		{HEAD("") PAGE(2, RUN(5, 15) "," RUN(4, 14)), false, NULL}};
	fixture f;

	start(&f, answers, 3);
	assert_success(list(&f, 100));
	assert_ids(&f, "8 7 6 5 4");
	assert_asked(&f, 0, LISTING);
	assert_asked(&f, 1, LISTING "&created=%3C%3D2026-04-02T17%3A00%3A00Z");
	assert_asked(&f, 2, LISTING "&created=%3C%3D2026-04-02T15%3A00%3A00Z");
	stop(&f);
}

/* Pages may shift, or be the same again and again: no run counts twice. */
TEST(takes_each_run_once)
{
	const scripted_answer answers[] = {
		{HEAD(NEXT) PAGE(9, RUN(9, 19) "," RUN(8, 18) "," RUN(7, 17)), false, NULL},
		{HEAD(NEXT) PAGE(9, RUN(8, 18) "," RUN(7, 17) "," RUN(6, 16)), false, NULL},
		{HEAD(NEXT) PAGE(9, RUN(9, 19) "," RUN(8, 18) "," RUN(7, 17)), false, NULL},
		{HEAD("") PAGE(9, RUN(5, 15)), false, NULL}};
	fixture f;

	start(&f, answers, 4);
	assert_success(list(&f, 5));
	assert_ids(&f, "9 8 7 6 5");
	stop(&f);
}

TEST(says_when_a_second_holds_more_than_a_window)
{
	const scripted_answer answers[] = {
		{HEAD("") PAGE(5, RUN(8, 17) "," RUN(7, 17)), false, NULL},
		{HEAD("") PAGE(5, RUN(8, 17) "," RUN(7, 17)), false, NULL}};
	fixture f;

	start(&f, answers, 2);
	assert_error(list(&f, 100), RG_E_LIMIT,
		     "workflow 'nightly.yml' of o/n: GitHub counts 5 runs up to " AT(
			     17) " and gives out 2 of them; narrow it with --branch or --event");
	assert_null(f.list.items);
	stop(&f);
}

TEST(says_when_the_runs_are_too_many_lists)
{
	const scripted_answer answers[] = {{HEAD("") PAGE(9, RUN(9, 19)), false, NULL},
					   {HEAD("") PAGE(8, RUN(8, 18)), false, NULL},
					   {HEAD("") PAGE(7, RUN(7, 17)), false, NULL}};
	rg_run_query query = {.workflow = "nightly.yml", .last = 100, .lists_max = 2};
	fixture f;

	start(&f, answers, 3);
	assert_error(rg_github_list_runs(&f.list, f.http, &f.repository, &query), RG_E_LIMIT,
		     "workflow 'nightly.yml' of o/n: more than 2 lists of runs; narrow it with "
		     "--since");
	assert_int_equal(f.server.served, 2);
	stop(&f);
	/* Two that reach the last are not too many. */
	start(&f, answers, 3);
	query.last = 2;
	assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
	assert_ids(&f, "9 8");
	stop(&f);
}

/* What a person writes never becomes a part of the address that it is not meant for. */
TEST(escapes_what_it_asks_for)
{
	const scripted_answer answers[] = {{HEAD("") PAGE(2, RUN(8, 17)), false, NULL},
					   {HEAD("") PAGE(1, RUN(8, 17)), false, NULL}};
	const rg_run_query query = {.workflow = "../a b",
				    .last = 9,
				    .branch = "x&event=y",
				    .event = "#?",
				    .since = "2026-04-01"};
	fixture f;

	start(&f, answers, 2);
	assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
#define ESCAPED                                                                                 \
	"GET /repos/o/n/actions/workflows/..%2Fa%20b/runs?per_page=100&status=completed&branch" \
	"=x%26event%3Dy&event=%23%3F&created="
	assert_asked(&f, 0, ESCAPED "%3E%3D2026-04-01");
	assert_asked(&f, 1, ESCAPED "2026-04-01..2026-04-02T17%3A00%3A00Z");
	assert_ids(&f, "8");
	stop(&f);
}

/* GitHub knows fewer forms of a time than people write. */
TEST(asks_for_times_in_utc)
{
	static const struct {
		const char *since, *asked;
	} times[] = {
		{"2026-04-01T06:00:00Z", "2026-04-01T06%3A00%3A00Z"},
		{"2026-04-01T01:30:00+02:00", "2026-03-31T23%3A30%3A00Z"},
		{"2026-12-31 23:30:00.25-0430", "2027-01-01T04%3A00%3A00Z"},
	};
	const scripted_answer answers[] = {{HEAD("") PAGE(0, ""), false, NULL}};
	rg_run_query query = {.workflow = "w", .last = 9};
	char asked[256];
	fixture f;
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		start(&f, answers, 1);
		query.since = times[i].since;
		assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
		snprintf(asked, sizeof(asked),
			 "GET /repos/o/n/actions/workflows/w/runs?per_page=100&status=completed"
			 "&created=%%3E%%3D%s",
			 times[i].asked);
		assert_asked(&f, 0, asked);
		stop(&f);
	}
}

TEST(refuses_a_since_that_is_no_date)
{
	static const char *const wrong[] = {
		"",           "yesterday",  "2026-4-01",       "2026-04-0x",
		"2026/04/01", "2026-02-30", "2026-04-01T10:00"};
	static const char *const right[] = {"2026-04-01", "2026-04-01T10:00:00Z"};
	const scripted_answer answers[] = {{HEAD("") PAGE(0, ""), false, NULL},
					   {HEAD("") PAGE(0, ""), false, NULL}};
	rg_run_query query = {.workflow = "w", .last = 9};
	char message[256];
	fixture f;
	size_t i;

	start(&f, answers, 2);
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		query.since = wrong[i];
		snprintf(message, sizeof(message),
			 "'%s' is neither a date such as 2026-04-01 nor a time such as "
			 "2026-04-01T06:00:00Z",
			 wrong[i]);
		assert_error(rg_github_list_runs(&f.list, f.http, &f.repository, &query),
			     RG_E_USAGE, message);
	}
	assert_int_equal(f.server.served, 0);
	for (i = 0; i < sizeof(right) / sizeof(*right); i++) {
		query.since = right[i];
		assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
		assert_int_equal(f.list.count, 0);
		rg_run_list_release(&f.list);
	}
	stop(&f);
}

TEST(refuses_answers_that_make_no_sense)
{
#define ABOUT     "workflow 'nightly.yml' of o/n: "
#define ONE(more) HEAD("") "{\"total_count\": 1, \"workflow_runs\": [{" more "}]}"
	static const struct {
		const char *answer, *message;
		rg_error_code code;
	} cases[] = {
		{HEAD("") "<html>",
		 ABOUT "the answer is not that of GitHub's API; check its address: not JSON: "
		       "line 1, at '<html>'",
		 RG_E_PARSE},
		{HEAD("") "{\"total_count\": 0, \"workflow_runs\": []} and more",
		 ABOUT "the answer is not that of GitHub's API; check its address: not JSON: "
		       "line 1, at ' and more'",
		 RG_E_PARSE},
		{HEAD("") "{\"workflow_runs\": {}}", ABOUT "'workflow_runs' is not a list",
		 RG_E_PARSE},
		{HEAD("") "{\"workflow_runs\": []}", ABOUT "'total_count' is missing", RG_E_PARSE},
		{HEAD("") "{\"total_count\": -1, \"workflow_runs\": []}",
		 ABOUT "'total_count' is not a whole number from 0 to 9007199254740992",
		 RG_E_PARSE},
		{ONE("\"id\": \"x\""), ABOUT "'workflow_runs[0].id' is not a whole number",
		 RG_E_PARSE},
		{ONE("\"id\": 1.5"), ABOUT "'workflow_runs[0].id' is not a whole number",
		 RG_E_PARSE},
		{ONE("\"id\": 9007199254740994"),
		 ABOUT "'workflow_runs[0].id' is not a whole number", RG_E_PARSE},
		{ONE("\"id\": 5, \"created_at\": \"now\""),
		 ABOUT "'workflow_runs[0].run_attempt' is missing", RG_E_PARSE},
		{ONE("\"id\": 5, \"run_attempt\": 1000000001, \"created_at\": \"now\""),
		 ABOUT "'workflow_runs[0].run_attempt' is not a whole number from 0 to 1000000000",
		 RG_E_PARSE},
		{ONE("\"id\": 5, \"run_attempt\": 1"),
		 ABOUT "'workflow_runs[0].created_at' is missing", RG_E_PARSE},
		{ONE("\"id\": 5, \"run_attempt\": 1, \"created_at\": \"now\""),
		 ABOUT "'workflow_runs[0].created_at' is not a time", RG_E_PARSE},
		{ONE("\"id\": 5, \"created_at\": \"now\", \"head_sha\": []"),
		 ABOUT "'workflow_runs[0].head_sha' is not a text", RG_E_PARSE},
		{HEAD("Link: <https://evil.example/>; rel=\"next\"\r\n") PAGE(9, RUN(5, 15)),
		 ABOUT "the next page is on another host", RG_E_UNSAFE},
		{"HTTP/1.1 404 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", NULL,
		 RG_E_NOTFOUND},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const scripted_answer answer = {cases[i].answer, false, NULL};
		rg_error *err;
		fixture f;

		start(&f, &answer, 1);
		err = list(&f, 100);
		if (!err)
			fail_msg("taken: %s", cases[i].answer);
		if (cases[i].message)
			assert_string_equal(rg_error_message(err), cases[i].message);
		assert_int_equal(rg_error_get_code(err), cases[i].code);
		assert_null(f.list.items);
		rg_error_free(err);
		stop(&f);
	}
}

/* Pages that go on for ever, full ones and empty ones. */
TEST(ends_whatever_it_is_given)
{
	scripted_answer answers[SCRIPT_MAX];
	fixture f;
	size_t i;

	for (i = 0; i < SCRIPT_MAX; i++)
		answers[i] = (scripted_answer){HEAD(NEXT) PAGE(999, RUN(5, 15)), false, NULL};
	start(&f, answers, SCRIPT_MAX);
	assert_error(list(&f, 100), RG_E_PARSE,
		     "workflow 'nightly.yml' of o/n: more than 20 pages");
	assert_int_equal(f.server.served, 20);
	stop(&f);
	answers[0].answer = HEAD(NEXT) PAGE(999, "");
	start(&f, answers, 1);
	assert_success(list(&f, 100));
	assert_int_equal(f.list.count, 0);
	stop(&f);
}

/* Runs whose branches are called the same, of the repository and of forks; one is deleted. */
#define OF(id, hour, head)                                                                    \
	"{\"id\": " #id ", \"run_attempt\": 1, \"created_at\": \"" AT(                        \
		hour) "\", "                                                                  \
		      "\"head_branch\": \"main\", \"repository\": {\"full_name\": \"o/n\"}, " \
		      "\"head_repository\": " head "}"

TEST(tells_forks_and_leaves_them_out)
{
	const scripted_answer answers[] = {
		{HEAD("") PAGE(
			 4, OF(8, 18, "{\"full_name\": \"evil/n\"}") "," OF(
				    7, 17, "{\"full_name\": \"O/N\"}") "," OF(6, 16, "null") "," //
			 OF(5, 15, "{\"full_name\": \"o/n\"}")),
		 false, NULL}};
	rg_run_query query = {.workflow = "nightly.yml", .last = 9};
	fixture f;

	start(&f, answers, 1);
	assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
	assert_ids(&f, "8 7 6 5");
	assert_true(f.list.items[0].fork && !f.list.items[1].fork && f.list.items[2].fork);
	assert_int_equal(f.list.forks, 0);
	stop(&f);
	start(&f, answers, 1);
	query.own = true;
	query.last = 2; /* of its own */
	assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
	assert_ids(&f, "7 5");
	assert_int_equal(f.list.forks, 2);
	stop(&f);
}

TEST(finds_runs_of_any_workflow_and_status)
{
	const scripted_answer answers[] = {
		{HEAD("") PAGE(1, "{\"id\": 5, \"run_attempt\": 1, \"created_at\": \"" AT(
					  10) "\", \"path\": \".github/workflows/ci.yml\", "
					      "\"display_title\": \"Mend it\", \"status\": "
					      "\"in_progress\", \"conclusion\": null}"),
		 false, NULL}};
	const rg_run_query query = {.last = 9, .commit = "abc", .unfinished = true};
	fixture f;

	start(&f, answers, 1);
	assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
	assert_asked(&f, 0, "GET /repos/o/n/actions/runs?per_page=100&head_sha=abc");
	assert_string_equal(f.list.items[0].workflow, ".github/workflows/ci.yml");
	assert_string_equal(f.list.items[0].title, "Mend it");
	assert_string_equal(f.list.items[0].status, "in_progress");
	assert_null(f.list.items[0].conclusion);
	stop(&f);
}

TEST(finds_the_runs_of_a_pull_request)
{
	const scripted_answer answers[] = {
		{HEAD("") "{\"number\": 12, \"head\": {\"sha\": \"cafe\"}}", false, NULL},
		{HEAD("") PAGE(1, RUN(5, 15)), false, NULL}};
	const scripted_answer wrong[] = {{HEAD("") "{\"head\": {}}", false, NULL}};
	const scripted_answer none[] = {
		{"HTTP/1.1 404 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false, NULL}};
	const rg_run_query query = {.last = 9, .pull = 12};
	rg_error *err;
	fixture f;

	start(&f, answers, 2);
	assert_success(rg_github_list_runs(&f.list, f.http, &f.repository, &query));
	assert_asked(&f, 0, "GET /repos/o/n/pulls/12");
	assert_asked(&f, 1,
		     "GET /repos/o/n/actions/runs?per_page=100&status=completed&head_sha=cafe");
	assert_ids(&f, "5");
	stop(&f);
	start(&f, wrong, 1);
	assert_error(rg_github_list_runs(&f.list, f.http, &f.repository, &query), RG_E_PARSE,
		     "pull request 12 of o/n: 'head.sha' is missing");
	stop(&f);
	start(&f, none, 1);
	err = rg_github_list_runs(&f.list, f.http, &f.repository, &query);
	assert_int_equal(rg_error_get_code(err), RG_E_NOTFOUND);
	assert_int_equal(strncmp(rg_error_message(err), "pull request 12 of o/n: ", 24), 0);
	rg_error_free(err);
	stop(&f);
}

/* Counts of filtered lists may stop at a bound: a full window does not hold all. */
TEST(goes_on_where_the_total_is_a_bound_from_below)
{
	scripted_answer answers[11];
	rg_buf pages[11];
	fixture f;
	size_t i, j;

	for (i = 0; i < 11; i++) {
		rg_buf_init(&pages[i], RG_BUF_TEXT);
		rg_buf_str(&pages[i], i < 9 ? HEAD(NEXT) : HEAD(""));
		rg_buf_str(&pages[i], "{\"total_count\": 700, \"workflow_runs\": [");
		for (j = 0; j < (i < 10 ? 100 : 1); j++)
			rg_buf_printf(&pages[i],
				      "%s{\"id\": %zu, \"run_attempt\": 1, \"created_at\": "
				      "\"2026-04-02T%02zu:%02zu:00Z\"}",
				      j ? "," : "", 2000 - 100 * i - j, 20 - i, 59 - j / 2);
		rg_buf_str(&pages[i], "]}");
		answers[i] = (scripted_answer){pages[i].data, false, NULL};
	}
	/* The last window says that it is all. */
	rg_buf_clear(&pages[10]);
	rg_buf_str(&pages[10], HEAD("") PAGE(1, RUN(7, 05)));
	answers[10].answer = pages[10].data;
	start(&f, answers, 11);
	assert_success(list(&f, 5000));
	assert_int_equal(f.list.count, 1001);
	assert_true(f.list.items[1000].id == 7);
	stop(&f);
	for (i = 0; i < 11; i++)
		rg_buf_release(&pages[i]);
}
