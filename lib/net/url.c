#include "net/url.h"

#include "base/memory.h"
#include "net/curl.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static rg_error *parse(CURLU **out, const char *url)
{
	CURLUcode code;

	*out = NULL;
	RG_TRY(rg_curl_load());
	*out = rg_curl.url();
	if (!*out)
		return rg_error_nomem();
	code = rg_curl.url_set(*out, CURLUPART_URL, url, 0);
	if (!code)
		return NULL;
	rg_curl.url_cleanup(*out);
	*out = NULL;
	return code == CURLUE_OUT_OF_MEMORY
		       ? rg_error_nomem()
		       : rg_error_new(RG_E_PARSE, "not a URL: %s", rg_curl.url_strerror(code));
}

/* NULL where parsing failed, maybe because there is no libcurl. */
static void free_url(CURLU *handle)
{
	if (handle)
		rg_curl.url_cleanup(handle);
}

/* A part's text, freed with curl_free; NULL where it is not there. */
static char *part_of(CURLU *handle, CURLUPart part, unsigned flags)
{
	char *text = NULL;

	return rg_curl.url_get(handle, part, &text, flags) ? NULL : text;
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
	rg_error *err;
	CURLU *handle;
	char *host;
	bool answer;

	err = parse(&handle, url);
	if (err) {
		rg_error_free(err);
		return false;
	}
	host = part_of(handle, CURLUPART_HOST, 0);
	answer = host && is_loopback_host(host);
	rg_curl.free(host);
	rg_curl.url_cleanup(handle);
	return answer;
}

static rg_error *check_parts(const char *scheme, const char *host, bool has_user)
{
	if (!scheme || !host || !*host)
		return rg_error_new(RG_E_UNSAFE, "a URL without scheme or host");
	if (has_user)
		return rg_error_new(RG_E_UNSAFE, "%s: a URL with a user name or password", host);
	if (!strcmp(scheme, "https") || (!strcmp(scheme, "http") && is_loopback_host(host)))
		return NULL;
	return rg_error_new(RG_E_UNSAFE,
			    "%s://%s: refused; only https is used, and http to this machine alone",
			    scheme, host);
}

rg_error *rg_url_check(const char *url)
{
	char *scheme, *host, *user, *password;
	rg_error *err;
	CURLU *handle;

	RG_TRY(parse(&handle, url));
	scheme = part_of(handle, CURLUPART_SCHEME, 0);
	host = part_of(handle, CURLUPART_HOST, 0);
	user = part_of(handle, CURLUPART_USER, 0);
	password = part_of(handle, CURLUPART_PASSWORD, 0);
	err = check_parts(scheme, host, user || password);
	rg_curl.free(password);
	rg_curl.free(user);
	rg_curl.free(host);
	rg_curl.free(scheme);
	rg_curl.url_cleanup(handle);
	return err;
}

static bool same_part(CURLU *a, CURLU *b, CURLUPart part)
{
	char *x = part_of(a, part, CURLU_DEFAULT_PORT), *y = part_of(b, part, CURLU_DEFAULT_PORT);
	bool same = x && y && !strcasecmp(x, y);

	rg_curl.free(x);
	rg_curl.free(y);
	return same;
}

bool rg_url_same_origin(const char *a, const char *b)
{
	CURLU *x = NULL, *y = NULL;
	rg_error *err = rg_error_first(parse(&x, a), parse(&y, b));
	bool same = !err && same_part(x, y, CURLUPART_SCHEME) && same_part(x, y, CURLUPART_HOST) &&
		    same_part(x, y, CURLUPART_PORT);

	rg_error_free(err);
	free_url(x);
	free_url(y);
	return same;
}

static bool path_is_below(CURLU *url, CURLU *base)
{
	char *path = part_of(url, CURLUPART_PATH, 0), *top = part_of(base, CURLUPART_PATH, 0);
	size_t length = top ? strlen(top) : 0;
	bool below;

	while (length && top[length - 1] == '/')
		length--;
	below = path && top && !strncmp(path, top, length) &&
		(path[length] == '/' || !path[length]);
	rg_curl.free(top);
	rg_curl.free(path);
	return below;
}

