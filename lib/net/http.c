/* SPDX-License-Identifier: Apache-2.0 */
#include "net/http.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/thread.h"
#include "net/curl.h"
#include "net/response_header.h"
#include "net/url.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONNECT_SECONDS = 30 };
/* A body that nobody wants ends here: it may have no end of its own. */
enum { UNWANTED_MAX = 1 << 20 };
/* An answer does not unpack to more than so many times its bytes, from a size on at which it
 * matters. */
enum { RATIO_MAX = 500, RATIO_FLOOR = 64 << 20 };

enum { IDLE_MAX = 64 };
/* A longer wait is announced, in seconds. */
static const double announced = 5;

struct rg_http {
	rg_http_options options;
	char *api_url, *token;
	rg_limiter *own_limiter;                        /* NULL where one is shared */
	struct curl_slist *api_headers, *older_headers; /* to the API, the token's with them */
	pthread_mutex_t lock;                           /* for the members below */
	CURL *idle[IDLE_MAX];
	size_t idle_count;
	unsigned seed;
	double announced_until; /* the wait that was announced already */
	bool answered;          /* by anybody */
};

/* Who is asked, and how. */
typedef enum { ELSEWHERE, API, OLDER_API } destination;

/* One exchange with a handle of the pool. */
typedef struct {
	rg_http *http;
	destination to;
	CURL *easy;
	const rg_http_request *request;
	rg_http_response *response;
	const char *shown; /* the URL for people */
	rg_error *err;     /* from a sink or a header */
	bool headed;       /* the header has come to its end */
	bool enough;       /* the rest of the body is not wanted */
	curl_off_t unwanted;
	/* Body bytes of both ways when seen_at was set, those of them that came, and how many have
	 * come now. */
	curl_off_t seen, seen_down, last;
	double seen_at;
	bool stalled;
} transfer_state;

static size_t on_header(char *line, size_t size, size_t count, void *context)
{
	transfer_state *x = context;
	x->headed |= *line == '\r' || *line == '\n';
	if (size * count > 5 && !memcmp(line, "HTTP/", 5))
		x->headed = false; /* after a proxy's, or 100 */
	if (!x->err)
		rg_http_header(x->response, line, size * count);
	return x->err ? 0 : size * count;
}

/* The sink for a body of that status; NULL: nowhere. An error where it must not come at all. */
static rg_error *choose_sink(transfer_state *x, long status, rg_http_sink **sink)
{
	const rg_http_request *request = x->request;
	const rg_http_response *response = x->response;

	*sink = NULL;
	if (status == 200)
		*sink = request->ranged ? request->whole : request->sink;
	if (status != 206 || !request->ranged)
		return NULL;
	*sink = request->sink;
	/* Less than what was asked for is fine, as at the file's end. */
	if (response->has_range && response->first == request->first &&
	    response->last <= request->last)
		return NULL;
	x->response->transient = true;
	return rg_error_new(RG_E_NET, "the server answered with another range");
}

/* A body that no sink takes: a refusal's text is kept, and up to a limit the rest is read, so that
 * the connection can be used again. */
static void pass_over(transfer_state *x, long status, const char *bytes, size_t length)
{
	rg_buf *text = &x->response->error_body;
	size_t room = text->max - text->length;

	if (status == 200 && x->request->ranged)
		x->enough = true;
	if (status != 200 && !(status == 206 && x->request->ranged))
		rg_buf_add(text, bytes, length < room ? length : room);
	x->unwanted += (curl_off_t)length;
	x->enough |= x->unwanted > UNWANTED_MAX;
}

