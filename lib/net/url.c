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
	return rg_error_new(RG_E_PARSE, "not a URL: %s", curl_url_strerror(code));
}

static rg_error *parse(CURLU **out, const char *url)
{
	*out = NULL;
	RG_TRY(rg_curl_load());
	*out = curl_url();
	if (!*out)
		rg_out_of_memory();
	CURLUcode code = curl_url_set(*out, CURLUPART_URL, url, 0);
	if (!code)
		return NULL;
	curl_url_cleanup(*out);
	*out = NULL;
	return not_a_url(code);
}

/* What a URL is made of; NULL where it lacks the part. */
typedef struct {
	char *scheme, *host, *port, *path, *user, *password;
} parts;

static void release(parts *p)
{
	curl_free(p->password);
	curl_free(p->user);
	curl_free(p->path);
	curl_free(p->port);
	curl_free(p->host);
	curl_free(p->scheme);
	*p = (parts){0};
}

/* A part's text, freed with curl_free. */
static char *part_of(CURLU *handle, CURLUPart part, CURLUcode *code)
{
	unsigned flags = part == CURLUPART_PORT ? CURLU_DEFAULT_PORT : 0;
	char *text = NULL;

	if (*code == CURLUE_OUT_OF_MEMORY)
		return NULL;
	*code = curl_url_get(handle, part, &text, flags);
	return *code ? NULL : text;
}

/* Nothing is to be released after an error. */
static rg_error *take_apart(parts *out, const char *url)
{
	CURLUcode code = CURLUE_OK;
	CURLU *handle;

	*out = (parts){0};
	RG_TRY(parse(&handle, url));
	out->scheme = part_of(handle, CURLUPART_SCHEME, &code);
	out->host = part_of(handle, CURLUPART_HOST, &code);
	out->port = part_of(handle, CURLUPART_PORT, &code);
	out->path = part_of(handle, CURLUPART_PATH, &code);
	out->user = part_of(handle, CURLUPART_USER, &code);
	out->password = part_of(handle, CURLUPART_PASSWORD, &code);
	curl_url_cleanup(handle);
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
	parts p;
	rg_error *err = take_apart(&p, url);
	bool answer = !err && p.host && is_loopback_host(p.host);

	if (!err)
		release(&p);
	rg_error_free(err);
	return answer;
}

static rg_error *check_parts(const parts *p)
{
	if (!p->scheme || !p->host || !*p->host)
		return rg_error_new(RG_E_UNSAFE, "a URL without scheme or host");
	if (p->user || p->password)
		return rg_error_new(RG_E_UNSAFE, "%s: a URL with a user name or password", p->host);
	if (!strcmp(p->scheme, "https") ||
	    (!strcmp(p->scheme, "http") && is_loopback_host(p->host)))
		return NULL;
	return rg_error_new(RG_E_UNSAFE,
			    "%s://%s: refused; only https is used, and http to this machine alone",
			    p->scheme, p->host);
}

rg_error *rg_url_check(const char *url)
{
	parts p;
	RG_TRY(take_apart(&p, url));
	rg_error *err = check_parts(&p);
	release(&p);
	return err;
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

static bool are_of(const parts *x, const parts *y, bool below)
{
	return same_part(x->scheme, y->scheme) && same_part(x->host, y->host) &&
	       same_part(x->port, y->port) && (!below || path_is_below(x->path, y->path));
}

/* Of the same origin, and where `below` is set, of `base`'s path or below it? */
static bool is_of(const char *url, const char *base, bool below)
{
	parts x, y;
	rg_error *err = take_apart(&x, url);
	bool answer = false;

	if (!err) {
		err = take_apart(&y, base);
		if (!err) {
			answer = are_of(&x, &y, below);
			release(&y);
		}
		release(&x);
	}
	rg_error_free(err);
	return answer;
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
	CURLU *handle;
	char *text = NULL;
	*out = NULL;

	RG_TRY(parse(&handle, url));
	curl_url_set(handle, CURLUPART_QUERY, NULL, 0);
	curl_url_set(handle, CURLUPART_FRAGMENT, NULL, 0);
	curl_url_set(handle, CURLUPART_USER, NULL, 0);
	curl_url_set(handle, CURLUPART_PASSWORD, NULL, 0);
	if (curl_url_get(handle, CURLUPART_URL, &text, 0))
		rg_out_of_memory();
	*out = rg_strdup(text);
	curl_free(text);
	curl_url_cleanup(handle);
	return NULL;
}

rg_error *rg_url_resolve(char **out, const char *base, const char *location)
{
	CURLU *handle;
	char *text = NULL;
	*out = NULL;

	RG_TRY(parse(&handle, base));
	CURLUcode code = curl_url_set(handle, CURLUPART_URL, location, 0);
	if (!code)
		code = curl_url_get(handle, CURLUPART_URL, &text, 0);
	rg_error *err = code ? not_a_url(code) : rg_url_check(text);
	if (!err)
		*out = rg_strdup(text);
	curl_free(text);
	curl_url_cleanup(handle);
	return err;
}

rg_error *rg_url_escape(char **out, const char *part)
{
	*out = NULL;
	RG_TRY(rg_curl_load());
	char *text = curl_easy_escape(NULL, part, 0);
	*out = rg_strdup(text);
	curl_free(text);
	return NULL;
}

rg_error *rg_url_add_parameter(rg_buf *url, const char *key, const char *value)
{
	char *escaped;
	if (!value)
		return NULL;
	RG_TRY(rg_url_escape(&escaped, value));
	rg_buf_printf(url, "&%s=%s", key, escaped);
	free(escaped);
	return NULL;
}

/* As GitHub writes it: <URL>; rel="prev", <URL>; rel="next". */
static void next_of(char **out, const char *header)
{
	const char *end = strstr(header, ">; rel=\"next\""), *url = end;
	*out = NULL;
	while (url && url > header && *url != '<')
		url--;
	if (url && *url == '<')
		*out = rg_strndup(url + 1, (size_t)(end - url - 1));
}

rg_error *rg_link_follow(char **url, const char *header)
{
	char *link = NULL, *next = NULL;
	if (header)
		next_of(&link, header);
	rg_error *err = NULL;

	if (link)
		err = rg_url_resolve(&next, *url, link);
	if (!err && next && !rg_url_same_origin(next, *url))
		err = rg_error_new(RG_E_UNSAFE, "the next page is on another host");
	if (err) {
		free(next);
		next = NULL;
	}
	free(link);
	free(*url);
	*url = next;
	return err;
}