bool rg_url_is_below(const char *url, const char *base)
{
	CURLU *x = NULL, *y = NULL;
	rg_error *err;
	bool below;

	if (!rg_url_same_origin(url, base))
		return false;
	err = rg_error_first(parse(&x, url), parse(&y, base));
	below = !err && path_is_below(x, y);
	rg_error_free(err);
	free_url(x);
	free_url(y);
	return below;
}

rg_error *rg_url_shown(char **out, const char *url)
{
	rg_error *err = NULL;
	CURLU *handle;
	char *text;

	*out = NULL;
	err = parse(&handle, url);
	if (err)
		return err;
	rg_curl.url_set(handle, CURLUPART_QUERY, NULL, 0);
	rg_curl.url_set(handle, CURLUPART_FRAGMENT, NULL, 0);
	rg_curl.url_set(handle, CURLUPART_USER, NULL, 0);
	rg_curl.url_set(handle, CURLUPART_PASSWORD, NULL, 0);
	text = part_of(handle, CURLUPART_URL, 0);
	err = text ? rg_strdup(out, text) : rg_error_nomem();
	rg_curl.free(text);
	rg_curl.url_cleanup(handle);
	return err;
}

rg_error *rg_url_resolve(char **out, const char *base, const char *location)
{
	rg_error *err = NULL;
	CURLU *handle;
	char *text = NULL;
	CURLUcode code;

	*out = NULL;
	RG_TRY(parse(&handle, base));
	code = rg_curl.url_set(handle, CURLUPART_URL, location, 0);
	if (code)
		err = rg_error_new(RG_E_PARSE, "not a URL: %s", rg_curl.url_strerror(code));
	else
		text = part_of(handle, CURLUPART_URL, 0);
	if (!err)
		err = text ? rg_url_check(text) : rg_error_nomem();
	if (!err)
		err = rg_strdup(out, text);
	rg_curl.free(text);
	rg_curl.url_cleanup(handle);
	return err;
}

rg_error *rg_url_escape(char **out, const char *part)
{
	rg_error *err;
	char *text;

	RG_TRY(rg_curl_load());
	text = rg_curl.easy_escape(NULL, part, 0);
	err = text ? rg_strdup(out, text) : rg_error_nomem();
	rg_curl.free(text);
	return err;
}

/* Is `next` among the words of a rel parameter, quoted or bare? */
static bool rel_has_next(const char *value, size_t length)
{
	size_t i = 0;

	while (i < length) {
		size_t start;

		while (i < length && (value[i] == ' ' || value[i] == '"'))
			i++;
		for (start = i; i < length && value[i] != ' ' && value[i] != '"';)
			i++;
		if (i - start == 4 && !strncasecmp(value + start, "next", 4))
			return true;
	}
	return false;
}

/* The place behind one parameter; *next is set where it is rel=next. */
static const char *skip_parameter(const char *p, bool *next)
{
	const char *name = p, *value;
	size_t name_length = strcspn(p, "=;,");

	p += name_length;
	if (*p != '=')
		return p;
	value = ++p;
	if (*p == '"') {
		p += 1 + strcspn(p + 1, "\"");
		p += *p == '"';
	} else {
		p += strcspn(p, ";,");
	}
	if (name_length == 3 && !strncasecmp(name, "rel", 3))
		*next |= rel_has_next(value, (size_t)(p - value));
	return p;
}

rg_error *rg_link_next(char **out, const char *header)
{
	const char *p = header;

	*out = NULL;
	while ((p = strchr(p, '<')) != NULL) {
		const char *url = p + 1, *end = strchr(url, '>');
		bool next = false;

		if (!end)
			break;
		p = end + 1 + strspn(end + 1, " \t");
		while (*p == ';') {
			p += 1 + strspn(p + 1, " \t");
			p = skip_parameter(p, &next);
			p += strspn(p, " \t");
		}
		if (next)
			return rg_strndup(out, url, (size_t)(end - url));
	}
	return NULL;
}

rg_error *rg_link_follow(char **url, const char *header)
{
	char *link = NULL, *next = NULL;
	rg_error *err = header ? rg_link_next(&link, header) : NULL;

	if (!err && link)
		err = rg_url_resolve(&next, *url, link);
	if (!err && next && !rg_url_same_origin(next, *url))
		err = rg_error_new(RG_E_UNSAFE, "the next page is said to be on another host");
	if (err) {
		free(next);
		next = NULL;
	}
	free(link);
	free(*url);
	*url = next;
	return err;
}
