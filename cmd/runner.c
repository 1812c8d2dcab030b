/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* fopencookie */
#include "runner.h"

#include "report/workflow_command.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A stream in whose text nothing is a command, where there is a runner. */
typedef struct {
	int fd;
	int failed; /* errno of the first write that did */
	rg_workflow_guard guard;
} guarded;

#ifdef REGILD_STATIC
FILE *streams_out, *streams_err;
#endif

static guarded out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

static bool is_there(void)
{
	const char *set = getenv("GITHUB_ACTIONS");
	return set && *set;
}

static bool write_all(guarded *stream, const char *bytes, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t written = write(stream->fd, bytes + at, size - at);
		if (written < 0 && errno != EINTR) {
			stream->failed = stream->failed ? stream->failed : errno;
			return false;
		}
		at += written > 0 ? (size_t)written : 0;
	}
	return true;
}

/* The result that stdio takes for an error. */
#ifdef REGILD_STATIC
enum { NOT_WRITTEN = -1 };
#else
enum { NOT_WRITTEN = 0 };
#endif

static ssize_t write_guarded(void *cookie, const char *bytes, size_t size)
{
	guarded *stream = cookie;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	if (!is_there())
		return write_all(stream, bytes, size) ? (ssize_t)size : NOT_WRITTEN;
	rg_workflow_guard_add(&stream->guard, &text, bytes, size);
	return !text.is_full && write_all(stream, text.data, text.length) ? (ssize_t)size
									  : NOT_WRITTEN;
}

static int close_guarded(void *cookie)
{
	return close(((const guarded *)cookie)->fd);
}

#ifdef __APPLE__
static int write_some(void *cookie, const char *bytes, int size)
{
	return write_guarded(cookie, bytes, (size_t)size) == size ? size : -1;
}
#endif

static FILE *open_guarded(guarded *stream)
{
#ifdef __APPLE__
	return funopen(stream, NULL, write_some, NULL, close_guarded);
#else
	const cookie_io_functions_t functions = {.write = write_guarded, .close = close_guarded};
	return fopencookie(stream, "w", functions);
#endif
}

static bool is_open_as(int fd, const struct stat *file)
{
	struct stat open;
	return !fstat(fd, &open) && open.st_dev == file->st_dev && open.st_ino == file->st_ino;
}

bool runner_reads(const char *path)
{
	struct stat file;
	if (!is_there())
		return false;
	return !strcmp(path, "-") || (!stat(path, &file) && (is_open_as(STDOUT_FILENO, &file) ||
							     is_open_as(STDERR_FILENO, &file)));
}

bool runner_guard_streams(void)
{
#ifdef REGILD_STATIC
	streams_start(); /* and as musl's own do not tell why a write failed, these are for all */
#else
	if (!is_there())
		return true;
#endif
	FILE *own_out = open_guarded(&out), *own_err = open_guarded(&err);
	if (!own_out || !own_err)
		return false;
	setvbuf(own_err, NULL, _IONBF, 0);
	setvbuf(own_out, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 0);
	stdout = own_out;
	stderr = own_err;
	return true;
}

int runner_stdout_errno(void)
{
	return out.failed;
}

void runner_print_commands(const rg_buf *lines)
{
	fflush(stdout);
	out.guard.commands = true;
	fwrite(lines->data, 1, lines->length, stdout);
	fflush(stdout);
	out.guard.commands = false;
}

rg_error *runner_check(void *guard, const void *bytes, size_t length)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	rg_workflow_guard_add(guard, &text, bytes, length);
	RG_TRY(rg_buf_check(&text, "standard output"));
	return text.length == length
		       ? NULL
		       : rg_error_new(RG_E_UNSAFE,
				      "standard output would have a line that GitHub's runner "
				      "obeys as a command; write it to a file");
}
