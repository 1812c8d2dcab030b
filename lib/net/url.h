/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_URL_H
#define REGILD_NET_URL_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

/* Questions about URLs, all answered by libcurl's own parser, so that what is checked here is what
 * libcurl requests later. */

/* RG_E_UNSAFE unless it is https, or http to loopback (127.0.0.0/8, ::1, localhost), and holds no
 * user name or password. */
RG_CHECKED rg_error *rg_url_check(const char *url);
bool rg_url_is_loopback(const char *url);
/* The same scheme, host and port? False if either is not a URL. */
bool rg_url_same_origin(const char *a, const char *b);
/* Has it the same origin, and is its path `base`'s or below it? "https://HOST/api/v3/x" is below
 * "https://HOST/api/v3", "https://HOST/store" is not. */
bool rg_url_is_below(const char *url, const char *base);

/* For messages: scheme, host, port and path; never the query, which may have a signature. *out is
 * the caller's to free. */
RG_CHECKED rg_error *rg_url_shown(char **out, const char *url);
/* Resolves a Location header: `location` is absolute, or relative to `base`; checked as by
 * rg_url_check. *out is the caller's to free. */
RG_CHECKED rg_error *rg_url_resolve(char **out, const char *base, const char *location);

/* One part of a path, percent-encoded. *out is the caller's to free. */
RG_CHECKED rg_error *rg_url_escape(char **out, const char *part);

/* Adds "&KEY=VALUE" to a URL's query, percent-encoded; nothing where the value is NULL. */
RG_CHECKED rg_error *rg_url_add_parameter(rg_buf *url, const char *key, const char *value);

/* Follows a page of a list to the next, by the Link header (RFC 8288) of its answer: *url is freed
 * and becomes what the `header` of its answer (NULL: it had none) calls next, NULL after the last
 * page. RG_E_UNSAFE if that has another origin; *url is NULL then. */
RG_CHECKED rg_error *rg_link_follow(char **url, const char *header);

#endif
