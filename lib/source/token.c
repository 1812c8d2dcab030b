/* SPDX-License-Identifier: Apache-2.0 */
#include "source/token.h"

#include "base/buf.h"
#include "base/cancel.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
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

/* Runs gh with its stdout in the pipe's writing end. 0 or an errno. */
static int spawn_gh(pid_t *child, int output, const char *host)
{
	char program[] = "gh", auth[] = "auth", verb[] = "token", flag[] = "--hostname";
	char *name = rg_strdup(host), *argv[] = {program, auth, verb, flag, name, NULL};
	posix_spawn_file_actions_t actions;
	int failed = name ? posix_spawn_file_actions_init(&actions) : ENOMEM;

	if (failed) {
		free(name);
		return failed;
	}
	failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!failed)
		failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
							  O_WRONLY, 0);
	if (!failed)
		failed = posix_spawnp(child, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(name);
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
	rg_buf text;
	pid_t child;

	if (pipe(ends))
		return rg_error_io(errno, "pipe");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	rg_buf_init(&text, TOKEN_MAX);
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
	rg_error *err = rg_cancel_check();
	rg_buf_truncate(&text, strcspn(text.data, "\r\n"));
	if (!err && status == 0 && text.length)
		*out = rg_buf_detach(&text);
	rg_buf_release(&text);
	return err;
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
	const char *host = repository->host, *api = getenv("GITHUB_API_URL");
	/* Where the user has named the API, all requests go there, and not to the host. */
	bool api_is_named = api && *api, host_is_named = user_names(repository);
	/* The token for github.com is not for each host that has a name. */
	bool is_usual = api_is_named || rg_host_is_public(host) || rg_host_is_tenant(host);
	const char *const *names = is_usual ? usual : enterprise;

	*out = NULL;
	if (!api_is_named && !host_is_named)
		return rg_error_new(RG_E_AUTH,
				    "no token is sent to %s, which only .regild or a remote names; "
				    "if you trust it, give --repo %s/%s or set GH_HOST=%s",
				    host, host, repository->path, host);
	for (size_t i = 0; i < 2; i++) {
		const char *value = getenv(names[i]);
		if (value && *value) {
			*out = rg_strdup(value);
			return NULL;
		}
	}
	if (host_is_named)
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
