/* SPDX-License-Identifier: Apache-2.0 */
#include "net/http.h"

#include "base/memory.h"
#include "net/clock.h"
#include "net/curl.h"
#include "net/transfer.h"
#include "net/url.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

rg_http_options rg_http_options_default(void)
{
	return (rg_http_options){
		.retries = 5, .retry_base = 1, .limit_base = 60, .stall = 30, .max_wait = 900};
}

static void add_header(struct curl_slist **list, const char *header)
{
	struct curl_slist *longer = curl_slist_append(*list, header);
	*list = longer;
}

static void add_headers(struct curl_slist **list, const char *const *headers,
			const char *token_line)
{
	for (; *headers; headers++)
		add_header(list, *headers);
	if (token_line)
		add_header(list, token_line);
}

static rg_error *make_headers(rg_http *http)
{
	const rg_http_service *service = http->options.service;
	char *line = NULL;

	/* A line end in it would let it write headers of its own. */
	if (http->token && strpbrk(http->token, "\r\n"))
		return rg_error_new(RG_E_AUTH, "the token holds a line end; set it again");
	if (http->token)
		line = rg_textf("%s%s", service->token_header, http->token);
	add_headers(&http->api_headers, service->headers, line);
	if (service->older_headers)
		add_headers(&http->older_headers, service->older_headers, line);
	free(line);
	return NULL;
}

static CURLcode started;

/* Once for all threads. */
static void start_curl(void)
{
	started = curl_global_init(CURL_GLOBAL_DEFAULT);
}

rg_error *rg_http_new(rg_http **out, const rg_http_options *options)
{
	static const char *const no_headers[] = {NULL};
	static const rg_http_service nobody = {"the server", "Authorization: Bearer ", no_headers,
					       NULL, NULL};
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	*out = NULL;
	RG_TRY(rg_curl_load());
	pthread_once(&once, start_curl);
	if (started)
		return rg_error_new(RG_E_NET, "libcurl does not start: %s",
				    curl_easy_strerror(started));
	if (!options->insecure)
		RG_TRY(rg_url_check(options->api_url));
	rg_http *http = rg_calloc(1, sizeof(*http));
	pthread_mutex_init(&http->lock, NULL);
	http->options = *options;
	if (!http->options.service)
		http->options.service = &nobody;
	http->options.api_url = http->options.token = NULL; /* the copies count */
	http->seed = (unsigned)(uint64_t)(rg_clock_wall() * 1000);
	http->api_url = rg_strdup(options->api_url);
	rg_error *err = NULL;
	if (options->token)
		http->token = rg_strdup(options->token);
	if (!err && !options->limiter) {
		http->own_limiter = rg_limiter_new(options->limit_base);
		http->options.limiter = http->own_limiter;
		if (!err && http->options.service->pace)
			rg_limiter_set_pace(http->own_limiter, http->options.service->pace);
	}
	if (!err)
		err = make_headers(http);
	if (err)
		rg_http_free(http);
	else
		*out = http;
	return err;
}

void rg_http_free(rg_http *http)
{
	if (!http)
		return;
	while (http->idle_count)
		curl_easy_cleanup(http->idle[--http->idle_count]);
	curl_slist_free_all(http->older_headers);
	curl_slist_free_all(http->api_headers);
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
	pthread_mutex_lock(&http->lock);
	bool answered = http->answered;
	pthread_mutex_unlock(&http->lock);
	return answered;
}

static void note_answer(rg_http *http)
{
	pthread_mutex_lock(&http->lock);
	http->answered = true;
	pthread_mutex_unlock(&http->lock);
}

double rg_http_random(rg_http *http)
{
	pthread_mutex_lock(&http->lock);
	double number = (double)rand_r(&http->seed) / ((double)RAND_MAX + 1);
	pthread_mutex_unlock(&http->lock);
	return number;
}

static CURL *take_easy(rg_http *http)
{
	CURL *easy = NULL;
	pthread_mutex_lock(&http->lock);
	if (http->idle_count)
		easy = http->idle[--http->idle_count];
	pthread_mutex_unlock(&http->lock);
	return easy ? easy : curl_easy_init();
}

/* Its connections stay open for the next one who takes it. */
static void give_easy(rg_http *http, CURL *easy)
{
	curl_easy_reset(easy);
	pthread_mutex_lock(&http->lock);
	if (http->idle_count < IDLE_MAX) {
		http->idle[http->idle_count++] = easy;
		easy = NULL;
	}
	pthread_mutex_unlock(&http->lock);
	curl_easy_cleanup(easy);
}

/* Who is asked, and how. */
typedef enum { ELSEWHERE, API, OLDER_API } destination;

/* The headers of this request: the token's only for the API's origin. *own is to be freed. */
static void choose_headers(const rg_http *http, const rg_http_request *request, destination to,
			   struct curl_slist **own)
{
	const struct curl_slist *item = to == OLDER_API ? http->older_headers : http->api_headers;
	char *line;

