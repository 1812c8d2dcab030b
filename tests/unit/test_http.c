/* SPDX-License-Identifier: Apache-2.0 */
/* One request at a time against a server that misbehaves as told. */
#include "unit/unit.h"

#include "base/clock.h"
#include "base/cancel.h"
#include "net/http.h"
#include "unit/scripted_server.h"

#include <signal.h>
#include <stdlib.h>
#include <zlib.h>

#define BAD_REQUEST "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
#define OK(body_length) \
	"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " #body_length "\r\n"

/* What was logged, for the proof that no secret is in it. */
static char logged[16384];

static void keep_log(void *context, rg_log_level level, const char *text)
{
	size_t length = strlen(logged);

	(void)context;
	(void)level;
	snprintf(logged + length, sizeof(logged) - length, "%s\n", text);
}

/* The waits that were told of, in seconds. */
static double waits[8];
static size_t wait_count;

static void keep_wait(void *context, const char *why, double seconds)
{
	(void)context;
	if (why && wait_count < sizeof(waits) / sizeof(*waits))
		waits[wait_count++] = seconds;
}

typedef struct {
	scripted_server server;
	rg_http *http;
	rg_http_response response;
	rg_buf body;
	rg_log log;
} fixture;

static const char *meaning_of(long status)
{
	return status == 401 ? "say the word" : NULL;
}

/* Waits in milliseconds where a server asks for none. */
static rg_http_options quick(void)
{
	static const char *const headers[] = {"X-Version: 7", NULL};
	static const char *const older[] = {"X-Version: 6", NULL};
	static const rg_http_service service = {
		"The hub", "Authorization: Bearer ", headers, older, NULL, meaning_of};
	rg_http_options options = rg_http_options_default();

	options.service = &service;
	options.retries = 2;
	options.retry_base = options.limit_base = 0.002;
	options.max_wait = 1;
	return options;
}

static void start_with(fixture *f, const scripted_answer *answers, size_t count,
		       rg_http_options options)
{
	if (!script_start(&f->server, answers, count))
		fail_msg("no server");
	logged[0] = '\0';
	f->log = (rg_log){keep_log, NULL};
	options.api_url = f->server.url;
	options.token = "s3cret-token";
	options.log = &f->log;
	options.waiting = keep_wait;
	wait_count = 0;
	assert_success(rg_http_new(&f->http, &options));
	rg_http_response_init(&f->response);
	rg_buf_init(&f->body, 1000);
}

static void start(fixture *f, const scripted_answer *answers, size_t count)
{
	start_with(f, answers, count, quick());
}

static void start_patient(fixture *f, const scripted_answer *answers, size_t count, double max_wait)
{
	rg_http_options options = quick();

	options.max_wait = max_wait;
	options.max_wait_name = "--max-wait";
	start_with(f, answers, count, options);
}

static void stop(fixture *f)
{
	rg_buf_release(&f->body);
	rg_http_response_release(&f->response);
	rg_http_free(f->http);
	script_stop(&f->server);
}

static rg_error *get(fixture *f, const char *path)
{
	char url[256];
	rg_http_request request = {.url = url, .what = "thing"};

	snprintf(url, sizeof(url), "%s%s", f->server.url, path);
	return rg_http_get(f->http, &request, &f->body, &f->response);
}

TEST(sends_what_the_service_wants)
{
	const scripted_answer answers[] = {{OK(5) "ETag: \"e\"\r\n\r\nhello", false, NULL}};
	fixture f;

	start(&f, answers, 1);
	assert_success(get(&f, "/x?page=2"));
	assert_int_equal(f.response.status, 200);
	assert_string_equal(f.body.data, "hello");
	assert_string_equal(f.response.etag, "\"e\"");
	assert_non_null(strstr(f.server.requests[0], "GET /x?page=2 HTTP/1.1\r\n"));
	assert_non_null(strstr(f.server.requests[0], "Authorization: Bearer s3cret-token\r\n"));
	assert_non_null(strstr(f.server.requests[0], "User-Agent: regild/"));
	assert_non_null(strstr(f.server.requests[0], "X-Version: 7\r\n"));
	assert_non_null(strstr(logged, "/x: 200, 5 bytes"));
	assert_null(strstr(logged, "s3cret"));
	assert_null(strstr(logged, "page=2"));
	stop(&f);
}

/* As an older Enterprise Server does. All who share the limiter know it then, and it is said once.
 */
