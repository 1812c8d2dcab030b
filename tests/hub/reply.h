#ifndef REGILD_TESTS_HUB_REPLY_H
#define REGILD_TESTS_HUB_REPLY_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct MHD_Connection;

/* A request as the API and the store see it. */
typedef struct {
	struct MHD_Connection *connection;
	const char *path;  /* without the query, unescaped */
	const char *query; /* behind the '?', as it came; "" where there is none */
	bool authorized;   /* it carries an Authorization header, whatever is in it */
} request;

/* NULL where it is missing. */
const char *request_header(const request *req, const char *name);
/* Of the query, unescaped. */
const char *request_argument(const request *req, const char *name);

#define REPLY_HEADERS 24

/* An answer before faults and the wire. */
typedef struct {
	unsigned status;
	const unsigned char *bytes;
	size_t length;
	char *owned; /* what `bytes` points into when they are the reply's own */
	struct {
		const char *name;
		char *value;
	} headers[REPLY_HEADERS];
	size_t header_count;
	bool failed; /* memory ran out: no answer at all */
} reply;

void reply_init(reply *out);
void reply_release(reply *out);
void reply_header(reply *out, const char *name, const char *format, ...) RG_PRINTF(3, 4);
/* Replaces a header, or adds it. */
void reply_set_header(reply *out, const char *name, const char *value);
/* NULL where it has none. */
const char *reply_get_header(const reply *answer, const char *name);
/* Takes `text` over (malloc's); NULL marks the reply failed. */
void reply_text(reply *out, unsigned status, const char *type, char *text);
/* Takes `json` over. */
void reply_json(reply *out, unsigned status, cJSON *json);
/* GitHub's body for what is no 2xx. */
void reply_message(reply *out, unsigned status, const char *message);

#endif