/* A few bytes may be packed from very many, which nobody has to wait for. */
static rg_error *check_ratio(const transfer_state *x, size_t length)
{
	uint64_t unpacked = x->response->received + length;
	curl_off_t packed = 0;

	libcurl.curl_easy_getinfo(x->easy, CURLINFO_SIZE_DOWNLOAD_T, &packed);
	/* Bytes that are being unpacked may not be counted yet. */
	if (x->to == ELSEWHERE || unpacked <= RATIO_FLOOR ||
	    unpacked / RATIO_MAX <= (uint64_t)packed + CURL_MAX_WRITE_SIZE)
		return NULL;
	return rg_error_new(RG_E_LIMIT, "the answer unpacks to over %d times the bytes that come",
			    RATIO_MAX);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
	transfer_state *x = context;
	size_t length = size * count;
	rg_http_sink *sink;
	long status = 0;

	libcurl.curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
	x->err = rg_error_first(check_ratio(x, length), choose_sink(x, status, &sink));
	if (!x->err && sink) {
		x->err = sink(x->request->context, bytes, length);
		x->response->received += length;
	} else if (!x->err) {
		pass_over(x, status, bytes, length);
	}
	return x->err || x->enough ? 0 : length;
}

/* Called at least once a second, even if nothing moves. Each stretch of time must bring enough
 * bytes for the least rate. */
static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
		       curl_off_t up)
{
	transfer_state *x = context;
	double clock = rg_clock_monotonic();

	(void)total;
	(void)up_total;
	if (rg_cancelled())
		return 1;
	x->last = now;
	if ((double)(now + up - x->seen) >= x->http->options.stall * RG_HTTP_RATE_MIN) {
		x->seen = now + up;
		x->seen_down = now;
		x->seen_at = clock;
	}
	x->stalled = clock - x->seen_at > x->http->options.stall;
	return x->stalled;
}

static bool is_transient(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_UNSUPPORTED_PROTOCOL: /* no HTTP comes: the URL was checked */
	case CURLE_PARTIAL_FILE:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
	case CURLE_BAD_CONTENT_ENCODING:
		return true;
	default:
		return false;
	}
}

static rg_error *stall_error(const transfer_state *x)
{
	unsigned long long moved = (unsigned long long)(x->last - x->seen_down);
	if (!moved)
		return rg_error_new(RG_E_NET, "%s: %s: no byte for %g s", x->request->what,
				    x->shown, x->http->options.stall);
	return rg_error_new(RG_E_NET, "%s: %s: only %llu byte%s in %g s", x->request->what,
			    x->shown, moved, rg_plural(moved), x->http->options.stall);
}

/* Advice about a certificate of which libcurl says `detail`. */
static const char *certificate_advice(CURLcode code, const char *detail)
{
	if (code == CURLE_SSL_CACERT_BADFILE)
		return "CURL_CA_BUNDLE or SSL_CERT_FILE names it";
	/* libcurl begins so about a wrong name, and not about an unknown authority. */
	if (!strncmp(detail, "SSL: ", strlen("SSL: ")))
		return "use a name that the server's certificate has";
	return "CURL_CA_BUNDLE may name the certificates of authorities that you trust";
}

/* A failed transfer in words. */
static rg_error *transfer_error(transfer_state *x, CURLcode code, const char *detail)
{
	if (x->err)
		return rg_error_wrap(x->err, "%s", x->request->what);
	if (rg_cancelled())
		return rg_cancel_check();
	x->response->transient = x->stalled || is_transient(code);
	x->response->unreached = code == CURLE_COULDNT_RESOLVE_PROXY ||
				 code == CURLE_COULDNT_RESOLVE_HOST ||
				 code == CURLE_COULDNT_CONNECT;
	x->response->stalled = x->stalled || code == CURLE_OPERATION_TIMEDOUT;
	if (x->stalled)
		return stall_error(x);
	/* The only time that libcurl itself takes. */
	if (code == CURLE_OPERATION_TIMEDOUT)
		return rg_error_new(RG_E_NET, "%s: %s: no connection in %d s", x->request->what,
				    x->shown, CONNECT_SECONDS);
	if (code == CURLE_PARTIAL_FILE)
		return rg_error_new(RG_E_NET, "%s: %s: the body was cut after %llu bytes",
				    x->request->what, x->shown,
				    (unsigned long long)x->response->received);
	if (code == CURLE_UNSUPPORTED_PROTOCOL)
		return rg_error_new(RG_E_NET, "%s: %s: the answer is not HTTP", x->request->what,
				    x->shown);
	/* libcurl means its limit for a line, since 8.6 as CURLE_TOO_LARGE (100). */
	if (code == CURLE_OUT_OF_MEMORY || code == (CURLcode)100)
		return rg_error_new(RG_E_LIMIT, "%s: %s: a line of the answer's header is too long",
				    x->request->what, x->shown);
	/* Only these texts of libcurl are needed to find the cause; others may hold a whole URL. */
	if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
		return rg_error_new(RG_E_NET, "%s: %s: %s; %s", x->request->what, x->shown, detail,
				    certificate_advice(code, detail));
	return rg_error_new(RG_E_NET, "%s: %s: %s", x->request->what, x->shown,
			    libcurl.curl_easy_strerror(code));
}

