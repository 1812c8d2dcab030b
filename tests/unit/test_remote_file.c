/* SPDX-License-Identifier: Apache-2.0 */
/* A file behind an expiring URL, read in parts and whole, over a server that fails in all ways. */
#include "unit/unit.h"

#include "base/memory.h"
#include "net/remote_file.h"
#include "unit/scripted_server.h"

#include <stdlib.h>

#define DIGITS "0123456789"

typedef struct {
	scripted_server server;
	rg_http *http;
	rg_remote *remote;
	rg_remote_options options;
	char folder[64];
	unsigned located;
	uint64_t moved;
} fixture;

static rg_error *locate(void *context, char **url)
{
	fixture *f = context;

	*url = rg_textf("%s/blob?sig=%u", f->server.url, f->located++);
	return NULL;
}

static void count(void *context, uint64_t bytes)
{
	((fixture *)context)->moved += bytes;
}

static void start(fixture *f, const scripted_answer *answers, size_t answer_count, uint64_t size)
{
	rg_http_options options = rg_http_options_default();

	memset(f, 0, sizeof(*f));
	snprintf(f->folder, sizeof(f->folder), "/tmp/regild-remote-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	assert_true(script_start(&f->server, answers, answer_count));
	options.api_url = "https://api.example";
	options.token = "s3cret";
	options.retries = 2;
	options.retry_base = 0.002;
	assert_success(rg_http_new(&f->http, &options));
	f->options = (rg_remote_options){.name = "its zip",
					 .size = size,
					 .size_max = 1000,
					 .folder = f->folder,
					 .locate = locate,
					 .moved = count,
					 .context = f};
}

/* Nothing may be left, and the store must never have seen the token. */
static void stop(fixture *f)
{
	size_t i;

	rg_remote_free(f->remote);
	rg_http_free(f->http);
	script_stop(&f->server);
	for (i = 0; i < f->server.served; i++)
		assert_null(strstr(f->server.requests[i], "s3cret"));
	assert_int_equal(rmdir(f->folder), 0);
}

static void check_bytes(fixture *f, uint64_t offset, const char *expected)
{
	char bytes[64];

	assert_success(
		rg_reader_read(rg_remote_reader(f->remote), offset, bytes, strlen(expected)));
	assert_memory_equal(bytes, expected, strlen(expected));
}

static void asked_for(const fixture *f, size_t i, const char *range)
{
	char line[64];

	snprintf(line, sizeof(line), "Range: bytes=%s\r\n", range);
	if (!strstr(f->server.requests[i], line))
		fail_msg("request %zu: no '%s' in\n%s", i, line, f->server.requests[i]);
}

#define CLOSE  "Connection: close\r\n"
#define PART   "HTTP/1.1 206 x\r\n" CLOSE
#define WHOLE  "HTTP/1.1 200 x\r\n" CLOSE
#define LENGTH "Content-Length: "

/* A file that came with its tail is whole, and has a digest: nothing more is asked for. */
TEST(reads_the_tail)
{
	const scripted_answer answers[] = {
		{PART LENGTH "10\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS, false, NULL}};
	char digest[RG_SHA256_HEX], expected[RG_SHA256_HEX];
	fixture f;

	start(&f, answers, 1, 10);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	asked_for(&f, 0, "0-9");
	assert_true(rg_remote_is_whole(f.remote));
	assert_int_equal(rg_remote_reader(f.remote)->size, 10);
	check_bytes(&f, 3, "3456");
	assert_success(rg_remote_sha256(f.remote, digest));
	assert_success(rg_sha256_hex(DIGITS, 10, expected));
	assert_string_equal(digest, expected);
	assert_int_equal(f.moved, 10);
	assert_int_equal(f.located, 1);
	stop(&f);
}

/* Under `whole_under` one request brings the file; at it, ranges do. */
TEST(takes_small_files_whole)
{
	const scripted_answer whole[] = {{WHOLE LENGTH "10\r\n\r\n" DIGITS, false, NULL}};
	const scripted_answer part[] = {
		{PART LENGTH "10\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS, false, NULL}};
	fixture f;

	start(&f, whole, 1, 10);
	f.options.whole_under = 11;
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_null(strstr(f.server.requests[0], "Range:"));
	assert_true(rg_remote_is_whole(f.remote));
	stop(&f);
	start(&f, part, 1, 10);
	f.options.whole_under = 10;
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	asked_for(&f, 0, "0-9");
	stop(&f);
}

TEST(believes_the_answer_and_not_the_listing)
{
	/* Listed as 30, but there are 10; then the other way round. */
	const scripted_answer shorter[] = {
		{"HTTP/1.1 416 x\r\n" CLOSE "Content-Range: bytes */10\r\n" LENGTH "0\r\n\r\n",
		 false, NULL},
		{PART LENGTH "10\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS, false, NULL}};
	const scripted_answer longer[] = {
		{PART LENGTH "4\r\nContent-Range: bytes 0-3/10\r\n\r\n0123", false, NULL},
		{PART LENGTH "10\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS, false, NULL}};
	fixture f;

	start(&f, shorter, 2, 30);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_int_equal(rg_remote_reader(f.remote)->size, 10);
	check_bytes(&f, 0, DIGITS);
	stop(&f);
	start(&f, longer, 2, 4);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_int_equal(rg_remote_reader(f.remote)->size, 10);
	check_bytes(&f, 0, DIGITS);
	asked_for(&f, 1, "0-9");
	stop(&f);
}

/* Without a size in the listing the first bytes say it; all of a short file came with them. */
TEST(learns_a_size_that_is_not_listed)
{
	const scripted_answer all[] = {
		{PART LENGTH "10\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS, false, NULL}};
	const scripted_answer first[] = {
		{PART LENGTH "4\r\nContent-Range: bytes 0-3/70000\r\n\r\n0123", false, NULL},
		{"HTTP/1.1 403 x\r\n" CLOSE LENGTH "0\r\n\r\n", false, NULL},
		{"HTTP/1.1 404 x\r\n" CLOSE LENGTH "0\r\n\r\n", false, NULL}};
	rg_error *err;
	fixture f;

	start(&f, all, 1, 0);
	f.options.whole_under = 1000;
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	asked_for(&f, 0, "0-65535");
	assert_int_equal(rg_remote_reader(f.remote)->size, 10);
	check_bytes(&f, 0, DIGITS);
	assert_int_equal(f.server.served, 1);
	stop(&f);
	start(&f, first, 3, 0);
	f.options.whole_under = 1000;
	err = rg_remote_open(&f.remote, f.http, &f.options);
	assert_int_equal(rg_error_get_code(err), RG_E_NOTFOUND);
	rg_error_free(err);
	asked_for(&f, 0, "0-65535");
	asked_for(&f, 1, "4-65535");
	stop(&f);
}

TEST(takes_a_whole_body_for_a_range)
{
	const scripted_answer answers[] = {{WHOLE LENGTH "10\r\n\r\n" DIGITS, false, NULL}};
	char digest[RG_SHA256_HEX], expected[RG_SHA256_HEX];
	fixture f;

	start(&f, answers, 1, 10);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_true(rg_remote_is_whole(f.remote));
	check_bytes(&f, 0, DIGITS);
	assert_success(rg_remote_sha256(f.remote, digest));
	assert_success(rg_sha256_hex(DIGITS, 10, expected));
	assert_string_equal(digest, expected);
	stop(&f);
}

TEST(goes_on_where_it_was_cut)
{
	const scripted_answer answers[] = {
		{WHOLE LENGTH
		 "10\r\nContent-Disposition: attachment; filename=\"x.json\"\r\n\r\n012",
		 false, NULL},
		{PART LENGTH "7\r\nContent-Range: bytes 3-9/10\r\n\r\n3456", false, NULL},
		{PART LENGTH "3\r\nContent-Range: bytes 7-9/10\r\n\r\n789", false, NULL}};
	fixture f;

	start(&f, answers, 3, 10);
	f.options.whole = true;
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_null(strstr(f.server.requests[0], "Range:"));
	asked_for(&f, 1, "3-");
	asked_for(&f, 2, "7-");
	check_bytes(&f, 0, DIGITS);
	assert_int_equal(f.moved, 10);
	assert_string_equal(rg_remote_file_name(f.remote), "x.json");
	stop(&f);
}

/* A server that starts over instead of going on. */
TEST(starts_over_where_it_must)
{
	const scripted_answer answers[] = {{WHOLE LENGTH "10\r\n\r\n0xx", false, NULL},
					   {WHOLE LENGTH "10\r\n\r\n" DIGITS, false, NULL}};
	fixture f;

	start(&f, answers, 2, 10);
	f.options.whole = true;
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	check_bytes(&f, 0, DIGITS);
	stop(&f);
}

/* Bytes that it had already are not progress: a server that always starts over and always cuts it
 * there would be asked for ever. */
TEST(gives_up_where_it_only_starts_over)
{
	static char cut[71000];
	scripted_answer answers[8];
	rg_error *err;
	fixture f;
	size_t i;
	int n;

	n = snprintf(cut, sizeof(cut), WHOLE LENGTH "100000\r\n\r\n");
	memset(cut + n, 'c', 70000);
	for (i = 0; i < 8; i++)
		answers[i] = (scripted_answer){cut, false, NULL};
	start(&f, answers, 8, 100000);
	f.options.whole = true;
	f.options.size_max = 1000000;
	err = rg_remote_open(&f.remote, f.http, &f.options);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "given up after 3 tries"));
	rg_error_free(err);
	assert_int_equal(f.server.served, 3);
	stop(&f);
}

TEST(asks_for_a_new_address)
{
	const scripted_answer answers[] = {
		{"HTTP/1.1 403 x\r\n" CLOSE LENGTH "0\r\n\r\n", false, NULL},
		{PART LENGTH "10\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS, false, NULL}};
	fixture f;

	start(&f, answers, 2, 10);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_int_equal(f.located, 2);
	assert_non_null(strstr(f.server.requests[1], "sig=1"));
	stop(&f);
}

TEST(gives_up_on_addresses)
{
	scripted_answer answers[4];
	fixture f;
	size_t i;

	for (i = 0; i < 4; i++)
		answers[i] = (scripted_answer){"HTTP/1.1 403 x\r\n" CLOSE LENGTH "0\r\n\r\n", false,
					       NULL};
	start(&f, answers, 4, 10);
	assert_error(rg_remote_open(&f.remote, f.http, &f.options), RG_E_NET,
		     "its zip: the store refused the signed address 3 times (403)");
	stop(&f);
}

/* `length` bytes after a header. */
static const char *filled(char *room, size_t size, const char *header, size_t length)
{
	int n = snprintf(room, size, "%s", header);

	memset(room + n, 'x', length);
	return room;
}

/* What a digest was held against is what is read from then on, whatever came before. */
TEST(reads_what_was_hashed)
{
	static char tail[70000];
	const scripted_answer answers[] = {
		{filled(tail, sizeof(tail),
			PART LENGTH "65536\r\nContent-Range: bytes 34464-99999/100000\r\n\r\n",
			65536),
		 false, NULL},
		{WHOLE LENGTH "11\r\n\r\n" DIGITS "x", false, NULL}};
	char digest[RG_SHA256_HEX];
	fixture f;

	start(&f, answers, 2, 100000);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_false(rg_remote_is_whole(f.remote));
	check_bytes(&f, 99990, "xxxxxxxxxx");
	assert_success(rg_remote_sha256(f.remote, digest));
	assert_int_equal(rg_remote_reader(f.remote)->size, 11);
	check_bytes(&f, 0, DIGITS "x");
	stop(&f);
}

/* A store that gives out a byte for each range would be asked for ever. */
TEST(gives_up_on_tiny_ranges)
{
	const scripted_answer answers[] = {
		{PART LENGTH "1\r\nContent-Range: bytes 0-0/10\r\n\r\n0", false, NULL},
		{PART LENGTH "1\r\nContent-Range: bytes 1-1/10\r\n\r\n1", false, NULL},
		{PART LENGTH "1\r\nContent-Range: bytes 2-2/10\r\n\r\n2", false, NULL},
		{PART LENGTH "7\r\nContent-Range: bytes 3-9/10\r\n\r\n3456789", false, NULL}};
	fixture f;

	start(&f, answers, 4, 10);
	assert_error(rg_remote_open(&f.remote, f.http, &f.options), RG_E_NET,
		     "its zip: the server sent only a small part of the range, 3 times");
	assert_int_equal(f.server.served, 3);
	stop(&f);
}

TEST(refuses_empty_ranges)
{
	const scripted_answer answers[] = {
		{PART LENGTH "0\r\nContent-Range: bytes 0-9/10\r\n\r\n", false, NULL},
		{PART LENGTH "10\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS, false, NULL}};
	fixture f;

	start(&f, answers, 2, 10);
	assert_error(rg_remote_open(&f.remote, f.http, &f.options), RG_E_NET,
		     "its zip: the server sent an empty range");
	stop(&f);
}

/* A file of which a later range says that it is another one. */
TEST(notices_a_changed_file)
{
	static char tail[70000], head[40000];
	const scripted_answer answers[] = {
		{filled(tail, sizeof(tail),
			PART LENGTH "65536\r\nContent-Range: bytes 34464-99999/100000\r\n\r\n",
			65536),
		 false, NULL},
		{filled(head, sizeof(head),
			PART LENGTH "34464\r\nContent-Range: bytes 0-34463/200000\r\n\r\n", 34464),
		 false, NULL}};
	unsigned char bytes[4] = "";
	fixture f;

	start(&f, answers, 2, 100000);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_error(rg_reader_read(rg_remote_reader(f.remote), 0, bytes, sizeof(bytes)), RG_E_NET,
		     "its zip: the file changed while it was read: 100000 bytes, then 200000");
	stop(&f);
}

/* A 416 for bytes that are there, by its own word. */
TEST(believes_no_end_before_the_end)
{
	scripted_answer answers[3] = {{"HTTP/1.1 416 x\r\n" CLOSE LENGTH
				       "0\r\nContent-Range: bytes */100000\r\n\r\n",
				       false, NULL}};
	static char tail[70000];
	unsigned char bytes[4] = "";
	rg_error *err;
	fixture f;
	int n;

	n = snprintf(tail, sizeof(tail),
		     PART LENGTH "65536\r\nContent-Range: bytes 34464-99999/100000\r\n\r\n");
	memset(tail + n, 't', 65536);
	answers[1] = answers[0];
	answers[0] = (scripted_answer){tail, false, NULL};
	start(&f, answers, 2, 100000);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	err = rg_reader_read(rg_remote_reader(f.remote), 0, bytes, sizeof(bytes));
	assert_error(err, RG_E_NET,
		     "its zip: the server says that a file of 100000 bytes ends before byte 0");
	stop(&f);
}

TEST(refuses_lies)
{
	static const struct {
		const char *answer, *message;
	} cases[] = {
		{PART LENGTH "10\r\nContent-Range: bytes 1-10/11\r\n\r\n" DIGITS,
		 "given up after 3 tries: its zip: the server answered with another range"},
		{PART LENGTH "10\r\n\r\n" DIGITS,
		 "given up after 3 tries: its zip: the server answered with another range"},
		{PART LENGTH "12\r\nContent-Range: bytes 0-9/10\r\n\r\n" DIGITS "xx",
		 "its zip: the server sent more than was asked for"},
	};
	size_t i, k;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		scripted_answer answers[3];
		fixture f;

		for (k = 0; k < 3; k++)
			answers[k] = (scripted_answer){cases[i].answer, false, NULL};
		start(&f, answers, 3, 10);
		assert_error(rg_remote_open(&f.remote, f.http, &f.options), RG_E_NET,
			     cases[i].message);
		stop(&f);
	}
}

TEST(bounds_what_is_fetched_whole)
{
	const scripted_answer answers[] = {{WHOLE "\r\n" DIGITS DIGITS, false, NULL}};
	fixture f;

	start(&f, answers, 1, 10);
	f.options.whole = true;
	f.options.size_max = 15;
	assert_error(rg_remote_open(&f.remote, f.http, &f.options), RG_E_LIMIT,
		     "its zip: more than 15 bytes, the limit of an artifact (regild.maxArtifact)");
	stop(&f);
}

/* It need not come first to be refused. */
TEST(bounds_what_is_announced)
{
	const scripted_answer answers[] = {{WHOLE LENGTH "2000\r\n\r\n0", true, NULL}};
	fixture f;

	start(&f, answers, 1, 10);
	f.options.whole = true;
	assert_error(
		rg_remote_open(&f.remote, f.http, &f.options), RG_E_LIMIT,
		"its zip: more than 1000 bytes, the limit of an artifact (regild.maxArtifact)");
	assert_int_equal(f.moved, 0);
	stop(&f);
}

/* Without a length the listed size says how long it may be. */
TEST(ends_a_body_without_end)
{
	static char endless[3 << 20], range[3 << 20];
	scripted_answer answers[] = {
		{filled(endless, sizeof(endless), WHOLE "\r\n", 2 << 20), true, NULL},
		{WHOLE LENGTH "10\r\n\r\n012", false, NULL},
		{filled(range, sizeof(range), PART "Content-Range: bytes 3-9/10\r\n\r\n", 1000),
		 true, NULL}};
	fixture f;

	start(&f, answers, 1, 10);
	f.options.whole = true;
	f.options.size_max = (uint64_t)32 << 30;
	assert_error(rg_remote_open(&f.remote, f.http, &f.options), RG_E_NET,
		     "its zip: the server sent more than 1048596 bytes where 10 are listed");
	stop(&f);
	start(&f, answers + 1, 2, 10);
	f.options.whole = true;
	f.options.size_max = 5000;
	assert_error(rg_remote_open(&f.remote, f.http, &f.options), RG_E_NET,
		     "its zip: the server sent more than the 10 bytes that it announced");
	stop(&f);
}

TEST(takes_an_empty_file)
{
	const scripted_answer answers[] = {{WHOLE LENGTH "0\r\n\r\n", false, NULL}};
	fixture f;

	start(&f, answers, 1, 0);
	assert_success(rg_remote_open(&f.remote, f.http, &f.options));
	assert_true(rg_remote_is_whole(f.remote));
	assert_int_equal(rg_remote_reader(f.remote)->size, 0);
	stop(&f);
}
