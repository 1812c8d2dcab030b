/* SPDX-License-Identifier: Apache-2.0 */
/* What a ClickHouse server may answer, and what is said of it; addresses, and rows byte by byte.
 * What a real one does is in tests/cluster. */
#include "unit/unit.h"

#include "store/clickhouse.h"
#include "store/history.h"
#include "unit/scripted_server.h"

#include <math.h>
#include <stdlib.h>

static rg_error *open_at(rg_clickhouse **out, const char *address, bool insecure)
{
	rg_http_options http = rg_http_options_default();

	http.retry_base = 0.001;
	http.stall = 30;
	return rg_clickhouse_open(out, address, &http, insecure);
}

TEST(addresses)
{
	static const struct {
		const char *address, *host;
	} good[] = {
		{"clickhouse://127.0.0.1/a_1", "clickhouse://127.0.0.1:8123"},
		{"clickhouse://[::1]:9/a", "clickhouse://[::1]:9"},
		{"clickhouse://[::1]/a", "clickhouse://[::1]:8123"},
		{"ClickHouse://[::1]/a", "clickhouse://[::1]:8123"},
		{"CLICKHOUSES://[::1]/a", "clickhouses://[::1]:8443"},
		{"clickhouses://example.org/a", "clickhouses://example.org:8443"},
		{"clickhouses://example.org:1/a", "clickhouses://example.org:1"},
	};
	static const char *const bad[] = {
		"clickhouse://",
		"clickhouse:///a",
		"clickhouse://localhost",
		"clickhouse://localhost/",
		"clickhouse://localhost/a/b",
		"clickhouse://localhost/a-b",
		"clickhouse://localhost/a?x=1",
		"clickhouse://localhost?/a",
		"clickhouse://local host/a",
	};
	rg_clickhouse *server;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(rg_history_is_remote(good[i].address));
		assert_success(open_at(&server, good[i].address, false));
		assert_string_equal(rg_clickhouse_host(server), good[i].host);
		rg_clickhouse_free(server);
	}
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_fails_with(open_at(&server, bad[i], true), RG_E_USAGE);
		assert_null(server);
	}
	assert_fails_with(open_at(&server, "clickhouse://localhost:99999/a", false), RG_E_PARSE);
	assert_false(rg_history_is_remote("/a/history.db"));
	/* Who put a password there does not see it again. */
	assert_error(open_at(&server, "clickhouses://me:secret@example.org/a", true), RG_E_USAGE,
		     "the address of a history has no user or password: set CLICKHOUSE_USER and "
		     "CLICKHOUSE_PASSWORD, or write them to ~/.netrc");
	assert_error(open_at(&server, "clickhouse://example.org/a", false), RG_E_UNSAFE,
		     "clickhouse://example.org:8123: refused without TLS; use clickhouses://, or, "
		     "in a network that you trust, 'git config regild.historyInsecure true'");
	assert_success(open_at(&server, "clickhouse://example.org/a", true));
	rg_clickhouse_free(server);
}

TEST(quotes)
{
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);
	rg_clickhouse_quote(&sql, "it's \\ \"\n\xff");
	assert_string_equal(sql.data, "'it\\'s \\\\ \"\n\xff'");
}

/* ---- answers ---- */

static scripted_server script;

static rg_error *append(void *context, const rg_row_cell *cells)
{
	char *seen = context;
	size_t at = strlen(seen);

	snprintf(seen + at, 64 - at, "%.*s,", (int)cells[0].size, (const char *)cells[0].bytes);
	return strstr(seen, "stop") ? rg_error_new(RG_E_LIMIT, "no more") : NULL;
}

static void begin(void *context)
{
	*(char *)context = '\0';
}

/* Asks once; `seen` is what came. */
static rg_error *ask(const scripted_answer *answers, size_t count, char seen[static 64])
{
	const rg_row_reader reader = {"s", begin, append, seen, RG_ANSWER_FEW};
	char address[128];
	rg_clickhouse *server;
	rg_error *err;

	assert_true(script_start(&script, answers, count));
	snprintf(address, sizeof(address), "clickhouse%.80s/db", script.url + strlen("http"));
	assert_success(open_at(&server, address, false));
	/* Its port differs from run to run. */
	err = rg_error_drop_subject(rg_clickhouse_select(server, "asking", "SELECT 1", &reader),
				    rg_clickhouse_host(server));
	rg_clickhouse_free(server);
	script_stop(&script);
	return err;
}

#define ANSWER(status, text)                                                      \
	{                                                                         \
		.answer = "HTTP/1.1 " status "\r\nConnection: close\r\n\r\n" text \
	}
#define CUT(status, length, text)                                                               \
	{                                                                                       \
		.answer = "HTTP/1.1 " status "\r\nConnection: close\r\nContent-Length: " length \
			  "\r\n\r\n" text                                                       \
	}
