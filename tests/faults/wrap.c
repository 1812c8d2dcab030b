/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults on demand. The linker sends regild's own calls of the functions below through here
 * (-Wl,--wrap, see the Makefile); REGILD_FAULT says what happens:
 *
 *	count:FILE        writes "changes operations allocations" to FILE at exit
 *	kill:N            SIGKILL at the N-th operation that changes the disk; a write is half done
 *	interrupt:N       SIGINT in front of it
 *	fail:OP:N:ERRNO   the N-th call of OP ("write", "fsync", …; "change": any that changes the
 *	                  disk; "any": every one) fails by that errno ("ENOSPC", …); a close of
 *	                  what is only written to is "closewritten"
 *	oom:N             the N-th allocation fails
 *	serve             starts once for many of these: forks in front of main for each line of
 *stdin, "FAULT<tab>STDOUT<tab>STDERR<tab>ARGUMENT<tab>…", and answers with a line of the exit code,
 *as the shell has it; "none" is no fault (tests/faults/lib.sh)
 *
 * Calls inside shared libraries are not seen: libgit2 writes nothing in an update but the index.
 * With REGILD_FAULT_SQLITE set, those that SQLite makes to change the disk are.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

extern char **environ;

enum fault { NOTHING, COUNT, KILL, INTERRUPT, FAIL, OOM };

static struct {
	enum fault fault;
	long at;
	int error;
	char op[16];
	char file[4096];
} wanted;

static atomic_long changes, operations, matches, allocations;

static const struct {
	const char *name;
	int number;
} errors[] = {
	{"ENOSPC", ENOSPC}, {"EIO", EIO},     {"EROFS", EROFS},
	{"EACCES", EACCES}, {"EINTR", EINTR}, {"EDQUOT", EDQUOT},
};

static void wrong(const char *text)
{
	fprintf(stderr, "REGILD_FAULT: cannot read '%s'\n", text);
	_Exit(99);
}

static void parse_failure(const char *text)
{
	char name[16] = "";
	size_t i;

	if (sscanf(text, "fail:%15[a-z]:%ld:%15s", wanted.op, &wanted.at, name) != 3)
		wrong(text);
	wanted.fault = FAIL;
	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (!strcmp(name, errors[i].name))
			wanted.error = errors[i].number;
	if (!wanted.error)
		wrong(text);
}

static void wish(const char *text)
{
	if (!strncmp(text, "fail:", 5))
		parse_failure(text);
	else if (sscanf(text, "kill:%ld", &wanted.at) == 1)
		wanted.fault = KILL;
	else if (sscanf(text, "interrupt:%ld", &wanted.at) == 1)
		wanted.fault = INTERRUPT;
	else if (sscanf(text, "oom:%ld", &wanted.at) == 1)
		wanted.fault = OOM;
	else if (sscanf(text, "count:%4095s", wanted.file) == 1)
		wanted.fault = COUNT;
	else if (strcmp(text, "none") != 0)
		wrong(text);
}

int main(int argc, char **argv);
int __real_open(const char *path, int flags, ...);

static void redirect(int stream, const char *path, int flags)
{
	int fd = path ? __real_open(path, flags, 0666) : -1;

	if (fd < 0 || dup2(fd, stream) < 0)
		wrong(path ? path : "a line without outputs");
}

/* What a line of the server's asks for, to its end. */
static _Noreturn void run_line(char *line)
{
	char *words[128] = {NULL}, *word, *rest = line;
	int count = 0;

	while (count < 127 && (word = strsep(&rest, "\t")))
		words[count++] = word;
	unsetenv("REGILD_FAULT");
	redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
	redirect(STDOUT_FILENO, words[1], O_WRONLY | O_CREAT | O_TRUNC);
	redirect(STDERR_FILENO, words[2], O_WRONLY | O_CREAT | O_TRUNC);
	wish(words[0]);
	/* The program's name stands where the output's did. */
	words[2] = "regild";
	exit(main(count - 2, words + 2));
}

static _Noreturn void serve(void)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int status;
	pid_t child;

	while ((length = getline(&line, &room, stdin)) > 0) {
		line[length - 1] = '\0';
		child = fork();
		if (!child)
			run_line(line);
		if (child < 0 || waitpid(child, &status, 0) < 0)
			wrong(line);
		printf("%d\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
		fflush(stdout);
	}
	_Exit(0);
}

/* ---- SQLite's system calls ---- */

static bool fails(const char *op, bool change);

static int sqlite_open(const char *path, int flags, int mode)
{
	return fails("open", flags & O_CREAT) ? -1 : __real_open(path, flags, mode);
}

static ssize_t sqlite_pwrite(int fd, const void *bytes, size_t length, off_t at)
{
	return fails("pwrite", true) ? -1 : pwrite(fd, bytes, length, at);
}

int __real_unlink(const char *path);
int __real_ftruncate(int fd, off_t length);

static int sqlite_unlink(const char *path)
{
	return fails("unlink", true) ? -1 : __real_unlink(path);
}

static int sqlite_ftruncate(int fd, off_t length)
{
	return fails("ftruncate", true) ? -1 : __real_ftruncate(fd, length);
}

