/* SPDX-License-Identifier: Apache-2.0 */
#include "net/url.h"

#include "base/memory.h"
#include "net/curl.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static rg_error *not_a_url(CURLUcode code)
{
	return rg_error_new(RG_E_PARSE, "not a URL: %s", libcurl.curl_url_strerror(code));
}

static void CURLU_free_at(CURLU **handle)
{
	if (*handle)
		libcurl.curl_url_cleanup(*handle);
}

/* A text of libcurl's. */
typedef char curl_text;

static void curl_text_free_at(curl_text **text)
{
	if (*text)
		libcurl.curl_free(*text);
}

static rg_error *parse(CURLU **out, const char *url)
{
	*out = NULL;
	RG_TRY(rg_curl_load());
	RG_AUTO_PTR(CURLU) handle = libcurl.curl_url();
	if (!handle)
		rg_out_of_memory();
	CURLUcode code = libcurl.curl_url_set(handle, CURLUPART_URL, url, 0);
	if (code)
		return not_a_url(code);
	*out = RG_TAKE(handle);
	return NULL;
}

/* The parts of a URL; NULL for one that it lacks. */
typedef struct {
	char *scheme, *host, *port, *path, *user, *password;
} parts;

static void parts_release(parts *p)
{
	if (!p->scheme && !p->host && !p->port && !p->path && !p->user && !p->password)
		return; /* libcurl may not be loaded */
	libcurl.curl_free(p->password);
	libcurl.curl_free(p->user);
	libcurl.curl_free(p->path);
	libcurl.curl_free(p->port);
	libcurl.curl_free(p->host);
	libcurl.curl_free(p->scheme);
}

/* A part's text, freed with curl_free. */
static char *part_of(CURLU *handle, CURLUPart part, CURLUcode *code)
{
	unsigned flags = part == CURLUPART_PORT ? CURLU_DEFAULT_PORT : 0;
	char *text = NULL;

	if (*code == CURLUE_OUT_OF_MEMORY)
		return NULL;
	*code = libcurl.curl_url_get(handle, part, &text, flags);
	return *code ? NULL : text;
}

static rg_error *take_apart(parts *out, const char *url)
{
	CURLUcode code = CURLUE_OK;
	RG_AUTO_PTR(CURLU) handle = NULL;

	RG_TRY(parse(&handle, url));
	out->scheme = part_of(handle, CURLUPART_SCHEME, &code);
	out->host = part_of(handle, CURLUPART_HOST, &code);
	out->port = part_of(handle, CURLUPART_PORT, &code);
	out->path = part_of(handle, CURLUPART_PATH, &code);
	out->user = part_of(handle, CURLUPART_USER, &code);
	out->password = part_of(handle, CURLUPART_PASSWORD, &code);
	/* A part may well be missing. */
	if (code == CURLUE_OUT_OF_MEMORY)
		rg_out_of_memory();
	return NULL;
}

