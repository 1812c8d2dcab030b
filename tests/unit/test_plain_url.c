/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses without an API: their fields, what is shown of them, and where servers lead. */
#include "unit/unit.h"

#include "base/memory.h"
#include "source/local.h"
#include "source/plain_url.h"
#include "unit/scripted_server.h"

#include <stdlib.h>

TEST(knows_an_address)
{
	assert_true(rg_is_plain_url("https://example.com/a.zip"));
	assert_true(rg_is_plain_url("HTTP://127.0.0.1/a.zip"));
	assert_false(rg_is_plain_url("https:/a.zip"));
	assert_true(rg_is_plain_url("s3://bucket/a.zip"));
	assert_false(rg_is_plain_url("a/b://c.zip"));
	assert_false(rg_is_plain_url("://c.zip"));
}

TEST(fills_in_fields)
{
	const rg_url_values values = {.run = 22651183945, .job_id = 7, .attempt = 3};
	unsigned fields;

	assert_success(
		rg_plain_url_check("https://h/{run}/{attempt}/{job_id}-{run}?k=%7B", &fields));
	assert_int_equal(fields, RG_URL_RUN | RG_URL_ATTEMPT | RG_URL_JOB);
	char *url = rg_plain_url_fill("https://h/{run}/{attempt}/{job_id}-{run}?k=%7B", &values);
	assert_string_equal(url, "https://h/22651183945/3/7-22651183945?k=%7B");
	free(url);
	assert_success(rg_plain_url_check("https://h/a.zip", &fields));
	assert_int_equal(fields, 0);
}

static void refuses(const char *url, rg_error_code code, const char *message)
{
	unsigned fields;

	assert_error(rg_plain_url_check(url, &fields), code, message);
}

TEST(refuses_what_is_none)
{
	static const char unknown[] =
		"its fields are {run}, {attempt} and {job_id}; another brace is written %7B or %7D";

	refuses("https://h/{job}.zip", RG_E_USAGE, unknown);
	refuses("https://h/{run.zip", RG_E_USAGE, unknown);
	refuses("https://h/run}.zip", RG_E_USAGE, unknown);
	refuses("s3://bucket/a.zip", RG_E_USAGE,
		"'s3://': only https is used; give the same file's https:// address");
	refuses("http://example.com/a.zip", RG_E_UNSAFE,
		"http://example.com: refused; only https is used, and http to this machine alone");
	refuses("https://me:secret@h/a.zip", RG_E_UNSAFE, "h: a URL with a user name or password");
}

TEST(shows_no_signature)
{
	char *shown;

	shown = rg_plain_url_shown("https://h/{run}.zip?sig=secret#x");
	assert_string_equal(shown, "https://h/{run}.zip");
	free(shown);
}

/* Asks the script's server; `expected` is the path that the bytes are at, or the error's message.
 */
static void check(const scripted_answer *answers, size_t count, rg_error_code code,
		  const char *expected)
{
	rg_http_options options = rg_http_options_default();
	scripted_server server;
	char *found, *url;
	rg_http *http;

	assert_true(script_start(&server, answers, count));
	options.retries = 0;
	options.api_url = server.url;
	assert_success(rg_http_new(&http, &options));
	url = rg_textf("%s/first?sig=secret", server.url);
	if (code) {
		assert_error(rg_plain_url_locate(&found, http, url), code, expected);
		assert_null(found);
	} else {
		assert_success(rg_plain_url_locate(&found, http, url));
		assert_string_equal(found + strlen(server.url), expected);
		free(found);
	}
	free(url);
	rg_http_free(http);
	script_stop(&server);
}

#define ANSWER(status, headers) "HTTP/1.1 " status "\r\n" headers "Connection: close\r\n\r\n"
#define MOVED(path)             ANSWER("302 Found", "Content-Length: 0\r\nLocation: " path "\r\n")
#define COUNT(list)             (sizeof(list) / sizeof(*(list)))

