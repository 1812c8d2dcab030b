/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_PLAIN_URL_H
#define REGILD_SOURCE_PLAIN_URL_H

#include "net/http.h"

/*
 * A zip at an address that needs no API and no token: a bucket, a web server. The address may have
 * fields that a run fills in: https://HOST/{run}/{attempt}/{job_id}.zip.
 */

/* Is this no path? */
bool rg_is_plain_url(const char *text);

enum { RG_URL_RUN = 1, RG_URL_ATTEMPT = 2, RG_URL_JOB = 4 };

/* *fields: which there are. RG_E_USAGE for another field, RG_E_UNSAFE as rg_url_check. */
RG_CHECKED rg_error *rg_plain_url_check(const char *text, unsigned *fields);

typedef struct {
	uint64_t run, job_id;
	unsigned attempt;
} rg_url_values;

/* With the fields filled in; the caller's to free. */
char *rg_plain_url_fill(const char *text, const rg_url_values *values);

/* For messages: without the query, which may have a signature. The caller frees it. */
char *rg_plain_url_shown(const char *text);

/*
 * Finds the bytes: follows at most 5 redirects, to other hosts, too, but from https to https
 * alone. `http` has no token. RG_E_NOTFOUND where the server has nothing there or wants to know who
 * asks. *out is the caller's to free.
 */
RG_CHECKED rg_error *rg_plain_url_locate(char **out, rg_http *http, const char *url);

#endif
