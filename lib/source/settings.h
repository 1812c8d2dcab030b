/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_SETTINGS_H
#define REGILD_SOURCE_SETTINGS_H

#include "archive/zip.h"
#include "config/config.h"
#include "net/http.h"
#include "source/log_rule.h"
#include "source/rule.h"
#include "source/run_url.h"

/*
 * All that a download needs to know beside the run, from the configuration and the environment.
 */
typedef struct {
	rg_rules rules;    /* [jobs], and each [source "NAME"] with an artifact */
	rg_log_rules logs; /* each [source "NAME"] with a log */
	rg_zip_limits limits;
	uint64_t artifact_max; /* bytes */
	uint64_t cache_max;    /* bytes; 0: keep none */
} rg_settings;

/* RG_E_USAGE, naming the key, for what does not make sense. */
RG_CHECKED rg_error *rg_settings_load(rg_settings *out, const rg_config *config);
void rg_settings_release(rg_settings *settings);

/*
 * A short name, in hexadecimal digits, for the settings that decide which of a run's files are
 * goldens and where they belong: regild.root, regild.files, [jobs] and [source]. What was kept
 * under one set of them is not an answer under another.
 */
#define RG_LAYOUT_KEY_SIZE 17 /* with the NUL */
RG_CHECKED rg_error *rg_settings_layout_key(char out[static RG_LAYOUT_KEY_SIZE],
					    const rg_config *config);

/*
 * Which repository: `flag` (--repo), else the one of `run`'s URL, else regild.repository, else the
 * environment's (GITHUB_REPOSITORY; for GitLab, and within a job of its own, GITLAB_ENDPOINT with
 * CI_PROJECT_ID, else CI_PROJECT_PATH or CI_PROJECT_ID at CI_API_V4_URL or CI_SERVER_HOST), else
 * the remote "origin" of `worktree` (may be NULL). What is of another kind than `kind` (--source)
 * is passed over. RG_E_USAGE where `flag`, `kind` and the URL differ, or where none of them says
 * it. Its host is `named` by the flag, the URL and git's configuration, not by .regild or a remote.
 */
RG_CHECKED rg_error *rg_settings_repository(rg_repository *out, const char *flag,
					    rg_source_kind kind, const rg_run_name *run,
					    const rg_config *config, rg_worktree *worktree);

/* GITHUB_API_URL, or for GitLab CI_API_V4_URL where that is the repository's host; else the host's.
 * *out is the caller's to free. */
RG_CHECKED rg_error *rg_settings_api_url(char **out, const rg_repository *repository);

/*
 * Shortens the waits for tests: REGILD_RETRY_BASE_MS (the first retry), REGILD_LIMIT_BASE_MS (the
 * first back-off where a limit does not say how long), REGILD_STALL_MS. Whole milliseconds; what is
 * none is passed over.
 */
void rg_settings_timing(rg_http_options *options);

/* Seconds between two looks at a run that is waited for: 30; REGILD_POLL_MS shortens them for
 * tests. */
double rg_settings_poll_pause(void);

/*
 * The token: GITHUB_TOKEN, else GH_TOKEN, else what `gh auth token` prints for the host where gh is
 * installed. For a host that is neither github.com, below ghe.com nor at GITHUB_API_URL, the
 * first two are GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN, as gh has it. RG_E_AUTH where
 * there is none, and for a host that is not github.com and that the user did not name: by the
 * repository (rg_repository.named), GH_HOST, GITHUB_SERVER_URL or GITHUB_API_URL. *out is the
 * caller's, freed with rg_token_free, which wipes it.
 */
RG_CHECKED rg_error *rg_token_find(char **out, const rg_repository *repository);
void rg_token_free(char *token);

#endif
