/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_HTTP_H
#define REGILD_NET_HTTP_H

#include "base/cleanup.h"
#include "base/log.h"
#include "net/response_header.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * GET and POST over libcurl, for all workers of the process: a pool of connections, one limiter,
 * retries. Safe for several threads.
 *
 * - https only, but for loopback and an API that is `insecure`; certificates are checked;
 * CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR name other ones; proxies are taken from the
 * environment as curl does it, but never for loopback, because a proxy's loopback is another
 * machine's.
 * - The token goes with requests to the API's origin (scheme, host, port) that are below its path,
 *   and with no others. Redirects are followed within an origin and no further (a renamed
 *   repository).
 * - Neither the token nor a URL's query is in any message or log.
 */
typedef struct rg_http rg_http;

/* The owner of an API; constants. */
typedef struct {
	const char *name;           /* for messages: "GitHub" */
	const char *token_header;   /* "Authorization: Bearer " */
	const char *const *headers; /* of each request to the API; ends with NULL */
	/* The same for an older version of the API, for servers that answer the newest with 400;
	 * NULL: there is none. Once a request gets another answer with these, all are sent so. */
	const char *const *older_headers;
	const rg_pace *pace; /* of its own limiter; NULL: as a limiter has it */
	/* The meaning of a status there, with advice; NULL for one that is the same everywhere. May
	 * itself be NULL. */
	const char *(*meaning)(long status);
} rg_http_service;

typedef struct {
	const rg_http_service *service; /* borrowed; NULL: nobody's in particular */
	const char *api_url;            /* checked by rg_http_new */
	const char *token;              /* NULL: none */
	bool netrc;    /* the user and password for the API's host are in ~/.netrc, if anywhere */
	bool insecure; /* the API may be another machine's without TLS, as api_url says */
	unsigned retries;    /* after the first try */
	double retry_base;   /* seconds before the first retry; then twice that each time */
	double limit_base;   /* seconds to back off if a refusal does not say */
	rg_limiter *limiter; /* shared with others that ask the same API, borrowed; NULL: its own */
	double stall; /* seconds in which RG_HTTP_RATE_MIN must be reached, else it is a timeout */
	double max_wait;           /* seconds that one limit may hold it up; more is an error */
	const char *max_wait_name; /* borrowed: what the user calls that; NULL: nothing */
	const rg_log *log;         /* borrowed; NULL: silence */
	/* Called before and (with why NULL) after a wait; may be NULL. From any thread. */
	void (*waiting)(void *context, const char *why, double seconds);
	void *waiting_context;
} rg_http_options;

/* 5 retries from 1 s, back-off from 60 s, stall 30 s, wait 900 s. */
rg_http_options rg_http_options_default(void);

/* RG_E_UNSAFE for an api_url that rg_url_check refuses; texts are copied. */
RG_CHECKED rg_error *rg_http_new(rg_http **out, const rg_http_options *options);
void rg_http_free(rg_http *http);
RG_FREE_AT(rg_http)
/* Without a slash at its end: "https://api.github.com". */
const char *rg_http_api_url(const rg_http *http);
/* As given to rg_http_new, except api_url and token, which are NULL, and its own limiter. */
const rg_http_options *rg_http_get_options(const rg_http *http);

/*
 * One exchange, paced by the limiter where it goes to the API, and never tried again. `out` must be
 * initialised; what it held is released. Any status is a success; RG_E_NET where none came or the
 * body was cut (out->transient, out->received say more).
 */
RG_CHECKED rg_error *rg_http_exchange(rg_http *http, const rg_http_request *request,
				      rg_http_response *out);

/*
 * The same with everything that may be tried again: no connection, a timeout, a cut body, 5xx, 408,
 * and the API's limits by their own rules. At most 5 redirects that stay in the URL's origin are
 * followed; one that leaves it is an answer like any other. The body lands in `body` (emptied
 * before each try; NULL: it is not wanted) and not in the request's sinks. RG_E_NET after the last
 * retry, or where the limit would hold it up for longer than max_wait.
 */
RG_CHECKED rg_error *rg_http_get(rg_http *http, const rg_http_request *request, rg_buf *body,
				 rg_http_response *out);

/* How often one request was tried again: start from zero. */
typedef struct {
	unsigned faults; /* bounded by the options' retries, by 1 where nobody was ever reached */
	unsigned limits; /* refusals by a rate limit; their waits are bounded by max_wait */
	double waited;   /* seconds, because a server other than the API said how long */
} rg_http_tries;

/*
 * For callers that try again by themselves. Waits and returns NULL where another try is due after
 * `err` (which it frees, and logs) or after the answer in `response` (err NULL, a 5xx, 408 or a
 * limit); else returns the error to end with.
 */
RG_CHECKED rg_error *rg_http_retry(rg_http *http, const rg_http_request *request, rg_error *err,
				   const rg_http_response *response, rg_http_tries *tries);
/* Is this status one that rg_http_retry tries again? */
bool rg_http_is_retried(const rg_http_response *response);

/* Sleeps; longer waits are announced with `why`. RG_E_CANCELLED after Ctrl-C. */
RG_CHECKED rg_error *rg_http_wait(rg_http *http, const char *why, double seconds);
/* Has there been any answer yet? Without a network it is not worth waiting for one. */
bool rg_http_is_answered(rg_http *http);
/* In [0, 1), for jitter. */
double rg_http_random(rg_http *http);

/*
 * The error for an unexpected status: what it means and what to do about it.
 * RG_E_AUTH for 401 and 403, RG_E_NOTFOUND, RG_E_GONE, RG_E_NET for the rest.
 */
RG_CHECKED rg_error *rg_http_status_error(const rg_http *http, const rg_http_request *request,
					  const rg_http_response *response);
/* The same with words of the caller's own on what the status means. */
RG_CHECKED rg_error *rg_http_refusal(const rg_http_request *request,
				     const rg_http_response *response, const char *meaning);

#endif
