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
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/*
 * git reads the configuration of the repository, as it does for its user. Other programs that it
 * could run for that are switched off: hooks, a file system monitor, housekeeping, transports that
 * are commands.
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

/* For a copy of an index. */
static const char *const full[] = {"-c", "index.sparse=false",  "-c", "core.splitIndex=false",
				   "-c", "index.skipHash=false"};

enum { FULL = sizeof(full) / sizeof(*full) };
enum { QUIET = sizeof(quiet) / sizeof(*quiet), WORDS_MAX = 40 };

/* Ignored signals are handed down, but SIGPIPE ends git, as nobody reads then. */
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
	int failed = ENOMEM;
	if (!posix_spawnattr_setsigdefault(&attributes, &signals) &&
	    !posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF) &&
	    !posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) &&
	    !posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) &&
	    !posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO))
		failed = posix_spawnp(child, "git", &actions, &attributes, words, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static rg_error *run(char *const *words, char *const *environment, FILE *input, FILE *errors,
		     const char *word)
{
	char line[1024], last[1024] = "";
	bool fatal = false;
	int status = 0;
	pid_t child;

	int failed = spawn(&child, words, environment, fileno(input), fileno(errors));
	if (failed)
		return rg_error_new(RG_E_GIT, "git %s: %s", word,
				    failed == ENOENT ? "git is not installed"
						     : "git cannot be started");
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!status)
		return NULL;
	/* The line that says why git ended, else the last one that it wrote. */
	rewind(errors);
	while (!fatal && fgets(line, sizeof(line), errors)) {
		line[strcspn(line, "\r\n")] = '\0';
		fatal = !strncmp(line, "fatal: ", 7);
		if (*line)
			memcpy(last, line, sizeof(last));
	}
	return rg_error_new(RG_E_GIT, "git %s: %s", word, last + (fatal ? 7 : 0));
}

static void FILE_free_at(FILE **file)
{
	if (*file)
		fclose(*file); /* a temporary one */
}

/* The environment with another index; NULL: as it is. */
static char **with_index(rg_arena *arena, const char *index)
{
	static const char name[] = "GIT_INDEX_FILE=";
	size_t count = 0, kept = 0;

	while (environ[count])
		count++;
	char **out = rg_arena_alloc(arena, (count + 2) * sizeof(*out));
	for (size_t i = 0; i < count; i++)
		if (!index || strncmp(environ[i], name, strlen(name)) != 0)
			out[kept++] = environ[i];
	if (index)
		out[kept++] = rg_arena_textf(arena, "%s%s", name, index);
	out[kept] = NULL;
	return out;
}

rg_error *rg_git_run(const rg_worktree *worktree, const char *index, const char *const *words,
		     const rg_buf *input)
{
	const char *root = rg_worktree_root(worktree);
	RG_AUTO(rg_arena) arena = {0};
	char *all[WORDS_MAX] = {
		rg_arena_text(&arena, "git"), rg_arena_text(&arena, "-C"),
		rg_arena_text(&arena, root),
		rg_arena_textf(&arena, "--git-dir=%s", rg_worktree_git_dir(worktree)),
		rg_arena_textf(&arena, "--work-tree=%s", root)};
	RG_AUTO_PTR(FILE) in = tmpfile();
	RG_AUTO_PTR(FILE) errors = tmpfile();
	size_t count = 5;

	for (size_t i = 0; i < QUIET; i++)
		all[count++] = rg_arena_text(&arena, quiet[i]);
	for (size_t i = 0; index && i < FULL; i++)
		all[count++] = rg_arena_text(&arena, full[i]);
	for (size_t i = 0; words[i] && count + 1 < WORDS_MAX; i++)
		all[count++] = rg_arena_text(&arena, words[i]);
	if (!in || !errors ||
	    (input && fwrite(input->data, 1, input->length, in) < input->length) || fflush(in) ||
	    fseek(in, 0, SEEK_SET))
		return rg_error_io(errno, "a temporary file");
	return run(all, with_index(&arena, index), in, errors, words[0]);
}
