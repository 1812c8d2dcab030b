/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The signals that main ignores: what is ignored is handed down. */
static int reset_signals(posix_spawnattr_t *attributes)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	int failed = posix_spawnattr_setsigdefault(attributes, &signals);
	return failed ? failed : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

int child_start(pid_t *child, char *const argv[], int input, int output)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	failed = posix_spawnattr_init(&attributes);
	if (failed) {
		posix_spawn_file_actions_destroy(&actions);
		return failed;
	}
	failed = reset_signals(&attributes);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!failed)
		failed = posix_spawnp(child, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

int child_wait(pid_t child)
{
	int status = -1;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}
