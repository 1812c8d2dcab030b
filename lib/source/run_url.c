/* SPDX-License-Identifier: Apache-2.0 */
#include "source/run_url.h"

#include "base/memory.h"
#include "base/number.h"
#include "source/manifest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char public_host[] = "github.com";
static const char public_domain[] = ".github.com", tenants_domain[] = ".ghe.com";
enum { PART_MAX = 100, HOST_MAX = 253 };

void rg_repository_release(rg_repository *repository)
{
	free(repository->host);
	free(repository->owner);
	free(repository->name);
	*repository = (rg_repository){0};
}

bool rg_repository_equal(const rg_repository *a, const rg_repository *b)
{
	return !strcasecmp(a->host, b->host) && !strcasecmp(a->owner, b->owner) &&
	       !strcasecmp(a->name, b->name);
}

/* What an owner's or a repository's name may be made of. */
static bool is_name(const char *text, size_t length)
{
	size_t i;

	if (!length || length > PART_MAX || (length == 1 && *text == '.') ||
	    (length == 2 && !memcmp(text, "..", 2)))
		return false;
	for (i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_.", text[i]))
			return false;
	return true;
}

static bool is_host(const char *text, size_t length)
{
	size_t i;

	if (!length || length > HOST_MAX || (!isalnum((unsigned char)*text) && *text != '['))
		return false; /* "../owner/name" is a path */
	for (i = 0; i < length; i++)
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

/* www.github.com, and ssh.github.com of a remote that goes around a firewall, are github.com. */
static void normalise_host(char *host)
{
	char *p;

	for (p = host; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (is_below(host, public_domain))
		memcpy(host, public_host, sizeof(public_host));
}

static rg_error *fill(rg_repository *out, const char *host, size_t host_length, const char *owner,
		      size_t owner_length, const char *name, size_t name_length)
{
	rg_error *err;

	*out = (rg_repository){0};
	err = rg_strndup(&out->host, host, host_length);
	if (!err)
		err = rg_strndup(&out->owner, owner, owner_length);
	if (!err)
		err = rg_strndup(&out->name, name, name_length);
	if (err)
		rg_repository_release(out);
	else
		normalise_host(out->host);
	return err;
}

rg_error *rg_repository_copy(rg_repository *out, const rg_repository *from)
{
	RG_TRY(fill(out, from->host, strlen(from->host), from->owner, strlen(from->owner),
		    from->name, strlen(from->name)));
	out->named = from->named;
	return NULL;
}

/* "OWNER/NAME" up to `end`; false where it is none. */
static bool split(const char *text, const char *end, size_t *owner_length, const char **name)
{
	const char *slash = memchr(text, '/', (size_t)(end - text));

	if (!slash)
		return false;
	*owner_length = (size_t)(slash - text);
	*name = slash + 1;
	return is_name(text, *owner_length) && is_name(*name, (size_t)(end - *name));
}

rg_error *rg_repository_from_remote(rg_repository *out, const char *url, bool *known)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url, *path, *at;
	const char *end = url + strlen(url), *name;
	size_t host_length, owner_length;

	*out = (rg_repository){0};
	*known = false;
	path = strpbrk(host, scheme ? "/" : ":/");
	if (!path || (!scheme && *path == '/'))
		return NULL; /* a path on disk */
	at = memchr(host, '@', (size_t)(path - host));
	host = at ? at + 1 : host;
	host_length = (size_t)(path - host);
	if (scheme && strncmp(url, "https://", 8) && memchr(host, ':', host_length))
		host_length = (size_t)((const char *)memchr(host, ':', host_length) - host);
	path += strspn(path, scheme ? "/" : ":/");
	while (end > path && end[-1] == '/')
		end--;
	if (end - path > 4 && !memcmp(end - 4, ".git", 4))
		end -= 4;
	if (!is_host(host, host_length) || !split(path, end, &owner_length, &name))
		return NULL;
	*known = true;
	return fill(out, host, host_length, path, owner_length, name, (size_t)(end - name));
}

rg_error *rg_repository_parse(rg_repository *out, const char *text)
{
	const char *end = text + strlen(text), *first = strchr(text, '/'), *name;
	const char *host = public_host, *owner = text;
	size_t host_length = strlen(host), owner_length;
	bool known;

	*out = (rg_repository){0};
	if (first && strchr(first + 1, '/')) {
		host = text;
		host_length = (size_t)(first - text);
		owner = first + 1;
	}
	if (is_host(host, host_length) && split(owner, end, &owner_length, &name))
		return fill(out, host, host_length, owner, owner_length, name,
			    (size_t)(end - name));
	RG_TRY(rg_repository_from_remote(out, text, &known));
	return known ? NULL
		     : rg_error_new(RG_E_USAGE, "'%s' is not a repository: [HOST/]OWNER/NAME",
				    text);
}

/* Takes "WORD/NUMBER" off the front of *p, where the number ends at '/', '?', '#' or the end. */
static bool take_number(const char **p, const char *word, uint64_t *out)
{
	size_t length = strlen(word), digits;

	if (strncmp(*p, word, length))
		return false;
	digits = strcspn(*p + length, "/?#");
	if (!rg_uint64_parse(*p + length, digits, out) || !*out)
		return false;
	*p += length + digits;
	return true;
}

/* What follows ".../OWNER/NAME". */
static bool parse_run_path(rg_run_name *out, const char *p)
{
	uint64_t attempt = 0;

	if (!take_number(&p, "/actions/runs/", &out->id))
		return false;
	if (!strncmp(p, "/attempts/", 10) &&
	    (!take_number(&p, "/attempts/", &attempt) || attempt > RG_ATTEMPT_MAX))
		return false;
	out->attempt = (unsigned)attempt;
	/* A job, a place in the page, or nothing. */
	return !*p || *p == '?' || *p == '#' || !strcmp(p, "/") || !strncmp(p, "/job/", 5) ||
	       !strcmp(p, "/artifacts") || !strcmp(p, "/usage") || !strcmp(p, "/workflow");
}

rg_error *rg_run_name_parse(rg_run_name *out, const char *text)
{
	const char *host, *owner, *name, *end;
	size_t owner_length;

	*out = (rg_run_name){0};
	if (strncasecmp(text, "https://", 8) != 0 && strncasecmp(text, "http://", 7) != 0) {
		if (rg_uint64_parse(text, strlen(text), &out->id) && out->id)
			return NULL;
		return rg_error_new(RG_E_USAGE,
				    "'%s' is neither a run's id nor its URL "
				    "(https://HOST/OWNER/NAME/actions/runs/ID)",
				    text);
	}
	host = strstr(text, "://") + 3;
	owner = strchr(host, '/');
	end = owner ? strstr(owner, "/actions/runs/") : NULL;
	if (end && is_host(host, (size_t)(owner - host)) &&
	    split(owner + 1, end, &owner_length, &name) && parse_run_path(out, end)) {
		RG_TRY(fill(&out->repository, host, (size_t)(owner - host), owner + 1, owner_length,
			    name, (size_t)(end - name)));
		out->has_repository = true;
		return NULL;
	}
	return rg_error_new(RG_E_USAGE,
			    "'%s' is not a run's URL (https://HOST/OWNER/NAME/actions/runs/ID)",
			    text);
}

void rg_run_name_release(rg_run_name *run)
{
	rg_repository_release(&run->repository);
}

rg_error *rg_repository_api_url(char **out, const rg_repository *repository)
{
	if (rg_host_is_public(repository->host) || rg_host_is_tenant(repository->host))
		return rg_textf(out, "https://api.%s", repository->host);
	return rg_textf(out, "https://%s/api/v3", repository->host);
}