TEST(speaks_the_older_version)
{
	const scripted_answer answers[] = {
		{BAD_REQUEST, false, NULL},   {OK(1) "\r\na", false, NULL},
		{OK(1) "\r\nb", false, NULL}, {OK(1) "\r\nc", false, NULL},
		{BAD_REQUEST, false, NULL},
	};
	rg_http_options options = quick();
	rg_http *sharing;
	fixture f;

	options.limiter = rg_limiter_new(0.002);
	start_with(&f, answers, 5, options);
	assert_success(get(&f, "/a"));
	assert_string_equal(f.body.data, "a");
	assert_non_null(strstr(f.server.requests[0], "X-Version: 7\r\n"));
	assert_non_null(strstr(f.server.requests[1], "X-Version: 6\r\n"));
	assert_null(strstr(f.server.requests[1], "X-Version: 7\r\n"));
	assert_non_null(strstr(f.server.requests[1], "Authorization: Bearer s3cret-token\r\n"));
	assert_non_null(strstr(logged, "the server refuses the newest version of The hub's API; it "
				       "is asked in an older one"));
	assert_success(get(&f, "/b"));
	assert_non_null(strstr(f.server.requests[2], "X-Version: 6\r\n"));
	options.api_url = f.server.url;
	assert_success(rg_http_new(&sharing, &options));
	rg_http_free(f.http);
	f.http = sharing;
	assert_success(get(&f, "/c"));
	assert_non_null(strstr(f.server.requests[3], "X-Version: 6\r\n"));
	/* A 400 is an answer then. */
	assert_success(get(&f, "/d"));
	assert_int_equal(f.response.status, 400);
	assert_int_equal(f.server.served, 5);
	stop(&f);
	rg_limiter_free(options.limiter);
}

/* A request that is wrong in every version is asked in two, and the next one begins anew. */
TEST(keeps_the_version_where_that_is_not_it)
{
	const scripted_answer answers[] = {
		{BAD_REQUEST, false, NULL},
		{BAD_REQUEST, false, NULL},
		{OK(1) "\r\nb", false, NULL},
	};
	fixture f;

	start(&f, answers, 3);
	assert_success(get(&f, "/a"));
	assert_int_equal(f.response.status, 400);
	assert_success(get(&f, "/b"));
	assert_non_null(strstr(f.server.requests[1], "X-Version: 6\r\n"));
	assert_non_null(strstr(f.server.requests[2], "X-Version: 7\r\n"));
	assert_null(strstr(logged, "older"));
	stop(&f);
}

/* Another port is another origin. */
TEST(keeps_the_token_to_the_origin)
{
	const scripted_answer answers[] = {{OK(2) "\r\nhi", false, NULL}};
	scripted_server other;
	rg_http_request request = {.what = "thing"};
	fixture f;

	start(&f, answers, 1);
	assert_true(script_start(&other, answers, 1));
	request.url = other.url;
	assert_success(rg_http_get(f.http, &request, &f.body, &f.response));
	assert_null(strstr(other.requests[0], "Authorization"));
	assert_null(strstr(other.requests[0], "s3cret"));
	script_stop(&other);
	stop(&f);
}

TEST(tries_again)
{
	const scripted_answer answers[] = {
		{NULL, false, NULL},
		{"HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false,
		 NULL},
		{OK(2) "\r\nhi", false, NULL},
		{"HTTP/1.1 408 Slow\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false,
		 NULL},
		{OK(2) "\r\nho", false, NULL},
	};
	fixture f;

	start(&f, answers, 5);
	assert_success(get(&f, "/"));
	assert_string_equal(f.body.data, "hi");
	assert_success(get(&f, "/"));
	assert_string_equal(f.body.data, "ho");
	stop(&f);
}

/* Which libcurl calls an unsupported protocol. */
TEST(tries_again_what_is_no_http)
{
	const scripted_answer answers[] = {{"garbage\r\n\r\n", false, NULL},
					   {OK(2) "\r\nhi", false, NULL},
					   {"garbage\r\n\r\n", false, NULL},
					   {"garbage\r\n\r\n", false, NULL},
					   {"garbage\r\n\r\n", false, NULL}};
	char message[256];
	fixture f;

	start(&f, answers, 5);
	assert_success(get(&f, "/"));
	assert_string_equal(f.body.data, "hi");
	snprintf(message, sizeof(message),
		 "given up after 3 tries: thing: %s/x: the answer is not HTTP", f.server.url);
	assert_error(get(&f, "/x"), RG_E_NET, message);
	stop(&f);
}

