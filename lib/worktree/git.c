/* SPDX-License-Identifier: Apache-2.0 */
/* git itself, for what libgit2 1.5 cannot do: fetch what a partial clone lacks, read and write
 * kinds of indexes. */
#include "base/memory.h"
#include "worktree/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/*
 * git reads the configuration of the repository, as it does for its user. What that could have it
 * run besides is switched off: hooks, a file system monitor, housekeeping, transports that are
 * commands.
 */
static const char *const quiet[] = {
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.fsmonitor=false",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
	"-c", "protocol.ext.allow=never",
	"-c", "core.alternateRefsCommand=:",
	"-c", "fetch.negotiationAlgorithm=noop",
};

/* Of a copy of an index. */
static const char *const full[] = {"-c", "index.sparse=false",  "-c", "core.splitIndex=false",
				   "-c", "index.skipHash=false"};

enum { FULL = sizeof(full) / sizeof(*full) };
enum { QUIET = sizeof(quiet) / sizeof(*quiet), WORDS_MAX = 40 };

/* What main ignores is handed down, and git ends where nobody reads. */
static int spawn(pid_t *child, char *const *words, char *const *environment, int input, int errors)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	if (posix_spawn_file_actions_init(&actions))
		return ENOMEM;
	if (posix_spawnattr_init(&attributes)) {
		posix_spawn_file_actions_destroy(&actions);
		return ENOMEM;
	}
	int failed = posix_spawnattr_setsigdefault(&attributes, &signals);
	if (!failed)
		failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!failed)
		failed = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
							  O_WRONLY, 0);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	if (!failed)
		failed = posix_spawnp(child, "git", &actions, &attributes, words, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* The line that says why git ended, else the last one that it wrote. */
static rg_error *say_failure(FILE *errors, const char *word)
{
	char line[1024], last[1024] = "";
	bool fatal = false;

	rewind(errors);
	while (!fatal && fgets(line, sizeof(line), errors)) {
		line[strcspn(line, "\r\n")] = '\0';
		fatal = !strncmp(line, "fatal: ", 7);
		if (*line)
			memcpy(last, line, sizeof(last));
	}
	return rg_error_new(RG_E_GIT, "git %s: %s", word, last + (fatal ? 7 : 0));
}

static rg_error *run(char *const *words, char *const *environment, FILE *input, FILE *errors,
		     const char *word)
{
	int status = 0;
	pid_t child;

	int failed = spawn(&child, words, environment, fileno(input), fileno(errors));
	if (failed)
		return rg_error_new(RG_E_GIT, "git %s: %s", word,
				    failed == ENOENT ? "git is not installed"
						     : "git cannot be started");
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status ? say_failure(errors, word) : NULL;
}

/* The environment with another index; NULL: as it is. The list is the caller's to free, its texts
 * are not. */
static char **with_index(char *variable)
{
	static const char name[] = "GIT_INDEX_FILE=";
	size_t count = 0, kept = 0;

	while (environ[count])
		count++;
	char **out = rg_calloc(count + 2, sizeof(*out));
	for (size_t i = 0; i < count; i++)
		if (!variable || strncmp(environ[i], name, strlen(name)) != 0)
			out[kept++] = environ[i];
	out[kept] = variable;
	return out;
}

rg_error *rg_git_run(const rg_worktree *worktree, const char *index, const char *const *words,
		     const rg_buf *input)
{
	const char *root = rg_worktree_root(worktree);
	char *variable = index ? rg_textf("GIT_INDEX_FILE=%s", index) : NULL;
	char **environment = with_index(variable);
	char *all[WORDS_MAX] = {rg_strdup("git"), rg_strdup("-C"), rg_strdup(root),
				rg_textf("--git-dir=%s", rg_worktree_git_dir(worktree)),
				rg_textf("--work-tree=%s", root)};
	FILE *in = tmpfile(), *errors = tmpfile();
	size_t count = 5;
	rg_error *err = NULL;

	for (size_t i = 0; i < QUIET; i++)
		all[count++] = rg_strdup(quiet[i]);
	for (size_t i = 0; index && i < FULL; i++)
		all[count++] = rg_strdup(full[i]);
	for (size_t i = 0; words[i] && count + 1 < WORDS_MAX; i++)
		all[count++] = rg_strdup(words[i]);
	if (!in || !errors ||
	    (input && fwrite(input->data, 1, input->length, in) < input->length) || fflush(in) ||
	    fseek(in, 0, SEEK_SET))
		err = rg_error_io(errno, "a temporary file");
	if (!err)
		err = run(all, environment, in, errors, words[0]);
	if (in)
		fclose(in);
	if (errors)
		fclose(errors);
	for (size_t i = 0; i < count; i++)
		free(all[i]);
	free(environment);
	free(variable);
	return err;
}