TEST(follows_redirects)
{
	static const scripted_answer here[] = {
		{.answer = ANSWER("206 Partial Content",
				  "Content-Range: bytes 0-0/9\r\nContent-Length: 1\r\n") "P"}};
	static const scripted_answer there[] = {
		{.answer = MOVED("/second?sig=x")},
		{.answer = ANSWER("308 Permanent Redirect",
				  "Content-Length: 0\r\nLocation: third\r\n")},
		{.answer = ANSWER("200 OK", "Content-Length: 1\r\n") "P"}};
	static const scripted_answer circle[] = {{.answer = MOVED("/a")}, {.answer = MOVED("/b")},
						 {.answer = MOVED("/a")}, {.answer = MOVED("/b")},
						 {.answer = MOVED("/a")}, {.answer = MOVED("/b")},
						 {.answer = MOVED("/a")}};
	static const scripted_answer away[] = {{.answer = MOVED("http://example.com/a.zip")}};

	check(here, COUNT(here), 0, "/first?sig=secret");
	check(there, COUNT(there), 0, "/third");
	check(circle, COUNT(circle), RG_E_NET, "the archive: more than 5 redirects");
	check(away, COUNT(away), RG_E_UNSAFE,
	      "http://example.com: refused; only https is used, and http to this machine alone");
}

/* A server that wants a token is not all there is: other jobs' zips may be elsewhere. */
TEST(says_that_there_is_nothing)
{
	static const scripted_answer refused[] = {
		{.answer = ANSWER("403 Forbidden", "Content-Length: 0\r\n")}};
	static const scripted_answer none[] = {
		{.answer = ANSWER("404 Not Found", "Content-Length: 0\r\n")}};
	static const scripted_answer odd[] = {
		{.answer = ANSWER("302 Found", "Content-Length: 0\r\n")}};

	check(refused, 1, RG_E_NOTFOUND,
	      "the archive: the server refused it without a token (403)");
	check(none, 1, RG_E_NOTFOUND, "the archive: the server has none (404)");
	check(odd, 1, RG_E_NOTFOUND, "the archive: the server's answer makes no sense (302)");
}

/* --- archives at an address --- */

/* What comes of a body that has no end, of which `start` is the beginning; *moved is how much of it
 * came. */
static rg_error *load_endless(const char *start, uint64_t artifact_max, size_t *moved)
{
	static char more[1 << 16];
	static const char head[] = "HTTP/1.1 200 x\r\nConnection: close\r\n\r\n";
	const scripted_answer answers[] = {{.answer = head}, {.answer = head}};
	const rg_settings settings = {.artifact_max = artifact_max};
	rg_http_options http = rg_http_options_default();
	rg_local_options options = {.settings = &settings, .root = "", .files = "*.json"};
	static scripted_server server;
	char address[80];
	const char *path = address;
	rg_source *source;
	rg_error *err;
	rg_run run;

	memset(more, 'x', sizeof(more));
	memcpy(more, start, strlen(start));
	assert_true(script_start(&server, answers, 2));
	server.tail = more;
	server.tail_length = sizeof(more);
	server.tail_times = 1 << 20;
	http.api_url = "https://api.example";
	assert_success(rg_http_new(&options.http, &http));
	snprintf(address, sizeof(address), "%s/x.zip", server.url);
	options.paths = &path;
	options.path_count = 1;
	source = rg_local_new(&options);
	rg_run_init(&run);
	err = rg_error_drop_subject(source->load(source, 0, 0, &run), address);
	rg_run_release(&run);
	source->free(source);
	rg_http_free(options.http);
	script_stop(&server);
	*moved = server.sent;
	return err;
}

TEST(ends_a_body_without_end)
{
	size_t moved;

	assert_error(load_endless("<html>", (uint64_t)32 << 30, &moved), RG_E_USAGE,
		     "is neither a folder nor an archive (zip, tar, tar.gz, tar.zst, tar.xz)");
	assert_true(moved < 32 << 20);
	assert_error(load_endless("PK\3\4", 10 << 20, &moved), RG_E_LIMIT,
		     "more than 10485760 bytes, the limit of an artifact (regild.maxArtifact)");
	assert_true(moved < 64 << 20);
}
