/* SPDX-License-Identifier: Apache-2.0 */
#include "store/clickhouse.h"

#include "base/memory.h"
#include "base/base64.h"
#include "base/number.h"
#include "net/url.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROW_MAX = 1000000000, DATABASE_MAX = 64, SAID_MAX = 200 };

static const char plain[] = "clickhouse://", secure[] = "clickhouses://";
/* For whoever is at another port. */
static const char ports[] = "clickhouse:// is for a server's http_port, clickhouses:// for its "
			    "https_port";

/* For what the server must do whatever its user's profile says. With a SELECT no setting is sent:
 * who may only read may set nothing. */
static const char held_back[] = "wait_end_of_query=1",
		  settings[] = "&insert_distributed_sync=1&skip_unavailable_shards=0";

struct rg_clickhouse {
	rg_http *http;
	char *url;      /* with the database */
	char *set_url;  /* and with the settings */
	char *host;     /* as rg_clickhouse_host */
	char *password; /* hidden where a server says it; NULL: not known */
	char database[DATABASE_MAX + 1];
};

const char *rg_clickhouse_database(const rg_clickhouse *server)
{
	return server->database;
}

const char *rg_clickhouse_host(const rg_clickhouse *server)
{
	return server->host;
}

/* ---- the address ---- */

static rg_error *take_database(char out[static DATABASE_MAX + 1], const char *name)
{
	size_t length =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	if (!length || length > DATABASE_MAX || name[length])
		return rg_error_new(
			RG_E_USAGE,
			"the address of a history ends in /DATABASE, a name of letters, "
			"digits and underscores");
	memcpy(out, name, length + 1);
	return NULL;
}

/* An address with a user in it is never shown. */
static rg_error *take_address(rg_clickhouse *server, char **url, const char *address)
{
	bool tls = !strncasecmp(address, secure, strlen(secure));
	const char *host = address + strlen(tls ? secure : plain), *end = strchr(host, '/');
	size_t length = end ? (size_t)(end - host) : strlen(host);
	const char *port = memchr(host, ']', length);

	if (memchr(host, '@', strlen(host)))
		return rg_error_new(RG_E_USAGE,
				    "the address of a history has no user or password: set "
				    "CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or write them to "
				    "~/.netrc");
	if (!length || strcspn(host, "?#\\ \t\r\n") < length)
		return rg_error_new(RG_E_USAGE, "'%s' is not %sHOST[:PORT]/DATABASE", address,
				    secure);
	RG_TRY(take_database(server->database, end ? end + 1 : ""));
	port = memchr(port ? port : host, ':', length - (size_t)((port ? port : host) - host));
	server->host = rg_textf("%s%.*s%s", tls ? secure : plain, (int)length, host,
				port  ? ""
				: tls ? ":8443"
				      : ":8123");
	*url = rg_textf("http%s", server->host + strlen("clickhouse"));
	return NULL;
}

/* Another machine is asked with TLS, unless the user says that it need not be. */
static rg_error *check_url(const rg_clickhouse *server, const char *url, bool insecure)
{
	rg_error *err = rg_url_check(url);
	if (!err || strncmp(url, "http://", strlen("http://")) != 0 ||
	    rg_error_get_code(err) != RG_E_UNSAFE)
		return rg_error_wrap(err, "%s", server->host);
	rg_error_free(err);
	if (insecure)
		return NULL;
	return rg_error_new(RG_E_UNSAFE,
			    "%s: refused without TLS; use %s, or, in a network that you trust, "
			    "'git config regild.historyInsecure true'",
			    server->host, secure);
}

/* ---- opening ---- */

/* The Authorization header's text. NULL: ~/.netrc may have it. */
static rg_error *find_token(rg_clickhouse *server, char **token)
{
	const char *user = getenv("CLICKHOUSE_USER"), *password = getenv("CLICKHOUSE_PASSWORD");
	RG_AUTO(rg_buf) coded = rg_buf_of(RG_BUF_TEXT);

	*token = NULL;
	if (!user && !password)
		return NULL;
	if (password && *password)
		server->password = rg_strdup(password);
	RG_AUTO_FREE char *both =
		rg_textf("%s:%s", user && *user ? user : "default", password ? password : "");
	rg_base64_add(&coded, (const unsigned char *)both, strlen(both));
	OPENSSL_cleanse(both, strlen(both));
	RG_TRY(rg_buf_check(&coded, "CLICKHOUSE_PASSWORD"));
	*token = rg_strdup(coded.data);
	return NULL;
}

