/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_REPLY_H
#define REGILD_TESTS_HUB_REPLY_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct MHD_Connection;

/* A request as the API and the store see it. */
typedef struct {
	struct MHD_Connection *connection;
	const char *path;   /* without the query, unescaped */
	const char *raw;    /* the same as it came */
	const char *origin; /* "http://HOST" of a request to a proxy, or NULL */
	const char *query;  /* after the '?', as it came; "" where there is none */
	const char *method; /* "GET" */
	const char *body;   /* what came with it; NULL: nothing */
	bool authorized;    /* a header of it carries a token, whatever that is */

	/* Set by faults. */
	bool ignore_range; /* as if it asked for all */
	bool sign_expired; /* the address given out is good no more */
} request;

/* NULL where it is missing. */
const char *request_header(const request *req, const char *name);
/* Of the query, unescaped. */
const char *request_argument(const request *req, const char *name);
/* Where the query may name several ("scope[]"): is `value` one of them, or there is none? */
bool request_argument_admits(const request *req, const char *name, const char *value);
/* GitLab's API is below /api/v4/. */
bool request_is_gitlab(const request *req);

#define REPLY_HEADERS 24

/* How an answer is sent; set by faults. */
typedef struct {
	double delay;      /* seconds before the first byte */
	uint64_t cut_at;   /* bytes of the body after which the connection ends */
	bool reset;        /* … by a reset */
	uint64_t stall_at; /* bytes after which nothing comes for `stall` seconds */
	double stall;
	uint64_t rate; /* bytes a second; 0: as fast as it goes */
} reply_wire;

typedef struct {
	unsigned status;
	const unsigned char *bytes;
	size_t length;
	uint64_t first; /* where in the artifact `bytes` begin */
	char *owned;    /* what `bytes` points into when they are the reply's own */
	struct {
		const char *name;
		char *value;
	} headers[REPLY_HEADERS];
	size_t header_count;
	reply_wire wire;
	bool failed; /* memory ran out: no answer at all */
} reply;

void reply_init(reply *out);
void reply_release(reply *out);
void reply_header(reply *out, const char *name, const char *format, ...) RG_PRINTF(3, 4);
/* NULL where it has none. */
const char *reply_find_header(const reply *out, const char *name);
/* Replaces a header, or adds it. */
void reply_set_header(reply *out, const char *name, const char *value);
/* Takes `text` over (malloc's); NULL marks the reply failed. */
void reply_text(reply *out, unsigned status, const char *type, char *text);
/* Takes `json` over. */
void reply_json(reply *out, unsigned status, cJSON *json);
/* Puts `to` in the place of each `from` in a body of text. */
void reply_replace(reply *out, const char *from, const char *to);
/* GitHub's body for what is not a 2xx. */
void reply_message(reply *out, unsigned status, const char *message);

#endif