TEST(gives_up)
{
	const scripted_answer answers[] = {{OK(9) "\r\ncut", false, NULL},
					   {OK(9) "\r\ncut", false, NULL},
					   {OK(9) "\r\ncut", false, NULL},
					   {OK(2) "\r\nhi", false, NULL}};
	char message[256];
	fixture f;

	start(&f, answers, 4);
	snprintf(message, sizeof(message),
		 "given up after 3 tries: thing: %s/x: the body was cut after 3 bytes",
		 f.server.url);
	assert_error(get(&f, "/x?sig=SECRET"), RG_E_NET, message);
	assert_null(strstr(logged, "SECRET"));
	stop(&f);
}

/* Whatever came of a header that is not whole, there is no answer. */
TEST(ends_inside_of_the_header)
{
	const scripted_answer answers[] = {
		{"HTTP/1.1 200 OK\r\nConnection: close\r\n", false, NULL},
		{"HTTP/1.1 200 OK\r\nContent-Le", false, NULL},
		{"HTTP/1.1 200 OK\r\n", false, NULL},
		{OK(2) "\r\nhi", false, NULL}};
	char message[256];
	fixture f;

	start(&f, answers, 4);
	snprintf(message, sizeof(message),
		 "given up after 3 tries: thing: %s/x: the answer ends inside of its header",
		 f.server.url);
	assert_error(get(&f, "/x"), RG_E_NET, message);
	assert_success(get(&f, "/x"));
	assert_string_equal(f.body.data, "hi");
	stop(&f);
}

