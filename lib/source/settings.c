/* SPDX-License-Identifier: Apache-2.0 */
#include "source/settings.h"

#include "archive/select.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "base/digest.h"
#include "base/memory.h"
#include "base/number.h"
#include "net/url.h"
#include "store/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TOKEN_MAX = 4096 };

/* The set text of a variable, or NULL. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

/* Runs gh with its stdout in the pipe's writing end. 0 or an errno. */
static int spawn_gh(pid_t *child, int output, const char *host)
{
	char program[] = "gh", auth[] = "auth", verb[] = "token", flag[] = "--hostname";
	RG_AUTO_FREE char *name = rg_strdup(host);
	char *argv[] = {program, auth, verb, flag, name, NULL};
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!failed)
		failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
							  O_WRONLY, 0);
	if (!failed)
		failed = posix_spawnp(child, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* Reads until the end or a Ctrl-C; the buffer takes no more than its limit. */
static void read_pipe(rg_buf *out, int fd)
{
	char block[512];
	ssize_t got;

	/* Not in read: a Ctrl-C that comes just before it would be slept over. */
	while (rg_cancel_wait(fd) && (got = read(fd, block, sizeof(block))) > 0)
		rg_buf_add(out, block, (size_t)got);
	OPENSSL_cleanse(block, sizeof(block));
}

/* *out stays NULL where gh is not there or knows no token. */
static rg_error *ask_gh(char **out, const char *host)
{
	int ends[2], status = 1;
	RG_AUTO(rg_buf) text = rg_buf_of(TOKEN_MAX);
	pid_t child;

	if (pipe(ends))
		return rg_error_io(errno, "pipe");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	if (!spawn_gh(&child, ends[1], host)) {
		close(ends[1]);
		ends[1] = -1;
		read_pipe(&text, ends[0]);
		if (rg_cancelled())
			kill(child, SIGTERM);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
	RG_TRY(rg_cancel_check());
	rg_buf_truncate(&text, strcspn(text.data, "\r\n"));
	if (status == 0 && text.length)
		*out = rg_buf_detach(&text);
	return NULL;
}

/* Not where .regild or a remote alone names it: they come with a clone, and may name any host. */
static bool user_names(const rg_repository *repository)
{
	return repository->named || rg_host_is_public(repository->host) ||
	       rg_host_is_in("GH_HOST", repository->host) ||
	       rg_host_is_in("GITHUB_SERVER_URL", repository->host) ||
	       rg_host_is_in("GITHUB_API_URL", repository->host);
}

rg_error *rg_token_find(char **out, const rg_repository *repository)
{
	static const char *const usual[] = {"GITHUB_TOKEN", "GH_TOKEN"};
	static const char *const enterprise[] = {"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"};
	const char *host = repository->host;
	/* All requests go to the API that the user has named, and not to the host. */
	bool api_is_named = variable("GITHUB_API_URL"), host_is_named = user_names(repository);
	/* The token for github.com is not for each host that has a name. */
	bool is_usual = api_is_named || rg_host_is_public(host) || rg_host_is_tenant(host);
	const char *const *names = is_usual ? usual : enterprise;

	*out = NULL;
	if (!api_is_named && !host_is_named)
		return rg_error_new(RG_E_AUTH,
				    "no token is sent to %s, which only .regild or a remote names; "
				    "if you trust it, give --repo %s/%s or set GH_HOST=%s",
				    host, host, repository->path, host);
	for (size_t i = 0; i < 2 && !*out; i++)
		if (variable(names[i]))
			*out = rg_strdup(variable(names[i]));
	if (!*out && host_is_named)
		RG_TRY(ask_gh(out, host));
	if (!*out)
		return rg_error_new(RG_E_AUTH, "no token for %s: set %s or %s%s%s", host, names[0],
				    names[1], host_is_named ? ", or run 'gh auth login'" : "",
				    is_usual ? "" : "; if it is a GitLab, say --source gitlab");
	return NULL;
}

void rg_token_free(char *token)
{
	if (!token)
		return;
	OPENSSL_cleanse(token, strlen(token));
	free(token);
}

#define ARTIFACT_MAX ((uint64_t)32 << 30)

static rg_error *load_limits(rg_settings *out, const rg_config *config)
{
	rg_zip_limits *limits = &out->limits;
	uint64_t depth;

	*limits = rg_zip_limits_default();
	RG_TRY(rg_config_size(config, "regild.maxMembers", limits->members, &limits->members));
	RG_TRY(rg_config_size(config, "regild.maxFile", limits->member_size, &limits->member_size));
	RG_TRY(rg_config_size(config, "regild.maxTotal", limits->total_size, &limits->total_size));
	RG_TRY(rg_config_size(config, "regild.maxRatio", limits->ratio, &limits->ratio));
	RG_TRY(rg_config_size(config, "regild.maxDepth", limits->depth, &depth));
	if (depth > RG_SELECT_DEPTH_MAX)
		return rg_config_blame(config, "regild.maxDepth",
				       rg_error_new(RG_E_USAGE,
						    "regild.maxDepth: '%s' is not from 0 to %d",
						    rg_config_get(config, "regild.maxDepth"),
						    RG_SELECT_DEPTH_MAX));
	limits->depth = (unsigned)depth;
	RG_TRY(rg_config_size(config, "regild.maxArtifact", ARTIFACT_MAX, &out->artifact_max));
	return rg_config_size(config, "regild.maxCache", RG_CACHE_MAX_DEFAULT, &out->cache_max);
}

static rg_error *load(rg_settings *out, const rg_config *config)
{
	RG_TRY(load_limits(out, config));
	RG_TRY(rg_rules_load(&out->rules, config, out->limits.depth));
	const rg_rule *jobs = rg_rules_jobs(&out->rules);
	RG_TRY(rg_log_rules_load(&out->logs, config, jobs ? jobs->target : NULL));
	if (!out->rules.count && !out->logs.count)
		return rg_error_new(RG_E_USAGE, "regild.files: is empty; nothing would be taken");
	return NULL;
}

rg_error *rg_settings_load(rg_settings *out, const rg_config *config)
{
	*out = (rg_settings){0};
	rg_error *err = load(out, config);
	if (err)
		rg_settings_release(out);
	return err;
}

void rg_settings_release(rg_settings *settings)
{
	rg_rules_release(&settings->rules);
	rg_log_rules_release(&settings->logs);
	*settings = (rg_settings){0};
}

/* Adds all of [source "NAME"], each text with the NUL that none has in it. */
static void append_sources(rg_buf *text, const rg_config *config)
{
	const char *name, *key, *value;
	for (size_t i = 0; rg_config_subsection(config, "source", i, &name); i++)
		for (size_t k = 0; rg_config_subsection_key(config, "source", name, k, &key); k++)
			for (size_t n = 0;
			     rg_config_subsection_value(config, "source", name, key, n, &value);
			     n++) {
				rg_buf_add(text, name, strlen(name) + 1);
				rg_buf_add(text, key, strlen(key) + 1);
				rg_buf_str(text, value ? value : "");
				rg_buf_char(text, '\0');
			}
}

rg_error *rg_settings_layout_key(char out[static RG_LAYOUT_KEY_SIZE], const rg_config *config)
{
	static const char *const keys[] = {"regild.root",   "regild.files", "jobs.name",
					   "jobs.artifact", "jobs.target",  "jobs.members",
					   "jobs.rename"};
	char sha256[RG_SHA256_HEX];
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *value = rg_config_get(config, keys[i]);
		/* No value has a NUL in it. */
		rg_buf_str(&text, value ? value : "");
		rg_buf_char(&text, '\0');
	}
	append_sources(&text, config);
	const char *variants = rg_config_get(config, "regild.variants");
	rg_buf_str(&text, variants ? variants : "");
	RG_TRY(rg_sha256_hex(text.data, text.length, sha256));
	memcpy(out, sha256, RG_LAYOUT_KEY_SIZE - 1);
	out[RG_LAYOUT_KEY_SIZE - 1] = '\0';
	return NULL;
}

static rg_error *from_flag(rg_repository *out, const char *flag, rg_source_kind kind,
			   const rg_run_name *run)
{
	if (run->has_repository)
		kind = run->repository.kind;
	RG_TRY(rg_error_wrap(rg_repository_parse(out, flag, kind), "--repo"));
	if (run->has_repository && !rg_repository_equal(out, &run->repository)) {
		rg_error *err = rg_error_new(
			RG_E_USAGE, "--run names %s/%s, but --repo %s/%s: leave one out",
			run->repository.host, run->repository.path, out->host, out->path);
		rg_repository_release(out);
		return err;
	}
	out->named = true;
	out->http |= run->has_repository && run->repository.http;
	return NULL;
}

/* *known where the setting is there, and of that kind. Without a host it is GitHub's. */
static rg_error *from_config(rg_repository *out, rg_source_kind kind, const rg_config *config,
			     bool *known)
{
	static const char key[] = "regild.repository";
	const char *text = rg_config_get(config, key);

	*known = false;
	if (!text || !*text)
		return NULL;
	RG_TRY(rg_config_blame(config, key,
			       rg_error_wrap(rg_repository_parse(out, text, kind), "%s", key)));
	rg_source_kind tells = rg_host_kind(out->host);
	*known = kind == RG_SOURCE_GITLAB ? out->in_call && tells != RG_SOURCE_GITHUB
					  : kind == RG_SOURCE_ANY || tells != RG_SOURCE_GITLAB;
	if (!*known)
		rg_repository_release(out);
	out->in_call = false;
	out->named = *known && !rg_config_is_from_clone(config, key);
	return NULL;
}

/* Megatron-LM's script goes by the first two, and a job of GitLab's own is told the others. */
static rg_error *from_gitlab_variables(rg_repository *out, bool *known)
{
	const char *endpoint = variable("GITLAB_ENDPOINT"), *id = variable("CI_PROJECT_ID");
	const char *api = variable("CI_API_V4_URL"), *path = variable("CI_PROJECT_PATH");
	const char *host = api ? api : variable("CI_SERVER_HOST");

	*known = true;
	if (endpoint && id)
		return rg_error_wrap(
			rg_repository_at(out, RG_SOURCE_GITLAB, endpoint, id, strlen(id)),
			"GITLAB_ENDPOINT and CI_PROJECT_ID");
	path = path ? path : id;
	*known = host && path;
	if (!*known)
		return NULL;
	return rg_error_wrap(rg_repository_at(out, RG_SOURCE_GITLAB, host, path, strlen(path)),
			     "CI_PROJECT_PATH");
}

static rg_error *from_environment(rg_repository *out, rg_source_kind kind, bool *known)
{
	const char *exported = variable("GITHUB_REPOSITORY");
	*known = kind != RG_SOURCE_GITLAB && exported;
	if (*known)
		return rg_error_wrap(rg_repository_parse(out, exported, RG_SOURCE_GITHUB),
				     "GITHUB_REPOSITORY");
	if (kind == RG_SOURCE_GITLAB || (kind == RG_SOURCE_ANY && variable("CI_API_V4_URL")))
		return from_gitlab_variables(out, known);
	return NULL;
}

static rg_error *from_origin(rg_repository *out, rg_source_kind kind, rg_worktree *worktree)
{
	RG_AUTO_FREE char *url = NULL;
	bool known = false;

	if (worktree)
		RG_TRY(rg_worktree_remote_url(worktree, "origin", &url));
	if (url)
		rg_repository_from_remote(out, url, kind, &known);
	out->in_call = false;
	if (known)
		return NULL;
	if (kind == RG_SOURCE_GITLAB)
		return rg_error_new(
			RG_E_USAGE,
			"missing project: name it with --repo HOST/GROUP/PROJECT, with the same as "
			"regild.repository in .regild, with GITLAB_ENDPOINT and CI_PROJECT_ID, or "
			"as the remote 'origin'");
	return rg_error_new(RG_E_USAGE, "missing repository: name it with --repo OWNER/NAME, as "
					"regild.repository in .regild, or as the remote 'origin'");
}

rg_error *rg_settings_repository(rg_repository *out, const char *flag, rg_source_kind kind,
				 const rg_run_name *run, const rg_config *config,
				 rg_worktree *worktree)
{
	bool known;
	*out = (rg_repository){0};
	if (flag)
		return from_flag(out, flag, kind, run);
	if (run->has_repository) {
		if (kind != RG_SOURCE_ANY && run->repository.kind != kind)
			return rg_error_new(RG_E_USAGE, "--run names a run of %s, but --source %s",
					    rg_source_kind_text(run->repository.kind),
					    rg_source_kind_text(kind));
		rg_repository_copy(out, &run->repository);
		out->named = true;
		return NULL;
	}
	RG_TRY(from_config(out, kind, config, &known));
	if (!known)
		RG_TRY(from_environment(out, kind, &known));
	return known ? NULL : from_origin(out, kind, worktree);
}

rg_error *rg_settings_api_url(char **out, const rg_repository *repository)
{
	bool gitlab = repository->kind == RG_SOURCE_GITLAB;
	const char *name = gitlab ? "CI_API_V4_URL" : "GITHUB_API_URL";
	const char *exported = variable(name);

	*out = NULL;
	if (!exported || (gitlab && !rg_host_is_in(name, repository->host))) {
		*out = rg_repository_api_url(repository);
		return NULL;
	}
	RG_TRY(rg_error_wrap(rg_url_check(exported), "%s", name));
	if (strpbrk(exported, "?#"))
		return rg_error_new(RG_E_USAGE, "%s: has a query or a fragment", name);
	*out = rg_strdup(exported);
	return NULL;
}

static void set_seconds(double *slot, const char *name)
{
	const char *text = getenv(name);
	uint64_t milliseconds;

	if (text && rg_uint64_parse(text, strlen(text), &milliseconds) && milliseconds < INT_MAX)
		*slot = (double)milliseconds / 1000;
}

void rg_settings_timing(rg_http_options *options)
{
	set_seconds(&options->retry_base, "REGILD_RETRY_BASE_MS");
	set_seconds(&options->limit_base, "REGILD_LIMIT_BASE_MS");
	set_seconds(&options->stall, "REGILD_STALL_MS");
}

double rg_settings_poll_pause(void)
{
	double seconds = 30;
	set_seconds(&seconds, "REGILD_POLL_MS");
	return seconds;
}
