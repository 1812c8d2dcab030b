/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_REPOSITORY_H
#define REGILD_SOURCE_REPOSITORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The service whose CI it is. */
typedef enum {
	RG_SOURCE_ANY, /* not said */
	RG_SOURCE_GITHUB,
	RG_SOURCE_GITLAB,
} rg_source_kind;

/* "github", "gitlab"; NULL for RG_SOURCE_ANY. */
const char *rg_source_kind_text(rg_source_kind kind);
/* The kind of that name; RG_SOURCE_ANY for another one and for NULL. */
rg_source_kind rg_source_kind_parse(const char *text);

/* A repository on a server. */
typedef struct {
	rg_source_kind kind; /* not RG_SOURCE_ANY */
	char *host;          /* "github.com", lower-case, with ":PORT" where there is one; a host
				below github.com (www, ssh) is github.com, as gh has it */
	char *path;          /* "OWNER/NAME", of letters, digits, '-', '_', '.'; on GitLab
				"GROUP/SUBGROUP/PROJECT", or a project's number */
	bool http;           /* not https: a server on this machine */
	bool named;   /* by the user, and with it its host: not by what comes with a clone. Set by
			 rg_settings_repository, like the next */
	bool in_call; /* the host is named in this call, by --run or --repo */
} rg_repository;

void rg_repository_release(rg_repository *repository);
/* Case does not count, as on the servers. */
bool rg_repository_equal(const rg_repository *a, const rg_repository *b);

void rg_repository_copy(rg_repository *out, const rg_repository *from);

/*
 * "[HOST/]OWNER/NAME[.git]", without HOST on github.com, or a URL as below. On GitLab
 * "[HOST/]GROUP/…/PROJECT", where HOST is told by a '.' or ':' in it, and without HOST on the
 * environment's GitLab; or "HOST/NUMBER", "NUMBER". `kind` RG_SOURCE_ANY: what the host's name
 * tells (rg_host_kind), else GitHub. `in_call` says whether the text has the host. RG_E_USAGE.
 * `out` is released by the caller after success alone.
 */
RG_CHECKED rg_error *rg_repository_parse(rg_repository *out, const char *text, rg_source_kind kind);

/*
 * A git remote's URL: https://HOST/OWNER/NAME[.git], ssh://[USER@]HOST[:PORT]/OWNER/NAME[.git],
 * [USER@]HOST:OWNER/NAME[.git]. A port belongs to the ssh server and is left out. *known is false,
 * and `out` empty, for anything else (a path on disk) and for a host that is of another kind.
 */
void rg_repository_from_remote(rg_repository *out, const char *url, rg_source_kind kind,
			       bool *known);

/* From parts: `url` is HOST, or a URL on it, of which nothing else counts; `path` as above.
 * RG_E_USAGE. */
RG_CHECKED rg_error *rg_repository_at(rg_repository *out, rg_source_kind kind, const char *url,
				      const char *path, size_t path_length);

bool rg_host_is_public(const char *host); /* github.com? */
/* One of the hosts that GitHub runs for a company, below ghe.com? */
bool rg_host_is_tenant(const char *host);
/* The kind that a host's name tells: gitlab.com, gitlab.* and what GITLAB_HOST, GITLAB_ENDPOINT,
 * CI_SERVER_HOST and CI_API_V4_URL name are GitLab; github.com and its tenants are GitHub. It says
 * nothing about who gets a token. */
rg_source_kind rg_host_kind(const char *host);
/* Does the environment's variable, a host's name or a URL on it, name that host? */
bool rg_host_is_in(const char *variable, const char *host);

/* "https://api.HOST" for github.com and its tenants, "https://HOST/api/v4" for GitLab, else
 * "https://HOST/api/v3"; the caller frees it. */
char *rg_repository_api_url(const rg_repository *repository);

#endif