TEST(never_tries_refusals_again)
{
	static const struct {
		const char *answer, *message;
		rg_error_code code;
	} cases[] = {
		{"HTTP/1.1 401 x\r\nConnection: close\r\nContent-Length: 30\r\n\r\n"
		 "{\"message\": \"Bad credentials\"}",
		 "thing: say the word (401: Bad credentials)", RG_E_AUTH},
		{"HTTP/1.1 404 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		 "thing: not found (404)", RG_E_NOTFOUND},
		{"HTTP/1.1 410 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		 "thing: it is gone (410)", RG_E_GONE},
		{"HTTP/1.1 422 x\r\nConnection: close\r\nContent-Length: 17\r\n\r\n"
		 "{\"message\":\"bad\"}",
		 "thing: the request was refused as invalid (422: bad)", RG_E_NET},
		{"HTTP/1.1 403 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		 "thing: access was refused (403)", RG_E_AUTH},
		{"HTTP/1.1 300 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		 "thing: an unexpected redirect (300)", RG_E_NET},
		{"HTTP/1.1 418 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		 "thing: an unexpected answer (418)", RG_E_NET},
		/* A server that says it back does not make us print it. */
		{"HTTP/1.1 401 x\r\nConnection: close\r\nContent-Length: 38\r\n\r\n"
		 "{\"message\": \"Bearer s3cret-token, no\"}",
		 "thing: say the word (401: Bearer ************, no)", RG_E_AUTH},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const scripted_answer answers[] = {{cases[i].answer, false, NULL},
						   {OK(2) "\r\nhi", false, NULL}};
		rg_http_request request = {.what = "thing"};
		fixture f;

		start(&f, answers, 2);
		assert_success(get(&f, "/"));
		assert_error(rg_http_status_error(f.http, &request, &f.response), cases[i].code,
			     cases[i].message);
		assert_int_equal(f.server.served, 1);
		stop(&f);
	}
}

TEST(waits_for_limits)
{
	const scripted_answer answers[] = {
		{"HTTP/1.1 429 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false, NULL},
		{"HTTP/1.1 403 x\r\nConnection: close\r\nRetry-After: 0\r\nContent-Length: "
		 "0\r\n\r\n",
		 false, NULL},
		{"HTTP/1.1 403 x\r\nConnection: close\r\nContent-Length: 41\r\n\r\n"
		 "{\"message\": \"a secondary rate limit, sor\"}",
		 false, NULL},
		{"HTTP/1.1 429 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false, NULL},
		{OK(2) "\r\nhi", false, NULL}};
	fixture f;

	start_patient(&f, answers, 5, 60);
	assert_success(get(&f, "/")); /* more refusals than retries: limits count apart */
	assert_string_equal(f.body.data, "hi");
	stop(&f);
}

TEST(does_not_wait_for_ever)
{
	const scripted_answer answers[] = {
		{"HTTP/1.1 429 x\r\nConnection: close\r\nRetry-After: 3600\r\nContent-Length: "
		 "0\r\n\r\n",
		 false, NULL},
		{OK(2) "\r\nhi", false, NULL}};
	rg_error *err;
	fixture f;

	start(&f, answers, 2);
	err = get(&f, "/");
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_NET);
	assert_non_null(strstr(rg_error_message(err), "more than 1 s; "));
	rg_error_free(err);
	assert_int_equal(f.server.served, 1);
	stop(&f);
}

/* Each wait is within the bound, all together are not. */
TEST(adds_its_waits_up)
{
	const scripted_answer refusal = {
		"HTTP/1.1 429 x\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: "
		"0\r\n\r\n",
		false, NULL};
	const scripted_answer answers[] = {
		refusal, refusal, refusal, {OK(2) "\r\nhi", false, NULL}};
	rg_error *err;
	fixture f;

	start_patient(&f, answers, 4, 1.5);
	err = get(&f, "/");
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "more than --max-wait"));
	rg_error_free(err);
	assert_int_equal(f.server.served, 2);
	stop(&f);
}

/* Between two tries there is a wait, a longer one where the server asks for it; --max-wait bounds
 * all of these together. */
TEST(waits_between_tries)
{
	const scripted_answer plain = {
		"HTTP/1.1 500 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false, NULL};
	const scripted_answer asking = {"HTTP/1.1 503 x\r\nConnection: close\r\nRetry-After: 1\r\n"
					"Content-Length: 0\r\n\r\n",
					false, NULL};
	const scripted_answer answers[] = {plain,  plain,  {OK(2) "\r\nhi", false, NULL},
					   asking, asking, {OK(2) "\r\nhi", false, NULL}};
	fixture f;

	start_patient(&f, answers, 6, 0.1);
	assert_success(get(&f, "/"));
	assert_int_equal(wait_count, 2);
	assert_true(waits[0] > 0 && waits[0] < 0.1);
	assert_true(waits[1] > 0 && waits[1] < 0.1);
	wait_count = 0;
	assert_success(get(&f, "/"));
	assert_int_equal(wait_count, 2);
	assert_true(waits[0] == 0.1);
	assert_true(waits[1] > 0 && waits[1] < 0.1);
	stop(&f);
}

/* Who waits for no limit is still paced: that is not a refusal. */
TEST(paces_the_impatient)
{
	const scripted_answer answers[] = {{OK(2) "\r\nhi", false, NULL}};
	rg_http_options options;
	rg_limiter *limiter;
	bool limited;
	fixture f;
	int i;

	start(&f, answers, 1);
	options = *rg_http_get_options(f.http);
	rg_http_free(f.http);
	limiter = rg_limiter_new(1);
	for (i = 0; i < 151; i++)
		rg_limiter_take(limiter, rg_clock_monotonic(), &limited);
	options.api_url = f.server.url;
	options.limiter = limiter;
	options.max_wait = 0;
	assert_success(rg_http_new(&f.http, &options));
	assert_success(get(&f, "/"));
	assert_string_equal(f.body.data, "hi");
	stop(&f);
	rg_limiter_free(limiter);
}

TEST(notices_a_stall)
{
	/* A machine that is slow may stall another one: there are tries to spare. */
	const scripted_answer good = {OK(2) "\r\nhi", false, NULL};
	const scripted_answer answers[] = {{OK(9) "\r\nstall", true, NULL}, good, good, good, good};
	rg_http_options options = quick();
	fixture f;

	options.stall = 1;
	options.retries = 4;
	start_with(&f, answers, 5, options);
	assert_success(get(&f, "/"));
	assert_string_equal(f.body.data, "hi");
	assert_non_null(strstr(logged, "only 5 bytes in 1 s; trying again"));
	stop(&f);
}

/* A byte now and then is no more than none. */
TEST(notices_a_trickle)
{
	static char trickle[4000];
	const scripted_answer answers[] = {{trickle, false, NULL}};
	rg_http_options options = quick();
	rg_error *err;
	fixture f;
	int n = snprintf(trickle, sizeof(trickle), OK(9999) "\r\n");

	memset(trickle + n, 't', sizeof(trickle) - (size_t)n - 1);
	options.stall = 1;
	options.retries = 0;
	start_with(&f, answers, 1, options);
	f.server.drip = 4;
	err = get(&f, "/");
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), ": only "));
	assert_non_null(strstr(rg_error_message(err), " in 1 s"));
	assert_true(f.response.transient);
	rg_error_free(err);
	stop(&f);
}

/* Without a network there is nothing to wait for; once somebody has answered there is. */
TEST(gives_up_soon_where_nobody_is)
{
	const scripted_answer answers[] = {{OK(2) "\r\nhi", false, NULL}};
	rg_http_options options = quick();
	rg_http_request request = {.url = "http://127.0.0.1:1/", .what = "thing"};
	fixture f;

	options.retries = 5;
	start_with(&f, answers, 1, options);
	assert_error(rg_http_get(f.http, &request, &f.body, &f.response), RG_E_NET,
		     "given up after 2 tries: thing: http://127.0.0.1:1/: Couldn't connect to "
		     "server");
	assert_int_equal(wait_count, 1);
	assert_success(get(&f, "/"));
	assert_error(rg_http_get(f.http, &request, &f.body, &f.response), RG_E_NET,
		     "given up after 6 tries: thing: http://127.0.0.1:1/: Couldn't connect to "
		     "server");
	stop(&f);
}

/* libcurl takes lines of up to 100 KiB, and says that it is out of memory. */
TEST(names_a_header_that_is_too_long)
{
	static char header[150 << 10];
	const scripted_answer answers[] = {{header, false, NULL}};
	char message[256];
	fixture f;
	int n = snprintf(header, sizeof(header), "HTTP/1.1 200 x\r\nX: ");

	memset(header + n, 'x', sizeof(header) - (size_t)n - 1);
	start(&f, answers, 1);
	snprintf(message, sizeof(message), "thing: %s/x: a line of the answer's header is too long",
		 f.server.url);
	assert_error(get(&f, "/x"), RG_E_LIMIT, message);
	stop(&f);
}

TEST(follows_within_the_origin)
{
	const scripted_answer answers[] = {
		{"HTTP/1.1 301 x\r\nConnection: close\r\nLocation: /repositories/7\r\n"
		 "Content-Length: 0\r\n\r\n",
		 false, NULL},
		{OK(2) "\r\nhi", false, NULL},
		{"HTTP/1.1 301 x\r\nConnection: close\r\nLocation: https://evil.example/\r\n"
		 "Content-Length: 0\r\n\r\n",
		 false, NULL},
		{"HTTP/1.1 307 x\r\nConnection: close\r\nLocation: /repositories/8\r\n"
		 "Content-Length: 0\r\n\r\n",
		 false, NULL},
		{"HTTP/1.1 308 x\r\nConnection: close\r\nLocation: /repositories/9\r\n"
		 "Content-Length: 0\r\n\r\n",
		 false, NULL},
		{OK(2) "\r\nhi", false, NULL},
	};
	fixture f;

	start(&f, answers, 6);
	assert_success(get(&f, "/old"));
	assert_string_equal(f.body.data, "hi");
	assert_non_null(strstr(f.server.requests[1], "GET /repositories/7 "));
	assert_success(get(&f, "/away"));
	assert_int_equal(f.response.status, 301);
	assert_success(get(&f, "/old"));
	assert_int_equal(f.response.status, 200);
	assert_non_null(strstr(f.server.requests[4], "GET /repositories/8 "));
	assert_non_null(strstr(f.server.requests[5], "GET /repositories/9 "));
	stop(&f);
}

TEST(ends_redirect_circles)
{
	scripted_answer answers[8];
	fixture f;
	size_t i;

	for (i = 0; i < 8; i++)
		answers[i] = (scripted_answer){"HTTP/1.1 302 x\r\nConnection: close\r\n"
					       "Location: /again\r\nContent-Length: 0\r\n\r\n",
					       false, NULL};
	start(&f, answers, 8);
	assert_error(get(&f, "/"), RG_E_NET, "thing: more than 5 redirects");
	stop(&f);
}

TEST(bounds_the_body)
{
	const scripted_answer answers[] = {
		{OK(30) "\r\n123456789012345678901234567890", false, NULL}};
	fixture f;

	start(&f, answers, 1);
	rg_buf_init(&f.body, 10);
	assert_error(get(&f, "/"), RG_E_LIMIT, "thing: the answer: more than 10 bytes");
	stop(&f);
}

/* A body that nobody wants may have no end. */
TEST(ends_what_is_not_wanted)
{
	static char endless[2][3 << 20];
	const scripted_answer answers[] = {{endless[0], true, NULL}, {endless[1], true, NULL}};
	rg_http_request request = {.what = "thing"};
	fixture f;
	size_t i;

	for (i = 0; i < 2; i++) {
		int n = snprintf(endless[i], sizeof(endless[i]), "HTTP/1.1 %d x\r\n\r\n",
				 i ? 200 : 404);

		memset(endless[i] + n, 'e', sizeof(endless[i]) - (size_t)n - 1);
	}
	start(&f, answers, 2);
	request.url = f.server.url;
	assert_success(rg_http_get(f.http, &request, &f.body, &f.response));
	assert_int_equal(f.response.status, 404);
	assert_int_equal(f.response.error_body.length, 65536);
	assert_success(rg_http_get(f.http, &request, NULL, &f.response));
	assert_int_equal(f.response.status, 200);
	assert_int_equal(f.server.served, 2);
	stop(&f);
}

static rg_error *count_bytes(void *context, const void *bytes, size_t length)
{
	(void)bytes;
	*(size_t *)context += length;
	return NULL;
}

/* 2 GiB of zeros, a MiB a time, behind 2 MiB. */
TEST(ends_what_unpacks_to_too_much)
{
	enum { MEBI = 1 << 20, ROOM = 4096 };
	static unsigned char zeros[MEBI], packed[ROOM];
	/* A zlib stream's head has no NUL. */
	const scripted_answer answers[] = {
		{.answer = "HTTP/1.1 200 x\r\nContent-Encoding: deflate\r\n\r\n\x78\x01"}};
	z_stream stream = {
		.next_in = zeros, .avail_in = MEBI, .next_out = packed, .avail_out = ROOM};
	size_t unpacked = 0;
	rg_http_request request = {.what = "thing", .sink = count_bytes, .context = &unpacked};
	fixture f;

	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&stream, Z_FULL_FLUSH), Z_OK);
	start(&f, answers, 1);
	f.server.tail = packed;
	f.server.tail_length = ROOM - stream.avail_out;
	f.server.tail_times = 2048;
	deflateEnd(&stream);
	request.url = f.server.url;
	assert_error(rg_http_exchange(f.http, &request, &f.response), RG_E_LIMIT,
		     "thing: the answer unpacks to over 500 times the bytes that come");
	assert_true(unpacked >= 64 * MEBI && unpacked < 192 * MEBI);
	assert_int_equal(f.server.served, 1);
	stop(&f);
}

