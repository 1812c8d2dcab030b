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

/* A stream in whose text nothing is a command. */
typedef struct {
	int fd;
	rg_workflow_guard guard;
} guarded;

static guarded out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

static bool write_all(int fd, const rg_buf *text)
{
	size_t at = 0;
	while (at < text->length) {
		ssize_t written = write(fd, text->data + at, text->length - at);
		if (written < 0 && errno != EINTR)
			return false;
		at += written > 0 ? (size_t)written : 0;
	}
	return true;
}

/* stdio takes 0 for an error. */
static ssize_t write_guarded(void *cookie, const char *bytes, size_t size)
{
	guarded *stream = cookie;
	rg_buf text;

	rg_buf_init(&text, SIZE_MAX / 4);
	rg_workflow_guard_add(&stream->guard, &text, bytes, size);
	bool done = !text.is_full && write_all(stream->fd, &text);
	rg_buf_release(&text);
	return done ? (ssize_t)size : 0;
}

static int close_guarded(void *cookie)
{
	return close(((const guarded *)cookie)->fd);
}

static bool is_there(void)
{
	const char *set = getenv("GITHUB_ACTIONS");
	return set && *set;
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
	const cookie_io_functions_t functions = {.write = write_guarded, .close = close_guarded};
	if (!is_there())
		return true;
	FILE *own_out = fopencookie(&out, "w", functions);
	FILE *own_err = fopencookie(&err, "w", functions);
	if (!own_out || !own_err)
		return false;
	setvbuf(own_err, NULL, _IONBF, 0);
	stdout = own_out;
	stderr = own_err;
	return true;
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
	rg_error *refusal = NULL;
	rg_buf text;

	rg_buf_init(&text, SIZE_MAX / 4);
	rg_workflow_guard_add(guard, &text, bytes, length);
	if (text.length != length)
		refusal = rg_error_new(RG_E_UNSAFE,
				       "standard output would have a line that GitHub's runner "
				       "obeys as a command; write it to a file");
	refusal = rg_error_first(rg_buf_check(&text, "standard output"), refusal);
	rg_buf_release(&text);
	return refusal;
}