static rg_error *connect_http(rg_clickhouse *server, const char *url, const rg_http_options *http,
			      bool insecure)
{
	static const rg_pace at_will = {1e9, 1e9};
	static const char *const no_headers[] = {NULL};
	static const rg_http_service service = {
		"ClickHouse", "Authorization: Basic ", no_headers, NULL, &at_will, NULL};
	rg_http_options own = *http;
	RG_AUTO_FREE char *token = NULL;

	RG_TRY(find_token(server, &token));
	own.service = &service;
	own.api_url = url;
	own.token = token;
	own.netrc = !token;
	own.insecure = insecure;
	own.limiter = NULL;
	rg_error *err = rg_http_new(&server->http, &own);
	if (token)
		OPENSSL_cleanse(token, strlen(token));
	return err;
}

rg_error *rg_clickhouse_open(rg_clickhouse **out, const char *address, const rg_http_options *http,
			     bool insecure)
{
	RG_AUTO_PTR(rg_clickhouse) server = rg_calloc(1, sizeof(*server));
	RG_AUTO_FREE char *url = NULL;

	*out = NULL;
	RG_TRY(take_address(server, &url, address));
	RG_TRY(check_url(server, url, insecure));
	RG_TRY(connect_http(server, url, http, insecure));
	server->url = rg_textf("%s/?database=%s&%s", url, server->database, held_back);
	server->set_url = rg_textf("%s%s", server->url, settings);
	*out = RG_TAKE(server);
	return NULL;
}

void rg_clickhouse_free(rg_clickhouse *server)
{
	if (!server)
		return;
	rg_http_free(server->http);
	if (server->password)
		OPENSSL_cleanse(server->password, strlen(server->password));
	free(server->password);
	free(server->host);
	free(server->url);
	free(server->set_url);
	free(server);
}

/* ---- statements ---- */

void rg_clickhouse_quote(rg_buf *sql, const char *text)
{
	rg_buf_char(sql, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			rg_buf_char(sql, '\\');
		rg_buf_char(sql, *text);
	}
	rg_buf_char(sql, '\'');
}

/* ---- answers ---- */

static void hide_password(const rg_clickhouse *server, char *text)
{
	size_t length = server->password ? strlen(server->password) : 0;
	while (length && (text = strstr(text, server->password)) != NULL)
		memset(text, '*', length);
}

/* Reads the server's message as one line with nothing secret in it; *code is its number, 0: it is
 * not ClickHouse that answers. */
static void read_refusal(const rg_clickhouse *server, const rg_buf *answer, uint64_t *code,
			 char said[static SAID_MAX + 1])
{
	static const char front[] = "Code: ";
	const char *text = strstr(answer->data, "Exception: ");
	const char *digits = answer->data + strlen(front);

	*code = 0;
	if (strncmp(answer->data, front, strlen(front)) != 0 ||
	    !rg_uint64_parse(digits, strspn(digits, "0123456789"), code))
		*code = 0;
	text = text ? text + strlen("Exception: ") : answer->data;
	snprintf(said, SAID_MAX + 1, "%.*s", (int)strcspn(text, "\r\n"), text);
	char *p = strstr(said, ", e.what()");
	if (p)
		*p = '\0';
	hide_password(server, said);
}

/* Numbers of ClickHouse's errors. */
enum {
	UNKNOWN_TABLE = 60,
	UNKNOWN_DATABASE = 81,
	READONLY = 164,
	TOO_MANY_QUERIES = 202,
	SOCKET_TIMEOUT = 209,
	NETWORK_ERROR = 210,
	NO_CONNECTION = 279
};