TEST(refuses_plain_http)
{
	rg_http_request request = {.url = "http://example.com/?sig=SECRET", .what = "thing"};
	const scripted_answer answers[] = {{OK(2) "\r\nhi", false, NULL}};
	rg_http_options options = rg_http_options_default();
	rg_http *http;
	fixture f;

	start(&f, answers, 1);
	assert_error(rg_http_get(f.http, &request, &f.body, &f.response), RG_E_UNSAFE,
		     "thing: http://example.com: refused; only https is used, and http to this "
		     "machine alone");
	stop(&f);
	options.api_url = "http://example.com";
	assert_error(rg_http_new(&http, &options), RG_E_UNSAFE,
		     "http://example.com: refused; only https is used, and http to this machine "
		     "alone");
	options.api_url = "https://example.com";
	options.token = "a\r\nX-Evil: 1";
	assert_error(rg_http_new(&http, &options), RG_E_AUTH,
		     "the token holds a line end; set it again");
}

/* The waits themselves are cut short. Last: it stays cancelled. */
TEST(tells_of_a_long_wait_once)
{
	const scripted_answer answers[] = {{OK(2) "\r\nhi", false, NULL}};
	const char *told;
	fixture f;
	int i;

	start(&f, answers, 1);
	rg_cancel_install();
	assert_int_equal(raise(SIGINT), 0);
	for (i = 0; i < 3; i++)
		assert_error(rg_http_wait(f.http, "busy", 60), RG_E_CANCELLED, "interrupted");
	told = strstr(logged, "waiting 60 s: busy\n");
	assert_non_null(told);
	assert_null(strstr(told + 1, "waiting"));
	assert_error(rg_http_wait(f.http, "busy", 5), RG_E_CANCELLED, "interrupted");
	assert_null(strstr(told + 1, "waiting"));
	assert_error(rg_http_wait(f.http, "busy", 90), RG_E_CANCELLED, "interrupted");
	assert_non_null(strstr(told + 1, "waiting"));
	stop(&f);
}
