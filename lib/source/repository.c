/* SPDX-License-Identifier: Apache-2.0 */
#include "source/repository.h"

#include "base/memory.h"
#include "base/number.h"
#include "net/url.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char public_host[] = "github.com", public_gitlab[] = "gitlab.com";
static const char public_domain[] = ".github.com", tenants_domain[] = ".ghe.com";
/* Groups are nested 20 deep at most. */
enum { PART_MAX = 255, OWNER_MAX = 100, HOST_MAX = 253, PARTS_MAX = 22 };

static const char *const kinds[] = {NULL, "github", "gitlab"};

const char *rg_source_kind_text(rg_source_kind kind)
{
	return kinds[kind];
}

rg_source_kind rg_source_kind_parse(const char *text)
{
	if (text && !strcmp(text, kinds[RG_SOURCE_GITHUB]))
		return RG_SOURCE_GITHUB;
	return text && !strcmp(text, kinds[RG_SOURCE_GITLAB]) ? RG_SOURCE_GITLAB : RG_SOURCE_ANY;
}

void rg_repository_release(rg_repository *repository)
{
	free(repository->host);
	free(repository->path);
	*repository = (rg_repository){0};
}

bool rg_repository_equal(const rg_repository *a, const rg_repository *b)
{
	return a->kind == b->kind && !strcasecmp(a->host, b->host) && !strcasecmp(a->path, b->path);
}

void rg_repository_copy(rg_repository *out, const rg_repository *from)
{
	*out = *from;
	out->host = out->path = NULL;
	out->host = rg_strdup(from->host);
	out->path = rg_strdup(from->path);
}

/* ---- hosts ---- */

static bool is_host(const char *text, size_t length)
{
	if (!length || length > HOST_MAX || (!isalnum((unsigned char)*text) && *text != '['))
		return false; /* "../owner/name" is a path */
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-.:[]_", text[i]))
			return false;
	return true;
}

static bool is_below(const char *host, const char *domain)
{
	size_t length = strlen(host), end = strlen(domain);
	return length > end && !strcasecmp(host + length - end, domain);
}

bool rg_host_is_public(const char *host)
{
	return !strcasecmp(host, public_host);
}

bool rg_host_is_tenant(const char *host)
{
	return is_below(host, tenants_domain);
}

bool rg_host_is_in(const char *variable, const char *host)
{
	const char *value = getenv(variable), *scheme = value ? strstr(value, "://") : NULL;
	if (scheme)
		value = scheme + 3;
	return value && strcspn(value, "/") == strlen(host) &&
	       !strncasecmp(value, host, strlen(host));
}

rg_source_kind rg_host_kind(const char *host)
{
	if (rg_host_is_public(host) || rg_host_is_tenant(host) || is_below(host, public_domain))
		return RG_SOURCE_GITHUB;
	if (!strncasecmp(host, "gitlab.", 7) || rg_host_is_in("GITLAB_HOST", host) ||
	    rg_host_is_in("GITLAB_ENDPOINT", host) || rg_host_is_in("CI_SERVER_HOST", host) ||
	    rg_host_is_in("CI_API_V4_URL", host))
		return RG_SOURCE_GITLAB;
	return RG_SOURCE_ANY;
}

/* The host of a project without one: its name or a URL on it. */
static const char *gitlab_host_default(void)
{
	static const char *const variables[] = {"GITLAB_HOST", "GITLAB_ENDPOINT", "CI_API_V4_URL",
						"CI_SERVER_HOST"};

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *value = getenv(variables[i]);
		if (value && *value)
			return value;
	}
	return public_gitlab;
}

/* ---- paths ---- */

/* Can an owner, a group or a repository be called so? */
static bool is_name(const char *text, size_t length, size_t most)
{
	if (!length || length > most || (length == 1 && *text == '.') ||
	    (length == 2 && !memcmp(text, "..", 2)))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_.", text[i]))
			return false;
	return true;
}

static bool is_number(const char *text, size_t length)
{
	uint64_t number;
	return rg_uint64_parse(text, length, &number) && number;
}

/* "OWNER/NAME"; on GitLab with more groups, or a number. */
static bool is_path(const char *text, size_t length, rg_source_kind kind)
{
	const size_t most = kind == RG_SOURCE_GITLAB ? PART_MAX : OWNER_MAX;
	const char *end = text + length;
	size_t parts = 0;

	if (kind == RG_SOURCE_GITLAB && is_number(text, length))
		return true;
	for (;; text++) {
		const char *slash = memchr(text, '/', (size_t)(end - text));
		if (!is_name(text, (size_t)((slash ? slash : end) - text), most))
			return false;
		parts++;
		if (!slash)
			break;
		text = slash;
	}
	return parts == 2 || (kind == RG_SOURCE_GITLAB && parts > 2 && parts <= PARTS_MAX);
}

/* ---- the whole ---- */

/* Fills in checked parts; `kind` RG_SOURCE_ANY: by the host. False where the path is not right for
 * it. No repository's name ends in ".git": that is how git writes its address. */