	*own = NULL;
	for (; to != ELSEWHERE && item; item = item->next)
		add_header(own, item->data);
	/* Nobody waits to be told to go on. */
	if (request->post)
		add_header(own, "Expect:");
	if (request->content_type) {
		line = rg_textf("Content-Type: %s", request->content_type);
		add_header(own, line);
		free(line);
	}
	if (!request->if_none_match || strpbrk(request->if_none_match, "\r\n"))
		return;
	line = rg_textf("If-None-Match: %s", request->if_none_match);
	add_header(own, line);
	free(line);
}

/* One exchange with a handle of the pool; `shown` is the URL for people. */
static rg_error *transfer(rg_http *http, const rg_http_request *request, rg_http_response *out,
			  destination to, const char *shown)
{
	struct curl_slist *headers;
	rg_transfer x = {.request = request,
			 .response = out,
			 .shown = shown,
			 .stall = http->options.stall,
			 .log = http->options.log,
			 /* A store's bytes are counted and checked as they are. */
			 .decoded = to != ELSEWHERE,
			 .netrc = to != ELSEWHERE && http->options.netrc};
	choose_headers(http, request, to, &headers);
	rg_error *err = NULL;

	x.easy = err ? NULL : take_easy(http);
	if (!err) {
		curl_easy_setopt(x.easy, CURLOPT_HTTPHEADER, headers);
		err = rg_transfer_run(&x);
		give_easy(http, x.easy);
	}
	curl_slist_free_all(headers);
	return err;
}

static void announce(rg_http *http, const char *why, double seconds)
{
	double until = rg_clock_monotonic() + seconds;
	char text[RG_DURATION_TEXT];

	if (http->options.waiting)
		http->options.waiting(http->options.waiting_context, why, seconds);
	if (seconds <= announced)
		return;
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

rg_error *rg_http_wait(rg_http *http, const char *why, double seconds)
{
	announce(http, why, seconds);
	rg_error *err = rg_clock_sleep(seconds);
	if (http->options.waiting)
		http->options.waiting(http->options.waiting_context, NULL, 0);
	return err;
}

static rg_error *too_long(const rg_http_options *options, double delay)
{
	char left[RG_DURATION_TEXT], most[RG_DURATION_TEXT];
	rg_duration_text(delay, left);
	rg_duration_text(options->max_wait, most);
	return rg_error_new(RG_E_NET,
			    "%s's rate limit: another %s to wait, more than %s; start again later",
			    options->service->name, left,
			    options->max_wait_name ? options->max_wait_name : most);
}

static rg_error *wait_for_limiter(rg_http *http, bool limited, double delay)
{
	if (!limited)
		return rg_http_wait(http, "pacing requests", delay);
	char *why = rg_textf("%s's rate limit", http->options.service->name);
	rg_error *err = rg_http_wait(http, why, delay);
	free(why);
	return err;
}

/* Waits until the limiter lets a request through. The waits for one limit count together; our own
 * pacing is not a limit. */
static rg_error *pass_limiter(rg_http *http)
{
	double waited = 0;
	bool limited;

	double delay = rg_limiter_take(http->options.limiter, rg_clock_monotonic(), &limited);
	while (delay > 0) {
		double held = rg_limiter_held(http->options.limiter, rg_clock_monotonic());
		if (limited && fmax(waited, held) + delay > http->options.max_wait)
			return too_long(&http->options, delay);
		RG_TRY(wait_for_limiter(http, limited, delay));
		waited += delay;
		/* Meanwhile somebody else may have been refused. */
		delay = rg_limiter_blocked(http->options.limiter, rg_clock_monotonic());
		limited = true;
	}
	return NULL;
}

/* A refusal's text is shown, and may say back what was sent. */
static void hide_token(const rg_http *http, rg_buf *text)
{
	size_t length = http->token ? strlen(http->token) : 0;
	char *p = text->data;

	while (length && (p = strstr(p, http->token)) != NULL) {
		memset(p, '*', length);
		p += length;
	}
}

static rg_error *ask(rg_http *http, const rg_http_request *request, rg_http_response *out,
		     destination to, const char *shown)
{
	rg_http_response_release(out);
	rg_error *err = to == ELSEWHERE ? NULL
					: rg_error_wrap(pass_limiter(http), "%s", request->what);
	if (!err)
		err = transfer(http, request, out, to, shown);
	hide_token(http, &out->error_body);
	if (out->status)
		note_answer(http);
	if (to != ELSEWHERE && out->status)
		rg_limiter_note(
			http->options.limiter, rg_clock_monotonic(), rg_clock_wall(), &out->limit,
			rg_limiter_is_limited(out->status, &out->limit, out->error_body.data));
	return err;
}

/* The API, in the newest version that it is known to speak. A 400 that has another reason is one in
 * the older version, too. */
static rg_error *ask_api(rg_http *http, const rg_http_request *request, rg_http_response *out,
			 const char *shown)
{
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

rg_error *rg_http_exchange(rg_http *http, const rg_http_request *request, rg_http_response *out)
{
	char *shown;
	bool api = rg_url_is_below(request->url, http->api_url);

	rg_http_response_release(out);
	if (!api || !http->options.insecure)
		RG_TRY(rg_error_wrap(rg_url_check(request->url), "%s", request->what));
	RG_TRY(rg_url_shown(&shown, request->url));
	rg_error *err = api ? ask_api(http, request, out, shown)
			    : ask(http, request, out, ELSEWHERE, shown);
	free(shown);
	return err;
}