/* Which one, an answer says somewhere, as in "Connection refused (10.0.0.7:9000)". */
static rg_error *shard_error(const rg_clickhouse *server, const char *what, const char *answer)
{
	char shard[SAID_MAX + 1] = "";
	const char *p = answer;

	while (!*shard && (p = strchr(p, '(')) != NULL) {
		size_t length = strcspn(++p, ",() \r\n");
		if (length <= SAID_MAX && memchr(p, ':', length))
			snprintf(shard, sizeof(shard), "%.*s", (int)length, p);
	}
	hide_password(server, shard);
	return rg_error_new(RG_E_NET, "%s: another server of its cluster does not answer%s%s", what,
			    *shard ? ": " : "", shard);
}

/* `again`: another try may go better. */
static rg_error *refusal(const rg_clickhouse *server, const char *what,
			 const rg_http_response *response, bool *again)
{
	char said[SAID_MAX + 1];
	uint64_t code;

	read_refusal(server, &response->error_body, &code, said);
	*again = code == TOO_MANY_QUERIES || code == NETWORK_ERROR || code == NO_CONNECTION ||
		 (!code && (response->status == 429 || response->status >= 502));
	if (code == READONLY)
		return rg_error_new(RG_E_AUTH, "%s: the user may only read: %s", what, said);
	if (response->status == 401 || response->status == 403)
		return rg_error_new(RG_E_AUTH,
				    "%s: the user or the password was refused; check "
				    "CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or ~/.netrc",
				    what);
	/* A shard may lack other tables. */
	if (code == UNKNOWN_DATABASE || (code == UNKNOWN_TABLE && strstr(said, "schema_version")))
		return rg_error_new(RG_E_NOTFOUND,
				    "the database '%s' has no tables for a history; 'regild "
				    "history init' makes them",
				    server->database);
	if (code == SOCKET_TIMEOUT || code == NETWORK_ERROR || code == NO_CONNECTION)
		return shard_error(server, what, response->error_body.data);
	if (!code)
		return rg_error_new(RG_E_NET, "%s: the answer is not ClickHouse's (%ld)%s%s", what,
				    response->status, response->status == 400 ? "; " : "",
				    response->status == 400 ? ports : "");
	return rg_error_new(RG_E_NET, "%s: %s (ClickHouse's error %llu)", what, said,
			    (unsigned long long)code);
}

/* Rows as they come: what is left of the last bytes waits in `rest` for the next. */
typedef struct {
	const rg_row_reader *reader;
	rg_buf rest;
	uint64_t received;
	rg_error *err; /* of the reader */
} row_stream;

static void row_stream_release(row_stream *stream)
{
	rg_buf_release(&stream->rest);
}

static rg_error *read_rows(row_stream *stream, const unsigned char **at, const unsigned char *end)
{
	rg_row_cell cells[RG_ROW_CELLS];
	while (rg_row_read(at, end, stream->reader->types, cells))
		RG_TRY(stream->reader->row(stream->reader->context, cells));
	return NULL;
}

static rg_error *take_rows(row_stream *stream, const void *bytes, size_t length)
{
	const unsigned char *at = bytes, *end = at + length;
	if (!stream->rest.length) {
		RG_TRY(read_rows(stream, &at, end));
		rg_buf_add(&stream->rest, at, (size_t)(end - at));
		return rg_buf_check(&stream->rest, "a row");
	}
	rg_buf_add(&stream->rest, bytes, length);
	RG_TRY(rg_buf_check(&stream->rest, "a row"));
	at = (const unsigned char *)stream->rest.data;
	RG_TRY(read_rows(stream, &at, at + stream->rest.length));
	size_t used = (size_t)(at - (const unsigned char *)stream->rest.data);
	if (used) {
		memmove(stream->rest.data, stream->rest.data + used, stream->rest.length - used);
		rg_buf_truncate(&stream->rest, stream->rest.length - used);
	}
	return NULL;
}

/* The reader's errors are its own, not the transfer's. */
static rg_error *on_rows(void *context, const void *bytes, size_t length)
{
	row_stream *stream = context;
	stream->received += length;
	if (stream->received > stream->reader->most)
		return rg_error_new(RG_E_LIMIT, "the answer has more than %llu bytes",
				    (unsigned long long)stream->reader->most);
	if (!stream->reader->types)
		rg_buf_add(stream->reader->context, bytes, length);
	else
		stream->err = take_rows(stream, bytes, length);
	return stream->err ? rg_error_new(RG_E_CANCELLED, "nobody reads on") : NULL;
}

