/* SPDX-License-Identifier: Apache-2.0 */
/* Header lines as servers send them, and as they should not. */
#include "unit/unit.h"

#include "base/clock.h"
#include "net/response_header.h"

#include <string.h>

static void feed(rg_http_response *out, const char *line)
{
	rg_http_header(out, line, strlen(line));
}

TEST(reads_what_counts)
{
	rg_http_response r;

	rg_http_response_init(&r);
	feed(&r, "HTTP/1.1 206 Partial Content\r\n");
	feed(&r, "LOCATION:  https://a.example/x?sig=1 \r\n");
	feed(&r, "Link: <https://a>; rel=\"next\"\r\n");
	feed(&r, "ETag: W/\"abc\"\r\n");
	feed(&r, "Content-Range: bytes 5-9/100\r\n");
	feed(&r, "Content-Disposition: attachment; filename=\"a b.zip\"; x=y\r\n");
	feed(&r, "Retry-After: 12\r\n");
	feed(&r, "X-RateLimit-Remaining: 4999\r\n");
	feed(&r, "x-ratelimit-reset: 1700000000\r\n");
	assert_string_equal(r.location, "https://a.example/x?sig=1");
	assert_string_equal(r.link, "<https://a>; rel=\"next\"");
	assert_string_equal(r.etag, "W/\"abc\"");
	assert_string_equal(r.file_name, "a b.zip");
	assert_true(r.has_range);
	assert_int_equal(r.first, 5);
	assert_int_equal(r.last, 9);
	assert_int_equal(r.total, 100);
	assert_int_equal(r.limit.retry_after, 12);
	assert_int_equal(r.limit.remaining, 4999);
	assert_int_equal(r.limit.reset, 1700000000);
	/* What a proxy said before does not count for the server's answer. */
	feed(&r, "HTTP/1.1 200 OK\r\n");
	assert_null(r.location);
	assert_false(r.has_range);
	assert_int_equal(r.limit.remaining, -1);
	rg_http_response_release(&r);
}

TEST(passes_over_nonsense)
{
	static const char *const lines[] = {
		"\r\n",
		"no colon\r\n",
		":\r\n",
		"Retry-After: -5\r\n",
		"Retry-After: soon\r\n",
		"X-RateLimit-Reset: 1e9\r\n",
		"Content-Range: 5-9/100",
		"Content-Range: bytes 9-5/100",
		"Content-Range: bytes 5-100/100",
		"Content-Range: bytes -/-",
		"Content-Range: bytes",
		"Content-Range: bytes 5-9",
		"Content-Range: pages 5-9/100",
		"Content-Disposition: inline",
		"",
		"Content-Range: bytes 99999999999999999999-1/2",
	};
	rg_http_response r;
	size_t i;

	rg_http_response_init(&r);
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		feed(&r, lines[i]);
	rg_http_header(&r, "Link: a\0b", 9);
	assert_null(r.link);
	assert_null(r.file_name);
	assert_false(r.has_range);
	assert_int_equal(r.limit.retry_after, -1);
	assert_int_equal(r.limit.reset, -1);
	rg_http_response_release(&r);
}

TEST(reads_open_ranges)
{
	rg_http_response r;

	rg_http_response_init(&r);
	feed(&r, "Content-Range: bytes */1234");
	assert_false(r.has_range);
	assert_int_equal(r.total, 1234);
	feed(&r, "Content-Range: bytes 0-0/*");
	assert_true(r.has_range);
	assert_true(r.total == UINT64_MAX);
	/* The last one counts, one that makes no sense too. */
	feed(&r, "Content-Range: bytes 5-9/6");
	assert_false(r.has_range);
	feed(&r, "Content-Disposition: attachment; filename=plain.json; size=3");
	assert_string_equal(r.file_name, "plain.json");
	rg_http_response_release(&r);
}

TEST(writes_durations)
{
	char text[RG_DURATION_TEXT];

	rg_duration_text(0.85, text);
	assert_string_equal(text, "850 ms");
	rg_duration_text(0.9999, text);
	assert_string_equal(text, "1 s");
	rg_duration_text(119, text);
	assert_string_equal(text, "119 s");
	rg_duration_text(200, text);
	assert_string_equal(text, "3 min 20 s");
	rg_duration_text(3900 * 2, text);
	assert_string_equal(text, "2 h 10 min");
}
