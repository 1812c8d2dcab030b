/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RUN_URL_H
#define REGILD_SOURCE_RUN_URL_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A repository on a GitHub server. */
typedef struct {
	char *host;  /* "github.com", lower-case, with ":PORT" where there is one; a host
			below github.com (www, ssh) is github.com, as gh has it */
	char *owner; /* letters, digits, '-', '_', '.' */
	char *name;
	bool named; /* by the user, and with it its host: not by what comes with a clone. Set by
		       rg_settings_repository */
} rg_repository;

void rg_repository_release(rg_repository *repository);
/* Case does not count, as on GitHub. */
bool rg_repository_equal(const rg_repository *a, const rg_repository *b);

RG_CHECKED rg_error *rg_repository_copy(rg_repository *out, const rg_repository *from);

/* "[HOST/]OWNER/NAME", without HOST on github.com, or a URL as below. RG_E_USAGE. `out` is released
 * by the caller after success alone. */
RG_CHECKED rg_error *rg_repository_parse(rg_repository *out, const char *text);

/*
 * A git remote's URL: https://HOST/OWNER/NAME[.git], ssh://[USER@]HOST[:PORT]/OWNER/NAME[.git],
 * [USER@]HOST:OWNER/NAME[.git]. A port belongs to the ssh server and is left out. *known is false,
 * and `out` empty, for anything else (a path on disk).
 */
RG_CHECKED rg_error *rg_repository_from_remote(rg_repository *out, const char *url, bool *known);

/* What --run names. */
typedef struct {
	uint64_t id;
	unsigned attempt;         /* 0: not said */
	bool has_repository;      /* from a URL */
	rg_repository repository; /* released by rg_run_name_release */
} rg_run_name;

/* A run's id, or https://HOST/OWNER/NAME/actions/runs/ID[/attempts/N][/job/…]. RG_E_USAGE. */
RG_CHECKED rg_error *rg_run_name_parse(rg_run_name *out, const char *text);
void rg_run_name_release(rg_run_name *run);

bool rg_host_is_public(const char *host); /* github.com? */
/* One of the hosts that GitHub runs for a company, below ghe.com? */
bool rg_host_is_tenant(const char *host);

/* "https://api.HOST" for github.com and its tenants, else "https://HOST/api/v3"; *out is the
 * caller's to free. */
RG_CHECKED rg_error *rg_repository_api_url(char **out, const rg_repository *repository);

#endif