#ifdef REGILD_STATIC
/* The certificates as distributions place them, which a libcurl of none does not know; NULL if
 * there are none. */
static const char *usual_certificates(void)
{
	static const char *const files[] = {
		"/etc/ssl/certs/ca-certificates.crt", /* Debian, Ubuntu, Arch, Alpine, NixOS */
		"/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora, RHEL */
		"/etc/ssl/ca-bundle.pem",             /* openSUSE */
		"/etc/ssl/cert.pem",
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!access(files[i], R_OK))
			return files[i];
	}
	return NULL;
}
#endif

/* `range` is needed until the transfer is over. */
static void set_request(transfer_state *x, char *range, size_t range_size)
{
	const rg_http_request *request = x->request;
	if (request->ranged) {
		if (request->last == UINT64_MAX)
			snprintf(range, range_size, "%llu-", (unsigned long long)request->first);
		else
			snprintf(range, range_size, "%llu-%llu", (unsigned long long)request->first,
				 (unsigned long long)request->last);
		libcurl.curl_easy_setopt(x->easy, CURLOPT_RANGE, range);
	}
	if (request->post) {
		libcurl.curl_easy_setopt(x->easy, CURLOPT_POST, 1L);
		libcurl.curl_easy_setopt(x->easy, CURLOPT_POSTFIELDS, request->post);
		libcurl.curl_easy_setopt(x->easy, CURLOPT_POSTFIELDSIZE_LARGE,
					 (curl_off_t)request->post_size);
	}
	if (request->method)
		libcurl.curl_easy_setopt(x->easy, CURLOPT_CUSTOMREQUEST, request->method);
	if (x->to != ELSEWHERE && x->http->options.netrc)
		libcurl.curl_easy_setopt(x->easy, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	if (rg_url_is_loopback(request->url))
		libcurl.curl_easy_setopt(x->easy, CURLOPT_NOPROXY, "*");
}

static void set_options(transfer_state *x, char *detail)
{
	CURL *easy = x->easy;
	libcurl.curl_easy_setopt(easy, CURLOPT_URL, x->request->url);
	libcurl.curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https,http");
	libcurl.curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	libcurl.curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	libcurl.curl_easy_setopt(easy, CURLOPT_USERAGENT, "regild/" REGILD_VERSION);
	libcurl.curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	libcurl.curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail);
	libcurl.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	libcurl.curl_easy_setopt(easy, CURLOPT_HEADERDATA, x);
	libcurl.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	libcurl.curl_easy_setopt(easy, CURLOPT_WRITEDATA, x);
	libcurl.curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
	libcurl.curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
	libcurl.curl_easy_setopt(easy, CURLOPT_XFERINFODATA, x);
	/* libcurl itself does not read these variables; its command does. */
	const char *file = getenv("CURL_CA_BUNDLE"), *dir = getenv("SSL_CERT_DIR");
	if (!file || !*file)
		file = getenv("SSL_CERT_FILE");
#ifdef REGILD_STATIC
	if (!file || !*file)
		file = usual_certificates();
#endif
	if (file && *file)
		libcurl.curl_easy_setopt(easy, CURLOPT_CAINFO, file);
	if (dir && *dir)
		libcurl.curl_easy_setopt(easy, CURLOPT_CAPATH, dir);
}