/* No answer came, or not a whole one. */
static rg_error *no_answer(const rg_clickhouse *server, rg_error *err, rg_http_response *response,
			   bool *again)
{
	/* A request that took too long would take as long again, and the server still works at it.
	 */
	*again = response->transient && !response->stalled;
	if (!response->transient || response->unreached || rg_http_is_answered(server->http))
		return err;
	/* Whoever listens there has never spoken HTTP, and most likely will not. */
	response->unreached = true;
	rg_error *clearer =
		rg_error_new(rg_error_get_code(err), "%s; %s", rg_error_message(err), ports);
	rg_error_free(err);
	return clearer;
}

/* One try; `again`: another may go better. */
static rg_error *ask(rg_clickhouse *server, const rg_http_request *request, row_stream *stream,
		     rg_http_response *response, bool *again)
{
	if (stream->reader && stream->reader->begin)
		stream->reader->begin(stream->reader->context);
	rg_buf_clear(&stream->rest);
	stream->received = 0;
	rg_error *err = rg_http_exchange(server->http, request, response);
	*again = false;
	if (stream->err) {
		rg_error_free(err);
		return stream->err;
	}
	if (err)
		return no_answer(server, err, response, again);
	if (response->status != 200)
		return refusal(server, request->what, response, again);
	if (stream->rest.length)
		return rg_error_new(RG_E_NET, "%s: the answer ends inside a row", request->what);
	return NULL;
}

static rg_error *exchange(rg_clickhouse *server, const rg_http_request *request,
			  const rg_row_reader *reader, bool once)
{
	RG_AUTO(row_stream) stream = {.reader = reader, .rest = rg_buf_of(ROW_MAX)};
	RG_AUTO(rg_http_response) response = {0};
	rg_http_tries tries = {0};
	rg_http_request own = *request;
	rg_error *err;
	bool again;

	rg_http_response_init(&response);
	if (reader) {
		own.sink = on_rows;
		own.context = &stream;
	}
	do {
		err = ask(server, &own, &stream, &response, &again);
		if (!err || !again || once)
			break;
		response.transient = true;
		err = rg_http_retry(server->http, &own, err, &response, &tries);
	} while (!err);
	/* The reader's errors are not the server's. */
	return stream.err ? err : rg_error_wrap(err, "%s", server->host);
}

rg_error *rg_clickhouse_run(rg_clickhouse *server, const char *what, const char *sql)
{
	const rg_http_request request = {
		.url = server->set_url, .what = what, .post = sql, .post_size = strlen(sql)};

	return exchange(server, &request, NULL, true);
}

rg_error *rg_clickhouse_insert(rg_clickhouse *server, const char *what, const char *sql,
			       const rg_buf *rows)
{
	RG_AUTO(rg_buf) url = rg_buf_of(RG_BUF_TEXT);

	rg_buf_str(&url, server->set_url);
	RG_TRY(rg_url_add_parameter(&url, "query", sql));
	RG_TRY(rg_buf_check(&url, what));
	const rg_http_request request = {
		.url = url.data, .what = what, .post = rows->data, .post_size = rows->length};
	return exchange(server, &request, NULL, true);
}

static rg_error *select_as(rg_clickhouse *server, const char *what, const char *sql,
			   const char *format, const rg_row_reader *reader)
{
	RG_AUTO_FREE char *text = rg_textf("%s FORMAT %s", sql, format);
	const rg_http_request request = {
		.url = server->url, .what = what, .post = text, .post_size = strlen(text)};
	return exchange(server, &request, reader, false);
}

rg_error *rg_clickhouse_select(rg_clickhouse *server, const char *what, const char *sql,
			       const rg_row_reader *reader)
{
	return select_as(server, what, sql, "RowBinary", reader);
}

static void forget_text(void *context)
{
	rg_buf_clear(context);
}

rg_error *rg_clickhouse_answer(rg_clickhouse *server, const char *what, const char *sql,
			       rg_buf *answer)
{
	const rg_row_reader reader = {
		.begin = forget_text, .context = answer, .most = RG_ANSWER_LIST};
	RG_TRY(select_as(server, what, sql, "TabSeparatedWithNamesAndTypes", &reader));
	return rg_buf_check(answer, what);
}