static bool fill(rg_repository *out, rg_source_kind kind, const char *host, size_t host_length,
		 const char *path, size_t path_length)
{
	*out = (rg_repository){0};
	if (!is_host(host, host_length))
		return false;
	while (path_length > 4 && !memcmp(path + path_length - 4, ".git", 4))
		path_length -= 4;
	out->host = rg_strndup(host, host_length);
	for (char *p = out->host; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	/* www.github.com, and ssh.github.com of a remote that goes around a firewall. */
	if (is_below(out->host, public_domain))
		memcpy(out->host, public_host, sizeof(public_host));
	out->kind = kind == RG_SOURCE_ANY ? rg_host_kind(out->host) : kind;
	if (out->kind == RG_SOURCE_ANY)
		out->kind = RG_SOURCE_GITHUB;
	if (!is_path(path, path_length, out->kind)) {
		rg_repository_release(out);
		return false;
	}
	out->path = rg_strndup(path, path_length);
	return true;
}

static bool fill_at(rg_repository *out, rg_source_kind kind, const char *url, const char *path,
		    size_t path_length)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url;
	if (!fill(out, kind, host, strcspn(host, "/"), path, path_length))
		return false;
	out->http = !strncasecmp(url, "http://", 7) && rg_url_is_loopback(url);
	return true;
}

/* Is a host that tells nothing, or that kind, meant by it? */
static bool may_be(const char *host, rg_source_kind kind)
{
	rg_source_kind known = rg_host_kind(host);
	return kind == RG_SOURCE_ANY || known == RG_SOURCE_ANY || known == kind;
}

rg_error *rg_repository_at(rg_repository *out, rg_source_kind kind, const char *url,
			   const char *path, size_t path_length)
{
	if (fill_at(out, kind, url, path, path_length)) {
		if (may_be(out->host, kind))
			return NULL;
		rg_repository_release(out);
	}
	return rg_error_new(RG_E_USAGE, "'%.*s' is not a repository at '%s'",
			    (int)(path_length < 400 ? path_length : 400), path, url);
}

void rg_repository_from_remote(rg_repository *out, const char *url, rg_source_kind kind,
			       bool *known)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url, *path, *user;
	const char *end = url + strlen(url);
	bool http = !strncmp(url, "http://", 7) && rg_url_is_loopback(url);

	*out = (rg_repository){0};
	*known = false;
	path = strpbrk(host, scheme ? "/" : ":/");
	if (!path || (!scheme && *path == '/'))
		return; /* a path on disk */
	user = memchr(host, '@', (size_t)(path - host));
	host = user ? user + 1 : host;
	size_t host_length = (size_t)(path - host);
	if (scheme && !http && strncmp(url, "https://", 8) && memchr(host, ':', host_length))
		host_length = (size_t)((const char *)memchr(host, ':', host_length) - host);
	path += strspn(path, scheme ? "/" : ":/");
	while (end > path && end[-1] == '/')
		end--;
	*known = fill(out, kind, host, host_length, path, (size_t)(end - path));
	if (*known && !may_be(out->host, kind)) {
		*known = false;
		rg_repository_release(out);
	}
	out->http = *known && http;
	out->in_call = *known;
}

/* Does "HOST/…" begin with a host, where what follows may have any depth? */
static bool has_host(const char *text, const char *slash, rg_source_kind kind)
{
	size_t length = (size_t)(slash - text);
	bool deep = strchr(slash + 1, '/') != NULL;

	if (kind != RG_SOURCE_GITLAB && deep)
		return true;
	return (memchr(text, '.', length) || memchr(text, ':', length)) &&
	       (deep || is_number(slash + 1, strlen(slash + 1)));
}

rg_error *rg_repository_parse(rg_repository *out, const char *text, rg_source_kind kind)
{
	const char *slash = strchr(text, '/'), *host;
	bool given = slash && has_host(text, slash, kind), fits;

	if (given) {
		fits = fill(out, kind, text, (size_t)(slash - text), slash + 1, strlen(slash + 1));
		if (fits && !may_be(out->host, kind)) {
			rg_repository_release(out);
			return rg_error_new(RG_E_USAGE, "'%s' is not on %s", text,
					    kind == RG_SOURCE_GITLAB ? "GitLab" : "GitHub");
		}
	} else {
		host = kind == RG_SOURCE_GITLAB ? gitlab_host_default() : public_host;
		fits = fill_at(out, kind, host, text, strlen(text));
	}
	out->in_call = fits && given;
	if (fits)
		return NULL;
	rg_repository_from_remote(out, text, kind, &fits);
	return fits ? NULL
		    : rg_error_new(RG_E_USAGE, "'%s' is not a repository: [HOST/]%s", text,
				   kind == RG_SOURCE_GITLAB ? "GROUP/PROJECT" : "OWNER/NAME");
}

char *rg_repository_api_url(const rg_repository *repository)
{
	const char *scheme = repository->http ? "http" : "https", *host = repository->host;
	if (repository->kind == RG_SOURCE_GITLAB)
		return rg_textf("%s://%s/api/v4", scheme, host);
	if (rg_host_is_public(host) || rg_host_is_tenant(host))
		return rg_textf("https://api.%s", host);
	return rg_textf("%s://%s/api/v3", scheme, host);
}