static void hook_sqlite(void)
{
	static const struct {
		const char *name;
		sqlite3_syscall_ptr call;
	} calls[] = {
		{"open", (sqlite3_syscall_ptr)sqlite_open},
		{"pwrite", (sqlite3_syscall_ptr)sqlite_pwrite},
		{"pwrite64", (sqlite3_syscall_ptr)sqlite_pwrite},
		{"unlink", (sqlite3_syscall_ptr)sqlite_unlink},
		{"ftruncate", (sqlite3_syscall_ptr)sqlite_ftruncate},
	};
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		vfs->xSetSystemCall(vfs, calls[i].name, calls[i].call);
}

__attribute__((constructor)) static void read_wish(void)
{
	const char *text = getenv("REGILD_FAULT");

	if (getenv("REGILD_FAULT_SQLITE"))
		hook_sqlite();

	if (!text || !*text)
		return;
	if (!strcmp(text, "serve"))
		serve();
	wish(text);
}

__attribute__((destructor)) static void write_counts(void)
{
	FILE *out = wanted.fault == COUNT ? fopen(wanted.file, "w") : NULL;

	if (!out)
		return;
	fprintf(out, "%ld %ld %ld\n", changes, operations, allocations);
	fclose(out);
}

/* Counts an operation; true where it has to fail. `dying` tells that SIGKILL is due. */
static bool counted(const char *op, bool change, bool *dying)
{
	bool mine;

	operations++;
	if (change && ++changes == wanted.at) {
		*dying = wanted.fault == KILL;
		if (wanted.fault == INTERRUPT)
			raise(SIGINT);
	}
	if (wanted.fault != FAIL)
		return false;
	mine = !strcmp(wanted.op, op) || !strcmp(wanted.op, "any") ||
	       (change && !strcmp(wanted.op, "change"));
	if (!mine || ++matches != wanted.at)
		return false;
	errno = wanted.error;
	return true;
}

/* For all but writes, which die half-way. */
static bool fails(const char *op, bool change)
{
	bool dying = false, failing = counted(op, change, &dying);

	if (dying)
		raise(SIGKILL);
	return failing;
}

static bool no_memory(void)
{
	if (++allocations != wanted.at || wanted.fault != OOM)
		return false;
	errno = ENOMEM;
	return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
	return no_memory() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return no_memory() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return no_memory() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
	return no_memory() ? NULL : __real_strdup(text);
}

int __real_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);

static mode_t mode_of(int flags, va_list args)
{
	return flags & O_CREAT ? va_arg(args, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails("open", flags & (O_CREAT | O_TRUNC)) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails("openat", flags & (O_CREAT | O_TRUNC))
		       ? -1
		       : __real_openat(folder, path, flags, mode);
}

ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);

ssize_t __wrap_write(int fd, const void *bytes, size_t length)
{
	bool dying = false, failing = counted("write", true, &dying);

	if (dying) {
		if (__real_write(fd, bytes, length / 2) < 0)
			errno = 0;
		raise(SIGKILL);
	}
	return failing ? -1 : __real_write(fd, bytes, length);
}

/* close gives the descriptor back even where it reports a failure, as the kernel's does. */
int __real_close(int fd);
int __wrap_close(int fd);

int __wrap_close(int fd)
{
	bool written = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
	bool failing = fails(written ? "closewritten" : "close", false);
	int answer = __real_close(fd);

	if (!failing)
		return answer;
	errno = wanted.error;
	return -1;
}

void *__real_dlopen(const char *path, int flags);
void *__wrap_dlopen(const char *path, int flags);

void *__wrap_dlopen(const char *path, int flags)
{
	return fails("dlopen", false) ? NULL : __real_dlopen(path, flags);
}

int __real_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[]);
int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[]);

/* A child without an environment has faults, too. */
int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[])
{
	return __real_posix_spawnp(pid, file, actions, attributes, words,
				   environment[0] ? environment : environ);
}

#define WRAP(type, name, change, parameters, values)                     \
	type __real_##name parameters;                                   \
	type __wrap_##name parameters;                                   \
	type __wrap_##name parameters                                    \
	{                                                                \
		return fails(#name, change) ? -1 : __real_##name values; \
	}

WRAP(ssize_t, read, false, (int fd, void *bytes, size_t length), (fd, bytes, length))
WRAP(int, fsync, true, (int fd), (fd))
WRAP(int, fdatasync, true, (int fd), (fd))
WRAP(int, syncfs, true, (int fd), (fd))
WRAP(int, rename, true, (const char *from, const char *to), (from, to))
WRAP(int, renameat, true, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(int, unlink, true, (const char *path), (path))
WRAP(int, unlinkat, true, (int folder, const char *path, int flags), (folder, path, flags))
WRAP(int, mkdir, true, (const char *path, mode_t mode), (path, mode))
WRAP(int, mkdirat, true, (int folder, const char *path, mode_t mode), (folder, path, mode))
WRAP(int, link, true, (const char *from, const char *to), (from, to))
WRAP(int, linkat, true, (int a, const char *from, int b, const char *to, int flags),
     (a, from, b, to, flags))
WRAP(int, fchmod, true, (int fd, mode_t mode), (fd, mode))
WRAP(int, ftruncate, true, (int fd, off_t length), (fd, length))
