/* SPDX-License-Identifier: Apache-2.0 */
#include "source/plain_url.h"

#include "base/memory.h"
#include "net/url.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { REDIRECTS_MAX = 5 };

static const struct {
	const char *name;
	unsigned field;
} fields[] = {{"{run}", RG_URL_RUN}, {"{attempt}", RG_URL_ATTEMPT}, {"{job_id}", RG_URL_JOB}};

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

static bool is_https(const char *url)
{
	return !strncasecmp(url, "https://", strlen("https://"));
}

bool rg_is_plain_url(const char *text)
{
	const char *scheme = strstr(text, "://");
	return scheme && scheme > text && !memchr(text, '/', (size_t)(scheme - text));
}

/* The field that begins here; FIELDS where there is none. */
static size_t field_at(const char *text)
{
	size_t i;
	for (i = 0; i < FIELDS; i++)
		if (!strncmp(text, fields[i].name, strlen(fields[i].name)))
			break;
	return i;
}

rg_error *rg_plain_url_check(const char *text, unsigned *found)
{
	*found = 0;
	if (!is_https(text) && strncasecmp(text, "http://", strlen("http://")) != 0)
		return rg_error_new(RG_E_USAGE,
				    "'%.*s': only https is used; give the same file's "
				    "https:// address",
				    (int)strcspn(text, "/") + 2, text);
	for (const char *p = text; (p = strpbrk(p, "{}")) != NULL; p++) {
		size_t i = field_at(p);
		if (i == FIELDS)
			return rg_error_new(RG_E_USAGE,
					    "its fields are {run}, {attempt} and {job_id}; another "
					    "brace is written %%7B or %%7D");
		*found |= fields[i].field;
		p += strlen(fields[i].name) - 1;
	}
	RG_AUTO_FREE char *filled = rg_plain_url_fill(text, &(rg_url_values){0});
	return rg_url_check(filled);
}

char *rg_plain_url_fill(const char *text, const rg_url_values *values)
{
	const uint64_t numbers[FIELDS] = {values->run, values->attempt, values->job_id};
	rg_buf url = rg_buf_of(RG_BUF_ANY); /* handed over */
	size_t i;
	while (*text) {
		size_t plain = strcspn(text, "{");
		rg_buf_add(&url, text, plain);
		text += plain;
		i = field_at(text);
		if (*text && i < FIELDS) {
			rg_buf_printf(&url, "%llu", (unsigned long long)numbers[i]);
			text += strlen(fields[i].name);
		} else if (*text) {
			rg_buf_char(&url, *text++);
		}
	}
	return rg_buf_detach(&url);
}

char *rg_plain_url_shown(const char *text)
{
	return rg_strndup(text, strcspn(text, "?#"));
}

/* One answer, to a question for as little as can be asked for. */
static rg_error *ask(rg_http *http, const char *url, rg_http_response *response)
{
	const rg_http_request request = {.url = url, .what = "the archive", .ranged = true};
	rg_http_tries tries = {0};

	for (;;) {
		rg_error *err = rg_http_exchange(http, &request, response);
		if (!err && !rg_http_is_retried(response))
			return NULL;
		RG_TRY(rg_http_retry(http, &request, err, response, &tries));
	}
}

/* Sets *next to where the server sends one on to; NULL: the answer is the file's. */
static rg_error *look_at(const char *url, const rg_http_response *response, char **next)
{
	long status = response->status;
	*next = NULL;
	if (status == 200 || status == 206 || status == 416)
		return NULL;
	if (status >= 300 && status < 400 && response->location) {
		RG_AUTO_FREE char *found = NULL;
		RG_TRY(rg_url_resolve(&found, url, response->location));
		if (!is_https(url) || is_https(found)) {
			*next = RG_TAKE(found);
			return NULL;
		}
		return rg_error_new(RG_E_UNSAFE,
				    "the archive: the server leads from https to http");
	}
	return rg_error_new(RG_E_NOTFOUND, "the archive: %s (%ld)",
			    status == 401 || status == 403 ? "the server refused it without a token"
			    : status == 404 || status == 410 ? "the server has none"
							     : "the server's answer makes no sense",
			    status);
}

rg_error *rg_plain_url_locate(char **out, rg_http *http, const char *url)
{
	RG_AUTO_FREE char *now = rg_strdup(url);
	RG_AUTO(rg_http_response) response = {0};

	*out = NULL;
	rg_http_response_init(&response);
	for (int hops = 0;; hops++) {
		char *next;
		RG_TRY(ask(http, now, &response));
		RG_TRY(look_at(now, &response, &next));
		if (!next)
			break;
		free(now);
		now = next;
		if (hops == REDIRECTS_MAX)
			return rg_error_new(RG_E_NET, "the archive: more than %d redirects",
					    REDIRECTS_MAX);
	}
	*out = RG_TAKE(now);
	return NULL;
}