rg_http_options rg_http_options_default(void)
{
	return (rg_http_options){
		.retries = 5, .retry_base = 1, .limit_base = 60, .stall = 30, .max_wait = 900};
}

static void append_headers(struct curl_slist **list, const char *const *headers,
			   const char *token_line)
{
	for (; *headers; headers++)
		*list = libcurl.curl_slist_append(*list, *headers);
	if (token_line)
		*list = libcurl.curl_slist_append(*list, token_line);
}

static rg_error *make_headers(rg_http *http)
{
	const rg_http_service *service = http->options.service;

	/* A line end in it would let it write headers of its own. */
	if (http->token && strpbrk(http->token, "\r\n"))
		return rg_error_new(RG_E_AUTH, "the token holds a line end; set it again");
	RG_AUTO_FREE char *line = http->token ? rg_textf("%s%s", service->token_header, http->token)
					      : NULL;
	append_headers(&http->api_headers, service->headers, line);
	if (service->older_headers)
		append_headers(&http->older_headers, service->older_headers, line);
	return NULL;
}

static CURLcode started;

/* Once for all threads. */
static void start_curl(void)
{
	started = libcurl.curl_global_init(CURL_GLOBAL_DEFAULT);
}

rg_error *rg_http_new(rg_http **out, const rg_http_options *options)
{
	static const char *const no_headers[] = {NULL};
	static const rg_http_service nobody = {
		"the server", "Authorization: Bearer ", no_headers, NULL, NULL, NULL};
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	*out = NULL;
	RG_TRY(rg_curl_load());
	pthread_once(&once, start_curl);
	if (started)
		return rg_error_new(RG_E_NET, "libcurl does not start: %s",
				    libcurl.curl_easy_strerror(started));
	if (!options->insecure)
		RG_TRY(rg_url_check(options->api_url));
	RG_AUTO_PTR(rg_http) http = rg_calloc(1, sizeof(*http));
	pthread_mutex_init(&http->lock, NULL);
	http->options = *options;
	if (!http->options.service)
		http->options.service = &nobody;
	http->options.api_url = http->options.token = NULL; /* the copies count */
	http->seed = (unsigned)(uint64_t)(rg_clock_wall() * 1000);
	http->api_url = rg_strdup(options->api_url);
	for (char *p = http->api_url + strlen(http->api_url); p > http->api_url && p[-1] == '/';)
		*--p = '\0';
	if (options->token)
		http->token = rg_strdup(options->token);
	if (!options->limiter) {
		http->own_limiter = rg_limiter_new(options->limit_base);
		http->options.limiter = http->own_limiter;
		if (http->options.service->pace)
			rg_limiter_set_pace(http->own_limiter, http->options.service->pace);
	}
	RG_TRY(make_headers(http));
	*out = RG_TAKE(http);
	return NULL;
}

void rg_http_free(rg_http *http)
{
	if (!http)
		return;
	while (http->idle_count)
		libcurl.curl_easy_cleanup(http->idle[--http->idle_count]);
	libcurl.curl_slist_free_all(http->older_headers);
	libcurl.curl_slist_free_all(http->api_headers);
	rg_limiter_free(http->own_limiter);
	pthread_mutex_destroy(&http->lock);
	free(http->token);
	free(http->api_url);
	free(http);
}

const char *rg_http_api_url(const rg_http *http)
{
	return http->api_url;
}

const rg_http_options *rg_http_get_options(const rg_http *http)
{
	return &http->options;
}

bool rg_http_is_answered(rg_http *http)
{
	RG_LOCKED(&http->lock);
	return http->answered;
}

