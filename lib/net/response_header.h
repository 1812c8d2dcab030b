/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_RESPONSE_HEADER_H
#define REGILD_NET_RESPONSE_HEADER_H

#include "base/buf.h"
#include "net/rate_limiter.h"

#include <stdbool.h>
#include <stdint.h>

/* A request and what comes back. */

/* Bytes a second. A server that sends fewer counts as stalled. */
enum { RG_HTTP_RATE_MIN = 1000 };

/* Takes body bytes as they come. An error ends the transfer and is returned from it. */
typedef rg_error *rg_http_sink(void *context, const void *bytes, size_t length);

typedef struct {
	const char *url;
	const char *what; /* subject for messages: "run 42" */
	const void *post; /* the bytes of a POST; NULL: a GET */
	size_t post_size;
	const char *method;        /* "PATCH", "PUT", "DELETE"; NULL: as `post` says */
	const char *content_type;  /* of `post`; NULL: a form's */
	const char *if_none_match; /* an ETag or NULL */
	bool ranged;
	uint64_t first, last; /* with ranged: bytes first … last; UINT64_MAX: to the end */
	/* `sink` takes the body of a 200 or 206. `whole` takes that of a 200 if a range was asked
	 * for (NULL: the transfer is cut short, and the status says so). */
	rg_http_sink *sink, *whole;
	void *context;
	bool found_is_final; /* rg_http_get: a 302 is the answer and not followed */
} rg_http_request;

typedef struct {
	long status;
	char *location, *link, *etag, *file_name; /* NULL where absent; file_name is
						     Content-Disposition's, unchecked */
	int64_t next_page;                        /* GitLab's; -1: not given, or the last */
	bool has_range;                           /* a Content-Range with these three */
	uint64_t first, last, total; /* total UINT64_MAX: not given; `416` gives only the total */
	uint64_t length;             /* Content-Length; UINT64_MAX: not given */
	uint64_t received;           /* bytes that went into a sink */
	rg_limit_headers limit;
	rg_buf error_body; /* of any other status, cut at 64 KiB; past 1 MiB it is not waited for */
	bool transient;    /* after an error: worth another try */
	bool unreached;    /* after an error: there was nobody to ask */
	bool stalled;      /* after an error: too little came for too long */
} rg_http_response;

void rg_http_response_init(rg_http_response *response);
void rg_http_response_release(rg_http_response *response);

/* One header line as it came, with or without its line end, into the response. Lines that mean
 * nothing here, or nothing at all, are passed over; a status line starts the answer afresh. */
void rg_http_header(rg_http_response *out, const char *line, size_t length);

#endif
