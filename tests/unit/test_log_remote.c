/* SPDX-License-Identifier: Apache-2.0 */
/* A job's log as GitHub gives it out: an address first, then the bytes, whatever comes between. */
#include "unit/unit.h"

#include "source/github.h"
#include "unit/scripted_server.h"

#include <stdlib.h>

#define ADDRESS "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /store/log.txt?sig=x\r\n\r\n"
#define HEAD(status, length) \
	"HTTP/1.1 " status "\r\nConnection: close\r\nContent-Length: " length "\r\n"

typedef struct {
	scripted_server server;
	rg_http *http;
	rg_source *source;
	rg_buf log;
	unsigned begun;
	uint64_t moved;
} fixture;

static void begin(void *context)
{
	((fixture *)context)->begun++;
}

static void moved(void *context, uint64_t bytes)
{
	((fixture *)context)->moved += bytes;
}

static void start(fixture *f, const scripted_answer *answers, size_t count)
{
	static char path[] = "o/n", host[] = "github.com";
	const rg_repository repository = {.kind = RG_SOURCE_GITHUB, .path = path, .host = host};
	rg_http_options options = rg_http_options_default();

	*f = (fixture){0};
	assert_true(script_start(&f->server, answers, count));
	options.service = &rg_github_service;
	options.api_url = f->server.url;
	options.token = "secret";
	options.retries = 1;
	options.retry_base = 0.002;
	assert_success(rg_http_new(&f->http, &options));
	f->source = rg_github_new(f->http, &repository, NULL, NULL);
	rg_buf_init(&f->log, RG_BUF_TEXT);
}

static rg_error *read_log(fixture *f)
{
	const rg_job job = {.id = 77, .name = "g/t"};
	const rg_take_request request = {.artifact_max = 1000,
					 .folder = "/tmp",
					 .begin = begin,
					 .moved = moved,
					 .context = f};

	return f->source->read_log(f->source, &job, &request, rg_zip_append, &f->log);
}

static void stop(fixture *f)
{
	rg_buf_release(&f->log);
	f->source->free(f->source);
	rg_http_free(f->http);
	script_stop(&f->server);
}

TEST(cut_logs_go_on)
{
	static const scripted_answer answers[] = {
		{.answer = ADDRESS},
		{.answer = HEAD("200 OK", "10") "\r\n01234"},
		{.answer = HEAD("206 Partial Content", "5") "Content-Range: bytes 5-9/10\r\n\r\n"
							    "56789"},
	};
	fixture f;

	start(&f, answers, 3);
	assert_success(read_log(&f));
	assert_string_equal(f.log.data, "0123456789");
	assert_int_equal(f.begun, 1);
	assert_int_equal(f.moved, 10);
	assert_non_null(strstr(f.server.requests[0], "GET /repos/o/n/actions/jobs/77/logs "));
	assert_non_null(strstr(f.server.requests[2], "Range: bytes=5-"));
	stop(&f);
}

TEST(addresses_that_expire_are_asked_for_again)
{
	static const scripted_answer answers[] = {
		{.answer = ADDRESS},
		{.answer = HEAD("403 Forbidden", "0") "\r\n"},
		{.answer = ADDRESS},
		{.answer = HEAD("200 OK", "0") "\r\n"},
	};
	fixture f;

	start(&f, answers, 4);
	assert_success(read_log(&f));
	assert_int_equal(f.log.length, 0);
	assert_int_equal(f.begun, 1);
	stop(&f);
}

/* GitHub says 410; what a server that has lost it says counts as the same. */
TEST(logs_expire)
{
	static const scripted_answer gone[] = {{.answer = HEAD("410 Gone", "0") "\r\n"}};
	static const scripted_answer missing[] = {{.answer = HEAD("404 Not Found", "0") "\r\n"}};
	static const scripted_answer lost[] = {{.answer = ADDRESS},
					       {.answer = HEAD("404 Not Found", "0") "\r\n"}};
	fixture f;

	start(&f, gone, 1);
	assert_error(read_log(&f), RG_E_GONE,
		     "its log is not there any more; re-run the job to make it again");
	stop(&f);
	start(&f, missing, 1);
	assert_error(read_log(&f), RG_E_GONE,
		     "its log is not there any more; re-run the job to make it again");
	stop(&f);
	start(&f, lost, 2);
	assert_error(read_log(&f), RG_E_GONE,
		     "its log is not there any more; re-run the job to make it again");
	stop(&f);
}

TEST(logs_have_a_limit)
{
	static const scripted_answer answers[] = {{.answer = ADDRESS},
						  {.answer = HEAD("200 OK", "1001") "\r\n0"}};
	fixture f;

	start(&f, answers, 2);
	assert_error(
		read_log(&f), RG_E_LIMIT,
		"its log: more than 1000 bytes, the limit of an artifact (regild.maxArtifact)");
	stop(&f);
}