static bool is_loopback_host(const char *host)
{
	struct in_addr v4;
	if (!strcasecmp(host, "localhost") || !strcmp(host, "[::1]"))
		return true;
	return inet_pton(AF_INET, host, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127;
}

bool rg_url_is_loopback(const char *url)
{
	RG_AUTO(parts) p = {0};
	RG_AUTO_PTR(rg_error) err = take_apart(&p, url);
	return !err && p.host && is_loopback_host(p.host);
}

rg_error *rg_url_check(const char *url)
{
	RG_AUTO(parts) p = {0};
	RG_TRY(take_apart(&p, url));
	if (!p.scheme || !p.host || !*p.host)
		return rg_error_new(RG_E_UNSAFE, "a URL without scheme or host");
	if (p.user || p.password)
		return rg_error_new(RG_E_UNSAFE, "%s: a URL with a user name or password", p.host);
	if (!strcmp(p.scheme, "https") || (!strcmp(p.scheme, "http") && is_loopback_host(p.host)))
		return NULL;
	return rg_error_new(RG_E_UNSAFE,
			    "%s://%s: refused; only https is used, and http to this machine alone",
			    p.scheme, p.host);
}

static bool same_part(const char *a, const char *b)
{
	return a && b && !strcasecmp(a, b);
}

static bool path_is_below(const char *path, const char *top)
{
	size_t length = top ? strlen(top) : 0;
	while (length && top[length - 1] == '/')
		length--;
	return path && top && !strncmp(path, top, length) && (path[length] == '/' || !path[length]);
}

/* Has it the same origin, and if `below` is set, `base`'s path or one below it? */
static bool is_of(const char *url, const char *base, bool below)
{
	RG_AUTO(parts) x = {0}, y = {0};
	RG_AUTO_PTR(rg_error) err = take_apart(&x, url);
	if (!err)
		err = take_apart(&y, base);
	return !err && same_part(x.scheme, y.scheme) && same_part(x.host, y.host) &&
	       same_part(x.port, y.port) && (!below || path_is_below(x.path, y.path));
}

bool rg_url_same_origin(const char *a, const char *b)
{
	return is_of(a, b, false);
}

bool rg_url_is_below(const char *url, const char *base)
{
	return is_of(url, base, true);
}

rg_error *rg_url_shown(char **out, const char *url)
{
	RG_AUTO_PTR(CURLU) handle = NULL;
	RG_AUTO_PTR(curl_text) text = NULL;
	*out = NULL;

	RG_TRY(parse(&handle, url));
	libcurl.curl_url_set(handle, CURLUPART_QUERY, NULL, 0);
	libcurl.curl_url_set(handle, CURLUPART_FRAGMENT, NULL, 0);
	libcurl.curl_url_set(handle, CURLUPART_USER, NULL, 0);
	libcurl.curl_url_set(handle, CURLUPART_PASSWORD, NULL, 0);
	if (libcurl.curl_url_get(handle, CURLUPART_URL, &text, 0))
		rg_out_of_memory();
	*out = rg_strdup(text);
	return NULL;
}

rg_error *rg_url_resolve(char **out, const char *base, const char *location)
{
	RG_AUTO_PTR(CURLU) handle = NULL;
	RG_AUTO_PTR(curl_text) text = NULL;
	*out = NULL;

	RG_TRY(parse(&handle, base));
	CURLUcode code = libcurl.curl_url_set(handle, CURLUPART_URL, location, 0);
	if (!code)
		code = libcurl.curl_url_get(handle, CURLUPART_URL, &text, 0);
	RG_TRY(code ? not_a_url(code) : rg_url_check(text));
	*out = rg_strdup(text);
	return NULL;
}

rg_error *rg_url_escape(char **out, const char *part)
{
	*out = NULL;
	RG_TRY(rg_curl_load());
	RG_AUTO_PTR(curl_text) text = libcurl.curl_easy_escape(NULL, part, 0);
	*out = rg_strdup(text);
	return NULL;
}

rg_error *rg_url_add_parameter(rg_buf *url, const char *key, const char *value)
{
	RG_AUTO_FREE char *escaped = NULL;
	if (!value)
		return NULL;
	RG_TRY(rg_url_escape(&escaped, value));
	rg_buf_printf(url, "&%s=%s", key, escaped);
	return NULL;
}

rg_error *rg_link_follow(char **url, const char *header)
{
	RG_AUTO_FREE char *last = RG_TAKE(*url), *next = NULL;

	/* GitHub writes it so: <URL>; rel="prev", <URL>; rel="next". */
	const char *end = header ? strstr(header, ">; rel=\"next\"") : NULL, *start = end;
	while (start && start > header && *start != '<')
		start--;
	if (!start || *start != '<')
		return NULL;
	RG_AUTO_FREE char *link = rg_strndup(start + 1, (size_t)(end - start - 1));
	RG_TRY(rg_url_resolve(&next, last, link));
	if (!rg_url_same_origin(next, last))
		return rg_error_new(RG_E_UNSAFE, "the next page is on another host");
	*url = RG_TAKE(next);
	return NULL;
}