#define REFUSAL(status, code, text)                                             \
	ANSWER(status, "Code: " code ", e.displayText() = DB::Exception: " text \
		       ", e.what() = DB::Exception\n")

static rg_error *pass_over(void *context, const rg_row_cell *cells)
{
	(void)context;
	(void)cells;
	return NULL;
}

/* An answer may have no end. */
TEST(endless_answers)
{
	static const char head[] = "HTTP/1.1 200 OK\r\n\r\n";
	static char endless[3 << 20];
	const scripted_answer answers[] = {{.answer = endless, .hold = true}};
	const rg_row_reader reader = {"s", NULL, pass_over, NULL, RG_ANSWER_FEW};
	char address[128];
	rg_clickhouse *server;

	memset(endless, '\1', sizeof(endless) - 1);
	memcpy(endless, head, strlen(head));
	assert_true(script_start(&script, answers, 1));
	snprintf(address, sizeof(address), "clickhouse%.80s/db", script.url + strlen("http"));
	assert_success(open_at(&server, address, false));
	assert_error(
		rg_error_drop_subject(rg_clickhouse_select(server, "asking", "SELECT 1", &reader),
				      rg_clickhouse_host(server)),
		RG_E_LIMIT, "asking: the answer has more than 1048576 bytes");
	assert_int_equal(script.served, 1);
	rg_clickhouse_free(server);
	script_stop(&script);
}

TEST(what_is_sent)
{
	static const scripted_answer answers[] = {ANSWER("200 OK", "\1a\2bc")};
	const char *sent;
	char seen[64];

	setenv("CLICKHOUSE_USER", "me", 1);
	setenv("CLICKHOUSE_PASSWORD", "secret", 1);
	assert_success(ask(answers, 1, seen));
	assert_string_equal(seen, "a,bc,");
	sent = script.by_answer[0];
	/* No setting: whoever may only read may not set one. */
	assert_non_null(strstr(sent, "POST /?database=db&wait_end_of_query=1 HTTP/1.1"));
	assert_non_null(strstr(sent, "\r\nAuthorization: Basic bWU6c2VjcmV0\r\n"));
	assert_null(strstr(sent, "secret"));
	assert_null(strstr(sent, "Expect:"));
	assert_non_null(strstr(sent, "\r\n\r\nSELECT 1 FORMAT RowBinary"));
}

/* Without a user in the environment, it is whom ~/.netrc names. */
TEST(netrc)
{
	static const scripted_answer answers[] = {ANSWER("200 OK", "")};
	char folder[] = "/tmp/regild-netrc-XXXXXX", path[64], seen[64];
	FILE *file;

	unsetenv("CLICKHOUSE_USER");
	unsetenv("CLICKHOUSE_PASSWORD");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/.netrc", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("machine 127.0.0.1 login me password secret\n", file);
	assert_int_equal(fclose(file), 0);
	setenv("HOME", folder, 1);
	assert_success(ask(answers, 1, seen));
	assert_non_null(strstr(script.by_answer[0], "\r\nAuthorization: Basic bWU6c2VjcmV0\r\n"));
	unlink(path);
	rmdir(folder);
}

TEST(refusals)
{
	static const struct {
		scripted_answer answer;
		rg_error_code code;
		const char *message;
	} cases[] = {
		{REFUSAL("401 Unauthorized", "193", "Wrong password for user me"), RG_E_AUTH,
		 "asking: the user or the password was refused; check CLICKHOUSE_USER and "
		 "CLICKHOUSE_PASSWORD, or ~/.netrc"},
		{REFUSAL("404 Not Found", "60", "Table db.schema_version doesn't exist."),
		 RG_E_NOTFOUND,
		 "the database 'db' has no tables for a history; 'regild history init' makes them"},
		{REFUSAL("400 Bad Request", "62", "Syntax error\nin many lines"), RG_E_NET,
		 "asking: Syntax error (ClickHouse's error 62)"},
		/* A server that says what it was sent. */
		{REFUSAL("500 Internal Server Error", "1", "me:secret is bWU6c2VjcmV0"), RG_E_NET,
		 "asking: me:****** is ************ (ClickHouse's error 1)"},
		{REFUSAL("500 Internal Server Error", "241", "Memory limit exceeded"), RG_E_NET,
		 "asking: Memory limit exceeded (ClickHouse's error 241)"},
		{REFUSAL("500 Internal Server Error", "209",
			 "Timeout exceeded while reading from socket (10.0.0.7:9000)"),
		 RG_E_NET, "asking: another server of its cluster does not answer: 10.0.0.7:9000"},
		{ANSWER("500 x", "Code: 209. (while (reading) Timeout ([::1]:9000, 1 s). (X) ()"),
		 RG_E_NET, "asking: another server of its cluster does not answer: [::1]:9000"},
		{ANSWER("500 x", "Code: 209. (while reading a:1"), RG_E_NET,
		 "asking: another server of its cluster does not answer"},
		{ANSWER("500 x", "Code: 209. Timeout (me:secret)"), RG_E_NET,
		 "asking: another server of its cluster does not answer: me:******"},
		{ANSWER("400 Bad Request", "Port 9000 is for clickhouse-client program"), RG_E_NET,
		 "asking: the answer is not ClickHouse's (400); clickhouse:// is for a server's "
		 "http_port, clickhouses:// for its https_port"},
		{ANSWER("404 Not Found", "<html>nothing here"), RG_E_NET,
		 "asking: the answer is not ClickHouse's (404)"},
		{ANSWER("302 Found\r\nLocation: http://127.0.0.1:1/", ""), RG_E_NET,
		 "asking: the answer is not ClickHouse's (302)"},
		/* An end inside a row, and a reader that has had enough. */
		{ANSWER("200 OK", "\1a\5bc"), RG_E_NET, "asking: the answer ends inside a row"},
		{ANSWER("200 OK", "\4stop\1a"), RG_E_LIMIT, "no more"},
	};
	char seen[64];
	size_t i;

	setenv("CLICKHOUSE_USER", "me", 1);
	setenv("CLICKHOUSE_PASSWORD", "secret", 1);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_error(ask(&cases[i].answer, 1, seen), cases[i].code, cases[i].message);
		assert_int_equal(script.served, 1); /* nothing of that is asked again */
	}
}

