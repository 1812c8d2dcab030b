/* SPDX-License-Identifier: Apache-2.0 */
#include "net/http.h"

#include "base/memory.h"
#include "base/json.h"
#include "net/url.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REDIRECTS_MAX = 5, LIMITS_MAX = 30 };

static bool is_limited(const rg_http_response *response)
{
	return rg_limiter_is_limited(response->status, &response->limit, response->error_body.data);
}

bool rg_http_is_retried(const rg_http_response *response)
{
	/* 408: the server's own timeout. */
	return response->status >= 500 || response->status == 408 || is_limited(response);
}

static rg_error_code code_of(long status)
{
	return status == 401 || status == 403 ? RG_E_AUTH
	       : status == 404                ? RG_E_NOTFOUND
	       : status == 410                ? RG_E_GONE
					      : RG_E_NET;
}

rg_error *rg_http_refusal(const rg_http_request *request, const rg_http_response *response,
			  const char *meaning)
{
	const rg_buf *answer = &response->error_body;
	RG_AUTO_PTR(cJSON) body = NULL;
	RG_AUTO_PTR(rg_error) err = rg_json_parse(&body, answer->data, answer->length);
	const char *said = cJSON_GetStringValue(rg_json_member(body, "message"));
	bool again = rg_http_is_retried(response);

	return rg_error_new(again ? RG_E_NET : code_of(response->status), "%s: %s (%ld%s%.200s)",
			    request->what,
			    is_limited(response) ? "the server's rate limit"
			    : again              ? "the server failed"
						 : meaning,
			    response->status, said ? ": " : "", said ? said : "");
}

rg_error *rg_http_status_error(const rg_http *http, const rg_http_request *request,
			       const rg_http_response *response)
{
	const rg_http_service *service = rg_http_get_options(http)->service;
	const long status = response->status;
	const char *meaning = service->meaning ? service->meaning(status) : NULL;

	if (!meaning)
		meaning = status == 401 || status == 403  ? "access was refused"
			  : status == 404                 ? "not found"
			  : status == 410                 ? "it is gone"
			  : status == 422                 ? "the request was refused as invalid"
			  : status >= 300 && status < 400 ? "an unexpected redirect"
							  : "an unexpected answer";
	return rg_http_refusal(request, response, meaning);
}

/* Counts a try more; false where that would be too many. */
static bool count_try(rg_http *http, bool limited, bool unreached, rg_http_tries *tries)
{
	unsigned *counter = limited ? &tries->limits : &tries->faults;
	unsigned most = limited ? LIMITS_MAX : rg_http_get_options(http)->retries;

	/* Most likely there is no network, or the name is wrong. */
	if (unreached && most > 1 && !rg_http_is_answered(http))
		most = 1;
	if (*counter >= most)
		return false;
	++*counter;
	return true;
}

rg_error *rg_http_retry(rg_http *http, const rg_http_request *request, rg_error *err,
			const rg_http_response *response, rg_http_tries *tries)
{
	const rg_http_options *options = rg_http_get_options(http);
	bool again = err ? response->transient : rg_http_is_retried(response);
	bool limited = !err && is_limited(response);
	bool api = rg_url_is_below(request->url, rg_http_api_url(http));
	RG_AUTO_PTR(rg_error) why = err ? err : rg_http_status_error(http, request, response);
	double delay = rg_retry_delay(options->retry_base, tries->faults, rg_http_random(http));

	if (!again)
		return RG_TAKE(why);
	if (!count_try(http, limited, err && response->unreached, tries)) {
		unsigned done = tries->faults + tries->limits + 1;
		return done > 1 ? rg_error_wrap(RG_TAKE(why), "given up after %u tries", done)
				: RG_TAKE(why);
	}
	if (limited && api) {
		delay = 0; /* the limiter makes the next request wait as long as it must */
	} else if (!err && (double)response->limit.retry_after > delay) {
		double left = fmax(options->max_wait - tries->waited, delay);
		delay = fmin((double)response->limit.retry_after, left);
		tries->waited += delay;
	}
	rg_log_say(options->log, RG_LOG_DETAIL, "%s; trying again", rg_error_message(why));
	return delay > 0 ? rg_http_wait(http, rg_error_message(why), delay) : NULL;
}

static rg_error *into_buffer(void *context, const void *bytes, size_t length)
{
	rg_buf *body = context;
	rg_buf_add(body, bytes, length);
	return rg_buf_check(body, "the answer");
}

/* The URL, within the origin, to which the answer redirects; NULL if there is none, or the redirect
 * is the answer. */
static rg_error *redirect_of(char **out, const rg_http_request *request,
			     const rg_http_response *response)
{
	long status = response->status;
	bool redirect = status == 301 || status == 307 || status == 308 ||
			(status == 302 && !request->found_is_final);
	RG_AUTO_FREE char *url = NULL;

	*out = NULL;
	if (!redirect || !response->location)
		return NULL;
	RG_TRY(rg_error_wrap(rg_url_resolve(&url, request->url, response->location), "%s",
			     request->what));
	if (rg_url_same_origin(url, request->url))
		*out = RG_TAKE(url);
	return NULL;
}

/* Tries until there is an answer that no other try can better. */
static rg_error *get_once(rg_http *http, const rg_http_request *request, rg_buf *body,
			  rg_http_response *out)
{
	rg_http_tries tries = {0};
	for (;;) {
		if (body)
			rg_buf_clear(body);
		rg_error *err = rg_http_exchange(http, request, out);
		if (!err && !rg_http_is_retried(out))
			return NULL;
		RG_TRY(rg_http_retry(http, request, err, out, &tries));
	}
}

rg_error *rg_http_get(rg_http *http, const rg_http_request *request, rg_buf *body,
		      rg_http_response *out)
{
	rg_http_request own = *request;
	RG_AUTO_FREE char *url = NULL;
	char *next;

	own.sink = body ? into_buffer : NULL;
	own.whole = NULL;
	own.context = body;
	for (int hops = 0; hops <= REDIRECTS_MAX; hops++) {
		RG_TRY(get_once(http, &own, body, out));
		RG_TRY(redirect_of(&next, &own, out));
		if (!next)
			return NULL;
		free(url);
		own.url = url = next;
	}
	return rg_error_new(RG_E_NET, "%s: more than %d redirects", own.what, REDIRECTS_MAX);
}