double rg_http_random(rg_http *http)
{
	RG_LOCKED(&http->lock);
	return (double)rand_r(&http->seed) / ((double)RAND_MAX + 1);
}

static CURL *take_easy(rg_http *http)
{
	{
		RG_LOCKED(&http->lock);
		if (http->idle_count)
			return http->idle[--http->idle_count];
	}
	return libcurl.curl_easy_init();
}

/* Its connections stay open for the next one who takes it. */
static void give_easy(rg_http *http, CURL *easy)
{
	libcurl.curl_easy_reset(easy);
	{
		RG_LOCKED(&http->lock);
		if (http->idle_count < IDLE_MAX) {
			http->idle[http->idle_count++] = easy;
			return;
		}
	}
	libcurl.curl_easy_cleanup(easy);
}

/* The headers of this request: the token's only for the API's origin. */
static struct curl_slist *choose_headers(const rg_http *http, const rg_http_request *request,
					 destination to)
{
	const struct curl_slist *item = to == OLDER_API ? http->older_headers : http->api_headers;
	struct curl_slist *own = NULL;

	for (; to != ELSEWHERE && item; item = item->next)
		own = libcurl.curl_slist_append(own, item->data);
	/* Nobody waits to be told to go on. */
	if (request->post)
		own = libcurl.curl_slist_append(own, "Expect:");
	if (request->content_type) {
		RG_AUTO_FREE char *line = rg_textf("Content-Type: %s", request->content_type);
		own = libcurl.curl_slist_append(own, line);
	}
	if (request->if_none_match && !strpbrk(request->if_none_match, "\r\n")) {
		RG_AUTO_FREE char *line = rg_textf("If-None-Match: %s", request->if_none_match);
		own = libcurl.curl_slist_append(own, line);
	}
	return own;
}

static rg_error *transfer(rg_http *http, const rg_http_request *request, rg_http_response *out,
			  destination to, const char *shown)
{
	const double start = rg_clock_monotonic();
	char detail[CURL_ERROR_SIZE] = "", range[48];
	struct curl_slist *headers = choose_headers(http, request, to);
	transfer_state x = {http, to, take_easy(http), request, out, shown, .seen_at = start};
	rg_error *err = NULL;

	libcurl.curl_easy_setopt(x.easy, CURLOPT_HTTPHEADER, headers);
	set_options(&x, detail);
	set_request(&x, range, sizeof(range));
	/* A store's bytes are counted and checked as they are. */
	if (to != ELSEWHERE)
		libcurl.curl_easy_setopt(x.easy, CURLOPT_ACCEPT_ENCODING, "");
	CURLcode code = libcurl.curl_easy_perform(x.easy);
	libcurl.curl_easy_getinfo(x.easy, CURLINFO_RESPONSE_CODE, &out->status);
	if (x.err || (code && !x.enough)) {
		err = transfer_error(&x, code, detail);
	} else if (!x.headed) { /* which libcurl takes for an empty body */
		out->transient = true;
		err = rg_error_new(RG_E_NET, "%s: %s: the answer ends inside of its header",
				   request->what, shown);
	}
	rg_log_say(http->options.log, RG_LOG_DEBUG, "%s %s%s%s: %ld, %llu bytes in %.3f s",
		   request->method ? request->method
		   : request->post ? "POST"
				   : "GET",
		   shown, request->ranged ? " bytes=" : "", request->ranged ? range : "",
		   out->status, (unsigned long long)out->received, rg_clock_monotonic() - start);
	give_easy(http, x.easy);
	libcurl.curl_slist_free_all(headers);
	return err;
}

rg_error *rg_http_wait(rg_http *http, const char *why, double seconds)
{
	double until = rg_clock_monotonic() + seconds;
	char text[RG_DURATION_TEXT];

	if (http->options.waiting)
		http->options.waiting(http->options.waiting_context, why, seconds);
	if (seconds > announced) {
		/* Eight workers that wait for the same thing say so once. */
		pthread_mutex_lock(&http->lock);
		bool first = until > http->announced_until + 1;
		if (first)
			http->announced_until = until;
		pthread_mutex_unlock(&http->lock);
		rg_duration_text(seconds, text);
		if (first)
			rg_log_say(http->options.log, RG_LOG_INFO, "waiting %s: %s", text, why);
	}
	rg_error *err = rg_clock_sleep(seconds);
	if (http->options.waiting)
		http->options.waiting(http->options.waiting_context, NULL, 0);
	return err;
}