/* What may go better is asked again, and rows that came already do not count twice. */
TEST(tries)
{
	static const scripted_answer answers[] = {
		REFUSAL("500 Internal Server Error", "279", "All connection tries failed."),
		CUT("200 OK", "9", "\1a\1b"),
		{.answer = NULL},
		ANSWER("503 Service Unavailable", "a proxy's"),
		ANSWER("200 OK", "\1a\1b\1c"),
	};
	char seen[64];

	assert_success(ask(answers, 5, seen));
	assert_string_equal(seen, "a,b,c,");
	assert_int_equal(script.served, 5);
}

/* Whoever hangs up before there was any answer speaks another protocol, most likely. */
TEST(other_port)
{
	static const scripted_answer answers[] = {{.answer = NULL}, {.answer = NULL}};
	char seen[64], wanted[256];
	rg_error *err;

	err = ask(answers, 2, seen);
	snprintf(wanted, sizeof(wanted),
		 "given up after 2 tries: asking: %s/: Server returned nothing (no headers, no "
		 "data); clickhouse:// is for a server's http_port, clickhouses:// for its "
		 "https_port",
		 script.url);
	assert_error(err, RG_E_NET, wanted);
	assert_int_equal(script.served, 2);
}

/* A row that comes byte by byte is read once it is whole. */
TEST(rows)
{
	static const char types[] = "bdqsQS";
	const unsigned char *at, *next;
	rg_row_cell cells[RG_ROW_CELLS];
	size_t length, i;
	rg_arena arena;
	const char *copy;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_row_number(&out, 0xfe, 1);
	rg_row_number(&out, 0xfedcba98, 4);
	rg_row_number(&out, 0xfedcba9876543210, 8);
	rg_row_length(&out, 300);
	for (i = 0; i < 300; i++)
		rg_buf_char(&out, 'x');
	rg_row_length(&out, 2);
	rg_row_double(&out, -0.0);
	rg_row_double(&out, NAN);
	rg_row_length(&out, 2);
	rg_row_text(&out, "");
	rg_row_text(&out, "a\nb");
	for (i = 0; i < out.length; i++) {
		at = (const unsigned char *)out.data;
		assert_false(rg_row_read(&at, at + i, types, cells));
		assert_ptr_equal(at, out.data);
	}
	assert_true(rg_row_read(&at, at + out.length, types, cells));
	assert_ptr_equal(at, out.data + out.length);
	assert_int_equal(cells[0].number, 0xfe);
	assert_int_equal(cells[1].number, 0xfedcba98);
	assert_int_equal(cells[2].number, 0xfedcba9876543210);
	assert_int_equal(cells[3].size, 300);
	assert_int_equal(cells[4].number, 2);
	assert_true(signbit(rg_row_double_at(cells[4].bytes)));
	assert_true(isnan(rg_row_double_at(cells[4].bytes + 8)));
	assert_int_equal(cells[5].number, 2);
	next = cells[5].bytes;
	rg_row_next_text(&next, &length);
	assert_int_equal(length, 0);
	assert_memory_equal(rg_row_next_text(&next, &length), "a\nb", 3);
	assert_int_equal(length, 3);
	rg_arena_init(&arena);
	cells[3].size = 2;
	assert_success(rg_row_copy(&cells[3], &arena, &copy));
	assert_string_equal(copy, "xx");
	cells[4].size = 2;
	assert_fails_with(rg_row_copy(&cells[4], &arena, &copy), RG_E_MISMATCH);
	rg_arena_release(&arena);
}