/* Waits until the limiter lets a request through. The waits for one limit count together; our own
 * pacing is not a limit. */
static rg_error *pass_limiter(rg_http *http)
{
	const rg_http_options *options = &http->options;
	char left[RG_DURATION_TEXT], most[RG_DURATION_TEXT];
	double waited = 0;
	bool limited;

	RG_AUTO_FREE char *why = rg_textf("%s's rate limit", http->options.service->name);
	double delay = rg_limiter_take(http->options.limiter, rg_clock_monotonic(), &limited);
	while (delay > 0) {
		double held = rg_limiter_held(http->options.limiter, rg_clock_monotonic());
		if (limited && fmax(waited, held) + delay > http->options.max_wait) {
			rg_duration_text(delay, left);
			rg_duration_text(options->max_wait, most);
			return rg_error_new(
				RG_E_NET, "%s: another %s to wait, more than %s; start again later",
				why, left, options->max_wait_name ? options->max_wait_name : most);
		}
		RG_TRY(rg_http_wait(http, limited ? why : "pacing requests", delay));
		waited += delay;
		/* Meanwhile somebody else may have been refused. */
		delay = rg_limiter_blocked(http->options.limiter, rg_clock_monotonic());
		limited = true;
	}
	return NULL;
}

static rg_error *ask(rg_http *http, const rg_http_request *request, rg_http_response *out,
		     destination to, const char *shown)
{
	rg_http_response_release(out);
	rg_error *err = to == ELSEWHERE ? NULL
					: rg_error_wrap(pass_limiter(http), "%s", request->what);
	if (!err)
		err = transfer(http, request, out, to, shown);
	/* A refusal's text is shown, and may repeat what was sent. */
	const size_t length = http->token ? strlen(http->token) : 0;
	for (char *p = out->error_body.data; length && (p = strstr(p, http->token)) != NULL;)
		p = (char *)memset(p, '*', length) + length;
	if (out->status) {
		RG_LOCKED(&http->lock);
		http->answered = true;
	}
	if (to != ELSEWHERE && out->status)
		rg_limiter_note(
			http->options.limiter, rg_clock_monotonic(), rg_clock_wall(), &out->limit,
			rg_limiter_is_limited(out->status, &out->limit, out->error_body.data));
	return err;
}

rg_error *rg_http_exchange(rg_http *http, const rg_http_request *request, rg_http_response *out)
{
	RG_AUTO_FREE char *shown = NULL;
	bool api = rg_url_is_below(request->url, http->api_url);

	rg_http_response_release(out);
	if (!api || !http->options.insecure)
		RG_TRY(rg_error_wrap(rg_url_check(request->url), "%s", request->what));
	RG_TRY(rg_url_shown(&shown, request->url));
	if (!api)
		return ask(http, request, out, ELSEWHERE, shown);
	/* The API is asked in the newest version that it is known to speak. A 400 that has another
	 * reason is one in the older version, too. */
	if (http->older_headers && rg_limiter_is_older(http->options.limiter))
		return ask(http, request, out, OLDER_API, shown);
	RG_TRY(ask(http, request, out, API, shown));
	if (out->status != 400 || !http->older_headers)
		return NULL;
	RG_TRY(ask(http, request, out, OLDER_API, shown));
	if (out->status != 400 && rg_limiter_note_older(http->options.limiter))
		rg_log_say(http->options.log, RG_LOG_DETAIL,
			   "the server refuses the newest version of %s's API; it is asked in an "
			   "older one",
			   http->options.service->name);
	return NULL;
}
